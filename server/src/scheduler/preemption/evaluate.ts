import type {
  NodeName,
  NodeRefusal,
  NotEnough,
  PreemptionCandidate,
  PreemptionChoice,
  PreemptionOutcome,
} from '../decision.ts';
import { aggregateErrors } from '../../kubernetes/aggregate-errors.ts';
import { groupKeyOf } from '../../kubernetes/pod-groups.ts';
import type { BudgetTable } from '../framework/budgets.ts';
import { countStatuses, fitErrorMessage } from '../framework/fit-error.ts';
import type { PreFilterResult } from '../framework/framework.ts';
import { LazyMap } from '../framework/lazy-map.ts';
import type { NodeSet } from '../framework/node-set.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { nominatedBefore } from '../framework/node-view.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { DefaultPreemptionArgs } from '../framework/profile.ts';
import { Status, unresolvable } from '../framework/status.ts';
import type { VictimFigures } from '../framework/victim-band.ts';
import { Candidates, figuresOf } from './candidates.ts';
import { selectVictims, type Victims } from './dry-run.ts';
import { pickCandidate } from './pick-node.ts';
import { ResourceDryRun } from './resource-dry-run.ts';

const notHelpful = unresolvable('', 'Preemption is not helpful for scheduling');

/** What DefaultPreemption's PostFilter says. */
export interface Preemption {
  readonly outcome: PreemptionOutcome;
  /** Its part of the message; null when it found a candidate and says nothing of it. */
  readonly message: string | null;
  /** It found a candidate: what other plugins say is left out. */
  readonly succeeded: boolean;
  /** It ended in an error, which is then all that PostFilter says. */
  readonly failed: boolean;
  readonly mayVary: boolean;
}

export interface PreemptionInput {
  readonly cycle: Cycle;
  readonly active: PreFilterResult;
  /** By node index: why the pod does not fit. */
  readonly statuses: readonly (Status | null)[];
  readonly schedulers: ReadonlySet<string>;
  readonly args: DefaultPreemptionArgs;
  readonly seed: number | undefined;
}

/** Source: pkg/scheduler/framework/preemption/preemption.go (Evaluator.Preempt) */
export function evaluatePreemption(input: PreemptionInput): Preemption {
  const { cycle, statuses, args, seed } = input;
  const { cluster, pod } = cycle;
  const reason = ineligibleReason(cycle, statuses);
  if (reason !== null) {
    return {
      outcome: outcomeWithout(reason),
      message: `preemption: ${reason}`,
      succeeded: false,
      failed: false,
      mayVary: false,
    };
  }
  const dryRuns = dryRunAll(input);
  const { candidates, failures } = dryRuns;
  const { nodeSet, budgets } = cluster;
  if (candidates.size === 0) {
    const outcome = new Outcome(dryRuns, null, nodeSet, budgets);
    const error = errorMessage(failures);
    const message = `preemption: ${error ?? failureMessage(cluster.nodes.length, failures)}`;
    return { outcome, message, succeeded: false, failed: error !== null, mayVary: false };
  }
  const choice = pickCandidate(candidates, nodeSet, seed, pod.key, dryRuns.figuresOf);
  const outcome = new Outcome(dryRuns, choice, nodeSet, budgets);
  const victims = dryRuns.victimsOf(nodeSet.indexOf(choice.node)!).pods.length;
  const message = cluster.release.behaviours.tellsOfPreemption ? foundMessage(choice.node, victims) : null;
  return { outcome, message, succeeded: true, failed: false, mayVary: leavesSomeOut(args, dryRuns) };
}

/** Source: pull request 140180 */
function foundMessage(node: NodeName, victims: number): string {
  return `preemption: found a potential placement for pod on node ${node}, preempting ${victims} victims`;
}

/**
 * Why the pod may not preempt; null when it may: one of a PodGroup does not where the group does as a whole. `statuses`
 * are those of this cycle, by node index.
 * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (PodEligibleToPreemptOthers)
 */
function ineligibleReason({ cluster, pod }: Cycle, statuses: readonly (Status | null)[]): string | null {
  const { featureGates } = cluster.release;
  if (featureGates.has('WorkloadAwarePreemption') && groupKeyOf(pod.pod, cluster.release) !== null) {
    return 'not eligible due to workload aware preemption enabled';
  }
  if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  if (pod.nominatedNodeName === '') return null;
  const node = cluster.node(pod.nominatedNodeName);
  if (node === undefined || statuses[node.index]?.code === 'UnschedulableAndUnresolvable') return null;
  return node.pods.some((each) => each.priority < pod.priority && each.preempted)
    ? 'not eligible due to a terminating pod on the nominated node.'
    : null;
}

/** Nodes on which preemption does not help, and why; the same position in both lists. */
interface Failures {
  readonly nodes: number[];
  readonly statuses: Status[];
}

interface DryRuns {
  readonly candidates: Candidates;
  readonly failures: Failures;
  /** Of a candidate, by index of the node. */
  readonly victimsOf: (node: number) => Victims;
  /** What they are compared by, to be read before the next is asked for. */
  readonly figuresOf: (node: number) => Readonly<VictimFigures>;
  readonly notEnough: () => readonly NotEnough[];
}

/** Source: DryRunPreemption */
function dryRunAll({ cycle, active, statuses, schedulers }: PreemptionInput): DryRuns {
  const { cluster, pod } = cycle;
  const candidates = new Candidates(statuses.length);
  const failures: Failures = { nodes: [], statuses: [] };
  // Later changes of the cluster state must not reach what is worked out when it is read.
  const nodes = cluster.frozenNodes();
  const nominations = cluster.nominations.branch();
  const nobody = nominations.size === 0;
  const nominatedTo = (node: number): readonly PodInfo[] => nominatedBefore(nominations, node, pod, schedulers);
  const quick = ResourceDryRun.of(cycle, active);
  const known = new Map<number, Victims>();
  for (let index = 0; index < statuses.length; index++) {
    const status = statuses[index];
    if (status?.code !== 'Unschedulable') continue;
    const node = nodes[index]!;
    if (quick !== null && node.exact === null) {
      const failure = quick.run(node, nobody ? noPods : nominatedTo(index), status, candidates);
      if (failure === null) continue;
      failures.nodes.push(index);
      failures.statuses.push(failure);
      continue;
    }
    const result = selectVictims(cycle, active, nominatedTo(index), node);
    if (result instanceof Status) {
      failures.nodes.push(index);
      failures.statuses.push(result);
    } else {
      known.set(index, result);
      candidates.add(index, figuresOf(result));
    }
  }
  const victimsOf = (index: number): Victims => known.get(index) ?? quick!.victimsOf(nodes[index]!, nominatedTo(index));
  const figuresAt = (index: number): Readonly<VictimFigures> => {
    const victims = known.get(index);
    return victims === undefined ? quick!.figuresOf(nodes[index]!, nominatedTo(index)) : figuresOf(victims);
  };
  const notEnough = (): readonly NotEnough[] => notEnoughOn(nodes, withFailures(statuses, failures), pod.priority);
  return { candidates, failures, victimsOf, figuresOf: figuresAt, notEnough };
}

/** Why no node but the candidates would take the pod, with its pods of lower priority gone where that was tried. */
function withFailures(statuses: readonly (Status | null)[], failures: Failures): readonly (Status | null)[] {
  const tried = new Map(failures.nodes.map((node, at) => [node, failures.statuses[at]!]));
  return statuses.map((status, node) => (status?.code === 'Unschedulable' ? (tried.get(node) ?? null) : status));
}

function notEnoughOn(
  nodes: readonly NodeInfo[],
  statuses: readonly (Status | null)[],
  priority: number,
): readonly NotEnough[] {
  const found: NotEnough[] = [];
  for (const [index, refusal] of statuses.entries()) {
    if (refusal === null) continue;
    let highestPriority = -Infinity;
    for (const pod of nodes[index]!.pods) {
      if (pod.priority < priority && pod.priority > highestPriority) highestPriority = pod.priority;
    }
    if (highestPriority > -Infinity) found.push({ node: nodes[index]!.name, highestPriority, refusal });
  }
  return found;
}

const noPods: readonly PodInfo[] = [];

/** Null when no dry run ended in an error. */
function errorMessage({ statuses }: Failures): string | null {
  const errors = new Set(statuses.filter((status) => status.code === 'Error').map((status) => status.message));
  return errors.size === 0 ? null : aggregateErrors(errors);
}

function failureMessage(nodes: number, failures: Failures): string {
  const counts = new Map(countStatuses(failures.statuses));
  if (failures.nodes.length < nodes) counts.set(notHelpful, nodes - failures.nodes.length);
  return fitErrorMessage(nodes, counts, '');
}

/**
 * Whether the real scheduler may choose among some of the candidates only: it stops once it has enough and one of them
 * breaks no budget, and of those that break one it keeps no more than enough.
 * Source: calculateNumCandidates in pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go;
 * DryRunPreemption and candidateList in preemption.go
 */
function leavesSomeOut(args: DefaultPreemptionArgs, { candidates, failures }: DryRuns): boolean {
  const potential = candidates.size + failures.nodes.length;
  const share = Math.trunc((potential * args.minCandidateNodesPercentage) / 100);
  const wanted = Math.min(potential, Math.max(share, args.minCandidateNodesAbsolute));
  return candidates.size > wanted;
}

function outcomeWithout(ineligible: string): PreemptionOutcome {
  return {
    eligible: false,
    ineligibleReason: ineligible,
    candidates: new Map(),
    leastImportant: null,
    choice: null,
    dryRun: new Map(),
    notEnough: [],
  };
}

/** Maps over nodes are made when they are first read. */
class Outcome implements PreemptionOutcome {
  readonly eligible = true;
  readonly ineligibleReason = null;
  readonly candidates: ReadonlyMap<NodeName, PreemptionCandidate>;
  readonly choice: PreemptionChoice | null;
  readonly leastImportant: number | null;
  readonly #dryRuns: DryRuns;
  readonly #nodes: NodeSet;
  readonly #budgets: BudgetTable;

  constructor(dryRuns: DryRuns, choice: PreemptionChoice | null, nodes: NodeSet, budgets: BudgetTable) {
    this.choice = choice;
    this.leastImportant = choice === null ? null : dryRuns.candidates.leastImportant;
    this.#dryRuns = dryRuns;
    this.#nodes = nodes;
    this.#budgets = budgets;
    const candidates = dryRuns.candidates.nodes;
    this.candidates = new LazyMap(
      candidates.length,
      (row) => this.#nameOf(candidates[row]!),
      (name) => candidates.indexOf(nodes.indexOf(name) ?? -1),
      (row) => this.#candidate(candidates[row]!),
    );
  }

  get dryRun(): ReadonlyMap<NodeName, NodeRefusal> {
    const { nodes, statuses } = this.#dryRuns.failures;
    return new Map(nodes.map((index, i) => [this.#nameOf(index), statuses[i]!]));
  }

  get notEnough(): readonly NotEnough[] {
    return this.#dryRuns.notEnough();
  }

  #nameOf(index: number): NodeName {
    return this.#nodes.facts[index]!.name;
  }

  #candidate(node: number): PreemptionCandidate {
    const victims = this.#dryRuns.victimsOf(node);
    const { highestPriority, prioritySum, earliestStart } = figuresOf(victims);
    return {
      node: this.#nameOf(node),
      victims: victims.pods.map((pod) => pod.key),
      pdbViolations: victims.pdbViolations,
      violatedBudgets: victims.violatedBudgets.map((index) => this.#budgets.budgets[index]!.key),
      highestPriority,
      prioritySum,
      earliestStart: earliestStart === Infinity ? null : new Date(earliestStart).toISOString().replace('.000Z', 'Z'),
    };
  }
}
