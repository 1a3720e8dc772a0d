import type { BudgetTable } from '../framework/budgets.ts';
import { type ActivePlugin, type PreFilterResult, runFilters } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { withNominated } from '../framework/node-view.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Resources } from '../framework/resources.ts';
import type { Status } from '../framework/status.ts';
import { checkFit, type FitState, NodeResourcesFitPlugin } from '../plugins/node-resources-fit.ts';
import { budgetsBrokenBy, splitByBudget } from './budget-split.ts';
import type { Candidates } from './candidates.ts';
import { expectedVictim, noVictims, type Victims } from './dry-run.ts';
import { sortByImportance } from '../framework/importance.ts';
import {
  noFigures,
  priorityOffset,
  type VictimBand,
  victimBand,
  type VictimFigures,
} from '../framework/victim-band.ts';

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
  /** Where a dry run that is not remembered leaves what it found. */
  readonly #scratch = noFigures();
  /** Whether what it finds on a node depends on sums only, so that it holds for the next pod that asks for the same. */
  readonly #sumsOnly: boolean;

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
    this.#sumsOnly = this.#scalars.length === 0 && this.#budgets.budgets.length === 0;
  }

  /** Null where other filters look at pods, or at some of its requests, or these are beyond doubles. */
  static of(cycle: Cycle, { filters, hooks }: PreFilterResult): ResourceDryRun | null {
    if (hooks.length > 0) return null;
    const looking = filters.filter(({ plugin }) => plugin.dependsOnPods);
    const fit = looking[0];
    if (looking.length !== 1 || !(fit?.plugin instanceof NodeResourcesFitPlugin)) return null;
    const { exact, delegated } = fit.state as FitState;
    if (exact !== null || delegated.size > 0) return null;
    return new ResourceDryRun(cycle, filters, filters.indexOf(fit));
  }

  /** Adds the node to the candidates, or says why it is no candidate. `refused` is the node's status in this cycle. */
  run(node: NodeInfo, nominated: readonly PodInfo[], refused: Status, candidates: Candidates): Status | null {
    const band = victimBand(node, this.#cycle.pod.priority);
    if (band.pods.length === 0) return noVictims;
    const view = nominated.length === 0 ? node : withNominated(node, nominated);
    // What comes before NodeResourcesFit has passed already when that is the plugin that refused.
    if (this.#before.length > 0 && refused.plugin !== this.#fitName) {
      const early = runFilters(this.#cycle, this.#before, node);
      if (early !== null) return early;
    }
    const found = this.#find(node, view, band);
    if (found === null) return this.#fitWithout(view, band);
    if (this.#after.length > 0) {
      const late = runFilters(this.#cycle, this.#after, node);
      if (late !== null) return late;
    }
    if (found.count === 0) return expectedVictim(node);
    candidates.add(node.index, found);
    return null;
  }

  /** What the victims on a node that `run` made a candidate are compared by; to be read before the next is asked for. */
  figuresOf(node: NodeInfo, nominated: readonly PodInfo[]): Readonly<VictimFigures> {
    const view = nominated.length === 0 ? node : withNominated(node, nominated);
    return this.#find(node, view, victimBand(node, this.#cycle.pod.priority))!;
  }

  /** Null when the pod does not fit with all of `band` gone. */
  #find(node: NodeInfo, view: NodeInfo, band: VictimBand): VictimFigures | null {
    if (!this.#sumsOnly || view !== node) return this.#reprieve(view, band, this.#scratch, null) ? this.#scratch : null;
    // Asked again for each pod of a workload, on thousands of nodes.
    const { milliCpu, memory, ephemeralStorage } = this.#state.requests;
    if (band.askedMilliCpu !== milliCpu || band.askedMemory !== memory || band.askedStorage !== ephemeralStorage) {
      band.fits = this.#reprieve(node, band, band.found, null);
      band.askedMilliCpu = milliCpu;
      band.askedMemory = memory;
      band.askedStorage = ephemeralStorage;
    }
    return band.fits ? band.found : null;
  }

  /** The victims on a node that `run` made a candidate. */
  victimsOf(node: NodeInfo, nominated: readonly PodInfo[]): Victims {
    const view = nominated.length === 0 ? node : withNominated(node, nominated);
    const band = victimBand(node, this.#cycle.pod.priority);
    const pods: PodInfo[] = [];
    this.#reprieve(view, band, this.#scratch, pods);
    const split = splitByBudget(band.pods, this.#budgets, this.#disruptionsAllowed);
    if (split.violating.length > 0 && split.others.length > 0) sortByImportance(pods);
    return {
      pods,
      pdbViolations: this.#scratch.pdbViolations,
      violatedBudgets: budgetsBrokenBy(pods, split),
    };
  }

  /** Why the pod does not fit with all potential victims gone. */
  #fitWithout(view: NodeInfo, band: VictimBand): Status | null {
    let scalars = view.requestedScalars;
    if (this.#scalars.length > 0) {
      const left = (name: string): number => (view.requestedScalars.get(name) ?? 0) - sumOf(name, band.pods);
      scalars = new Map(this.#scalars.map((name) => [name, left(name)]));
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
   * Puts the potential victims back one after the other as long as the pod still fits, and notes those that must go and
   * what they are compared by. False when the pod does not fit at all.
   */
  #reprieve(view: NodeInfo, band: VictimBand, found: VictimFigures, victims: PodInfo[] | null): boolean {
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

    let order = band.pods;
    let violating = 0;
    if (this.#budgets.budgets.length > 0) {
      const split = splitByBudget(band.pods, this.#budgets, this.#disruptionsAllowed);
      violating = split.violating.length;
      if (violating > 0) order = [...split.violating, ...split.others];
    }
    let count = 0;
    let violations = 0;
    let highest = -Infinity;
    let sum = 0;
    let earliest = Infinity;
    for (let i = 0; i < order.length; i++) {
      const pod = order[i]!;
      const { requests: takes, priority, startedAt } = pod;
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
        continue;
      }
      if (victims !== null) victims.push(pod);
      count++;
      if (i < violating) violations++;
      const start = startedAt ?? Infinity;
      sum += priority;
      if (priority > highest) {
        highest = priority;
        earliest = start;
      } else if (priority === highest && start < earliest) {
        earliest = start;
      }
    }
    found.pdbViolations = violations;
    found.highestPriority = highest;
    found.prioritySum = sum + count * priorityOffset;
    found.count = count;
    found.earliestStart = earliest;
    return true;
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
