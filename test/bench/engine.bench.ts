/**
 * What decisions cost: `npm run bench engine`. Every node is filtered and scored, on one thread. Prints
 * markdown tables; times are milliseconds. `--quick` leaves out the large replay.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pod } from '../../server/src/kubernetes/objects.ts';
import { type ClusterState, decide, type PodInfo, replay } from '../../server/src/scheduler/index.ts';
import { makeCluster, makeNodes, makePod, runningPods } from './engine-cluster.ts';

const sizes = [100, 500, 1000, 5000];
const podsPerNode = 4;
const warmUps = 60;
const runs = 200;

interface Scenario {
  readonly name: string;
  readonly bar: string;
  readonly cluster: (nodes: number) => ClusterState;
  readonly pod: (index: number) => Pod;
}

const selector = { matchLabels: { app: 'app-3' } };

const scenarios: readonly Scenario[] = [
  {
    name: 'plain pod',
    bar: '1',
    cluster: (nodes) => makeCluster(makeNodes(nodes), runningPods(nodes, podsPerNode)),
    pod: (index) => makePod({ name: `new-${index}`, app: 'app-3' }),
  },
  {
    name: 'zone spread',
    bar: '2',
    cluster: (nodes) => makeCluster(makeNodes(nodes), runningPods(nodes, podsPerNode)),
    pod: (index) =>
      makePod({
        name: `new-${index}`,
        app: 'app-3',
        spec: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: selector,
            },
          ],
        },
      }),
  },
  {
    name: 'hostname anti-affinity, required',
    bar: '2',
    cluster: (nodes) => makeCluster(makeNodes(nodes), runningPods(nodes, podsPerNode)),
    pod: (index) =>
      makePod({
        name: `new-${index}`,
        app: 'app-3',
        spec: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: selector },
              ],
            },
          },
        },
      }),
  },
  {
    name: 'preemption, every node a candidate',
    bar: '3',
    cluster: (nodes) =>
      makeCluster(makeNodes(nodes), runningPods(nodes, podsPerNode, { cpu: '900m', memory: '500Mi' })),
    pod: (index) => makePod({ name: `new-${index}`, app: 'app-3', cpu: '3', priority: 100 }),
  },
];

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function format(milliseconds: number): string {
  return milliseconds >= 100 ? milliseconds.toFixed(0) : milliseconds.toFixed(2);
}

/** Decides the pod, and reads the answer and what it rests on. */
function decideOne(cluster: ClusterState, pod: PodInfo): void {
  const decision = decide(cluster, pod);
  if (decision.kind === 'fits') {
    if (decision.node === '') throw new Error('no node');
  } else if (decision.kind === 'unschedulable') {
    const choice = decision.preemption?.choice;
    if (choice === null || choice === undefined) throw new Error(decision.message);
    if (decision.preemption!.candidates.get(choice.node)!.victims.length === 0) throw new Error('no victims');
  }
}

/** Median and 95th percentile of deciding a new pod each time. */
function measure(
  cluster: ClusterState,
  podOf: (index: number) => Pod,
): { readonly median: number; readonly p95: number } {
  const times: number[] = [];
  for (let i = 0; i < warmUps + runs; i++) {
    const pod = cluster.arriving(podOf(i));
    const start = performance.now();
    decideOne(cluster, pod);
    const time = performance.now() - start;
    if (i >= warmUps) times.push(time);
  }
  times.sort((a, b) => a - b);
  return { median: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Milliseconds that this thread has run, compilers and collectors in other threads left out; Linux tells. It tells what
 * was so at the last tick of its clock, up to 4 ms ago, unless asked for the time of the process right before.
 */
function threadTime(): number {
  const file = '/proc/thread-self/schedstat';
  process.cpuUsage();
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : NaN;
}

/** In a process of its own: one decision, the first after the cluster has been made. */
function printFirst({ cluster, pod }: Scenario): void {
  const state = cluster(sizes.at(-1)!);
  const arriving = state.arriving(pod(0));
  const thread = threadTime();
  const start = performance.now();
  decideOne(state, arriving);
  print(JSON.stringify([performance.now() - start, threadTime() - thread]));
}

const firstRuns = 12;

function measureFirst(scenario: Scenario): string {
  const self = fileURLToPath(import.meta.url);
  const runsOf = Array.from({ length: firstRuns }, () => {
    const args = [...process.execArgv, self, `--first=${scenarios.indexOf(scenario)}`];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as [number, number];
  });
  const cells = [0, 1].map((at) => {
    const sorted = runsOf.map((each) => each[at]!).sort((a, b) => a - b);
    return `${format(sorted[0]!)} (${format(percentile(sorted, 0.5))}, ${format(sorted.at(-1)!)})`;
  });
  return `| ${scenario.name} | ${cells.join(' | ')} | 15 |`;
}

const first = process.argv.find((arg) => arg.startsWith('--first='));
if (first !== undefined) {
  printFirst(scenarios[Number(first.slice('--first='.length))]!);
  process.exit(0);
}

print(`Decisions, ${podsPerNode} running pods a node, milliseconds, median (p95):\n`);
print(`| decision | ${sizes.map((nodes) => `${nodes} nodes`).join(' | ')} | bar at 5000 |`);
print(`| --- | ${sizes.map(() => '---:').join(' | ')} | ---: |`);
for (const { name, bar, cluster, pod } of scenarios) {
  const cells = sizes.map((nodes) => {
    const { median, p95 } = measure(cluster(nodes), pod);
    return `${format(median)} (${format(p95)})`;
  });
  print(`| ${name} | ${cells.join(' | ')} | ${bar} |`);
}

print(`\nThe first decision of a process, ${sizes.at(-1)} nodes, least (median, most) of ${firstRuns}:\n`);
print('| decision | on the clock | of which its thread ran | bar |\n| --- | ---: | ---: | ---: |');
for (const scenario of scenarios) print(measureFirst(scenario));

/** Loading is measured on objects as `JSON.parse` leaves them. */
function measureLoad(nodes: number, perNode: number): void {
  const objects = JSON.parse(JSON.stringify([makeNodes(nodes), runningPods(nodes, perNode, { cpu: '50m' })])) as [
    ReturnType<typeof makeNodes>,
    Pod[],
  ];
  const start = performance.now();
  const cluster = makeCluster(...objects);
  const load = performance.now() - start;
  const memory = process.memoryUsage().rss / 2 ** 20;
  const branchTimes: number[] = [];
  for (let i = 0; i < 50; i++) {
    const begin = performance.now();
    const branch = cluster.branch();
    const pod = branch.arriving(makePod({ name: `branch-${i}` }));
    branch.bind(pod, `node-${String(i).padStart(5, '0')}`);
    branchTimes.push(performance.now() - begin);
  }
  branchTimes.sort((a, b) => a - b);
  print(`\n| cluster state of ${nodes} nodes and ${nodes * perNode} pods | measured | bar |`);
  print('| --- | ---: | ---: |');
  print(`| load, ms | ${format(load)} | 3000 |`);
  print(`| resident memory of the process, MiB | ${memory.toFixed(0)} | 1229 |`);
  print(
    `| branch and bind one pod on it, ms, median (p95) | ${format(percentile(branchTimes, 0.5))} (${format(percentile(branchTimes, 0.95))}) | 1 |`,
  );
}

function measureReplay(nodes: number, perNode: number, preemptors: number): void {
  const pods = runningPods(nodes, perNode, { cpu: '900m', memory: '500Mi' });
  const high = Array.from({ length: preemptors }, (_, i) =>
    makePod({ name: `high-${i}`, app: 'high', cpu: '3', memory: '500Mi', priority: 100 }),
  );
  const cluster = makeCluster(makeNodes(nodes), [...pods, ...high]);
  const counts = new Map<string, number>();
  const start = performance.now();
  for (const { result } of replay(cluster)) counts.set(result, (counts.get(result) ?? 0) + 1);
  const seconds = (performance.now() - start) / 1000;
  const results = [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
  print(`\n| replay | seconds | bar | steps |\n| --- | ---: | ---: | --- |`);
  print(
    `| ${nodes} nodes, ${pods.length} low, ${preemptors} high that must preempt | ${seconds.toFixed(1)} | 45 | ${results} |`,
  );
}

measureLoad(5000, 30);
if (!process.argv.includes('--quick')) measureReplay(5000, 4, 5000);
