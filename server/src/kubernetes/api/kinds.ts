/** The kinds that Podium reads, and where they live. Free of tables, so that `npm run api-types` can start from it. */

interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function kindsOf(apiVersion: string, namespaced: boolean, kinds: readonly string[]): KnownKind[] {
  return kinds.map((kind) => ({ apiVersion, kind, namespaced }));
}

const configurationVersion = 'kubescheduler.config.k8s.io/v1';

const kinds: readonly KnownKind[] = [
  ...kindsOf('v1', true, [
    'Pod',
    'ReplicationController',
    'Service',
    'ResourceQuota',
    'LimitRange',
    'PersistentVolumeClaim',
  ]),
  ...kindsOf('v1', false, ['Node', 'Namespace', 'PersistentVolume']),
  ...kindsOf('apps/v1', true, ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']),
  ...kindsOf('batch/v1', true, ['Job', 'CronJob']),
  ...kindsOf('policy/v1', true, ['PodDisruptionBudget']),
  ...kindsOf('autoscaling/v2', true, ['HorizontalPodAutoscaler']),
  ...kindsOf('autoscaling/v1', true, ['HorizontalPodAutoscaler']),
  ...kindsOf('scheduling.k8s.io/v1', false, ['PriorityClass']),
  ...kindsOf('storage.k8s.io/v1', false, ['StorageClass', 'CSINode', 'CSIDriver', 'VolumeAttachment']),
  ...kindsOf('storage.k8s.io/v1', true, ['CSIStorageCapacity']),
  ...kindsOf('node.k8s.io/v1', false, ['RuntimeClass']),
  ...kindsOf('resource.k8s.io/v1', true, ['ResourceClaim', 'ResourceClaimTemplate']),
  ...kindsOf('resource.k8s.io/v1', false, ['DeviceClass', 'ResourceSlice']),
  ...kindsOf(configurationVersion, false, ['KubeSchedulerConfiguration']),
];

/** Kind → its versions. */
export const knownKinds: ReadonlyMap<string, readonly KnownKind[]> = new Map(
  kinds.map(({ kind }) => [kind, kinds.filter((each) => each.kind === kind)]),
);

/** Plugins of the scheduler whose arguments Podium reads. */
export const schedulerArguments = [
  'NodeResourcesFit',
  'NodeResourcesBalancedAllocation',
  'InterPodAffinity',
  'DefaultPreemption',
  'NodeAffinity',
  'PodTopologySpread',
  'VolumeBinding',
  'DynamicResources',
] as const;

/** The group of the tables that holds the types of an API version. */
export function tableGroup(apiVersion: string): string {
  if (apiVersion === configurationVersion) return apiVersion;
  return apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`;
}

function known(apiVersion: string, kind: string): KnownKind | undefined {
  return knownKinds.get(kind)?.find((each) => each.apiVersion === apiVersion);
}

/** Whether Podium reads objects of a kind. A `Service` of another API group is not a Service. */
export function isKnownKind(apiVersion: string, kind: string): boolean {
  return known(apiVersion, kind) !== undefined && !isSchedulerConfiguration(apiVersion, kind);
}

/** Whether Podium reads a kind, and not in this version of its group. */
export function isOtherVersion(apiVersion: string, kind: string): boolean {
  const group = groupOf(apiVersion);
  const versions = knownKinds.get(kind) ?? [];
  return versions.some((each) => groupOf(each.apiVersion) === group) && !isKnownKind(apiVersion, kind);
}

/** Deployments and their like began in `extensions`. */
function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  return group === 'extensions' ? 'apps' : group;
}

/** Whether objects of a known kind live in a namespace. False for kinds that are not known. */
export function isNamespaced(apiVersion: string, kind: string): boolean {
  return (
    known(apiVersion, kind)?.namespaced === true ||
    isNetworkPolicy(apiVersion, kind) ||
    (kind !== 'DeviceTaintRule' && isKeptAsWritten(apiVersion, kind))
  );
}

/** What names pods by their labels and ports, and decides nothing that Podium answers: it is not decoded. */
export function isNetworkPolicy(apiVersion: string, kind: string): boolean {
  return apiVersion === 'networking.k8s.io/v1' && kind === 'NetworkPolicy';
}

/**
 * Kinds behind feature gates whose types differ from minor to minor: Podium has no types for them and keeps what is
 * written. A PodGroup is pods that are scheduled together, a Workload has templates of such groups, a DeviceTaintRule
 * taints devices of ResourceSlices.
 */
export function isKeptAsWritten(apiVersion: string, kind: string): boolean {
  return keptAsWritten.get(kind)?.has(apiVersion) === true;
}

const keptAsWritten: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['PodGroup', new Set(['v1alpha2', 'v1alpha3', 'v1beta1'].map((version) => `scheduling.k8s.io/${version}`))],
  [
    'Workload',
    new Set(['v1alpha1', 'v1alpha2', 'v1alpha3', 'v1beta1'].map((version) => `scheduling.k8s.io/${version}`)),
  ],
  ['DeviceTaintRule', new Set(['v1alpha3', 'v1beta2', 'v1'].map((version) => `resource.k8s.io/${version}`))],
]);

/** A file that the API server reads. Source: staging/src/k8s.io/apiserver/pkg/apis/apiserver/v1/register.go */
export function isAdmissionConfiguration(apiVersion: string, kind: string): boolean {
  return apiVersion === 'apiserver.config.k8s.io/v1' && admissionKinds.has(kind);
}

/** The whole, and the part of one plugin in a file of its own. */
const admissionKinds: ReadonlySet<string> = new Set(['AdmissionConfiguration', 'ResourceQuotaConfiguration']);

/**
 * A file that the scheduler reads, not an object of the API server. What it says is read by the scheduler's layer.
 * Source: staging/src/k8s.io/kube-scheduler/config/v1/register.go
 */
export function isSchedulerConfiguration(apiVersion: string, kind: string): boolean {
  return apiVersion === configurationVersion && kind === 'KubeSchedulerConfiguration';
}
