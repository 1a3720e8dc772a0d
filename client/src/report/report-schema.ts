/**
 * The shape of a simulation report as a value that crosses a border: server → client → page. The annotation makes the
 * compiler compare it with the model in `server/src/simulation/report.ts`.
 */
import * as z from 'zod/mini';
import type { Report } from '../../../server/src/simulation/report.ts';

const index = z.int().check(z.nonnegative());
const count = z.number();
const texts = z.array(z.string());
const indices = z.array(index);
const amounts = z.record(z.string(), z.number());

const position = z.object({ line: z.number(), character: z.number() });
export const originSchema = z.object({ uri: z.string(), range: z.object({ start: position, end: position }) });
const origin = z.nullable(originSchema);

const preemptionPolicy = z.enum(['PreemptLowerPriority', 'Never']);
const criterion = z.enum(['pdbViolations', 'highestPriority', 'prioritySum', 'victimCount', 'latestStart']);

const scenario = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace') }),
  z.object({ kind: z.literal('file'), uri: z.string(), label: z.string() }),
  z.object({ kind: z.literal('workload'), workload: index, label: z.string() }),
]);

const place = z.object({
  state: z.enum(['running', 'terminating', 'pending', 'nominated', 'gated', 'evicted', 'rejected']),
  node: z.nullable(index),
});

const workload = z.object({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  priority: z.number(),
  className: z.nullable(z.string()),
  preemptionPolicy,
  replicas: count,
  origin,
});

const node = z.object({
  name: z.string(),
  zone: z.string(),
  allocatable: amounts,
  requested: amounts,
  unschedulable: z.boolean(),
  taints: texts,
  assumed: z.boolean(),
  origin,
});

const pod = z.object({
  namespace: z.string(),
  name: z.string(),
  workload: z.nullable(index),
  priority: z.number(),
  rung: index,
  className: z.nullable(z.string()),
  preemptionPolicy,
  requests: amounts,
  share: z.number(),
  gracePeriodSeconds: z.number(),
  before: place,
  after: place,
  budgets: texts,
  origin,
  decision: z.nullable(index),
  threats: indices,
});

const step = z.object({
  clock: z.number(),
  kind: z.enum(['scheduled', 'nominated', 'pending', 'gated', 'gone', 'rejected', 'not-modelled']),
  pod: index,
  node: z.nullable(index),
  victims: indices,
  note: z.string(),
  decision: z.nullable(index),
  changes: z.array(z.object({ pod: index, place })),
  requested: z.array(z.object({ node: index, amounts })),
  queues: z.object({ active: count, backoff: count, unschedulable: count, gated: count }),
});

const refusal = z.object({
  code: z.enum(['Success', 'Error', 'Unschedulable', 'UnschedulableAndUnresolvable', 'Wait', 'Skip', 'Pending']),
  plugin: z.string(),
  reasons: texts,
  nodes: indices,
});

const candidate = z.object({
  node: index,
  chosen: z.boolean(),
  victims: indices,
  pdbViolations: count,
  highestPriority: z.number(),
  prioritySum: z.number(),
  victimCount: count,
  latestStart: z.nullable(z.string()),
  lostAt: z.nullable(criterion),
});

const decision = z.object({
  pod: index,
  kind: z.enum(['fits', 'preempts', 'unschedulable', 'gated', 'not-modelled', 'rejected']),
  node: z.nullable(index),
  message: z.string(),
  refusals: z.array(refusal),
  afterPreemption: z.array(refusal),
  feasible: indices,
  scores: z.nullable(
    z.object({
      plugins: texts,
      rows: z.array(z.object({ node: index, scores: z.array(z.number()), total: z.number() })),
    }),
  ),
  best: indices,
  ineligible: z.string(),
  candidates: z.array(candidate),
  decidedBy: z.nullable(z.union([criterion, z.literal('tie')])),
  why: z.string(),
  wouldHelp: texts,
  mayVary: z.boolean(),
});

const victim = z.object({
  pod: index,
  workload: z.nullable(index),
  preemptor: index,
  node: index,
  budget: z.object({ state: z.enum(['kept', 'violated', 'none']), names: texts }),
  gracePeriodSeconds: z.number(),
  remaining: z.object({ running: count, before: count }),
  newNode: z.nullable(index),
  fate: z.enum(['moves', 'pending', 'gone']),
  replacement: z.nullable(index),
  event: z.string(),
});

export const reportSchema: z.ZodMiniType<Report> = z.object({
  version: z.literal(1),
  kubernetes: z.literal('1.34'),
  scenario,
  sentence: z.array(z.object({ text: z.string(), tone: z.enum(['plain', 'strong', 'good', 'bad', 'warning']) })),
  assumptions: z.array(z.object({ mark: z.enum(['=', '≥', '≤', '?']), text: z.string(), detail: z.string() })),
  ladder: z.array(z.object({ priority: z.number(), classes: texts, position: z.number() })),
  workloads: z.array(workload),
  nodes: z.array(node),
  pods: z.array(pod),
  steps: z.array(step),
  decisions: z.array(decision),
  victims: z.array(victim),
  pending: z.array(z.object({ pod: index, decision: index })),
  totals: z.object({
    nodes: count,
    running: count,
    scheduled: count,
    evicted: count,
    pending: count,
    gated: count,
    budgetsViolated: count,
    preemptionAttempts: count,
    preemptionVictims: count,
  }),
});
