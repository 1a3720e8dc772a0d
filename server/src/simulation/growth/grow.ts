import { groupBy } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { clockText, count, list, titleOf } from '../../util/words.ts';
import { autoscalerFlags } from '../../kubernetes/autoscaler-flags.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { expanderConfigMap, isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import type { AutoscalerOptions } from '../../autoscaling/cluster-autoscaler/groups.ts';
import type { Catalog } from '../../autoscaling/karpenter/catalog.ts';
import { autoscalerOptions } from '../../autoscaling/pools/autoscaler-options.ts';
import { mayGrow, type Pools, readPools } from '../../autoscaling/pools/read-pools.ts';
import { tableDate } from '../../autoscaling/instance-types/table.ts';
import type { Assumption } from '../../report-model/report.ts';
import type { EndOfRun } from '../capacity/fit.ts';
import { Inventory } from '../cluster/inventory.ts';
import { knownSnapshot } from '../cluster/known-snapshot.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { assumedBeside } from './assumed.ts';
import { changedPools } from './changed-pools.ts';
import { type Buffer, bufferTitle, buffersIn } from './buffers.ts';
import { type ClusterAtEnd, clusterAtEnd, unschedulable } from './cluster-at-end.ts';
import type { Grower, SettledRun } from './grower.ts';
import type { Grown, NodesToCome } from './grown.ts';
import { groupGrowth, refusalsOf } from './group-growth.ts';
import { computeClassKey } from '../../autoscaling/karpenter/labels.ts';
import { strictRequirements, workingPod } from '../../autoscaling/karpenter/working-pod.ts';
import { catalogsOf, shownCatalogs, zonesOf } from '../../autoscaling/pools/catalogs.ts';
import { type Growth, karpenterGrowth, type NewNode, refusalOf } from './karpenter-growth.ts';
import { type PoolAnswer, typesText } from './pool-answers.ts';
import { objectsOf } from '../cluster/pool-objects.ts';
import { removalOf } from './removal.ts';

/** How often the tools look again when their nodes have come: limits are kept pessimistically, a loop adds to one group. */
const mostRounds = 12;

/** Pending pods times NodePools of a round: each pair takes some 1.5 kB, and more are not asked about. */
const mostPairs = 200_000;

/** Microseconds that each pair takes. */
const perPair = 50;

/** Seconds from when a node is asked for until pods can be placed on it. */
const defaultSeconds = 60;

const notGrown: Grown = { events: [], told: new Map(), comes: [], advice: new Map(), assumptions: [], cost: 0 };

/** @param seconds from when a node is asked for until pods can be placed on it */
export function growerOf(readPriorities: ReadPriorities, seconds = defaultSeconds): Grower {
  return {
    seconds,
    assumedBeside,
    grows: (input) => mayGrow(readPools(objectsOf(input), [])),
    suits: (input, pod) => {
      const { nodePools, groups, computeClasses } = readPools(objectsOf(input), []);
      const selected = strictRequirements(workingPod(pod)).get(computeClassKey);
      return (
        computeClasses.some((each) => selected?.has(each)) ||
        nodePools.some((pool) => refusalOf({ pool, limits: [] }, workingPod(pod)) === undefined) ||
        groups.some((group) => refusalsOf({ ...group, max: group.size + 1 }, pod).length === 0)
      );
    },
    grow: (input, runTo, runBefore, explains) =>
      grow(input, { seconds, explains }, toolsFor(input, readPriorities), runTo, runBefore),
    buffers: (input) => buffersIn(objectsOf(input)),
    changed: ({ snapshot }, now) =>
      changedPools(
        snapshot.map(({ object }) => object),
        poolObjectsOf(now),
        new Inventory(now).objects('Node'),
      ),
    oneMore: (input, end, beside, pod) => oneMore(toolsFor(input, readPriorities), clusterAtEnd(end), beside, pod),
    removal: removalOf,
  };
}

type ReadPriorities = Parameters<typeof autoscalerOptions>[2];

/** What autoscalers have to work with. */
interface Tools {
  readonly pools: Pools;
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly options: AutoscalerOptions;
  readonly nodes: readonly Node[];
}

function toolsFor(input: SimulationInput, readPriorities: ReadPriorities): Tools {
  const inventory = new Inventory(input);
  const nodes = inventory.objects('Node');
  const pools = readPools(objectsOf(input), nodes);
  const running = [...inventory.objects('Deployment'), ...inventory.objects('Pod')];
  const flags = [
    ...(knownSnapshot(input)?.autoscalerFlags ?? []),
    ...running.flatMap((object) => autoscalerFlags(podTemplateOf(object)?.spec.containers ?? [])),
  ];
  return {
    pools,
    nodes,
    catalogs: new Map([...catalogsOf(pools, nodes), ...shownCatalogs(pools, nodes)]),
    options: autoscalerOptions(poolObjectsOf(input), flags, readPriorities),
  };
}

/** What the tools ask for in one look, and what they say of pods that they leave pending. */
function askOnce(
  { pools, catalogs, options }: Tools,
  cluster: ClusterAtEnd,
  { asksKarpenter = true, explains = true } = {},
): readonly Growth[] {
  return [
    ...(pools.nodePools.length === 0 || !asksKarpenter ? [] : [karpenterGrowth(pools, catalogs, cluster, explains)]),
    ...(pools.groups.length === 0 ? [] : [groupGrowth(pools, options, cluster)]),
    ...(pools.computeClasses.length === 0 ? [] : [{ nodes: [], answers: ofComputeClasses(pools, cluster) }]),
  ];
}

/** What the tools do for one more pod that no node takes: the pool that makes a node, or why none does. */
function oneMore(
  tools: Tools,
  { pods, ...cluster }: ClusterAtEnd,
  beside: readonly Pod[],
  simulated: SimulatedPod,
): readonly PoolAnswer[] {
  if (!mayGrow(tools.pools)) return [];
  const { pod, key } = simulated;
  const asking = { ...pod, status: { phase: 'Pending', conditions: unschedulable } };
  const waiting = new Map([...cluster.waiting, [key, simulated]]);
  const growths = askOnce(tools, { ...cluster, waiting, pods: [...pods, ...beside, asking] });
  const node = growths.flatMap(({ nodes }) => nodes).find(({ pods: its }) => its.includes(key));
  if (node === undefined) return adviceOf(growths).get(key) ?? [];
  const { title, types } = node;
  return [
    { tool: 'Karpenter', pool: title, makes: true, text: types === undefined ? '' : typesText(types.names, types.of) },
  ];
}

/** Of pods that select one. Source: https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes */
function ofComputeClasses({ computeClasses }: Pools, { waiting }: ClusterAtEnd): Growth['answers'] {
  const text = say`the machine types of GKE are not known here`;
  return new Map(
    [...waiting].flatMap(([key, { pod }]) => {
      const selected = strictRequirements(workingPod(pod)).get(computeClassKey);
      const name = computeClasses.find((each) => selected?.has(each));
      if (name === undefined) return [];
      return [[key, [{ tool: 'Cluster Autoscaler', pool: `ComputeClass ${name}`, makes: false, isOpen: true, text }]]];
    }),
  );
}

function poolObjectsOf(input: SimulationInput): readonly PoolObject[] {
  return objectsOf(input).filter(isPoolObject);
}

function* grow(
  input: SimulationInput,
  { seconds, explains }: { readonly seconds: number; readonly explains: boolean },
  tools: Tools,
  runTo: (events: readonly ScenarioEvent[]) => Generator<void, SettledRun>,
  runBefore: () => Generator<void, EndOfRun>,
): Generator<void, Grown> {
  const { pools, nodes: nodesNow } = tools;
  if (!mayGrow(pools)) return notGrown;
  const events: ScenarioEvent[] = [];
  const byKey = new Map<string, readonly string[]>();
  const comes = new Map<string, NodesToCome>();
  let advice: Grown['advice'] = new Map();
  let at = 0;
  const buffers = buffersIn(objectsOf(input));
  const buffered = buffers.flatMap(({ pods }) => pods);
  if (buffered.length > 0) {
    const before = yield* runBefore();
    const start = clusterAtEnd(before);
    const bound = start.pods.filter(({ spec }) => spec?.nodeName !== undefined);
    const asked = askOnce(tools, { ...start, pods: [...bound, ...buffered] });
    const nodes = asked.find((each) => each.nodes.length > 0)?.nodes ?? [];
    for (const [title, alike] of byTitle(nodes)) {
      const text = say`${count(alike.length, 'node')} of ${title}, which buffers hold`;
      byKey.set(text, linesFor(alike, before.simulated, start));
      events.push(addition(alike, 0, text));
    }
  }
  let unasked = 0;
  let pairs = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const end = yield* runTo(events);
    const cluster = clusterAtEnd(end);
    const asking = cluster.waiting.size + buffered.length;
    if (asking === 0) {
      advice = new Map();
      break;
    }
    const ofRound = asking * pools.nodePools.length;
    const isTooMuch = ofRound > mostPairs;
    if (isTooMuch) unasked = asking;
    else pairs += ofRound;
    const growths = askOnce(
      tools,
      { ...cluster, pods: [...cluster.pods, ...buffered] },
      { asksKarpenter: !isTooMuch, explains },
    );
    yield;
    advice = adviceOf(growths);
    // Where both tools are at work, the first to ask is served.
    const nodes = growths.find((each) => each.nodes.length > 0)?.nodes ?? [];
    if (nodes.length === 0) break;
    const since = nodes.flatMap(({ pods }) => pods.map((key) => end.since.get(cluster.waiting.get(key)!) ?? 0));
    at = Math.max(Math.ceil(Math.max(0, ...since)), at) + seconds;
    for (const [title, alike] of byTitle(nodes)) {
      const text = say`${count(alike.length, 'node')} of ${title}`;
      byKey.set(text, linesFor(alike, end.simulated, cluster));
      events.push(addition(alike, at, text));
      const byNode = alike.map(({ pods }) => pods.flatMap((key) => cluster.waiting.get(key)?.workload ?? []));
      const workloads = byNode.flat();
      // What takes the place of room that pods have taken is for no pod.
      if (workloads.length === 0) continue;
      const known = comes.get(title);
      comes.set(title, {
        title,
        nodes: (known?.nodes ?? 0) + alike.length,
        byNode: [...(known?.byNode ?? []), ...byNode],
        workloads: [...new Set([...(known?.workloads ?? []), ...workloads])],
      });
    }
  }
  const { areAssumed } = zonesOf(pools, nodesNow);
  return {
    events,
    told: byKey,
    comes: [...comes.values()],
    advice,
    cost: perPair * pairs,
    assumptions: [
      ...assumptionsOf(pools, seconds, areAssumed),
      ...likeThere(tools.catalogs),
      ...withoutPriorities(tools),
      ...countedBuffers(buffers),
      ...notCounted(input, buffers),
      ...(unasked === 0 ? [] : [notAsked(pools.nodePools.length, unasked)]),
    ],
  };
}

function notAsked(nodePools: number, pods: number): Assumption {
  return {
    mark: '?',
    text: say`not asked: ${count(nodePools, 'NodePool')} about ${count(pods, 'pending pod')}, which are too many at once`,
    detail: say`No node of a NodePool is added then. Exclude pools of other clusters, or ask about fewer workloads.`,
  };
}

function byTitle(nodes: readonly NewNode[]): ReadonlyMap<string, readonly NewNode[]> {
  return groupBy(nodes, (node) => node.title);
}

function addition(nodes: readonly NewNode[], at: number, text: string): ScenarioEvent {
  const like = { pool: nodes[0]!.pool, templates: nodes.map(({ node }) => node) };
  return { operation: { verb: 'add', count: nodes.length, like }, at, text };
}

function linesFor(
  nodes: readonly NewNode[],
  simulated: SimulatedCluster,
  cluster: Pick<ClusterAtEnd, 'waiting'>,
): readonly string[] {
  return [...new Set(nodes.flatMap((node) => linesOf(node, simulated, cluster)))];
}

function linesOf(
  { types, pods }: NewNode,
  simulated: SimulatedCluster,
  { waiting }: Pick<ClusterAtEnd, 'waiting'>,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of pods) {
    const workload = simulated.workloads[waiting.get(key)?.workload ?? -1];
    const title = workload === undefined ? bufferTitle(key) : titleOf(workload);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const pending = list(
    [...counts].map(([title, amount]) => say`${count(amount, 'pod')} of ${title}`),
    3,
  );
  return [types === undefined ? say`for ${pending}` : say`for ${pending}: ${typesText(types.names, types.of)}`];
}

function adviceOf(growths: readonly Growth[]): Grown['advice'] {
  const advice = new Map<string, readonly PoolAnswer[]>();
  for (const { answers } of growths) {
    for (const [key, own] of answers) advice.set(key, [...(advice.get(key) ?? []), ...own]);
  }
  return advice;
}

function likeThere(catalogs: Tools['catalogs']): readonly Assumption[] {
  const names = [...catalogs].flatMap(([name, { isWhole }]) => (isWhole ? [] : [name]));
  if (names.length === 0) return [];
  return [
    {
      mark: '?',
      text: say`new nodes of NodePool ${list(names, 3)} are as those that it has`,
      detail: say`Which other instance types it may choose from is not known here.`,
    },
  ];
}

function withoutPriorities({ pools, options: { expanders, priorities } }: Tools): readonly Assumption[] {
  if (pools.groups.length < 2 || !expanders.includes('priority') || priorities !== undefined) return [];
  return [
    {
      mark: '?',
      text: say`Cluster Autoscaler chooses among node groups by priorities that are not known here`,
      detail: say`They are in ConfigMap ${expanderConfigMap}, which snapshots leave out: add it to your files.`,
    },
  ];
}

function countedBuffers(buffers: readonly Buffer[]): readonly Assumption[] {
  const held = buffers.filter(({ pods }) => pods.length > 0);
  if (held.length === 0) return [];
  const named = held.map(({ namespace, name, pods }) => say`${namespace}/${name} for ${count(pods.length, 'pod')}`);
  return [
    {
      mark: '=',
      text: say`${count(held.length, 'CapacityBuffer')} ${held.length === 1 ? 'holds' : 'hold'} room: ${list(named, 3)}`,
      detail: say`The room is there before anything is deployed. Pods may take it, and autoscalers then make it anew.`,
    },
  ];
}

/** What says more of pools, and is not worked out. */
function notCounted(input: SimulationInput, buffers: readonly Buffer[]): readonly Assumption[] {
  const ofKind = (kind: string): readonly PoolObject[] => poolObjectsOf(input).filter((object) => object.kind === kind);
  const overlays = ofKind('NodeOverlay').length;
  const unknownBuffers = ofKind('CapacityBuffer').length - buffers.length;
  const classes = ofKind('ComputeClass').length;
  const all: readonly (readonly [number, Assumption])[] = [
    [
      overlays,
      {
        mark: '?',
        text: say`${count(overlays, 'NodeOverlay')} ${overlays === 1 ? 'counts' : 'count'}, as with Karpenter's feature gate NodeOverlay`,
        detail: say`Of them the capacity counts. Prices, and so what they change of them, are not known.`,
      },
    ],
    [
      unknownBuffers,
      {
        mark: '?',
        text: say`not counted: ${count(unknownBuffers, 'CapacityBuffer')}`,
        detail: say`What it names is not here, or its strategy is not known: the room that it holds counts as free.`,
      },
    ],
    [
      classes,
      {
        mark: '?',
        text: say`not counted: ${count(classes, 'ComputeClass', 'ComputeClasses')}`,
        detail: say`No node of a ComputeClass is added.`,
      },
    ],
  ];
  return all.flatMap(([amount, line]) => (amount === 0 ? [] : [line]));
}

function assumptionsOf({ nodePools, groups }: Pools, seconds: number, zonesAssumed: boolean): readonly Assumption[] {
  if (nodePools.length + groups.length === 0) return [];
  const named = [
    ...(nodePools.length === 0 ? [] : [count(nodePools.length, 'NodePool')]),
    ...(groups.length === 0 ? [] : [count(groups.length, 'node group')]),
  ];
  const zones = zonesAssumed ? say`No zone is named anywhere, so three are assumed.` : '';
  const types =
    nodePools.length === 0
      ? ''
      : say`Instance types are those of ${tableDate}. What is available and what it costs is not known: each new node is the smallest type that fits.`;
  const rule = say`Pods that stay pending once preemption is done ask for nodes.`;
  return [
    {
      mark: '?',
      text: say`${list(named)} can add nodes, each ${clockText(seconds)} after it is asked for`,
      detail: [rule, types, zones].filter((each) => each !== '').join(' '),
    },
  ];
}
