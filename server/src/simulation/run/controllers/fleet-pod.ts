import type { SimulatedPod } from '../../cluster/simulated-pod.ts';
import type { Revision } from './revision.ts';

/** Whoever makes pods and looks after them. */
export interface Owner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Index of the workload that it belongs to. */
  readonly workload: number;
  /** Its own, those that end included, until they are gone. */
  readonly pods: Set<FleetPod>;
  /** Looks at what there is, and does what its controller does. */
  sync(): void;
}

/** A pod as its controller and its kubelet see it. */
export interface FleetPod {
  readonly simulated: SimulatedPod;
  /** Null for a pod that nobody controls. */
  readonly owner: Owner | null;
  readonly revision: Revision | null;
  /** Of a StatefulSet, or of an Indexed Job. */
  readonly ordinal: number | null;
  /** How many pods of its workload and revision came before it. */
  readonly n: number;
  /** On the clock of the run; negative for those that were there before. */
  readonly created: number;
  node: string | null;
  phase: 'Pending' | 'Running' | 'Failed' | 'Succeeded';
  isReady: boolean;
  /** Since when; null for one that is not. */
  readySince: number | null;
  restarts: number;
  deletionCost: number;
  /** It was deleted, by whomever. */
  isDeleting: boolean;
  /** When. */
  deleted: number | null;
  /** When its containers had ended. */
  ended: number | null;
  isGone: boolean;
  /** Its Job has counted its failure, and does not keep it any more. */
  isCounted: boolean;
  /** Somebody else than its controller made it end, and why. */
  disruption: string | null;
  /** A claim that it needs is attached to another node. */
  awaitsVolume: boolean;
  /** What the scheduler said last, while it has no node. */
  waiting: { readonly reason: string; readonly message: string } | null;
  /** Why the kubelet of the node that it names does not run it. */
  rejection: { readonly reason: string; readonly message: string } | null;
}

/** Source: IsPodActive in pkg/controller/controller_utils.go */
export function isActive({ phase, isDeleting, isGone }: FleetPod): boolean {
  return !isGone && !isDeleting && phase !== 'Failed' && phase !== 'Succeeded';
}

/** Source: IsPodAvailable in pkg/api/v1/pod/util.go */
export function isAvailable({ isReady, readySince }: FleetPod, minReadySeconds: number, now: number): boolean {
  if (!isReady) return false;
  return minReadySeconds === 0 || (readySince !== null && readySince + minReadySeconds <= now);
}
