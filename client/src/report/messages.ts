/**
 * What the report panel and its page say to each other. Both sides check what arrives with these schemas; what does
 * not match is dropped.
 */
import * as z from 'zod/mini';
import { listOf } from '../../../server/src/contract/check.ts';
import { effect, type Effect } from '../../../server/src/contract/effect.ts';
import { remedy, type Remedy } from '../../../server/src/contract/remedy.ts';
import { isOrigin, isReport, type Origin, type Report } from '../../../server/src/contract/report.ts';
import { scenarioSchema } from '../../../server/src/protocol.ts';

export const hostMessageSchema = z.discriminatedUnion('type', [
  /** The first answer to `ready`: what the panel shows. The page keeps it, so that a restored panel can ask again. */
  z.object({ type: z.literal('scenario'), scenario: scenarioSchema }),
  z.object({ type: z.literal('report'), report: z.custom<Report>(isReport) }),
  z.object({
    type: z.literal('status'),
    /** A simulation is under way. */
    running: z.boolean(),
    /** The manifests have changed since the report that is shown. */
    outdated: z.boolean(),
    /** Why the last run gave no report; empty when it did. */
    failure: z.string(),
    /** What is being done, while it is; empty where nobody has said. */
    progress: z.optional(z.string()),
  }),
  /** The operations that are tried, and what each of them does; null while that is not known. */
  z.object({
    type: z.literal('whatIf'),
    operations: z.array(z.string()),
    effects: z.nullable(z.custom<readonly Effect[]>(listOf(effect))),
  }),
  /** What would help, for the report that was sent last. */
  z.object({ type: z.literal('remedies'), remedies: z.custom<readonly Remedy[]>(listOf(remedy)) }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

export const pageMessageSchema = z.discriminatedUnion('type', [
  /** The page listens. Nothing is sent to it before. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('runAgain') }),
  /** Show a manifest, beside the report. */
  z.object({ type: z.literal('reveal'), origin: z.custom<Origin>(isOrigin) }),
  z.object({ type: z.literal('export'), format: z.enum(['json', 'markdown']) }),
  /** The map as the page draws it, in the colours of the theme. */
  z.object({ type: z.literal('exportMap'), svg: z.string() }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  /** Gives up the run that is under way. */
  z.object({ type: z.literal('cancel') }),
  /** Tries these operations, in this order, instead of those that are tried. */
  z.object({
    type: z.literal('tryOut'),
    operations: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(100)),
  }),
  /** Offers the edit that makes an operation true of the manifests. */
  z.object({ type: z.literal('apply'), operation: z.string() }),
  /** Keeps the operations that are tried under a name, or takes up those that were kept. */
  z.object({ type: z.literal('keepWhatIf') }),
  z.object({ type: z.literal('openWhatIf') }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** The part of the page's kept state that the panel needs to come back after a restart. */
export const restoredStateSchema = z.object({ scenario: scenarioSchema, operations: z.optional(z.array(z.string())) });
