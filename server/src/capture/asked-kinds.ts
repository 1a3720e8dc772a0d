import { say } from '../util/say.ts';
/** A kind that a snapshot holds. */
export interface AskedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** Its name in the API. */
  readonly resource: string;
  /** What follows where it is not in the snapshot: a sentence without a full stop; null where none is any use then. */
  readonly withoutIt: string | null;
  /** How many are asked for at a time. */
  readonly page: number;
  /** Whether only clusters have it in which something was installed, or switched on. */
  readonly isInstalled?: boolean;
}

const page = 2_500;

function asked(apiVersion: string, kind: string, resource: string, withoutIt: string | null, at = page): AskedKind {
  return { apiVersion, kind, resource, withoutIt, page: at };
}

/** What only clusters have whose feature gates are on for it. */
function gated(apiVersion: string, kind: string, resource: string, withoutIt: string): AskedKind {
  return { ...asked(apiVersion, kind, resource, withoutIt), isInstalled: true };
}

/** What says how a cluster grows. */
function ofPools(apiVersion: string, kind: string, resource: string): AskedKind {
  return { ...asked(apiVersion, kind, resource, say`what autoscalers would add is not known`), isInstalled: true };
}

/** All that is ever asked for. Secrets and ConfigMaps are not among them. */
export const askedKinds: readonly AskedKind[] = [
  // With the names of up to 50 images a node is large.
  asked('v1', 'Node', 'nodes', null, 500),
  asked('v1', 'Pod', 'pods', null),
  asked('v1', 'Namespace', 'namespaces', say`no namespaceSelector of a pod affinity matches`),
  asked('v1', 'Service', 'services', say`pods are not spread by the Services that select them`),
  asked('v1', 'ReplicationController', 'replicationcontrollers', say`their pods count as pods without a controller`),
  asked(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    say`bound claims have no volume that ties their pods to a place`,
  ),
  asked('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', say`claims count only where the workspace has them`),
  asked('v1', 'ResourceQuota', 'resourcequotas', say`quotas of the cluster refuse nothing`),
  asked('v1', 'LimitRange', 'limitranges', say`pods get no default requests from the cluster`),
  asked('apps/v1', 'Deployment', 'deployments', say`what runs of them is not matched with the workspace`),
  asked('apps/v1', 'ReplicaSet', 'replicasets', say`the pods of Deployments count as pods without a controller`),
  asked('apps/v1', 'StatefulSet', 'statefulsets', say`what runs of them is not matched with the workspace`),
  asked('apps/v1', 'DaemonSet', 'daemonsets', say`drains do not know whose pods stay on their nodes`),
  asked('batch/v1', 'Job', 'jobs', say`their pods count as pods without a controller`),
  asked('batch/v1', 'CronJob', 'cronjobs', say`runs of the cluster that are to come are not known`),
  asked(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    say`evictions do not respect budgets of the cluster`,
  ),
  asked(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    say`classes count only where the workspace has them`,
  ),
  asked('storage.k8s.io/v1', 'StorageClass', 'storageclasses', say`claims are assumed to be served on every node`),
  asked('storage.k8s.io/v1', 'CSINode', 'csinodes', say`limits of volumes per node are not known`),
  asked('storage.k8s.io/v1', 'CSIDriver', 'csidrivers', say`the capacity of storage is not looked at`),
  asked(
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    'csistoragecapacities',
    say`the capacity of storage is not looked at`,
  ),
  asked(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    say`volumes that are still attached do not count`,
  ),
  asked('resource.k8s.io/v1', 'DeviceClass', 'deviceclasses', say`claims of devices are refused`),
  asked('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices', say`no node has devices`, 500),
  asked('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims', say`devices that are in use count as free`),
  asked(
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    say`pods that use templates of the cluster wait for their claims`,
  ),
  asked('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', say`the overhead of their pods is what the pods say`),
  asked(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    say`replicas are those that are written`,
  ),
  gated(
    'resource.k8s.io/v1',
    'DeviceTaintRule',
    'devicetaintrules',
    say`devices count without the taints that rules give them`,
  ),
  gated('scheduling.k8s.io/v1alpha2', 'PodGroup', 'podgroups', say`pods of groups of the cluster are held back`),
  gated('scheduling.k8s.io/v1beta1', 'PodGroup', 'podgroups', say`pods of groups of the cluster are held back`),
  ofPools('karpenter.sh/v1', 'NodePool', 'nodepools'),
  ofPools('karpenter.sh/v1', 'NodeClaim', 'nodeclaims'),
  ofPools('karpenter.sh/v1alpha1', 'NodeOverlay', 'nodeoverlays'),
  ofPools('karpenter.k8s.aws/v1', 'EC2NodeClass', 'ec2nodeclasses'),
  ofPools('karpenter.azure.com/v1beta1', 'AKSNodeClass', 'aksnodeclasses'),
  ofPools('eks.amazonaws.com/v1', 'NodeClass', 'nodeclasses'),
  ofPools('cloud.google.com/v1', 'ComputeClass', 'computeclasses'),
  ofPools('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', 'capacitybuffers'),
  ofPools('cluster.x-k8s.io/v1beta1', 'MachineDeployment', 'machinedeployments'),
  ofPools('cluster.x-k8s.io/v1beta1', 'MachineSet', 'machinesets'),
  ofPools('cluster.x-k8s.io/v1beta1', 'MachinePool', 'machinepools'),
  ofPools('machine.openshift.io/v1beta1', 'MachineSet', 'machinesets'),
  ofPools('autoscaling.openshift.io/v1beta1', 'MachineAutoscaler', 'machineautoscalers'),
  ofPools('autoscaling.openshift.io/v1', 'ClusterAutoscaler', 'clusterautoscalers'),
];

/** The path of a kind's objects in all namespaces. */
export function pathOf({ apiVersion, resource }: AskedKind): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${resource}`;
}
