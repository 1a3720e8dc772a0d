import { defaultPod } from '../../kubernetes/defaults/index.ts';
import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { DaemonSet, KubeObject, Node, Pod } from '../../kubernetes/objects.ts';
import { podTemplateOf, replicasOf } from '../../kubernetes/pod-template.ts';
import { defaultOptions } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { scaleUp } from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import { karpenterCluster } from '../../autoscaling/karpenter/cluster.ts';
import type { NodePool } from '../../autoscaling/karpenter/objects.ts';
import { isReady, provision } from '../../autoscaling/karpenter/provision.ts';
import { silent } from '../../autoscaling/karpenter/scheduler.ts';
import { workingPod } from '../../autoscaling/karpenter/working-pod.ts';
import { catalogsOf } from '../../autoscaling/pools/catalogs.ts';
import type { MachineGroup } from '../../autoscaling/pools/machine-groups.ts';
import { hasPools, type Pools, readPools } from '../../autoscaling/pools/read-pools.ts';
import { say } from '../../util/say.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import { asksNothingOfNodes, lettersOf } from '../cluster/assumed-pools.ts';
import { unschedulable } from './cluster-at-end.ts';
import { refusalOf } from './karpenter-growth.ts';

/** Nodes that are assumed of all groups together. */
const mostNodes = 1000;

/**
 * The nodes of a cluster that has pools, where nobody names one: those that its node groups say they have. Nodes of
 * NodePools come when pods ask for them.
 * @param others nodes that stand for what no manifest says: they are there where a pod needs them that asks nothing of
 * its node and that no pool makes one for, and where no pod asks for any
 * @returns undefined where of no pool is known which nodes it makes
 */
export function assumedBeside(objects: readonly KubeObject[], others: readonly Node[]): readonly Node[] | undefined {
  const pools = readPools(objects, []);
  if (!hasPools(pools)) return undefined;
  const standing = pools.groups.flatMap(nodesOf).slice(0, mostNodes);
  const all = objects.flatMap(podOf);
  const asking = all.filter(({ replicas }) => replicas > 0);
  // What is scaled to 0 may be scaled up again.
  const pods = (asking.length > 0 ? asking : all).map(({ pod }) => pod);
  const bare = pods.filter(({ spec }) => asksNothingOfNodes(spec!)).map(askingForLittle);
  const isNeeded = pods.length === 0 ? standing.length === 0 : isOneLeft(pools, objects, bare);
  if (!isNeeded) return standing;
  return [...standing, ...(pods.length === 0 ? others : others.map(besidePools))];
}

/** It is told which nodes no pool makes. */
function besidePools({ metadata, ...node }: Node): Node {
  const pool = metadata?.annotations?.[assumedPool] ?? '';
  const annotations = { ...metadata?.annotations, [assumedPool]: say`${pool} beside the declared pools`.trim() };
  return { ...node, metadata: { ...metadata, annotations } };
}

function nodesOf({ id, template, size }: MachineGroup): readonly Node[] {
  if (template === undefined) return [];
  const stem = id.slice(id.indexOf('/') + 1);
  return Array.from({ length: Math.min(size, mostNodes) }, (_, index) => {
    const name = `${stem}-${lettersOf(index)}`;
    const annotations = { [assumedPool]: stem, 'cluster.x-k8s.io/owner-name': stem };
    const labels = { ...template.metadata?.labels, 'kubernetes.io/hostname': name };
    return { ...template, metadata: { name, annotations, labels } };
  });
}

/** One pod of each workload but of DaemonSets, as pending. */
function podOf(workload: KubeObject): readonly { readonly pod: Pod; readonly replicas: number }[] {
  const template = podTemplateOf(workload);
  if (template === undefined || workload.kind === 'DaemonSet') return [];
  const metadata = {
    name: `${(workload.kind ?? '').toLowerCase()}-${nameOf(workload)}`,
    namespace: namespaceOf(workload),
    labels: template.metadata.labels ?? {},
  };
  const pod = defaultPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec });
  const replicas = replicasOf(workload);
  return [{ pod: { ...pod, status: { phase: 'Pending', conditions: unschedulable } }, replicas }];
}

/** That a pool makes too small nodes for a pod, or none where its volumes are, is its reason, and none to assume others. */
function askingForLittle({ spec, ...pod }: Pod): Pod {
  const containers = spec!.containers.map((container) => ({ ...container, resources: {} }));
  const { initContainers: _, overhead: __, resources: ___, volumes: ____, ...rest } = spec!;
  return { ...pod, spec: { ...rest, containers } };
}

/** Whether no pool makes a node for one of some pods. */
function isOneLeft(
  { nodePools, groups, ...rest }: Pools,
  objects: readonly KubeObject[],
  asked: readonly Pod[],
): boolean {
  if (asked.length === 0) return false;
  const left = new Map(asked.map((pod) => [keyOf(pod), pod]));
  if (nodePools.length > 0) {
    const unlimited = nodePools.map((pool) => ({ ...pool, limits: undefined }));
    const others = objects.filter((object) => podTemplateOf(object) === undefined || object.kind === 'DaemonSet');
    const { pods: found, offers } = provision({
      cluster: karpenterCluster([...others, ...asked], unlimited, []),
      catalogs: catalogsOf({ ...rest, groups, nodePools: unlimited }, []),
      options: { ignoresPreferences: false, relaxesMinValues: false },
      journal: silent,
      now: 0,
      explains: true,
    });
    for (const [key, { outcome }] of found) {
      // A pool that makes no node of any kind is meant for the pods that it would take.
      const isMeant = (pool: NodePool): boolean =>
        (!isReady(pool) || offers.get(key)?.some((offer) => offer.pool === pool.name && offer.of === 0) === true) &&
        refusalOf({ pool, limits: [] }, workingPod(left.get(key)!)) === undefined;
      if (outcome.kind === 'new' || unlimited.some(isMeant)) left.delete(key);
    }
  }
  if (groups.length === 0 || left.size === 0) return left.size > 0;
  const result = scaleUp({
    groups: groups.flatMap(({ id, template }) =>
      template === undefined ? [] : [{ id, min: 0, max: mostNodes, size: 0, template }],
    ),
    nodes: [],
    groupOf: new Map(),
    pods: [...left.values()],
    daemonSets: objects.filter((object): object is DaemonSet => object.kind === 'DaemonSet'),
    options: defaultOptions,
  });
  return [...result.pods.values()].some(({ state }) => state === 'remains unschedulable' || state === 'expendable');
}
