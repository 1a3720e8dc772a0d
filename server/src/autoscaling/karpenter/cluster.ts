import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type {
  CSINode,
  DaemonSet,
  Kinds,
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
  const ofKind = <Kind extends keyof Kinds>(kind: Kind): readonly Kinds[Kind][] =>
    objects.filter((object): object is Kinds[Kind] => object.kind === kind);
  const byName = <Kind extends keyof Kinds>(kind: Kind): ReadonlyMap<string, Kinds[Kind]> =>
    new Map(ofKind(kind).map((object) => [nameOf(object), object]));
  return {
    nodePools,
    nodeClaims,
    nodes: ofKind('Node'),
    pods: ofKind('Pod'),
    daemonSets: ofKind('DaemonSet'),
    namespaces: ofKind('Namespace'),
    budgets: ofKind('PodDisruptionBudget'),
    claims: new Map(ofKind('PersistentVolumeClaim').map((claim) => [keyOf(claim), claim])),
    volumes: byName('PersistentVolume'),
    classes: byName('StorageClass'),
    csiNodes: byName('CSINode'),
  };
}
