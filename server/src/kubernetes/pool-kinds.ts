import type { JsonObject } from './json.ts';
import type { KubeObject } from './objects.ts';

/** API group → kinds that say how a cluster grows. Their versions change nothing of what is read. */
const kindsByGroup: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  // What a CapacityBuffer may name.
  ['', new Set(['PodTemplate'])],
  ['karpenter.sh', new Set(['NodePool', 'NodeClaim', 'NodeOverlay'])],
  ['karpenter.k8s.aws', new Set(['EC2NodeClass'])],
  ['karpenter.azure.com', new Set(['AKSNodeClass'])],
  // Of EKS Auto Mode.
  ['eks.amazonaws.com', new Set(['NodeClass'])],
  ['autoscaling.x-k8s.io', new Set(['CapacityBuffer'])],
  ['cluster.x-k8s.io', new Set(['MachineDeployment', 'MachineSet', 'MachinePool'])],
  ['machine.openshift.io', new Set(['MachineSet'])],
  ['autoscaling.openshift.io', new Set(['MachineAutoscaler', 'ClusterAutoscaler'])],
  ['eksctl.io', new Set(['ClusterConfig'])],
  ['cloud.google.com', new Set(['ComputeClass'])],
]);

/** The only ConfigMap that says something of it. Source: cluster-autoscaler/expander/priority/priority.go */
export const expanderConfigMap = 'cluster-autoscaler-priority-expander';

export function isExpanderConfigMap(apiVersion: string, kind: string, name: unknown): boolean {
  return apiVersion === 'v1' && kind === 'ConfigMap' && name === expanderConfigMap;
}

/** Whether an object says how a cluster grows: what nodes may be made, and which were asked for. */
export function isPoolKind(apiVersion: string, kind: string): boolean {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return kindsByGroup.get(group)?.has(kind) === true;
}

const namespaced: ReadonlySet<string> = new Set([
  'PodTemplate',
  'CapacityBuffer',
  'MachineDeployment',
  'MachineSet',
  'MachinePool',
  'MachineAutoscaler',
]);

export function isNamespacedPoolKind(apiVersion: string, kind: string): boolean {
  return namespaced.has(kind) && isPoolKind(apiVersion, kind);
}

/** An object of such a kind; Podium has no types for them, and keeps what is written. */
export interface PoolObject extends KubeObject {
  readonly written: JsonObject;
}

export function isPoolObject(object: KubeObject): object is PoolObject {
  return isKeptWritten(object) && object.written['kind'] !== 'ScaledObject';
}

/** What the user wrote: of kinds for which Podium has no types, or of which it reads what is made of them. */
export function asWritten(object: KubeObject): KubeObject | JsonObject {
  return isKeptWritten(object) ? object.written : object;
}

function isKeptWritten(object: KubeObject): object is PoolObject {
  return 'written' in object;
}
