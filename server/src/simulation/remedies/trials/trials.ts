import { costOf } from '../../run/run-size.ts';
import type { Outcome } from '../../scenario/simulate.ts';
import { branchOf, eventsOf } from '../../scenario/branch-of.ts';
import type { ScenarioEvent } from '../../operations/operation.ts';
import type { EndedInput } from '../../scenario/outcome-of.ts';
import { type SettledCluster, settledCluster, settledForWhatIfs } from '../../scenario/settled-cluster.ts';
import { outcomeWithBuffer } from '../../scenario/with-buffer.ts';
import { outcomeWithGrowth } from '../../scenario/simulate-scenario.ts';
import {
  UnknownScenarioError,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
} from '../../cluster/input.ts';

/** Runs of operations on branches of one input, as long as there is time for them. */
export class Trials {
  readonly #input: SimulationInput;
  readonly #scenario: Scenario;
  readonly #options: SimulationOptions;
  readonly #events: readonly ScenarioEvent[];
  readonly #known = new Map<string, Outcome | null>();
  /** The cluster in which what is written runs. */
  #settled: SettledCluster | undefined;
  #left: number;
  /** What the dearest run so far has cost. */
  #dearest: number;

  /**
   * @param time for all of them, in microseconds; `first` is what one is expected to cost
   * @param events what happens in each of them
   */
  constructor(
    input: SimulationInput,
    scenario: Scenario,
    options: SimulationOptions,
    time: { readonly total: number; readonly first: number },
    events: readonly ScenarioEvent[] = [],
  ) {
    this.#input = input;
    this.#scenario = scenario;
    this.#options = options;
    this.#events = events;
    this.#left = time.total;
    this.#dearest = time.first;
  }

  /** Whether another run can be paid. */
  get canGoOn(): boolean {
    return this.#dearest <= this.#left;
  }

  /** How it ends with these operations; null where they cannot be applied, change nothing, or there is no time left. */
  *run(operations: readonly string[]): Generator<void, Outcome | null> {
    const key = JSON.stringify(operations);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (!this.canGoOn) return null;
    const outcome = yield* this.#runAnew(operations);
    this.#known.set(key, outcome);
    return outcome;
  }

  /** Whether a CapacityBuffer for pods of a workload would be enough. */
  *runWithBuffer(of: Parameters<typeof outcomeWithBuffer>[2]): Generator<void, boolean> {
    if (!this.canGoOn) return false;
    const ended = yield* outcomeWithBuffer(this.#input, this.#scenario, of, this.#options, this.#events);
    this.#count(ended);
    return ended.isEnough;
  }

  #count({ simulated, outcome, cost: asked = 0 }: EndedInput): void {
    const cost = costOf(outcome.attempts, outcome.pods, simulated.nodes.length) + asked;
    this.#left -= cost;
    this.#dearest = Math.max(this.#dearest, cost);
  }

  /**
   * The same once what is written runs, as `--what-if` has it; undefined where that is no other run, or there is no
   * time left.
   */
  *runLater(operations: readonly string[]): Generator<void, Outcome | null | undefined> {
    if (this.#events.length > 0 || this.#scenario.kind !== 'workspace' || !this.canGoOn) return undefined;
    const events = eventsOf(branchOf(this.#input, operations));
    const cluster = yield* settledForWhatIfs(this.#input, events, () => this.#settle());
    if (cluster === undefined) return undefined;
    const applied = cluster.applied(this.#input);
    const ended = yield* this.#end(applied, operations, eventsOf(branchOf(applied, operations)));
    return ended && { ...ended, waiting: ended.waitingAll };
  }

  *#settle(): Generator<void, SettledCluster> {
    return (this.#settled ??= yield* settledCluster(this.#input, ''));
  }

  *#runAnew(operations: readonly string[]): Generator<void, Outcome | null> {
    // As they happen when they are added to the others.
    const added = eventsOf(branchOf(this.#input, operations));
    return yield* this.#end(this.#input, operations, this.#events.length === 0 ? [] : [...this.#events, ...added]);
  }

  /** @param events what happens; where nothing does, the run begins with what the operations make */
  *#end(
    input: SimulationInput,
    operations: readonly string[],
    events: readonly ScenarioEvent[],
  ): Generator<void, Outcome | null> {
    const steps = branchOf(input, operations);
    const branch = steps.at(-1)?.input;
    if (branch === undefined || steps.some(({ problem, changes }) => problem !== '' || !changes)) return null;
    try {
      const begins = events.length === 0 ? branch : input;
      const ended = yield* outcomeWithGrowth(begins, this.#scenario, this.#options, events);
      this.#count(ended);
      return ended.outcome;
    } catch (error) {
      // The workload that arrives is gone.
      if (error instanceof UnknownScenarioError) return null;
      throw error;
    }
  }
}
