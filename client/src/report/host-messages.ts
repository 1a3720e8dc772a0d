/** What the report panel says to its page. */
import * as z from 'zod/mini';
import { capacity, type Capacity } from '../../../server/src/report-model/capacity.ts';
import { listOf } from '../../../server/src/report-model/check.ts';
import { effect, type Effect } from '../../../server/src/report-model/effect.ts';
import { isOrigin, type Origin } from '../../../server/src/report-model/origin.ts';
import { remedy, type Remedy } from '../../../server/src/report-model/remedy.ts';
import { isDecision, type Report, type ReportDecision } from '../../../server/src/report-model/report.ts';
import { comparisonSchema, doubts } from './messages.ts';
import { soFar, type SoFar } from '../../../server/src/report-model/so-far.ts';
import { isObject } from '../../../server/src/util/values.ts';
import { scenarioSchema } from '../../../server/src/protocol.ts';

export const hostMessageSchema = z.discriminatedUnion('type', [
  /** The first answer to `ready`: what the panel shows. The page keeps it, so that a restored panel can ask again. */
  z.object({ type: z.literal('scenario'), scenario: scenarioSchema }),
  /** The page checks its rows in steps. */
  z.object({ type: z.literal('report'), report: z.custom<Report>(isObject) }),
  /** The whole of a decision of the report that was sent last; null with the reason where it is not known. */
  z.object({
    type: z.literal('explained'),
    index: z.number(),
    decision: z.nullable(z.custom<ReportDecision>(isDecision)),
    failure: z.string(),
  }),
  /** How much room is left for workloads that were asked about; why it is not known, where it is not. */
  z.object({
    type: z.literal('capacity'),
    workloads: z.array(z.number()),
    rows: z.custom<readonly Capacity[]>(listOf(capacity)),
    failure: z.string(),
  }),
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
    /** What the run has decided until now, or had when it was stopped. */
    soFar: z.optional(z.custom<SoFar>(soFar)),
    /** The user has stopped the last run. */
    stopped: z.optional(z.boolean()),
    /** Why the run was not begun: the user has not been asked yet. */
    doubt: z.optional(
      z.object({ about: z.enum(doubts), text: z.string(), origin: z.nullable(z.custom<Origin>(isOrigin)) }),
    ),
    /** There is a run before the one that is shown. */
    previous: z.optional(z.boolean()),
    /** What the run is compared with, where its scenario does not say so: one of those that can be, and its name. */
    against: z.optional(comparisonSchema),
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
