/**
 * What the report panel and its page say to each other. Both sides check what arrives with these schemas; what does
 * not match is dropped.
 */
import * as z from 'zod/mini';
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
  }),
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
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** The part of the page's kept state that the panel needs to come back after a restart. */
export const restoredStateSchema = z.object({ scenario: scenarioSchema });
