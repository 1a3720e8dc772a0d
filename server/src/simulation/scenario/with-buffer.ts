import { titleOf } from '../../util/words.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import type { ScenarioEvent, Target } from '../operations/operation.ts';
import type { EndedInput } from './outcome-of.ts';
import { outcomeWithGrowth } from './simulate-scenario.ts';

/** How it ends where a CapacityBuffer holds room for pods of a workload. Source: autoscaling.x-k8s.io/v1beta1 */
export function* outcomeWithBuffer(
  input: SimulationInput,
  scenario: Scenario,
  { kind, namespace, name, replicas }: Target & { readonly replicas: number },
  options: SimulationOptions = {},
  events: readonly ScenarioEvent[] = [],
): Generator<void, EndedInput & { readonly isEnough: boolean }> {
  const { object } = decodeObject({
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: `room-for-${name}`, namespace },
    spec: { replicas, scalableRef: { kind, name } },
  });
  const buffered = { ...input, workspace: [...input.workspace, { object }] };
  const ended = yield* outcomeWithGrowth(buffered, scenario, options, events);
  const { figures, waiting } = ended.outcome;
  return { ...ended, isEnough: figures.evicted === 0 && !waiting.has(titleOf({ kind, namespace, name })) };
}
