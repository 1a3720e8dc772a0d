import type { NodePool } from './objects.ts';

/** Labels that Karpenter and its AWS provider know. Source: karpenter pkg/apis/v1/labels.go; provider pkg/apis/v1/labels.go */
export const nodePoolKey = 'karpenter.sh/nodepool';
/** Of GKE. */
export const computeClassKey = 'cloud.google.com/compute-class';
export const capacityTypeKey = 'karpenter.sh/capacity-type';
export const initializedKey = 'karpenter.sh/initialized';
export const registeredKey = 'karpenter.sh/registered';
export const doNotDisruptKey = 'karpenter.sh/do-not-disrupt';
export const hostnameKey = 'kubernetes.io/hostname';
export const zoneKey = 'topology.kubernetes.io/zone';
export const regionKey = 'topology.kubernetes.io/region';
export const instanceTypeKey = 'node.kubernetes.io/instance-type';
export const archKey = 'kubernetes.io/arch';
export const osKey = 'kubernetes.io/os';
export const reservationIdKey = 'karpenter.k8s.aws/capacity-reservation-id';
export const reservationTypeKey = 'karpenter.k8s.aws/capacity-reservation-type';
export const reservationInterruptibleKey = 'karpenter.k8s.aws/capacity-reservation-interruptible';
export const tenancyKey = 'karpenter.k8s.aws/instance-tenancy';

export const awsDomain = 'karpenter.k8s.aws';

/** Labels of the AWS provider that a type of instance has or has not. */
const awsNames = [
  'capacity-reservation-id',
  'capacity-reservation-interruptible',
  'capacity-reservation-type',
  'instance-accelerator-count',
  'instance-accelerator-manufacturer',
  'instance-accelerator-name',
  'instance-capability-flex',
  'instance-category',
  'instance-cpu',
  'instance-cpu-manufacturer',
  'instance-cpu-sustained-clock-speed-mhz',
  'instance-ebs-bandwidth',
  'instance-encryption-in-transit-supported',
  'instance-family',
  'instance-generation',
  'instance-gpu-count',
  'instance-gpu-manufacturer',
  'instance-gpu-memory',
  'instance-gpu-name',
  'instance-hypervisor',
  'instance-local-nvme',
  'instance-memory',
  'instance-network-bandwidth',
  'instance-size',
  'instance-tenancy',
  'placement-group-id',
  'placement-group-partition',
];

export const wellKnownLabels: ReadonlySet<string> = new Set([
  ...awsNames.map((name) => `${awsDomain}/${name}`),
  capacityTypeKey,
  nodePoolKey,
  archKey,
  osKey,
  instanceTypeKey,
  'node.kubernetes.io/windows-build',
  'topology.k8s.aws/zone-id',
  regionKey,
  zoneKey,
]);

/** Well-known labels that types do not define at all. */
export const undefinedInTypes: ReadonlySet<string> = new Set([
  'karpenter.k8s.aws/placement-group-id',
  'karpenter.k8s.aws/placement-group-partition',
  'topology.k8s.aws/zone-id',
]);

const restrictedDomains: readonly string[] = ['karpenter.k8s.aws', 'karpenter.sh'];

export const autoModeDomain = 'eks.amazonaws.com';

/** What nodes of EKS Auto Mode have, and no others. */
const autoModeLabel: readonly [key: string, value: string] = [`${autoModeDomain}/compute-type`, 'auto'];

/** Labels of the AWS provider that EKS Auto Mode does not have under its own domain. */
const notOfAutoMode = /^(?:capacity-reservation|instance-accelerator|placement-group|instance-tenancy)/;

/** Source: https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html#auto-supported-labels, and nodes */
export const autoModeLabels: ReadonlySet<string> = new Set([
  ...awsNames.filter((name) => !notOfAutoMode.test(name)).map((name) => `${autoModeDomain}/${name}`),
  `${autoModeDomain}/nodeclass`,
  autoModeLabel[0],
]);

/** The labels that nodes of a pool have without being written. Nodes of a class choose among those of their provider. */
export function labelsOfClass({ group, kind, name }: NodePool['nodeClass']): Readonly<Record<string, string>> {
  const [key, value] = autoModeLabel;
  return { [`${group}/${kind.toLowerCase()}`]: name, ...(group === autoModeDomain ? { [key]: value } : {}) };
}

/** Labels of which only these values are known. Source: WellKnownValuesForRequirements */
export const wellKnownValues: ReadonlyMap<string, readonly string[]> = new Map([
  [capacityTypeKey, ['on-demand', 'reserved', 'spot']],
  [tenancyKey, ['dedicated', 'default']],
]);

/** Source: NormalizedLabels */
const stableKeys: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', zoneKey],
  ['failure-domain.beta.kubernetes.io/region', regionKey],
  ['beta.kubernetes.io/arch', archKey],
  ['beta.kubernetes.io/os', osKey],
  ['beta.kubernetes.io/instance-type', instanceTypeKey],
]);

/** The key that Karpenter reads a deprecated one as. */
export function stableKey(key: string): string {
  return stableKeys.get(key) ?? key;
}

/** Whether only Karpenter itself may set a label. Source: IsRestrictedLabel */
export function isRestrictedLabel(key: string): boolean {
  if (wellKnownLabels.has(key)) return false;
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isOwn = restrictedDomains.some((restricted) => domain === restricted || domain.endsWith(`.${restricted}`));
  return isOwn || key === hostnameKey;
}

export function restrictedText(key: string): string {
  return (
    `using label ${key} is not allowed as it might interfere with the internal provisioning logic; ` +
    `specify a well known label: [${[...wellKnownLabels].sort().join(' ')}], ` +
    `or a custom label that does not use a restricted domain: [${restrictedDomains.join(' ')}]`
  );
}
