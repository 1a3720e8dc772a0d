import { addTo, getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import type {
  Decision,
  FitsDecision,
  NodeName,
  NodeRefusal,
  NodeScores,
  PodKey,
  PreemptionCandidate,
  PreemptionCriterion,
  PreemptionOutcome,
  SharedRefusals,
  UnschedulableDecision,
} from '../../scheduler/decision.ts';
import { explainChoice, plainPrioritySum } from './explain-choice.ts';
import type { RefusalGroup, ReportCandidate, ReportDecision } from '../../report-model/report.ts';

/** Turns the engine's names into the report's indexes. Every name in a decision is known. */
export interface Indexes {
  readonly node: (name: NodeName) => number;
  readonly pod: (key: PodKey) => number;
}

/**
 * Scores and candidates are told of this many nodes at the most, the best ones: nobody compares more, and the report of
 * a large cluster would be mostly these.
 */
export const nodesCompared = 20;

/** What is known of a decision when it is made. */
export interface RecordedDecision {
  /** Null of a pod that the API server or a kubelet refuses, so that the scheduler never decides. */
  readonly decision: Decision | null;
  readonly pod: number;
  /** The refusal where there is no decision. */
  readonly message: string;
}

/**
 * The report's view of a decision: the same facts, grouped and compared. What is told of it over all nodes is worked out
 * each time that it is read, since there may be thousands of decisions over thousands of nodes and hardly any is looked at.
 */
export function explainDecision(
  { decision, pod, message }: RecordedDecision,
  indexes: Indexes,
  wouldHelp: readonly string[],
): ReportDecision {
  const preemption = decision?.kind === 'unschedulable' ? decision.preemption : null;
  const choice = preemption?.choice ?? null;
  const fits = decision?.kind === 'fits' ? decision : null;
  const node = fits?.node ?? choice?.node;
  const refusing = decision?.kind === 'fits' || decision?.kind === 'unschedulable' ? decision : null;
  return {
    pod,
    kind: decision === null ? 'rejected' : choice === null ? decision.kind : 'preempts',
    node: node === undefined ? null : indexes.node(node),
    message: decision === null ? message : decision.kind === 'fits' ? '' : decision.message,
    wouldHelp,
    mayVary: decision?.mayVary ?? false,
    get refusals() {
      return refusing === null ? [] : refusalGroups(refusing, indexes);
    },
    get afterPreemption() {
      return preemption === null ? [] : groupRefusals(preemption.dryRun, indexes);
    },
    get feasible() {
      return (fits?.feasible ?? []).map((name) => indexes.node(name));
    },
    get scores() {
      return fits?.scores == null ? null : explainScores(fits.scores, indexes);
    },
    get best() {
      return (fits?.best ?? choice?.nominated ?? []).map((name) => indexes.node(name));
    },
    ineligible: preemption?.ineligibleReason ?? '',
    get candidates() {
      return preemption === null ? [] : explainCandidates(preemption, indexes);
    },
    decidedBy: choice?.decidedBy ?? null,
    get why() {
      if (fits !== null) return explainPlacement(fits);
      return preemption === null ? '' : explainChoice(preemption);
    },
  };
}

function explainScores(scores: NodeScores, indexes: Indexes): NonNullable<ReportDecision['scores']> {
  const { plugins, byNode, totals } = scores.best(nodesCompared);
  return {
    plugins,
    rows: [...totals].map(([name, total]) => ({ node: indexes.node(name), scores: byNode.get(name) ?? [], total })),
  };
}

function explainPlacement(decision: FitsDecision): string {
  if (decision.feasible.length === 1) return say`Only ${decision.node} can take it.`;
  if (!decision.isTie) {
    return decision.scores === null
      ? say`${decision.node} was nominated for it.`
      : say`${decision.node} has the highest score.`;
  }
  return say`A tie: ${list(decision.best)} share the highest score, and the scheduler picks one of them at random.`;
}

function explainCandidates(outcome: PreemptionOutcome, indexes: Indexes): readonly ReportCandidate[] {
  return bestCandidates(outcome).map(({ candidate, lostAt }) =>
    explainCandidate(candidate, candidate.node === outcome.choice?.node, lostAt, indexes),
  );
}

interface Contender {
  readonly candidate: PreemptionCandidate;
  /** The criterion at which it dropped out; null when it stayed to the end. */
  readonly lostAt: PreemptionCriterion | null;
}

/** Those that stayed longest in the race, the chosen one first. There may be thousands; only these are worked out. */
function bestCandidates({ candidates, choice }: PreemptionOutcome): Contender[] {
  const lostAt = new Map<NodeName, PreemptionCriterion | null>();
  const keep = (names: Iterable<NodeName>, lost: PreemptionCriterion | null): void => {
    for (const name of names) {
      if (lostAt.size >= nodesCompared) return;
      if (!lostAt.has(name)) lostAt.set(name, lost);
    }
  };
  if (choice !== null) keep([choice.node], null);
  // From those that were left at the end to those that dropped out first.
  let lost: PreemptionCriterion | null = null;
  for (const { criterion, nodes } of choice?.survivors.toReversed() ?? []) {
    if (lostAt.size >= nodesCompared) break;
    const left = new Set(nodes);
    keep(among(candidates.keys(), left), lost);
    lost = criterion;
  }
  keep(candidates.keys(), lost);
  return [...lostAt].flatMap(([name, lost]) => {
    const candidate = candidates.get(name);
    return candidate === undefined ? [] : [{ candidate, lostAt: lost }];
  });
}

function* among(names: Iterable<NodeName>, wanted: ReadonlySet<NodeName>): Generator<NodeName> {
  for (const name of names) if (wanted.has(name)) yield name;
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

/** Of decisions that repeat another. */
const known = new WeakMap<UnschedulableDecision, readonly RefusalGroup[]>();

/** Hundreds of pods may have been refused with one and the same answer. */
function refusalGroups(decision: FitsDecision | UnschedulableDecision, indexes: Indexes): readonly RefusalGroup[] {
  const repeated = decision.kind === 'fits' ? null : decision.repeats;
  if (repeated === null) return groupShared(decision.sharedRefusals, indexes);
  return getOrInsert(known, repeated, () => groupShared(repeated.sharedRefusals, indexes));
}

/** Of the nodes in the order of the scheduler, the indexes in the report. */
const knownPlaces = new WeakMap<SharedRefusals['nodes'], { readonly of: Indexes['node']; readonly at: Int32Array }>();

function placesOf(nodes: SharedRefusals['nodes'], indexes: Indexes): Int32Array {
  let known = knownPlaces.get(nodes);
  if (known?.of !== indexes.node) {
    known = { of: indexes.node, at: Int32Array.from(nodes, ({ name }) => indexes.node(name)) };
    knownPlaces.set(nodes, known);
  }
  return known.at;
}

function groupShared({ nodes, places }: SharedRefusals, indexes: Indexes): RefusalGroup[] {
  const at = placesOf(nodes, indexes);
  return grouped([...places].map(([refusal, ofRefusal]) => [refusal, ofRefusal.map((place) => at[place]!)] as const));
}

function groupRefusals(refusals: ReadonlyMap<NodeName, NodeRefusal>, indexes: Indexes): RefusalGroup[] {
  // Plugins answer alike nodes with one and the same refusal; only then are the words compared.
  const alike = new Map<NodeRefusal, number[]>();
  for (const [name, refusal] of refusals) {
    addTo(alike, refusal, indexes.node(name));
  }
  return grouped(alike);
}

/** Nodes that give the same answer become one entry, the largest group first. */
function grouped(alike: Iterable<readonly [NodeRefusal, number[]]>): RefusalGroup[] {
  const groups = new Map<string, { refusal: NodeRefusal; nodes: number[] }>();
  for (const [refusal, nodes] of alike) {
    const key = JSON.stringify([refusal.code, refusal.plugin, refusal.reasons]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { refusal, nodes });
    else for (const node of nodes) group.nodes.push(node);
  }
  return [...groups.values()]
    .sort((a, b) => b.nodes.length - a.nodes.length)
    .map(({ refusal: { code, plugin, reasons }, nodes }) => ({ code, plugin, reasons, nodes: inOrder(nodes) }));
}

function inOrder(numbers: number[]): number[] {
  for (let at = 1; at < numbers.length; at++) {
    if (numbers[at]! < numbers[at - 1]!) return numbers.sort((a, b) => a - b);
  }
  return numbers;
}
