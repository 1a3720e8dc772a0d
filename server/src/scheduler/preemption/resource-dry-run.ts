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

const noScalars: number[] = [];

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
  /** What the last `#reprieve` found: the first `#count` are the victims. */
  readonly #victims: PodInfo[] = [];
  #count = 0;
  /** Null when no budget would be broken. */
  #split: BudgetSplit | null = null;

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
    if (this.#before.length > 0 && refused.plugin !== this.#fitName) {
      const early = runFilters(this.#cycle, this.#before, node);
      if (early !== null) return early;
    }
    if (!this.#reprieve(view, band)) return this.#fitWithout(view, band);
    if (this.#after.length > 0) {
      const late = runFilters(this.#cycle, this.#after, node);
      if (late !== null) return late;
    }
    if (this.#count === 0) return expectedVictim(node);
    table.add(node.index, this.#victims, this.#count, this.#violations());
    return null;
  }

  /** The victims on a node that `run` made a candidate. */
  victimsOf(node: NodeInfo): Victims {
    this.#reprieve(this.#views.get(node.index) ?? node, victimBand(node, this.#cycle.pod.priority));
    const pods = this.#victims.slice(0, this.#count);
    const violatedBudgets = new Set(pods.flatMap((pod) => this.#split?.broken.get(pod) ?? []));
    return { pods, pdbViolations: this.#violations(), violatedBudgets: [...violatedBudgets] };
  }

  /** Why the pod does not fit with all potential victims gone. */
  #fitWithout(view: NodeInfo, band: VictimBand): Status | null {
    const scalars = new Map<string, number>();
    for (const name of this.#scalars) {
      scalars.set(name, (view.requestedScalars.get(name) ?? 0) - sumOf(name, band.pods));
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

  /**
   * Puts the potential victims back one after the other as long as the pod still fits. Leaves those that must go in
   * `#victims`, most important first, and in `#split` the budgets they break. False when it does not fit at all.
   */
  #reprieve(view: NodeInfo, band: VictimBand): boolean {
    const { requests } = this.#state;
    const { allocatable, allowedPods } = view.facts;
    // The room left beside the pod; what is not asked for is not looked at.
    let pods = allowedPods - (view.pods.length - band.pods.length) - 1;
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
    if (pods < 0 || milliCpu < 0 || memory < 0 || storage < 0) return false;
    const scalars = this.#scalars.length === 0 ? noScalars : this.#scalarRoom(view, band);
    for (const room of scalars) if (room < 0) return false;

    this.#count = 0;
    this.#split = null;
    let order = band.pods;
    let takes = band.takes;
    if (this.#budgets.budgets.length > 0) {
      const split = splitByBudget(band.pods, this.#budgets, this.#disruptionsAllowed);
      if (split.violating.length > 0) {
        this.#split = split;
        order = [...split.violating, ...split.others];
        takes = order.flatMap((pod) => [pod.requests.milliCpu, pod.requests.memory, pod.requests.ephemeralStorage]);
      }
    }
    for (let i = 0; i < order.length; i++) {
      const takesMilliCpu = takes[i * 3]!;
      const takesMemory = takes[i * 3 + 1]!;
      const takesStorage = takes[i * 3 + 2]!;
      if (
        pods >= 1 &&
        takesMilliCpu <= milliCpu &&
        takesMemory <= memory &&
        takesStorage <= storage &&
        (scalars.length === 0 || this.#takeScalars(order[i]!.requests, scalars))
      ) {
        pods--;
        milliCpu -= takesMilliCpu;
        memory -= takesMemory;
        storage -= takesStorage;
      } else {
        this.#victims[this.#count++] = order[i]!;
      }
    }
    if (this.#split !== null && this.#split.others.length > 0) this.#sortVictims();
    return true;
  }

  #sortVictims(): void {
    const victims = this.#victims.slice(0, this.#count);
    sortByImportance(victims);
    for (const [i, victim] of victims.entries()) this.#victims[i] = victim;
  }

  #violations(): number {
    if (this.#split === null) return 0;
    let count = 0;
    for (let i = 0; i < this.#count; i++) if (this.#split.broken.has(this.#victims[i]!)) count++;
    return count;
  }

  #scalarRoom(view: NodeInfo, band: VictimBand): number[] {
    return this.#scalars.map((name) => {
      const used = (view.requestedScalars.get(name) ?? 0) - sumOf(name, band.pods);
      return (view.facts.allocatable.scalars.get(name) ?? 0) - used - (this.#state.requests.scalars.get(name) ?? 0);
    });
  }

  /** Takes the pod's scalars out of what is left, if they are all there. */
  #takeScalars(takes: Resources, left: number[]): boolean {
    for (const [i, name] of this.#scalars.entries()) if ((takes.scalars.get(name) ?? 0) > left[i]!) return false;
    for (const [i, name] of this.#scalars.entries()) left[i]! -= takes.scalars.get(name) ?? 0;
    return true;
  }
}

function sumOf(scalar: string, pods: readonly PodInfo[]): number {
  let sum = 0;
  for (const pod of pods) sum += pod.requests.scalars.get(scalar) ?? 0;
  return sum;
}
