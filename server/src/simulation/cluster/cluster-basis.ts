import type { KubeObject, Node } from '../../kubernetes/objects.ts';
import type { ClusterState } from '../../scheduler/index.ts';
import type { SimulationInput } from './input.ts';
import type { Known } from './known-pods.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedPod } from './simulated-pod.ts';
import type { storageOf } from './storage.ts';

/** The pods of one workload before anything happens. */
export interface PlacedPods {
  /** On nodes that there are. */
  readonly running: readonly SimulatedPod[];
  readonly arriving: readonly SimulatedPod[];
  /** Manifests of pods that name their node. */
  readonly bound: readonly SimulatedPod[];
  /** How many are on nodes that nobody declares. */
  readonly orphans: number;
}

/**
 * What a cluster was put together from. Operations leave most of it as it is, and then the cluster after them shares it:
 * each part where all that it is made from is the very same. So it is what it would be if it were made anew.
 */
export interface ClusterBasis {
  readonly simulated: SimulatedCluster;
  /** With defaults. */
  readonly nodes: readonly Node[];
  /** By index of the workload. */
  readonly placed: readonly PlacedPods[];
  /** In the order of their workloads, and in that in which a scheduler hears of them. */
  readonly running: readonly SimulatedPod[];
  readonly ordered: readonly SimulatedPod[];
  /** What workloads make besides pods. */
  readonly made: readonly KubeObject[];
  readonly storage: ReturnType<typeof storageOf>;
  /** With those pods. Nobody changes it. */
  readonly state: ClusterState;
  readonly known: Known;
}

const bases = new WeakMap<SimulationInput, ClusterBasis>();

/** Of the input itself, or of the one that operations made it of; undefined where none was kept. */
export function basisOf(input: SimulationInput): ClusterBasis | undefined {
  return bases.get(input.basis ?? input);
}

/** Keeps it as long as the input. What operations made is not kept: the next ones begin where they did. */
export function keepBasis(input: SimulationInput, basis: ClusterBasis): void {
  if (input.known !== undefined && input.basis === undefined) bases.set(input, basis);
}
