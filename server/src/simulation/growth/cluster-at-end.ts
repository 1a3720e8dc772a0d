import { defaultNode } from '../../kubernetes/defaults/index.ts';
import type { KubeObject, Node, Pod } from '../../kubernetes/objects.ts';
import type { ClusterState } from '../../scheduler/index.ts';
import type { EndOfRun } from '../capacity/fit.ts';
import { pendingPod } from '../causes/find-causes.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** What an autoscaler finds in the cluster when a run has settled. */
export interface ClusterAtEnd {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** DaemonSets, namespaces, budgets and storage. */
  readonly others: readonly KubeObject[];
  /** Pods that no node takes, by `namespace/name`. */
  readonly waiting: ReadonlyMap<string, SimulatedPod>;
}

const otherKinds = ['DaemonSet', 'Namespace', 'PodDisruptionBudget'] as const;

/**
 * Pods that were nominated are no business of an autoscaler; gated ones have another reason. The scheduler has told
 * those that wait that they are unschedulable.
 */
export function clusterAtEnd({ simulated: simulatedCluster, run }: EndOfRun): ClusterAtEnd {
  const { state } = run.cluster;
  const pods: Pod[] = [];
  const waiting = new Map<string, SimulatedPod>();
  for (const simulated of run.pods.present()) {
    const place = run.place(simulated);
    const { kind, name } = simulatedCluster.workloads[simulated.workload]!;
    const { pod } = pendingPod(simulated.pod, state);
    const own = withOwner(pod, kind, name, String(simulated.workload));
    if (place.node !== null && (place.state === 'running' || place.state === 'terminating')) {
      pods.push({
        ...own,
        ...(place.state === 'running'
          ? {}
          : { metadata: { ...own.metadata, deletionTimestamp: '1970-01-01T00:00:00Z' } }),
        spec: { ...own.spec!, nodeName: place.node },
        status: { ...own.status, phase: 'Running' },
      });
    } else if (place.state === 'pending' || place.state === 'nominated') {
      const nominated = place.state === 'nominated' && place.node !== null ? { nominatedNodeName: place.node } : {};
      if (place.state === 'pending') waiting.set(simulated.key, simulated);
      const { resourceClaimStatuses = [] } = own.status ?? {};
      pods.push({
        ...own,
        status: { phase: 'Pending', conditions: unschedulable, ...nominated, resourceClaimStatuses },
      });
    }
  }
  return {
    nodes: state.nodes.map(({ facts }) => withCordon(defaultNode(facts.node))),
    pods,
    others: [
      ...otherKinds.flatMap((kind): readonly KubeObject[] => simulatedCluster.inventory.objects(kind)),
      ...storageAndDevices(state.objects),
    ],
    waiting,
  };
}

/** With the claims that were made and bound. */
function storageAndDevices(objects: ClusterState['objects']): readonly KubeObject[] {
  const { storageClasses, csiNodes, deviceClasses, resourceSlices } = objects.fixed;
  return [
    ...objects.persistentVolumeClaims.values(),
    ...objects.persistentVolumes.values(),
    ...objects.resourceClaims,
    ...[storageClasses, csiNodes, deviceClasses].flatMap((each): readonly KubeObject[] => [...each.values()]),
    ...resourceSlices,
  ];
}

/**
 * Autoscalers look at taints only, and a cordoned node is tainted.
 * Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go (taintKeyToNodeConditionMap, doNoScheduleTaintingPass)
 */
function withCordon(node: Node): Node {
  const { unschedulable: isCordoned = false, taints = [] } = node.spec ?? {};
  if (!isCordoned || taints.some(({ key }) => key === cordoned.key)) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, cordoned] } };
}

const cordoned = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

export const unschedulable = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];

/** Autoscalers tell pods of one controller by its UID, which nobody has given yet. */
function withOwner(pod: Pod, kind: string, name: string, uid: string): Pod {
  const { metadata } = pod;
  if (kind === 'Pod' || kind === '' || (metadata?.ownerReferences ?? []).some((owner) => owner.uid !== '')) return pod;
  const apiVersion = kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
  return { ...pod, metadata: { ...metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] } };
}
