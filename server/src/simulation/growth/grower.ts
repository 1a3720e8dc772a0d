import type { Pod } from '../../kubernetes/objects.ts';
import type { EndOfRun } from '../capacity/fit.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import type { Growing, SimulationInput } from '../cluster/input.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { Buffer } from './buffers.ts';
import type { Grown } from './grown.ts';
import type { PoolAnswer } from './pool-answers.ts';
import type { Removal } from './removal.ts';

/** Where a run ends, and since when pods have been pending; those that were before it began are left out. */
export interface SettledRun extends EndOfRun {
  readonly since: ReadonlyMap<SimulatedPod, number>;
}

export interface Grower extends Growing {
  /** Whether what is declared adds nodes. */
  grows(input: SimulationInput): boolean;
  /** Whether the labels and taints of some pool suit pods, whatever its nodes have room for. */
  suits(input: SimulationInput, pod: Pod): boolean;
  /**
   * Lets the autoscalers look at what waits when everything has settled, until they ask for nothing more.
   * @param runTo the end of the run with some events
   * @param runBefore where everything stands before anything arrives
   * @param explains whether it is told what they say of pods that they leave pending
   */
  grow(
    input: SimulationInput,
    runTo: (events: readonly ScenarioEvent[]) => Generator<void, SettledRun>,
    runBefore: () => Generator<void, EndOfRun>,
    explains: boolean,
  ): Generator<void, Grown>;
  /**
   * What the autoscalers do for one more pod that no node takes at the end of a run.
   * @param beside pods that take what room there is
   */
  oneMore(input: SimulationInput, end: EndOfRun, beside: readonly Pod[], pod: SimulatedPod): readonly PoolAnswer[];
  /** What pools that are stored otherwise mean for nodes that are there, and for those to come. */
  changed(stored: SimulationInput, now: SimulationInput): readonly string[];
  /** What CapacityBuffers hold room for. */
  buffers(input: SimulationInput): readonly Buffer[];
  /** Whether a node could be removed at the end of a run; undefined for one that is not there. */
  removal(input: SimulationInput, end: EndOfRun, node: string): Removal | undefined;
}

/** What is kept of it in the input is less, as runs are made from the input: nothing else is kept there. */
export function growerIn({ growth }: SimulationInput): Grower | undefined {
  return growth as Grower | undefined;
}
