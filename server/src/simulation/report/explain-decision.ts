import { list } from '../../kit/words.ts';
import type {
  Decision,
  NodeName,
  NodeRefusal,
  NodeScores,
  PodKey,
  PreemptionCandidate,
  PreemptionCriterion,
  PreemptionOutcome,
} from '../../scheduler/decision.ts';
import { explainChoice, plainPrioritySum } from './explain-choice.ts';
import type { RefusalGroup, ReportCandidate, ReportDecision } from '../../contract/report.ts';

/** Turns the engine's names into the report's indexes. Every name in a decision is known. */
export interface Indexes {
  node(name: NodeName): number;
  pod(key: PodKey): number;
}

/**
 * Scores and candidates are told of this many nodes at the most, the best ones: nobody compares more, and the report of
 * a large cluster would be mostly these.
 */
const nodesCompared = 20;

const nothingSaid = {
  mayVary: false,
  node: null,
  message: '',
  refusals: [],
  afterPreemption: [],
  feasible: [],
  scores: null,
  best: [],
  ineligible: '',
  candidates: [],
  decidedBy: null,
  why: '',
  wouldHelp: [],
} satisfies Omit<ReportDecision, 'kind' | 'pod'>;

/** Of a pod that the API server or a kubelet refuses, so that the scheduler never decides. */
export function rejectedDecision(pod: number, message: string): ReportDecision {
  return { ...nothingSaid, pod, kind: 'rejected', message };
}

/** The report's view of a decision: the same facts, grouped and compared. `wouldHelp` is left empty. */
export function explainDecision(decision: Decision, indexes: Indexes): ReportDecision {
  const base = { ...nothingSaid, pod: indexes.pod(decision.pod), mayVary: decision.mayVary };
  switch (decision.kind) {
    case 'fits':
      return {
        ...base,
        kind: 'fits',
        node: indexes.node(decision.node),
        refusals: groupRefusals(decision.refusals, indexes),
        feasible: decision.feasible.map((name) => indexes.node(name)),
        scores: decision.scores === null ? null : explainScores(decision.scores, indexes),
        best: decision.best.map((name) => indexes.node(name)),
        why: explainPlacement(decision),
      };
    case 'unschedulable': {
      const { preemption } = decision;
      const choice = preemption?.choice ?? null;
      return {
        ...base,
        kind: choice === null ? 'unschedulable' : 'preempts',
        node: choice === null ? null : indexes.node(choice.node),
        message: decision.message,
        refusals: groupRefusals(decision.refusals, indexes),
        ...(preemption === null ? {} : explainPreemption(preemption, indexes)),
      };
    }
    case 'gated':
    case 'not-modelled':
      return { ...base, kind: decision.kind, message: decision.message };
  }
}

/** The best nodes, best first; among equals in bytewise order. */
function explainScores(
  { plugins, byNode, totals }: NodeScores,
  indexes: Indexes,
): NonNullable<ReportDecision['scores']> {
  const best = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, nodesCompared);
  return {
    plugins,
    rows: best.map(([name, total]) => ({ node: indexes.node(name), scores: byNode.get(name) ?? [], total })),
  };
}

function explainPlacement(decision: Decision & { readonly kind: 'fits' }): string {
  if (decision.feasible.length === 1) return `Only ${decision.node} can take it.`;
  if (decision.best.length === 1) {
    return decision.scores === null
      ? `${decision.node} was nominated for it.`
      : `${decision.node} has the highest score.`;
  }
  return `A tie: ${list(decision.best)} share the highest score, and the scheduler draws one of them.`;
}

function explainPreemption(outcome: PreemptionOutcome, indexes: Indexes): Partial<ReportDecision> {
  const { choice } = outcome;
  return {
    ineligible: outcome.ineligibleReason ?? '',
    afterPreemption: groupRefusals(outcome.dryRun, indexes),
    best: choice === null ? [] : choice.nominated.map((name) => indexes.node(name)),
    candidates: bestCandidates(outcome).map(({ candidate, lostAt }) =>
      explainCandidate(candidate, candidate.node === choice?.node, lostAt, indexes),
    ),
    decidedBy: choice?.decidedBy ?? null,
    why: choice === null ? '' : explainChoice(outcome.candidates, choice),
  };
}

const criteria: readonly PreemptionCriterion[] = [
  'pdbViolations',
  'highestPriority',
  'prioritySum',
  'victimCount',
  'latestStart',
];

interface Contender {
  readonly candidate: PreemptionCandidate;
  /** The criterion at which it dropped out; null when it stayed to the end. */
  readonly lostAt: PreemptionCriterion | null;
}

/** Those that stayed longest in the race, the chosen one first. There may be thousands; only these are worked out. */
function bestCandidates({ candidates, choice }: PreemptionOutcome): Contender[] {
  const lost = new Map<NodeName, PreemptionCriterion>();
  let racing: Iterable<NodeName> = candidates.keys();
  for (const { criterion, nodes } of choice?.survivors ?? []) {
    const left = new Set(nodes);
    for (const name of racing) if (!left.has(name)) lost.set(name, criterion);
    racing = nodes;
  }
  const stepsSurvived = (name: NodeName): number => {
    if (name === choice?.node) return criteria.length + 1;
    const lostAt = lost.get(name);
    return lostAt === undefined ? criteria.length : criteria.indexOf(lostAt);
  };
  return [...candidates.keys()]
    .sort((a, b) => stepsSurvived(b) - stepsSurvived(a))
    .slice(0, nodesCompared)
    .flatMap((name) => {
      const candidate = candidates.get(name);
      return candidate === undefined ? [] : [{ candidate, lostAt: lost.get(name) ?? null }];
    });
}

function explainCandidate(
  candidate: PreemptionCandidate,
  chosen: boolean,
  lostAt: Contender['lostAt'],
  indexes: Indexes,
): ReportCandidate {
  return {
    node: indexes.node(candidate.node),
    chosen,
    victims: candidate.victims.map((key) => indexes.pod(key)),
    pdbViolations: candidate.pdbViolations,
    highestPriority: candidate.highestPriority,
    prioritySum: plainPrioritySum(candidate),
    victimCount: candidate.victims.length,
    latestStart: candidate.earliestStart,
    lostAt,
  };
}

/** Nodes that give the same answer become one entry, the largest group first. */
function groupRefusals(refusals: ReadonlyMap<NodeName, NodeRefusal>, indexes: Indexes): RefusalGroup[] {
  // Plugins answer alike nodes with one and the same refusal; only then are the words compared.
  const alike = new Map<NodeRefusal, number[]>();
  for (const [name, refusal] of refusals) {
    const nodes = alike.get(refusal);
    if (nodes === undefined) alike.set(refusal, [indexes.node(name)]);
    else nodes.push(indexes.node(name));
  }
  const groups = new Map<string, { refusal: NodeRefusal; nodes: number[] }>();
  for (const [refusal, nodes] of alike) {
    const key = JSON.stringify([refusal.code, refusal.plugin, refusal.reasons]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { refusal, nodes });
    else for (const node of nodes) group.nodes.push(node);
  }
  return [...groups.values()]
    .sort((a, b) => b.nodes.length - a.nodes.length)
    .map(({ refusal: { code, plugin, reasons }, nodes }) => ({
      code,
      plugin,
      reasons,
      nodes: nodes.sort((a, b) => a - b),
    }));
}
