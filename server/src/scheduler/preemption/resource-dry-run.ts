import type { BudgetTable } from '../framework/budgets.ts';
import { type ActivePlugin, type PreFilterResult, runFilters } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { withNominated } from '../framework/node-view.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Resources } from '../framework/resources.ts';
import type { Status } from '../framework/status.ts';
import { checkFit, type FitState, NodeResourcesFitPlugin } from '../plugins/node-resources-fit.ts';
import { type BudgetSplit, splitByBudget } from './budget-split.ts';
import type { CandidateTable } from './candidate-table.ts';
import { expectedVictim, noVictims, type Victims } from './dry-run.ts';
import { sortByImportance } from './importance.ts';
import { type VictimBand, victimBand } from './victim-band.ts';

/**
 * The dry run of `selectVictims` for the common case that NodeResourcesFit is the only filter that looks at pods: sums
 * instead of copies. Then a pod that fits with all lower pods gone and some put back is a matter of what room is left,
 * and passing with nominated pods on the node implies passing without. Same answers; a test compares the two.
 */
export class ResourceDryRun {
  readonly #cycle: Cycle;
  readonly #state: FitState;
  /** The filters before and after NodeResourcesFit; these do not look at pods. */
  readonly #before: readonly ActivePlugin[];
  readonly #after: readonly ActivePlugin[];
  readonly #fitName: string;
  readonly #budgets: BudgetTable;
  readonly #disruptionsAllowed: readonly number[];
  /** The scalars that the pod asks for. */
  readonly #scalars: readonly string[];
  /** By node index: the node with the pods nominated to it; kept for `victimsOf`. */
  readonly #views = new Map<number, NodeInfo>();
  /** What the last `#reprieve` found. */
  readonly #victims: PodInfo[] = [];

  private constructor(cycle: Cycle, filters: readonly ActivePlugin[], at: number) {
    const { plugin, state } = filters[at]!;
    this.#cycle = cycle;
    this.#state = state as FitState;
    this.#before = filters.slice(0, at);
    this.#after = filters.slice(at + 1);
    this.#fitName = plugin.name;
    this.#budgets = cycle.cluster.budgets;
    this.#disruptionsAllowed = cycle.cluster.disruptionsAllowed;
    this.#scalars = [...this.#state.requests.scalars].filter(([, amount]) => amount > 0).map(([name]) => name);
  }

  /** Null where other filters look at pods, or the pod's requests are beyond doubles. */
  static of(cycle: Cycle, { filters, hooks }: PreFilterResult): ResourceDryRun | null {
    if (hooks.length > 0) return null;
    const looking = filters.filter(({ plugin }) => plugin.dependsOnPods);
    const fit = looking[0];
    if (looking.length !== 1 || !(fit?.plugin instanceof NodeResourcesFitPlugin)) return null;
    if ((fit.state as FitState).exact !== null) return null;
    return new ResourceDryRun(cycle, filters, filters.indexOf(fit));
  }

  /** Adds the node to the table, or says why it is no candidate. `refused` is the node's status in this cycle. */
  run(node: NodeInfo, nominated: readonly PodInfo[], refused: Status, table: CandidateTable): Status | null {
    const band = victimBand(node, this.#cycle.pod.priority);
    if (band.pods.length === 0) return noVictims;
    let view = node;
    if (nominated.length > 0) {
      view = withNominated(node, nominated);
      this.#views.set(node.index, view);
    }
    // What comes before NodeResourcesFit has passed already when that is the plugin that refused.
    const early = refused.plugin === this.#fitName ? null : runFilters(this.#cycle, this.#before, node);
    const failure = early ?? this.#fitWithout(view, band) ?? runFilters(this.#cycle, this.#after, node);
    if (failure !== null) return failure;
    const split = this.#reprieve(view, band);
    if (this.#victims.length === 0) return expectedVictim(node);
    table.addVictims(node.index, this.#victims, split === null ? 0 : violationsOf(this.#victims, split));
    return null;
  }

  /** The victims on a node that `run` made a candidate. */
  victimsOf(node: NodeInfo): Victims {
    const split = this.#reprieve(this.#views.get(node.index) ?? node, victimBand(node, this.#cycle.pod.priority));
    const pods = this.#victims.slice();
    if (split === null) return { pods, pdbViolations: 0, violatedBudgets: [] };
    const violatedBudgets = new Set(pods.flatMap((pod) => split.broken.get(pod) ?? []));
    return { pods, pdbViolations: violationsOf(pods, split), violatedBudgets: [...violatedBudgets] };
  }

  #fitWithout(view: NodeInfo, band: VictimBand): Status | null {
    let scalars = view.requestedScalars;
    if (this.#scalars.length > 0) {
      const left = new Map<string, number>();
      for (const name of this.#scalars) left.set(name, (scalars.get(name) ?? 0) - sumOf(name, band.pods));
      scalars = left;
    }
    return checkFit(
      this.#state,
      view.facts,
      view.pods.length - band.pods.length,
      view.requestedMilliCpu - band.milliCpu,
      view.requestedMemory - band.memory,
      view.requestedEphemeralStorage - band.ephemeralStorage,
      scalars,
    );
  }

  /** Leaves the pods that must go in `#victims`, most important first. Null when no budget would be broken. */
  #reprieve(view: NodeInfo, band: VictimBand): BudgetSplit | null {
    const split =
      this.#budgets.budgets.length === 0 ? null : splitByBudget(band.pods, this.#budgets, this.#disruptionsAllowed);
    const victims = this.#victims;
    victims.length = 0;
    const { requests } = this.#state;
    const { allocatable } = view.facts;
    // What is not asked for is not looked at.
    let pods = view.facts.allowedPods - (view.pods.length - band.pods.length) - 1;
    let milliCpu = Infinity;
    let memory = Infinity;
    let storage = Infinity;
    if (requests.milliCpu > 0) {
      milliCpu = allocatable.milliCpu - (view.requestedMilliCpu - band.milliCpu) - requests.milliCpu;
    }
    if (requests.memory > 0) memory = allocatable.memory - (view.requestedMemory - band.memory) - requests.memory;
    if (requests.ephemeralStorage > 0) {
      const used = view.requestedEphemeralStorage - band.ephemeralStorage;
      storage = allocatable.ephemeralStorage - used - requests.ephemeralStorage;
    }
    const scalars = this.#scalars.map((name) => {
      const used = (view.requestedScalars.get(name) ?? 0) - sumOf(name, band.pods);
      return (allocatable.scalars.get(name) ?? 0) - used - (requests.scalars.get(name) ?? 0);
    });
    const order = split === null || split.violating.length === 0 ? band.pods : [...split.violating, ...split.others];
    for (const pod of order) {
      const takes = pod.requests;
      if (
        pods >= 1 &&
        takes.milliCpu <= milliCpu &&
        takes.memory <= memory &&
        takes.ephemeralStorage <= storage &&
        (scalars.length === 0 || this.#takeScalars(takes, scalars))
      ) {
        pods--;
        milliCpu -= takes.milliCpu;
        memory -= takes.memory;
        storage -= takes.ephemeralStorage;
      } else {
        victims.push(pod);
      }
    }
    if (split === null || split.violating.length === 0) return null;
    if (split.others.length > 0) sortByImportance(victims);
    return split;
  }

  /** Takes the pod's scalars out of what is left, if they are all there. */
  #takeScalars(takes: Resources, left: number[]): boolean {
    if (takes.scalars.size === 0) return left.every((amount) => amount >= 0);
    for (const [i, name] of this.#scalars.entries()) if ((takes.scalars.get(name) ?? 0) > left[i]!) return false;
    for (const [i, name] of this.#scalars.entries()) left[i]! -= takes.scalars.get(name) ?? 0;
    return true;
  }
}

function violationsOf(victims: readonly PodInfo[], { broken }: BudgetSplit): number {
  let count = 0;
  for (const pod of victims) if (broken.has(pod)) count++;
  return count;
}

function sumOf(scalar: string, pods: readonly PodInfo[]): number {
  let sum = 0;
  for (const pod of pods) sum += pod.requests.scalars.get(scalar) ?? 0;
  return sum;
}
