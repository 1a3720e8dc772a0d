/**
 * What a whole report costs: `npx tsx test/bench/simulation.bench.ts`. A cluster that is full of pods of low priority,
 * whose controllers replace what is evicted, gets workloads of high priority, each pod of which must preempt. Prints a
 * markdown table; times are milliseconds of one run. Then what an operation costs that is tried in the report.
 */
import type { Json, JsonObject } from '../../server/src/kubernetes/json.ts';
import { runToEnd } from '../../server/src/util/steps.ts';
import { ArrivalPreviews, KnownPods, simulate, WorkspaceRuns } from '../../server/src/simulation/index.ts';

const podsPerNode = 10;

interface Size {
  readonly nodes: number;
  readonly preemptors: number;
  /** How many Deployments the running pods belong to. */
  readonly workloads: number;
}

const sizes: readonly Size[] = [
  { nodes: 100, preemptors: 50, workloads: 20 },
  { nodes: 1000, preemptors: 300, workloads: 100 },
  { nodes: 5000, preemptors: 1000, workloads: 200 },
];

function priorityClass(name: string, value: number): JsonObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

function node(name: string): JsonObject {
  const allocatable = { cpu: String(podsPerNode), memory: '64Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable },
  };
}

function podSpec(cpu: number, priorityClassName: string): JsonObject {
  return {
    priorityClassName,
    containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: String(cpu) } } }],
  };
}

function deployment(name: string, replicas: number, spec: Json): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function running(workload: string, index: number, nodeName: string): JsonObject {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${workload}-abc`, uid: workload, controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${workload}-abc-${index}`,
      namespace: 'default',
      labels: { app: workload },
      ownerReferences: [owner],
    },
    spec: { ...podSpec(1, 'low'), priority: 10, nodeName },
    status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z' },
  };
}

function objectsOf({ nodes, preemptors, workloads }: Size): JsonObject[] {
  const objects = [priorityClass('low', 10), priorityClass('high', 1000)];
  for (let index = 0; index < nodes; index++) objects.push(node(`node-${index}`));
  const replicas = (nodes * podsPerNode) / workloads;
  for (let at = 0; at < workloads; at++) {
    objects.push(deployment(`low-${at}`, replicas, podSpec(1, 'low')));
    for (let index = 0; index < replicas; index++) {
      objects.push(running(`low-${at}`, index, `node-${(at * replicas + index) % nodes}`));
    }
  }
  for (let at = 0; at < 10; at++) objects.push(deployment(`high-${at}`, preemptors / 10, podSpec(2, 'high')));
  return objects;
}

/** Milliseconds by the clock, and of processor time in the program itself, which others on the machine hardly touch. */
function timed<Result>(work: () => Result): { readonly result: Result; readonly clock: number; readonly own: number } {
  const began = performance.now();
  const before = process.cpuUsage();
  const result = work();
  return { result, clock: performance.now() - began, own: process.cpuUsage(before).user / 1000 };
}

process.stdout.write(
  '| nodes | running pods | preempting pods | evicted | ms | user ms |\n| ---: | ---: | ---: | ---: | ---: | ---: |\n',
);
for (const size of sizes) {
  const workspace = objectsOf(size).map((object) => ({ object }));
  const { result, clock, own } = timed(() => runToEnd(simulate({ workspace, snapshot: [] }, { kind: 'workspace' })));
  process.stdout.write(
    `| ${size.nodes} | ${size.nodes * podsPerNode} | ${size.preemptors} | ${result.totals.evicted} | ` +
      `${clock.toFixed(0)} | ${own.toFixed(0)} |\n`,
  );
}

/** Operations after each of which fewer than 130 attempts are made. */
const operations = [
  'cordon node/node-3',
  'scale deployment/default/high-0 2',
  'class high value=2000',
  'add 2 nodes like node-0',
  'request deployment/default/high-2 cpu=1',
  'priority deployment/default/high-1 low',
];
const workspace = objectsOf({ nodes: 1000, preemptors: 30, workloads: 100 }).map((object) => ({ object }));
const input = { workspace, snapshot: [], known: new KnownPods() };
const runs = new WorkspaceRuns(input, new ArrivalPreviews(input));
runToEnd(runs.report({ kind: 'workspace' }, []));
// Each is tried once alone and once behind another, so that none is known.
const tried = [[], ['cordon node/node-9']].flatMap((before) => {
  runToEnd(runs.effects({ kind: 'workspace' }, before));
  return operations.map(
    (operation) => timed(() => runToEnd(runs.effects({ kind: 'workspace' }, [...before, operation]))).own,
  );
});
const sorted = tried.toSorted((one, other) => one - other);
process.stdout.write(
  `\noperation tried, 1,000 nodes, 10,000 pods, of which 30 preempt: the first ${tried[0]!.toFixed(0)} ms, median ` +
    `${sorted[sorted.length >> 1]!.toFixed(0)} ms of processor time (bar 300 ms)\n`,
);
