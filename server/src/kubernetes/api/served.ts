import { own } from '../../util/own.ts';
/** What an API server serves by default, as its discovery lists it: version → kinds. */
export type ServedKinds = ReadonlyMap<string, readonly string[]>;

/** What 1.34 serves. Source: a running server of 1.34.9 */
export const firstServed: ServedKinds = new Map(
  Object.entries({
    v1: 'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
    'admissionregistration.k8s.io/v1':
      'MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
    'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
    'apiregistration.k8s.io/v1': 'APIService',
    'apps/v1': 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
    'authentication.k8s.io/v1': 'SelfSubjectReview TokenReview',
    'authorization.k8s.io/v1':
      'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
    'autoscaling/v1': 'HorizontalPodAutoscaler',
    'autoscaling/v2': 'HorizontalPodAutoscaler',
    'batch/v1': 'CronJob Job',
    'certificates.k8s.io/v1': 'CertificateSigningRequest',
    'coordination.k8s.io/v1': 'Lease',
    'discovery.k8s.io/v1': 'EndpointSlice',
    'events.k8s.io/v1': 'Event',
    'flowcontrol.apiserver.k8s.io/v1': 'FlowSchema PriorityLevelConfiguration',
    'networking.k8s.io/v1': 'IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR',
    'node.k8s.io/v1': 'RuntimeClass',
    'policy/v1': 'PodDisruptionBudget',
    'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
    'resource.k8s.io/v1': 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
    'scheduling.k8s.io/v1': 'PriorityClass',
    'storage.k8s.io/v1': 'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass',
  }).map(([apiVersion, kinds]) => [apiVersion, kinds.split(' ')]),
);

/** What a minor serves that adds to what the one before it does. */
export function alsoServed(before: ServedKinds, added: Readonly<Record<string, readonly string[]>>): ServedKinds {
  const all = new Map(before);
  for (const [apiVersion, kinds] of Object.entries(added)) {
    all.set(apiVersion, [...(all.get(apiVersion) ?? []), ...kinds]);
  }
  return all;
}

/** Groups that Kubernetes served once, under which old manifests still stand. */
const former: ReadonlySet<string> = new Set(['extensions']);

/**
 * What an API server of these minors serves only where `--runtime-config` says so: each is served by default as another
 * version, by these minors or by a later one. Source: pkg/controlplane/instance.go (alphaAPIGroupVersionsDisabledByDefault, betaAPIGroupVersionsDisabledByDefault)
 */
const offByDefault: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1alpha1': 'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1': 'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'resource.k8s.io/v1alpha3': 'DeviceTaintRule',
  'resource.k8s.io/v1beta1': 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
  'resource.k8s.io/v1beta2': 'DeviceTaintRule DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
};

/** What a name in `--runtime-config` switches on, a version or all of a stability; undefined where that is nothing. */
export function switchedOn(name: string): Readonly<Record<string, readonly string[]>> | undefined {
  const versions = Object.entries(offByDefault).filter(
    ([version]) =>
      name === version || name === 'api/all' || (/^api\/(?:alpha|beta)$/.test(name) && version.includes(name.slice(4))),
  );
  if (versions.length === 0) return undefined;
  return Object.fromEntries(versions.map(([version, kinds]) => [version, kinds.split(' ')]));
}

/** Whether some clusters take objects of a kind that they do not take by default. */
export function mayBeSwitchedOn(apiVersion: string, kind: string): boolean {
  return own(offByDefault, apiVersion)?.split(' ').includes(kind) === true;
}

/** Whether an API server takes objects of a kind. */
export function isServed(served: ServedKinds, apiVersion: string, kind: string): boolean {
  return served.get(apiVersion)?.includes(kind) === true;
}

/** Whether any version of a group is served. */
export function isServedGroup(served: ServedKinds, group: string): boolean {
  return [...served.keys()].some((apiVersion) => groupOf(apiVersion) === group);
}

/** Whether a group is Kubernetes' own: what it does not serve of it exists nowhere. Others may be anybody's. */
export function isOwnGroup(served: ServedKinds, group: string): boolean {
  return former.has(group) || !group.includes('.') || isServedGroup(served, group);
}

/** The versions under which a kind is served, whatever its group; in the order of discovery. */
export function servedVersions(served: ServedKinds, kind: string): readonly string[] {
  return [...served].filter(([, kinds]) => kinds.includes(kind)).map(([apiVersion]) => apiVersion);
}

/** All kinds that are served, once each. */
export function namesOfServed(served: ServedKinds): ReadonlySet<string> {
  return new Set([...served.values()].flat());
}

/** Empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
