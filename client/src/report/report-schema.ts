/**
 * The shape of a simulation report as a value that crosses a border: server → client → page. The compiler compares it
 * with the model in `server/src/simulation/report.ts`, field by field.
 */
import * as z from 'zod/mini';
import type { Origin } from '../../../server/src/kubernetes/objects.ts';
import type {
  Assumption,
  PodChange,
  PodPlace,
  QueueCounts,
  RefusalGroup,
  Report,
  ReportCandidate,
  ReportComparison,
  ReportDecision,
  ReportNode,
  ReportPod,
  ReportScenario,
  ReportStep,
  ReportTotals,
  ReportVictim,
  ReportWorkload,
  Rung,
  SentencePart,
} from '../../../server/src/simulation/report/report.ts';
import {
  type Check,
  isFlag,
  isIndex,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isRecordOf,
  isShape,
  isText,
} from './check.ts';

const isTexts = isListOf(isText);
const isIndices = isListOf(isIndex);
const isAmounts = isRecordOf(isNumber);
const isPolicy = isOneOf('PreemptLowerPriority', 'Never');
const isCriterion = isOneOf('pdbViolations', 'highestPriority', 'prioritySum', 'victimCount', 'latestStart');

const isPosition = isShape<Origin['range']['start']>({ line: isNumber, character: isNumber });
const isOrigin = isShape<Origin>({ uri: isText, range: isShape({ start: isPosition, end: isPosition }) });

type Scenario<Kind> = Extract<ReportScenario, { readonly kind: Kind }>;
const isWorkspaceScenario = isShape<Scenario<'workspace'>>({ kind: isOneOf('workspace') });
const isChangeScenario = isShape<Scenario<'change'>>({ kind: isOneOf('change'), since: isText });
const isFileScenario = isShape<Scenario<'file'>>({ kind: isOneOf('file'), uri: isText, label: isText });
const isWorkloadScenario = isShape<Scenario<'workload'>>({
  kind: isOneOf('workload'),
  workload: isIndex,
  label: isText,
});
const isScenario: Check<ReportScenario> = (value) =>
  isWorkspaceScenario(value) || isChangeScenario(value) || isFileScenario(value) || isWorkloadScenario(value);

const isPlace = isShape<PodPlace>({
  state: isOneOf('running', 'terminating', 'pending', 'nominated', 'gated', 'evicted', 'rejected'),
  node: isNullOr(isIndex),
});

const isWorkload = isShape<ReportWorkload>({
  kind: isText,
  namespace: isText,
  name: isText,
  priority: isNumber,
  className: isNullOr(isText),
  preemptionPolicy: isPolicy,
  replicas: isNumber,
  origin: isNullOr(isOrigin),
});

const isNode = isShape<ReportNode>({
  name: isText,
  zone: isText,
  allocatable: isAmounts,
  requested: isAmounts,
  unschedulable: isFlag,
  taints: isTexts,
  assumed: isFlag,
  origin: isNullOr(isOrigin),
});

const isPod = isShape<ReportPod>({
  namespace: isText,
  name: isText,
  workload: isNullOr(isIndex),
  priority: isNumber,
  rung: isIndex,
  className: isNullOr(isText),
  preemptionPolicy: isPolicy,
  requests: isAmounts,
  share: isNumber,
  gracePeriodSeconds: isNumber,
  before: isPlace,
  after: isPlace,
  budgets: isTexts,
  origin: isNullOr(isOrigin),
  decision: isNullOr(isIndex),
  threats: isIndices,
});

const isStep = isShape<ReportStep>({
  clock: isNumber,
  kind: isOneOf('scheduled', 'nominated', 'pending', 'gated', 'gone', 'rejected', 'not-modelled'),
  pod: isIndex,
  node: isNullOr(isIndex),
  victims: isIndices,
  note: isText,
  decision: isNullOr(isIndex),
  changes: isListOf(isShape<ReportStep['changes'][number]>({ pod: isIndex, place: isPlace })),
  requested: isListOf(isShape<ReportStep['requested'][number]>({ node: isIndex, amounts: isAmounts })),
  queues: isShape<QueueCounts>({ active: isNumber, backoff: isNumber, unschedulable: isNumber, gated: isNumber }),
});

const isRefusal = isShape<RefusalGroup>({
  code: isOneOf('Success', 'Error', 'Unschedulable', 'UnschedulableAndUnresolvable', 'Wait', 'Skip', 'Pending'),
  plugin: isText,
  reasons: isTexts,
  nodes: isIndices,
});

const isCandidate = isShape<ReportCandidate>({
  node: isIndex,
  chosen: isFlag,
  victims: isIndices,
  pdbViolations: isNumber,
  highestPriority: isNumber,
  prioritySum: isNumber,
  victimCount: isNumber,
  latestStart: isNullOr(isText),
  lostAt: isNullOr(isCriterion),
});

type ScoreTable = NonNullable<ReportDecision['scores']>;
const isScoreTable = isShape<ScoreTable>({
  plugins: isTexts,
  rows: isListOf(isShape<ScoreTable['rows'][number]>({ node: isIndex, scores: isListOf(isNumber), total: isNumber })),
});

const isDecision = isShape<ReportDecision>({
  pod: isIndex,
  kind: isOneOf('fits', 'preempts', 'unschedulable', 'gated', 'not-modelled', 'rejected'),
  node: isNullOr(isIndex),
  message: isText,
  refusals: isListOf(isRefusal),
  afterPreemption: isListOf(isRefusal),
  feasible: isIndices,
  scores: isNullOr(isScoreTable),
  best: isIndices,
  ineligible: isText,
  candidates: isListOf(isCandidate),
  decidedBy: isNullOr(isOneOf('pdbViolations', 'highestPriority', 'prioritySum', 'victimCount', 'latestStart', 'tie')),
  why: isText,
  wouldHelp: isTexts,
  mayVary: isFlag,
});

const isVictim = isShape<ReportVictim>({
  pod: isIndex,
  workload: isNullOr(isIndex),
  preemptor: isIndex,
  node: isIndex,
  budget: isShape<ReportVictim['budget']>({ state: isOneOf('kept', 'violated', 'none'), names: isTexts }),
  gracePeriodSeconds: isNumber,
  remaining: isShape<ReportVictim['remaining']>({ running: isNumber, before: isNumber }),
  newNode: isNullOr(isIndex),
  fate: isOneOf('moves', 'pending', 'gone'),
  replacement: isNullOr(isIndex),
  event: isText,
});

const isTotals = isShape<ReportTotals>({
  nodes: isNumber,
  running: isNumber,
  scheduled: isNumber,
  evicted: isNumber,
  pending: isNumber,
  gated: isNumber,
  budgetsViolated: isNumber,
  preemptionAttempts: isNumber,
  preemptionVictims: isNumber,
});

const isSentence = isListOf(
  isShape<SentencePart>({ text: isText, tone: isOneOf('plain', 'strong', 'good', 'bad', 'warning') }),
);

const isComparison = isShape<ReportComparison>({
  since: isText,
  sentence: isSentence,
  priorities: isListOf(
    isShape<ReportComparison['priorities'][number]>({ workload: isIndex, before: isNumber, after: isNumber }),
  ),
  pods: isListOf(
    isShape<PodChange>({
      kind: isOneOf('evicted', 'pending', 'removed', 'moved', 'added', 'placed', 'spared'),
      pod: isNullOr(isIndex),
      namespace: isText,
      name: isText,
      before: isText,
      after: isText,
    }),
  ),
});

const isReport = isShape<Report>({
  version: isOneOf(1),
  kubernetes: isOneOf('1.34'),
  scenario: isScenario,
  sentence: isSentence,
  assumptions: isListOf(isShape<Assumption>({ mark: isOneOf('=', '≥', '≤', '?'), text: isText, detail: isText })),
  ladder: isListOf(isShape<Rung>({ priority: isNumber, classes: isTexts, position: isNumber })),
  workloads: isListOf(isWorkload),
  nodes: isListOf(isNode),
  pods: isListOf(isPod),
  steps: isListOf(isStep),
  decisions: isListOf(isDecision),
  victims: isListOf(isVictim),
  pending: isListOf(isShape<Report['pending'][number]>({ pod: isIndex, decision: isIndex })),
  totals: isTotals,
  comparison: isNullOr(isComparison),
});

export const originSchema = z.custom<Origin>(isOrigin);
export const reportSchema = z.custom<Report>(isReport);
