import type { PoolAnswer } from '../growth/pool-answers.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { DrainOptions, ScenarioEvent } from '../operations/operation.ts';
import { endOfRun, grown } from './simulate-scenario.ts';

/** What autoscalers add for what a drain leaves pending. */
export interface DrainGrowth {
  readonly comes: readonly {
    /** `NodePool general` */
    readonly pool: string;
    readonly nodes: number;
    /** Those whose pods they are made for. */
    readonly workloads: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
  }[];
  /** When the last node is drained with them, in seconds; null where one never is. */
  readonly drainedAt: number | null;
  /** Pods that stay pending all the same, and why no node comes for them. */
  readonly pending: readonly { readonly pod: string; readonly answers: readonly PoolAnswer[] }[];
}

/** Null where no pool is known. Yields after each decision. */
export function* growthAfterDrain(
  input: SimulationInput,
  nodes: readonly string[],
  options: DrainOptions,
): Generator<void, DrainGrowth | null> {
  // All at a time: what is left in the end is the same. What is only written down has been placed then.
  const drains = nodes.map((node): ScenarioEvent => {
    return { operation: { verb: 'drain', node, options }, at: 1, text: `drain node/${node}` };
  });
  const scenario = { kind: 'workspace' } as const;
  const growth = yield* grown(input, scenario, drains, {});
  if (growth === undefined) return null;
  const { simulated, run, drains: drained } = yield* endOfRun(input, scenario, [...drains, ...growth.events]);
  const times = drained.map(({ drainedAt }) => drainedAt);
  return {
    comes: growth.comes.map(({ title, nodes: made, workloads }) => ({
      pool: title,
      nodes: made,
      workloads: workloads.map((index) => {
        const { kind, namespace, name } = simulated.workloads[index]!;
        return { kind, namespace, name };
      }),
    })),
    drainedAt: times.includes(null) ? null : Math.max(0, ...times.map((time) => Number(time) - 1)),
    pending: [...run.pods.all()]
      .filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state))
      .map(({ key }) => ({ pod: key, answers: growth.advice.get(key) ?? [] })),
  };
}
