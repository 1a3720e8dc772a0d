import { nameOf, namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { autoscaledReplicas, boundsOf } from '../../disruption/autoscaling.ts';
import type { Declared, HorizontalPodAutoscaler, KubeObject } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { addTo } from '../../util/maps.ts';
import type { SimulationInput } from './input.ts';
import type { Inventory } from './inventory.ts';
import type { SimulatedWorkload } from './workload-set.ts';

/** How an autoscaler decides the number of pods of a workload. */
export interface Autoscaling {
  /** Name of the autoscaler, in the namespace of the workload; the first of several. */
  readonly autoscaler: string;
  /** Others of the same workload: then none scales it by usage, and each only keeps it within its bounds. */
  readonly rivals: readonly string[];
  readonly min: number;
  readonly max: number;
  /** The number that is counted. */
  readonly replicas: number;
  /** Whether that is what the cluster has; otherwise it is the fewest. */
  readonly live: boolean;
  readonly mayGrow: boolean;
  /** The workload is at zero, from which its autoscaler does not raise it. */
  readonly isOff: boolean;
}

/** What autoscalers make of the workloads they are for, by workload. */
export function autoscalingsOf(
  inventory: Inventory,
  workloads: readonly SimulatedWorkload[],
  snapshot: readonly Declared[],
): ReadonlyMap<WorkloadKey, Autoscaling> {
  const byScaled = autoscalersByTarget(inventory);
  const found = new Map<WorkloadKey, Autoscaling>();
  if (byScaled.size === 0) return found;
  const stored = firsts(
    snapshot.map(({ object }) => object),
    (object) => workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? ''),
  );
  for (const workload of workloads) {
    const { kind, namespace, name, declared } = workload;
    const key = workloadKey(kind, namespace, name);
    const autoscalers = byScaled.get(key);
    if (autoscalers === undefined || declared === undefined) continue;
    const live = liveReplicas(workload, stored.get(key));
    found.set(key, autoscaling(autoscalers, replicasOf(declared.object), live));
  }
  return found;
}

/** By the workload that they name. Those that the API server refuses scale nothing. */
export function autoscalersByTarget(
  inventory: Inventory,
): ReadonlyMap<WorkloadKey, readonly HorizontalPodAutoscaler[]> {
  const byTarget = new Map<WorkloadKey, HorizontalPodAutoscaler[]>();
  for (const autoscaler of inventory.ofKind('HorizontalPodAutoscaler')) {
    if (autoscaler.source !== 'snapshot' && inventory.creation.refusalOf(autoscaler) !== '') continue;
    const { kind, name } = autoscaler.object.spec.scaleTargetRef;
    const key = workloadKey(kind, namespaceOf(autoscaler.object), name);
    addTo(byTarget, key, autoscaler.object);
  }
  return byTarget;
}

/**
 * With several each puts the number within its own bounds, and then gives up.
 * Source: reconcileAutoscaler and validateAndParseSelector (AmbiguousSelector) in
 * pkg/controller/podautoscaler/horizontal.go
 */
function autoscaling(
  autoscalers: readonly HorizontalPodAutoscaler[],
  written: number,
  live: number | undefined,
): Autoscaling {
  const [autoscaler = '', ...rivals] = autoscalers.map(nameOf);
  const bounds = autoscalers.map(boundsOf);
  const min = Math.max(...bounds.map((each) => each.min));
  const max = Math.min(...bounds.map((each) => each.max));
  return {
    autoscaler,
    rivals,
    min,
    max,
    replicas: autoscaledReplicas(written, { min, max }, live),
    live: live !== undefined,
    mayGrow: rivals.length === 0 && max > min,
    isOff: (live ?? written) === 0 && min > 0,
  };
}

/** The first of several objects by a key. */
function firsts<T>(objects: readonly T[], keyOf: (object: T) => WorkloadKey): ReadonlyMap<WorkloadKey, T> {
  return new Map(objects.toReversed().map((object) => [keyOf(object), object]));
}

/** What the cluster asks for now, or as many pods as it has. */
function liveReplicas({ existing }: SimulatedWorkload, stored: KubeObject | undefined): number | undefined {
  if (stored !== undefined) return replicasOf(stored);
  return existing.length > 0 ? existing.length : undefined;
}

/** The same input with the number of pods that autoscalers ask for. */
export function withAutoscaledReplicas(
  input: SimulationInput,
  autoscalings: ReadonlyMap<WorkloadKey, Autoscaling>,
): SimulationInput {
  const scaled = (declared: Declared): Declared => {
    const { object } = declared;
    const key = workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? '');
    const replicas = autoscalings.get(key)?.replicas;
    return replicas === undefined ? declared : { ...declared, object: withReplicas(object, replicas) };
  };
  return { ...input, workspace: input.workspace.map(scaled), snapshot: input.snapshot.map(scaled) };
}

/** An object with a scale. */
interface WithSpec extends KubeObject {
  readonly spec?: object;
}

function withReplicas(workload: WithSpec, replicas: number): WithSpec {
  return { ...workload, spec: { ...workload.spec, replicas } };
}
