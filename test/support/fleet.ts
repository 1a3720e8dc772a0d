/**
 * A cluster as large ones are: nodes with the names that clouds give them, three zones, full of workloads of several
 * teams, and urgent ones that arrive. The same sizes give the same objects.
 */
import type { JsonObject } from '../../server/src/kubernetes/json.ts';

interface FleetSize {
  readonly nodes: number;
  /** Pods that run on each node. */
  readonly podsPerNode: number;
  /** Workloads of two pods each that must preempt. */
  readonly urgent: number;
  /** What each of those asks for. */
  readonly urgentCpu?: string;
  /** Pods that nobody has room for. */
  readonly hopeless?: number;
}

/** 300 nodes and 6,000 pods. */
export const fleetOf300: FleetSize = { nodes: 300, podsPerNode: 20, urgent: 15, hopeless: 4 };

const teams = ['checkout', 'catalog', 'messaging', 'platform', 'ml-training', 'staging'];
const roles = ['worker', 'gateway', 'cache', 'indexer', 'exporter', 'proxy', 'renderer'];
const classes: readonly (readonly [string, number])[] = [
  ['urgent', 100_000],
  ['batch-standard', 1000],
  ['batch-low', 100],
];

function fleetNodeName(index: number): string {
  return `ip-10-0-${Math.floor(index / 256)}-${index % 256}.eu-west-1.compute.internal`;
}

function node(index: number): JsonObject {
  const name = fleetNodeName(index);
  const amounts = { cpu: '15800m', memory: '60Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'topology.kubernetes.io/zone': `eu-west-1${'abc'[index % 3]!}`,
      },
    },
    status: { capacity: amounts, allocatable: amounts },
  };
}

function spec(cpu: string, memory: string, priorityClassName: string): JsonObject {
  return {
    priorityClassName,
    containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu, memory } } }],
  };
}

function deployment(namespace: string, name: string, replicas: number, pod: JsonObject): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  };
}

const replicas = 50;

export function fleet({ nodes, podsPerNode, urgent, urgentCpu = '6', hopeless = 0 }: FleetSize): JsonObject[] {
  const objects: JsonObject[] = classes.map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  }));
  for (let index = 0; index < nodes; index++) objects.push(node(index));
  const total = nodes * podsPerNode;
  for (let at = 0; at < total; at++) {
    const workload = Math.floor(at / replicas);
    const namespace = teams[workload % teams.length]!;
    const name = `${namespace}-${roles[workload % roles.length]!}-${workload}`;
    const className = workload % 4 === 0 ? 'batch-standard' : 'batch-low';
    const cpu = `${650 + (workload % 5) * 50}m`;
    if (at % replicas === 0) {
      objects.push(deployment(namespace, name, Math.min(replicas, total - at), spec(cpu, '1Gi', className)));
    }
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: `${name}-5d8f7c9b4d`,
      uid: name,
      controller: true,
    };
    objects.push({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        // No two pods of a workload end alike.
        name: `${name}-5d8f7c9b4d-${((at * 7919) % 60_466_176).toString(36).padStart(5, 'k')}`,
        namespace,
        labels: { app: name },
        ownerReferences: [owner],
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: {
        ...spec(cpu, '1Gi', className),
        priority: className === 'batch-low' ? 100 : 1000,
        // Neighbours in a workload run far apart.
        nodeName: fleetNodeName((at * 37) % nodes),
      },
      status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z' },
    });
  }
  for (let at = 0; at < urgent; at++) {
    const name = `urgent-${roles[at % roles.length]!}-${at}`;
    objects.push(deployment('urgent', name, 2, spec(urgentCpu, '8Gi', 'urgent')));
  }
  if (hopeless > 0) {
    objects.push(deployment('ml-training', 'ml-training-large-model', hopeless, spec('32', '100Gi', 'batch-low')));
  }
  return objects;
}
