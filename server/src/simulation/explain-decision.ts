import type {
  Decision,
  NodeName,
  NodeRefusal,
  NodeScores,
  PodKey,
  PreemptionCandidate,
  PreemptionCriterion,
  PreemptionOutcome,
} from '../scheduler/decision.ts';
import { explainChoice, plainPrioritySum } from './explain-choice.ts';
import type { RefusalGroup, ReportCandidate, ReportDecision } from './report.ts';
import { list } from './wording.ts';

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

/** The report's view of a decision: the same facts, grouped and compared. `wouldHelp` is left empty. */
export function explainDecision(decision: Decision, indexes: Indexes): ReportDecision {
  const base = {
    pod: indexes.pod(decision.pod),
    mayVary: decision.mayVary,
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
  } satisfies Omit<ReportDecision, 'kind'>;
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
    candidates: [...outcome.candidates.values()]
      .map((candidate) => explainCandidate(candidate, outcome, indexes))
      .sort((a, b) => stepsSurvived(b) - stepsSurvived(a))
      .slice(0, nodesCompared),
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

/** How long a candidate stayed in the race; the chosen one longest. */
function stepsSurvived({ chosen, lostAt }: ReportCandidate): number {
  if (chosen) return criteria.length + 1;
  return lostAt === null ? criteria.length : criteria.indexOf(lostAt);
}

function explainCandidate(
  candidate: PreemptionCandidate,
  outcome: PreemptionOutcome,
  indexes: Indexes,
): ReportCandidate {
  const lost = outcome.choice?.survivors.find(({ nodes }) => !nodes.includes(candidate.node));
  return {
    node: indexes.node(candidate.node),
    chosen: outcome.choice?.node === candidate.node,
    victims: candidate.victims.map((key) => indexes.pod(key)),
    pdbViolations: candidate.pdbViolations,
    highestPriority: candidate.highestPriority,
    prioritySum: plainPrioritySum(candidate),
    victimCount: candidate.victims.length,
    latestStart: candidate.earliestStart,
    lostAt: lost?.criterion ?? null,
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
