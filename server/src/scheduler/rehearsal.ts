import type { Node, Pod, PodSpec } from '../kubernetes/objects.ts';
import type { Release } from '../kubernetes/release.ts';
import { decide } from './decide.ts';
import { clusterObjectsOf } from './framework/cluster-objects.ts';
import { ClusterState } from './framework/cluster-state.ts';

/** Fewer nodes are decided about as fast as code is compiled. */
const manyNodes = 1000;
/** Enough for loops over nodes to be compiled. */
const rehearsedNodes = 100;

let rehearsed = false;

/**
 * Before a large cluster is read: one decision of each kind in a cluster made up for it, once in a process. What decides
 * is compiled then, beside the reading, and not when somebody waits for the first answer. Yields after each.
 */
export function* rehearse(nodes: number, release: Release): Generator<void> {
  if (rehearsed || nodes < manyNodes) return;
  rehearsed = true;
  const objects = Array.from({ length: rehearsedNodes }, (_, index) => `node-${index}`).flatMap((name, index) => [
    nodeOf(name, index),
    podOf(`${name}-a`, { nodeName: name }, '900m'),
    podOf(`${name}-b`, { nodeName: name }, '900m'),
  ]);
  const cluster = ClusterState.from(clusterObjectsOf(objects), release);
  yield;
  for (const [index, pod] of arrivals.entries()) {
    decide(cluster, cluster.arriving(podOf(`arriving-${index}`, pod.spec, pod.cpu)));
    yield;
  }
}

const labelSelector = { matchLabels: { app: 'web' } };
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

/** One that fits, one that spreads, one that keeps away from others, and two that must preempt. */
const arrivals: readonly { readonly spec: Partial<PodSpec>; readonly cpu: string }[] = [
  { spec: {}, cpu: '100m' },
  {
    spec: {
      topologySpreadConstraints: [
        { maxSkew: rehearsedNodes, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector },
      ],
    },
    cpu: '100m',
  },
  {
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: hostname, labelSelector }],
        },
      },
    },
    cpu: '100m',
  },
  { spec: { priority: 100 }, cpu: '3900m' },
  { spec: { priority: 100 }, cpu: '3' },
];

function nodeOf(name: string, index: number): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [hostname]: name, [zone]: `zone-${index % 3}` } },
    status: { allocatable: { cpu: '4', memory: '32Gi', pods: '110' } },
  };
}

function podOf(name: string, spec: Partial<PodSpec>, cpu: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, labels: { app: 'web' } },
    spec: {
      containers: [{ name: 'main', image: 'main', resources: { requests: { cpu, memory: '500Mi' } } }],
      priority: 0,
      ...spec,
    },
    status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z' },
  };
}
