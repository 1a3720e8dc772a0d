import { own, put } from '../../util/own.ts';
import type { Plan, PlanNodeState } from '../../report-model/plan.ts';
import type { ComparedReport } from '../../report-model/report.ts';
import { namesInSteps, type ShortNames } from '../../report-model/short-names.ts';
import { compareText, qualifiedName, titleOf } from '../../util/words.ts';

/** More nodes are counted. */
const most = 50;
/** Nodes between two yields. */
const nodesAtOnce = 200;
/** More pods of a node that stay as they are stand as one. */
const mostUntouched = 12;

/** Nodes that end otherwise at one stage than at another, those that lose most first. */
export function* changedNodes(
  stages: readonly ComparedReport[],
): Generator<void, Pick<Plan, 'nodes' | 'moreNodes' | 'sameNodes'>> {
  const states: ReadonlyMap<string, State>[] = [];
  for (const stage of stages) states.push(yield* statesOf(stage));
  const names = [...new Set(stages.flatMap(({ nodes }) => nodes.map(({ name }) => name)))];
  const changed = names.filter((name) => new Set(states.map((of) => of.get(name)?.key)).size > 1);
  const losses = (name: string): number =>
    states.reduce((sum, of) => sum + (of.get(name)?.evicted ?? []).reduce((pods, each) => pods + each.pods, 0), 0);
  const rows = changed
    .map((name) => ({ name, losses: losses(name) }))
    .sort((one, other) => other.losses - one.losses)
    .slice(0, most);
  return {
    nodes: rows.map(({ name }) => ({
      name,
      at: states.map((of) => {
        const state = of.get(name);
        if (state === undefined) return null;
        const { used, allocatable, evicted, tiles } = state;
        return { used, allocatable, evicted, tiles };
      }),
    })),
    moreNodes: changed.length - rows.length,
    sameNodes: names.length - changed.length,
  };
}

interface State extends PlanNodeState {
  /** What makes two ends of a node the same. */
  readonly key: string;
}

/** How each node ends, by name. */
function* statesOf(report: ComparedReport): Generator<void, ReadonlyMap<string, State>> {
  const names = yield* namesInSteps(report);
  const pods = report.nodes.map((): number[] => []);
  for (const [pod, { after }] of report.pods.entries()) {
    if (after.state === 'running' && after.node !== null) pods[after.node]?.push(pod);
  }
  const lost = report.nodes.map((): number[] => []);
  for (const { pod, node } of report.victims) lost[node]?.push(pod);
  for (const { node, evicted } of [...report.drains, ...report.pressures, ...(report.taints ?? [])]) {
    for (const { pod } of evicted) lost[node]?.push(pod);
  }
  const states = new Map<string, State>();
  for (const [node, { name, allocatable }] of report.nodes.entries()) {
    if (node % nodesAtOnce === 0) yield;
    states.set(name, stateOf(report, names, { node, allocatable, pods: pods[node]!, lost: lost[node]! }));
  }
  return states;
}

interface NodeEnd {
  readonly node: number;
  readonly allocatable: PlanNodeState['allocatable'];
  readonly pods: readonly number[];
  readonly lost: readonly number[];
}

function stateOf(report: ComparedReport, names: ShortNames, { node, allocatable, pods, lost }: NodeEnd): State {
  const workload = (pod: number): string => {
    const of = report.workloads[report.pods[pod]!.workload ?? -1];
    return of === undefined ? qualifiedName(report.pods[pod]!) : titleOf(of);
  };
  const isNew = (pod: number): boolean => {
    const { before } = report.pods[pod]!;
    return before.state !== 'running' || before.node !== node;
  };
  const order = [...pods].sort(
    (one, other) =>
      report.pods[other]!.priority - report.pods[one]!.priority || compareText(names.pod(one), names.pod(other)),
  );
  const stays = order.filter((pod) => !isNew(pod));
  const comes = order.filter(isNew);
  const tile = (look: 'running' | 'arrived', of: readonly number[]): PlanNodeState['tiles'][number] => ({
    name: of.length === 1 ? names.pod(of[0]!) : '',
    look,
    pods: of.length,
    requests: sumOf(of.map((pod) => report.pods[pod]!.requests)),
  });
  const evicted = new Map<string, { name: string; pods: number }>();
  for (const pod of lost) {
    const index = report.pods[pod]!.workload;
    const group = evicted.get(workload(pod)) ?? {
      name: index === null ? names.pod(pod) : names.workload(index),
      pods: 0,
    };
    group.pods += 1;
    evicted.set(workload(pod), group);
  }
  return {
    allocatable,
    used: sumOf([...order.map((pod) => report.pods[pod]!.requests), { pods: order.length }]),
    evicted: [...evicted.values()],
    tiles: [
      ...(stays.length > mostUntouched ? [tile('running', stays)] : stays.map((pod) => tile('running', [pod]))),
      ...comes.map((pod) => tile('arrived', [pod])),
    ],
    // Pods that are made anew are named after their template: a workload's stand for one another.
    key: [
      ...stays.map((pod) => qualifiedName(report.pods[pod]!)).sort(compareText),
      '+',
      ...comes.map(workload).sort(compareText),
      '-',
      ...lost.map(workload).sort(compareText),
    ].join('\n'),
  };
}

function sumOf(amounts: readonly PlanNodeState['used'][]): PlanNodeState['used'] {
  const sum: Record<string, number> = {};
  for (const each of amounts) {
    for (const [resource, amount] of Object.entries(each)) put(sum, resource, (own(sum, resource) ?? 0) + amount);
  }
  return sum;
}
