import type {
  Container,
  KubeObject,
  Node,
  Pod,
  PodDisruptionBudget,
  PodSpec,
} from '../../../server/src/kubernetes/objects.ts';
import type { Release } from '../../../server/src/kubernetes/release.ts';
import {
  ClusterState,
  clusterObjectsOf,
  decide,
  type DecideOptions,
  type Decision,
  type FitsDecision,
  type UnschedulableDecision,
} from '../../../server/src/scheduler/index.ts';

/** Short ways to write the objects of a test. */

export interface NodeShape {
  readonly cpu?: string | number;
  readonly memory?: string;
  readonly pods?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Node['spec'];
  readonly more?: Readonly<Record<string, string>>;
}

export function node(name: string, shape: NodeShape = {}): Node {
  const { cpu = '4', memory = '8Gi', pods = '110', labels, spec, more } = shape;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: spec ?? {},
    status: { allocatable: { cpu: String(cpu), memory, pods, ...more } },
  };
}

export interface PodShape {
  readonly on?: string;
  readonly priority?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  readonly container?: Partial<Container>;
  readonly metadata?: Pod['metadata'];
  readonly status?: Pod['status'];
}

export function pod(name: string, shape: PodShape = {}): Pod {
  const requests = {
    ...(shape.cpu === undefined ? {} : { cpu: shape.cpu }),
    ...(shape.memory === undefined ? {} : { memory: shape.memory }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { ...shape.labels }, ...shape.metadata },
    spec: {
      containers: [{ name: 'main', image: 'image', resources: { requests }, ...shape.container }],
      priority: shape.priority ?? 0,
      ...(shape.on === undefined ? {} : { nodeName: shape.on }),
      ...shape.spec,
    },
    ...(shape.status === undefined ? {} : { status: shape.status }),
  };
}

export function budget(
  name: string,
  matchLabels: Readonly<Record<string, string>>,
  allowed: number,
): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels } },
    status: { disruptionsAllowed: allowed, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  };
}

export function clusterOf(...objects: readonly KubeObject[]): ClusterState {
  return ClusterState.from(clusterObjectsOf(objects));
}

/** The same in a cluster of another release than the newest. */
export function clusterIn(release: Release, ...objects: readonly KubeObject[]): ClusterState {
  return ClusterState.from(clusterObjectsOf(objects), release);
}

/** Decides the pending pod of that name. */
export function decidePod(cluster: ClusterState, name: string, options?: DecideOptions): Decision {
  const pending = cluster.pod(`default/${name}`);
  if (pending === undefined) throw new Error(`no pod ${name}`);
  return decide(cluster, pending, options);
}

export function decideFits(cluster: ClusterState, name: string, options?: DecideOptions): FitsDecision {
  const decision = decidePod(cluster, name, options);
  if (decision.kind !== 'fits') {
    throw new Error(`${name} does not fit: ${'message' in decision ? decision.message : ''}`);
  }
  return decision;
}

export function decideUnschedulable(
  cluster: ClusterState,
  name: string,
  options?: DecideOptions,
): UnschedulableDecision {
  const decision = decidePod(cluster, name, options);
  if (decision.kind !== 'unschedulable') throw new Error(`${name} is answered ${decision.kind}`);
  return decision;
}

/** Node → victims of a pod that must preempt. */
export function victimsOf(decision: UnschedulableDecision): Record<string, readonly string[]> {
  const candidates = [...(decision.preemption?.candidates ?? [])];
  return Object.fromEntries(candidates.map(([name, { victims }]) => [name, victims]));
}
