import type { Node, Pod } from '../../server/src/kubernetes/objects.ts';
import { ClusterState, clusterObjectsOf } from '../../server/src/scheduler/index.ts';

/** Clusters like those of upstream's scheduler_perf: nodes of 4 CPU and 32 GiB in three zones, pods of 20 applications. */

const zones = 3;
const applications = 20;

function makeNode(index: number): Node {
  const name = `node-${String(index).padStart(5, '0')}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'topology.kubernetes.io/zone': `zone-${index % zones}`,
        'topology.kubernetes.io/region': 'region-1',
      },
    },
    spec: {},
    status: { allocatable: { cpu: '4', memory: '32Gi', pods: '110' } },
  };
}

export interface PodShape {
  readonly name: string;
  readonly node?: string;
  readonly app?: string;
  readonly priority?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly startTime?: string;
  readonly spec?: Partial<NonNullable<Pod['spec']>>;
}

export function makePod({ name, node, app, priority, cpu, memory, startTime, spec }: PodShape): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, labels: { app: app ?? 'plain' } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'registry.example/main:1.0',
          resources: { requests: { cpu: cpu ?? '100m', memory: memory ?? '500Mi' } },
        },
      ],
      priority: priority ?? 0,
      ...(node === undefined ? {} : { nodeName: node }),
      ...spec,
    },
    status: { phase: node === undefined ? 'Pending' : 'Running', ...(startTime === undefined ? {} : { startTime }) },
  };
}

function startTimeOf(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString().replace('.000Z', 'Z');
}

/** `perNode` pods of different sizes on every node. */
export function runningPods(nodes: number, perNode: number, shape: Partial<PodShape> = {}): Pod[] {
  const pods: Pod[] = [];
  for (let i = 0; i < nodes * perNode; i++) {
    const node = i % nodes;
    pods.push(
      makePod({
        name: `running-${i}`,
        node: `node-${String(node).padStart(5, '0')}`,
        app: `app-${i % applications}`,
        cpu: `${100 + (i % 7) * 50}m`,
        memory: `${200 + (i % 5) * 100}Mi`,
        startTime: startTimeOf(i % 5000),
        ...shape,
      }),
    );
  }
  return pods;
}

export function makeNodes(count: number): Node[] {
  return Array.from({ length: count }, (_, index) => makeNode(index));
}

export function makeCluster(nodes: readonly Node[], pods: readonly Pod[]): ClusterState {
  return ClusterState.from(clusterObjectsOf([...nodes, ...pods]));
}
