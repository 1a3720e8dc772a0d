import { own } from '../util/own.ts';
import type { PodSpec } from './objects.ts';

/**
 * Who is to remove a taint, which decides what one may do about it.
 *
 * - `condition`: a controller or agent puts it on while something is wrong, and takes it off again;
 * - `reserved`: the node belongs to the control plane or to the provider, and applications stay off;
 * - `own`: whoever runs the cluster has put it on, for pods that tolerate it.
 */
export type TaintOwner = 'condition' | 'reserved' | 'own';

/** Sources: staging/src/k8s.io/api/core/v1/well_known_taints.go; cloud-provider/api/well_known_taints.go */
const conditionDomains: ReadonlySet<string> = new Set([
  'node.kubernetes.io',
  'node.cloudprovider.kubernetes.io',
  'node.cilium.io',
  'karpenter.sh',
]);

/** Source: cluster-autoscaler/utils/taints/taints.go */
const conditionKeys: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
]);

/** Those of the control plane, of addons and of providers. */
const reservedKeys: ReadonlySet<string> = new Set(['CriticalAddonsOnly']);
const reservedDomains: readonly string[] = [
  'kubernetes.io',
  'k8s.io',
  'cloud.google.com',
  'gke.io',
  'amazonaws.com',
  'azure.com',
  'oraclecloud.com',
  'digitalocean.com',
  'karpenter.sh',
  'cilium.io',
];

/** @param taint a key, or a taint as kubectl writes it */
export function taintOwner(taint: string): TaintOwner {
  const key = taint.split(/[=:]/, 1)[0]!;
  const [domain, name] = key.includes('/')
    ? [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)]
    : ['', key];
  if (conditionKeys.has(key) || conditionDomains.has(domain)) return 'condition';
  // Drivers and meshes keep pods away in this way until they run on the node.
  if (/(^|[-.])(not-?ready|uninitiali[sz]ed|startup|unschedulable|out-of-service)($|[-.])/i.test(name)) {
    return 'condition';
  }
  if (reservedKeys.has(key)) return 'reserved';
  return reservedDomains.some((each) => domain === each || domain.endsWith(`.${each}`)) ? 'reserved' : 'own';
}

/** Nobody but the control plane is meant by them, whatever else selects its nodes. */
const controlPlaneKeys: ReadonlySet<string> = new Set([
  'CriticalAddonsOnly',
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
]);

/** @param taint as kubectl writes it */
export function isOfControlPlane(taint: string): boolean {
  return controlPlaneKeys.has(taint.split(/[=:]/, 1)[0]!) && taint.startsWith('node-role');
}

/**
 * Whether a pod may be given a toleration: of a taint that whoever runs the cluster has put on, or of one that a provider
 * puts on nodes of a kind which the pod selects by a label of the same key (`kubernetes.azure.com/scalesetpriority`).
 */
export function isToBeTolerated(taint: string, spec: PodSpec | undefined): boolean {
  const owner = taintOwner(taint);
  const key = taint.split(/[=:]/, 1)[0]!;
  if (owner !== 'reserved' || controlPlaneKeys.has(key)) return owner === 'own';
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  return (
    own(spec?.nodeSelector, key) !== undefined ||
    (terms.length > 0 &&
      terms.every(({ matchExpressions = [] }) =>
        matchExpressions.some((each) => each.key === key && (each.operator === 'In' || each.operator === 'Exists')),
      ))
  );
}

/** Whose devices name their resource and, by convention, the taint of the nodes that have them. */
const deviceDomains: ReadonlySet<string> = new Set([
  'nvidia.com',
  'amd.com',
  'gpu.intel.com',
  'habana.ai',
  'aws.amazon.com',
  'google.com',
]);

/**
 * The domain of devices for which a taint keeps its node free: `nvidia.com`; undefined for other taints.
 * Source: plugin/pkg/admission/extendedresourcetoleration/admission.go
 */
export function deviceDomainOf(taint: string): string | undefined {
  const domain = taint.slice(0, Math.max(0, taint.indexOf('/')));
  return deviceDomains.has(domain) ? domain : undefined;
}
