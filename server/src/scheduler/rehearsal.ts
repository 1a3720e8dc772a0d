import type { Node, Pod, PodSpec } from '../kubernetes/objects.ts';
import type { Release } from '../kubernetes/release.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { clusterObjectsOf } from './framework/cluster-objects.ts';
import { ClusterState } from './framework/cluster-state.ts';
import { filterNodes } from './framework/filter-nodes.ts';
import type { Cycle } from './framework/plugin.ts';
import { defaultProfileOf, defaultSchedulerName } from './framework/profile.ts';
import { scoreNodes, topNodes } from './framework/score-nodes.ts';
import { Status } from './framework/status.ts';
import { frameworkOf } from './plugins/registry.ts';
import { evaluatePreemption, type PreemptionInput } from './preemption/evaluate.ts';

/** Fewer nodes are decided about as fast as code is compiled. */
const manyNodes = 1000;
const rehearsedNodes = 100;
/** So often each of them is looked at in one call … */
const times = 10;
/** … and so many calls there are for each pod: what V8 sees a loop do some thousand times, it compiles for good. */
const calls = 3;
/** By each pod that must preempt, on each node. */
const dryRuns = 16;

let rehearsed = false;

/**
 * Before a large cluster is read: one decision of each kind in a cluster made up for it, once in a process, and what
 * decisions do for each node as often as for thousands of them. What decides is compiled then, beside the reading, and
 * not when somebody waits for the first answer. Yields now and then.
 */
export function* rehearse(nodes: number, release: Release): Generator<void> {
  if (rehearsed || nodes < manyNodes) return;
  rehearsed = true;
  const names = Array.from({ length: rehearsedNodes }, (_, index) => `node-${index}`);
  const objects = names.flatMap((name, index) => [
    nodeOf(name, index),
    podOf(`${name}-a`, index % 4, { nodeName: name }, index % 5 === 0 ? '1900m' : '900m'),
  ]);
  const cluster = ClusterState.from(clusterObjectsOf(objects), release);
  yield;
  // As a scene takes in what runs.
  for (const [index, name] of names.entries()) {
    const pod = cluster.arriving(podOf(`${name}-b`, index % 3, { priority: index % 2 }, '900m'));
    cluster.bind(pod, name, pod.startedAt);
  }
  const framework = frameworkOf(defaultProfileOf(release));
  yield;
  const cycles: Cycle[] = [];
  for (const [index, { spec, cpu }] of arrivals.entries()) {
    for (const variant of variants) {
      const pod = cluster.arriving(podOf(`arriving-${index}-${variant}`, variant, spec, cpu));
      read(decide(cluster, pod));
      cycles.push({ cluster, pod });
      yield;
    }
  }
  for (const [index, cycle] of cycles.entries()) {
    const active = framework.preFilter(cycle);
    for (let call = 0; call < calls; call++) {
      const candidates = Int32Array.from({ length: rehearsedNodes * times }, (_, at) => at % rehearsedNodes);
      const { feasible } = filterNodes(cycle, active, schedulers, candidates);
      // Whatever arrives is scored in the same loops.
      if (index < variants.length) {
        const scored = scoreNodes(cycle, framework, feasible);
        if (!(scored instanceof Status)) topNodes(scored, feasible);
      }
      yield;
    }
  }
  const preempting = cycles.slice(-preemptors).map((cycle): PreemptionInput => {
    const active = framework.preFilter(cycle);
    const candidates = Int32Array.from({ length: rehearsedNodes }, (_, at) => at);
    const { statuses } = filterNodes(cycle, active, schedulers, candidates);
    return { cycle, active, statuses, schedulers, args: framework.profile.args.DefaultPreemption, seed: undefined };
  });
  // By turns: what was found last on a node is remembered, for the next pod that asks for the same.
  for (let turn = 0; turn < dryRuns; turn++) {
    for (const each of preempting) evaluatePreemption(each);
    if (turn % 4 === 3) yield;
  }
}

const variants = [1, 0];
/** The last of those that arrive, in both variants. */
const preemptors = 4;
const schedulers: ReadonlySet<string> = new Set([defaultSchedulerName]);

/** Parts of a decision are worked out when they are read. */
function read(decision: Decision): void {
  if (decision.kind !== 'unschedulable') return;
  const { choice, candidates } = decision.preemption ?? {};
  if (choice) candidates?.get(choice.node);
}

const labelSelector = { matchLabels: { app: 'web' } };
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

/** One that fits, one that spreads, one that keeps away from others, and two that must preempt: one pod, and more. */
const arrivals: readonly { readonly spec: Partial<PodSpec>; readonly cpu: string }[] = [
  { spec: {}, cpu: '1500m' },
  {
    spec: {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
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
  { spec: { priority: 100 }, cpu: '3' },
  { spec: { priority: 100 }, cpu: '3500m' },
];

function nodeOf(name: string, index: number): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [hostname]: name, [zone]: `zone-${index % 3}` } },
    status: { allocatable: { cpu: '4', memory: '32Gi', pods: '110' } },
  };
}

/**
 * Every second one asks for more memory than 31 bits can tell, and knows no times: V8 keeps such values otherwise than
 * others, and what it compiled for one kind is lost when the other comes.
 */
function podOf(name: string, variant: number, spec: Partial<PodSpec>, cpu: string): Pod {
  const isLarge = variant % 2 === 1;
  const labels = { app: variant === 2 ? 'other' : 'web' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: isLarge
      ? { name, namespace: 'default', labels }
      : { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-01T00:00:00Z', labels },
    spec: {
      containers: [
        { name: 'main', image: 'main', resources: { requests: { cpu, memory: isLarge ? '2500Mi' : '500Mi' } } },
      ],
      priority: 0,
      ...spec,
    },
    status: isLarge ? { phase: 'Pending' } : { phase: 'Running', startTime: `2026-01-0${variant + 1}T00:00:00Z` },
  };
}
