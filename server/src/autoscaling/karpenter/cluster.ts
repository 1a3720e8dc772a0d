import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type {
  CSINode,
  DaemonSet,
  KubeObject,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  StorageClass,
} from '../../kubernetes/objects.ts';
import type { NodeClaim, NodePool } from './objects.ts';

/** What Karpenter finds in the API server. */
export interface KarpenterCluster {
  readonly nodePools: readonly NodePool[];
  readonly nodeClaims: readonly NodeClaim[];
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly namespaces: readonly Namespace[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly volumes: ReadonlyMap<string, PersistentVolume>;
  readonly classes: ReadonlyMap<string, StorageClass>;
  readonly csiNodes: ReadonlyMap<string, CSINode>;
}

/** Sorts objects by what they are; kinds that play no part are passed over. */
export function karpenterCluster(
  objects: readonly KubeObject[],
  nodePools: readonly NodePool[],
  nodeClaims: readonly NodeClaim[],
): KarpenterCluster {
  const ofKind = <T extends KubeObject>(kind: string): readonly T[] =>
    objects.filter((object): object is T => object.kind === kind);
  const byName = <T extends KubeObject>(kind: string): ReadonlyMap<string, T> =>
    new Map(ofKind<T>(kind).map((object) => [nameOf(object), object]));
  return {
    nodePools,
    nodeClaims,
    nodes: ofKind('Node'),
    pods: ofKind('Pod'),
    daemonSets: ofKind('DaemonSet'),
    namespaces: ofKind('Namespace'),
    budgets: ofKind('PodDisruptionBudget'),
    claims: new Map(ofKind<PersistentVolumeClaim>('PersistentVolumeClaim').map((claim) => [keyOf(claim), claim])),
    volumes: byName('PersistentVolume'),
    classes: byName('StorageClass'),
    csiNodes: byName('CSINode'),
  };
}
