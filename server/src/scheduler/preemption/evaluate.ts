import type { NodeName, NodeRefusal, PreemptionCandidate, PreemptionChoice, PreemptionOutcome } from '../decision.ts';
import type { BudgetTable } from '../framework/budgets.ts';
import { fitErrorMessage } from '../framework/fit-error.ts';
import type { PreFilterResult } from '../framework/framework.ts';
import { LazyMap } from '../framework/lazy-map.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { nominatedBefore } from '../framework/node-view.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { DefaultPreemptionArgs } from '../framework/profile.ts';
import { Status, unresolvable } from '../framework/status.ts';
import { CandidateTable } from './candidate-table.ts';
import { selectVictims, type Victims } from './dry-run.ts';
import { ineligibleReason } from './eligibility.ts';
import { pickCandidate } from './pick-node.ts';
import { ResourceDryRun } from './resource-dry-run.ts';

const notHelpful = unresolvable('', 'Preemption is not helpful for scheduling');

/** What DefaultPreemption's PostFilter says. */
export interface Preemption {
  readonly outcome: PreemptionOutcome;
  /** Its part of the message; null when it found a candidate. */
  readonly message: string | null;
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
    return { outcome: outcomeWithout(reason), message: `preemption: ${reason}`, mayVary: false };
  }
  const potential: number[] = [];
  for (let index = 0; index < statuses.length; index++) {
    if (statuses[index]?.code === 'Unschedulable') potential.push(index);
  }
  const { table, failures, victimsOf } = dryRunAll(input, potential);
  if (table.size === 0) {
    const message = `preemption: ${failureMessage(cluster.nodes.length, failures)}`;
    return { outcome: new Outcome(table, null, failures, victimsOf, cluster.nodeSet, cluster.budgets), message, mayVary: false };
  }
  const choice = pickCandidate(table, cluster.nodeSet, seed, pod.key);
  const outcome = new Outcome(table, choice, failures, victimsOf, cluster.nodeSet, cluster.budgets);
  return { outcome, message: null, mayVary: stopsEarly(args, potential.length, table) };
}

interface DryRuns {
  readonly table: CandidateTable;
  /** Node index → why preemption does not help there. */
  readonly failures: ReadonlyMap<number, Status>;
  /** Of a row of the table. */
  readonly victimsOf: (row: number) => Victims;
}

/** Source: DryRunPreemption */
function dryRunAll({ cycle, active, statuses, schedulers }: PreemptionInput, potential: readonly number[]): DryRuns {
  const { cluster, pod } = cycle;
  const table = new CandidateTable(potential.length);
  const failures = new Map<number, Status>();
  if (potential.length === 0) return { table, failures, victimsOf: () => none };
  // Later changes of the cluster state must not reach what is worked out when it is read.
  const nodes = cluster.frozenNodes();
  const quick = ResourceDryRun.of(cycle, active);
  const known = new Map<number, Victims>();
  for (const index of potential) {
    const node = nodes[index]!;
    const nominated = cluster.anyNomination ? nominatedBefore(cluster, index, pod, schedulers) : noPods;
    if (quick !== null && node.exact === null) {
      const failure = quick.run(node, nominated, statuses[index]!, table);
      if (failure !== null) failures.set(index, failure);
      continue;
    }
    const result = selectVictims(cycle, active, nominated, node);
    if (result instanceof Status) {
      failures.set(index, result);
    } else {
      known.set(table.size, result);
      table.addVictims(index, result);
    }
  }
  const victimsOf = (row: number): Victims => {
    const victims = known.get(row) ?? quick!.victimsOf(nodes[table.nodes[row]!]!);
    known.set(row, victims);
    return victims;
  };
  return { table, failures, victimsOf };
}

const noPods: readonly never[] = [];
const none: Victims = { pods: [], pdbViolations: 0, violatedBudgets: [] };

function failureMessage(nodes: number, failures: ReadonlyMap<number, Status>): string {
  const counts = new Map<Status, number>();
  const errors: string[] = [];
  for (const status of failures.values()) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status.code === 'Error') errors.push(status.message);
  }
  // Source: k8s.io/apimachinery/pkg/util/errors (Aggregate.Error)
  if (errors.length > 0) return errors.length === 1 ? errors.join() : `[${[...new Set(errors)].join(', ')}]`;
  if (failures.size < nodes) counts.set(notHelpful, nodes - failures.size);
  return fitErrorMessage(nodes, counts, '');
}

/**
 * Whether the real scheduler may stop before it has seen all candidates.
 * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (calculateNumCandidates)
 */
function stopsEarly(args: DefaultPreemptionArgs, potential: number, table: CandidateTable): boolean {
  const share = Math.trunc((potential * args.minCandidateNodesPercentage) / 100);
  const wanted = Math.min(potential, Math.max(share, args.minCandidateNodesAbsolute));
  return table.size > wanted && table.pdbViolations.subarray(0, table.size).includes(0);
}

function outcomeWithout(ineligible: string): PreemptionOutcome {
  return {
    eligible: false,
    ineligibleReason: ineligible,
    candidates: new Map(),
    choice: null,
    dryRun: new Map(),
  };
}

/** Maps over nodes are made when they are first read. */
class Outcome implements PreemptionOutcome {
  readonly eligible = true;
  readonly ineligibleReason = null;
  readonly candidates: ReadonlyMap<NodeName, PreemptionCandidate>;
  readonly choice: PreemptionChoice | null;
  readonly #table: CandidateTable;
  readonly #failures: ReadonlyMap<number, Status>;
  readonly #victimsOf: (row: number) => Victims;
  readonly #nodes: NodeSet;
  readonly #budgets: BudgetTable;

  constructor(
    table: CandidateTable,
    choice: PreemptionChoice | null,
    failures: ReadonlyMap<number, Status>,
    victimsOf: (row: number) => Victims,
    nodes: NodeSet,
    budgets: BudgetTable,
  ) {
    this.choice = choice;
    this.#table = table;
    this.#failures = failures;
    this.#victimsOf = victimsOf;
    this.#nodes = nodes;
    this.#budgets = budgets;
    this.candidates = new LazyMap(
      table.size,
      (row) => this.#nameOf(table.nodes[row]!),
      (name) => table.rowOf(nodes.indexOf(name)),
      (row) => this.#candidate(row),
    );
  }

  get dryRun(): ReadonlyMap<NodeName, NodeRefusal> {
    return new Map([...this.#failures].map(([index, status]) => [this.#nameOf(index), status]));
  }

  #nameOf(index: number): NodeName {
    return this.#nodes.facts[index]!.name;
  }

  #candidate(row: number): PreemptionCandidate {
    const table = this.#table;
    const { pods, violatedBudgets } = this.#victimsOf(row);
    const start = table.earliestStart[row]!;
    return {
      node: this.#nameOf(table.nodes[row]!),
      victims: pods.map((pod) => pod.key),
      pdbViolations: table.pdbViolations[row]!,
      violatedBudgets: violatedBudgets.map((index) => this.#budgets.budgets[index]!.key),
      highestPriority: table.highestPriority[row]!,
      prioritySum: table.prioritySum[row]!,
      earliestStart: start === Infinity ? null : new Date(start).toISOString().replace('.000Z', 'Z'),
    };
  }
}
