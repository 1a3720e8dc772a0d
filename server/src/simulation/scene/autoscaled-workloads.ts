import { namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { autoscaledReplicas, mayGrow, minReplicasOf } from '../../disruption/autoscaling.ts';
import type { Declared, HorizontalPodAutoscaler, KubeObject } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import type { SimulationInput } from './input.ts';
import { Inventory } from './inventory.ts';
import { collectWorkloads, type SimulatedWorkload } from './workload-set.ts';

/** How an autoscaler decides the number of pods of a workload. */
export interface Autoscaling {
  /** Name of the autoscaler, in the namespace of the workload. */
  readonly autoscaler: string;
  readonly min: number;
  readonly max: number;
  /** The number that is counted. */
  readonly replicas: number;
  /** Whether that is what the cluster has; otherwise it is the fewest. */
  readonly live: boolean;
  readonly mayGrow: boolean;
}

/** What autoscalers make of the workloads they are for, by workload. */
export function autoscalingsOf(
  inventory: Inventory,
  workloads: readonly SimulatedWorkload[],
  snapshot: readonly Declared[],
): ReadonlyMap<WorkloadKey, Autoscaling> {
  const autoscalers = inventory.objects('HorizontalPodAutoscaler');
  const found = new Map<WorkloadKey, Autoscaling>();
  if (autoscalers.length === 0) return found;
  const byScaled = firsts(autoscalers, (each) => {
    const { kind, name } = each.spec.scaleTargetRef;
    return workloadKey(kind, namespaceOf(each), name);
  });
  const stored = firsts(
    snapshot.map(({ object }) => object),
    (object) => workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? ''),
  );
  for (const workload of workloads) {
    const { kind, namespace, name, declared } = workload;
    const key = workloadKey(kind, namespace, name);
    const autoscaler = byScaled.get(key);
    if (autoscaler === undefined || declared === undefined) continue;
    const live = liveReplicas(workload, stored.get(key));
    found.set(key, autoscaling(autoscaler, replicasOf(declared.object), live));
  }
  return found;
}

function autoscaling(autoscaler: HorizontalPodAutoscaler, written: number, live: number | undefined): Autoscaling {
  return {
    autoscaler: autoscaler.metadata?.name ?? '',
    min: minReplicasOf(autoscaler),
    max: autoscaler.spec.maxReplicas,
    replicas: autoscaledReplicas(written, autoscaler, live),
    live: live !== undefined,
    mayGrow: mayGrow(autoscaler),
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

/** Which of the sizes that its autoscaler allows a workload has. */
export type AutoscaledSize = 'minimum' | 'maximum' | 'present';

/**
 * The same input with autoscaled workloads at their fewest or most pods, or as many as the cluster has, else the fewest.
 * Those at zero are not scaled.
 */
export function withAutoscaled(input: SimulationInput, size: AutoscaledSize): SimulationInput {
  const inventory = new Inventory(input);
  const autoscalings = autoscalingsOf(inventory, collectWorkloads(inventory, []), input.snapshot);
  const sized = [...autoscalings].map(([key, each]): [WorkloadKey, Autoscaling] => {
    const wanted = size === 'minimum' ? each.min : size === 'maximum' ? each.max : each.replicas;
    return [key, { ...each, replicas: each.replicas === 0 ? 0 : wanted }];
  });
  return sized.length === 0 ? input : withAutoscaledReplicas(input, new Map(sized));
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
