import { least } from '../../util/extremes.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Declared, Node, Pod } from '../../kubernetes/objects.ts';
import { podRequests, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { addQuantities, formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { Inventory } from '../cluster/inventory.ts';
import type { Scenario, SimulationInput } from '../cluster/input.ts';
import { growerIn } from '../growth/grower.ts';
import { outcomeOf } from './outcome-of.ts';
import { outcomeWithBuffer } from './with-buffer.ts';
import { endOfRun, simulateEvents } from './simulate-scenario.ts';
import type { Target } from '../operations/operation.ts';

/** What has to be kept free so that a workload evicts no pod when it is deployed. */
export interface Headroom {
  /** Pods of it that evict others or find no node, of how many that arrive. */
  readonly pods: number;
  readonly of: number;
  /** Pods that are evicted for them. */
  readonly evicted: number;
  /** What one pod requests. */
  readonly requests: Readonly<Record<string, string>>;
  /** The highest priority that placeholders may have; null where the workload never preempts. */
  readonly priority: number | null;
  /** Whether a run with placeholders evicts no other pod; null where none was possible. */
  readonly isEnough: boolean | null;
  /** Whether a run with a CapacityBuffer for them evicts no pod; null where nothing adds nodes. */
  readonly isHeldByBuffer: boolean | null;
  /** What is kept free for it already: CapacityBuffers that name it, and for how many pods each. */
  readonly buffers: readonly { readonly name: string; readonly pods: number }[];
}

export function* headroomFor(input: SimulationInput, target: Target): Generator<void, Headroom> {
  const { kind, namespace, name } = target;
  const scenario: Scenario = { kind: 'workload', workloadKind: kind, namespace, name };
  const report = yield* simulateEvents(input, scenario, []);
  const workload = report.workloads.findIndex(
    (each) => each.kind === kind && each.namespace === namespace && each.name === name,
  );
  const { pods, victims, nodes } = report;
  const buffers = growerIn(input)?.buffers(input) ?? [];
  const isOwn = (pod: number): boolean => pods[pod]?.workload === workload;
  const byOwn = victims.filter(({ preemptor }) => isOwn(preemptor));
  const waiting = pods.flatMap(({ after }, pod) => (isOwn(pod) && after.state === 'pending' ? [pod] : []));
  const short = new Set([...byOwn.map(({ preemptor }) => preemptor), ...waiting]);
  const end = yield* endOfRun(input, scenario, []);
  const made = [...end.run.pods.present()].find((pod) => pod.workload === workload)?.pod;
  const requests = made?.spec === undefined ? new Map<string, never>() : podRequests(made.spec);
  const first = pods[[...short][0] ?? -1];
  const lowest = Math.min(least(byOwn.map(({ pod }) => pods[pod]!.priority)), first?.priority ?? 0);
  const priority = first?.preemptionPolicy === 'Never' ? null : Math.min(-1, lowest - 1);
  const model = nodes[byOwn[0]?.node ?? -1]?.name;
  const node = new Inventory(input).objects('Node').find((each) => nameOf(each) === model);
  const daemons = [...end.run.pods.present()].flatMap((pod) => {
    const isDaemon = end.simulated.workloads[pod.workload]?.kind === 'DaemonSet' && end.run.place(pod).node === model;
    return isDaemon && pod.pod.spec !== undefined ? [podRequests(pod.pod.spec)] : [];
  });
  const isEnough =
    node === undefined || made === undefined || priority === null
      ? null
      : yield* evictsOnly(input, scenario, placeholders(node, made, { amount: short.size, priority, daemons }));
  return {
    pods: short.size,
    of: pods.filter((_, pod) => isOwn(pod)).length,
    evicted: byOwn.length,
    requests: Object.fromEntries(
      [...requests]
        .filter(([, { nanos }]) => nanos > 0n)
        .map(([resource, amount]) => [resource, formatQuantity(amount)]),
    ),
    priority,
    isEnough,
    isHeldByBuffer:
      short.size > 0 && growerIn(input)?.grows(input) === true
        ? (yield* outcomeWithBuffer(input, scenario, { ...target, replicas: short.size })).isEnough
        : null,
    buffers: buffers
      .filter((each) => each.namespace === namespace && each.workload?.kind === kind && each.workload.name === name)
      .map((each) => ({ name: each.name, pods: each.pods.length })),
  };
}

const stem = 'placeholder';

/** Each on a node of its own that has room for nothing else but the pods of DaemonSets. */
function placeholders(
  model: Node,
  pod: Pod,
  wanted: { readonly amount: number; readonly priority: number; readonly daemons: readonly ResourceAmounts[] },
): readonly Declared[] {
  const { amount, priority, daemons } = wanted;
  const requested = Object.fromEntries(
    [...podRequests(pod.spec!)].map(([resource, quantity]) => [resource, formatQuantity(quantity)]),
  );
  const sum = new Map<string, Quantity>();
  for (const list of [podRequests(pod.spec!), ...daemons]) {
    for (const [resource, quantity] of list) {
      const known = sum.get(resource);
      sum.set(resource, known === undefined ? quantity : addQuantities(known, quantity));
    }
  }
  const offered = Object.fromEntries([...sum].map(([resource, quantity]) => [resource, formatQuantity(quantity)]));
  return Array.from({ length: amount }, (_, index): readonly Declared[] => {
    const name = `${stem}-${index + 1}`;
    const amounts = { ...offered, pods: '110' };
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...model.metadata?.labels, 'kubernetes.io/hostname': name } },
      spec: { ...(model.spec?.taints === undefined ? {} : { taints: model.spec.taints }) },
      status: { capacity: amounts, allocatable: amounts },
    };
    const holding: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: namespaceOf(pod) },
      spec: {
        nodeName: name,
        priority,
        containers: [{ name: stem, image: 'pause', resources: { requests: requested } }],
      },
      status: { phase: 'Running' },
    };
    return [{ object: node }, { object: holding }];
  }).flat();
}

function* evictsOnly(input: SimulationInput, scenario: Scenario, added: readonly Declared[]): Generator<void, boolean> {
  const { outcome } = yield* outcomeOf({ ...input, workspace: [...input.workspace, ...added] }, scenario);
  return outcome.waiting.size === 0 && outcome.hurt.every((title) => title.includes(`/${stem}-`));
}
