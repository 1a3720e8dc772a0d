import { say } from '../../util/say.ts';
import { clockText, count, list, titleOf } from '../../util/words.ts';
import { isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { hasPools, type Pools, readPools } from '../../autoscaling/pools/read-pools.ts';
import { tableDate } from '../../autoscaling/instance-types/table.ts';
import type { Assumption } from '../../report-model/report.ts';
import { Inventory } from '../cluster/inventory.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { assumedBeside } from './assumed.ts';
import { type ClusterAtEnd, clusterAtEnd } from './cluster-at-end.ts';
import type { Grower, SettledRun } from './grower.ts';
import type { Grown, NodesToCome } from './grown.ts';
import { groupGrowth } from './group-growth.ts';
import { catalogsOf, zonesOf } from '../../autoscaling/pools/catalogs.ts';
import { type Growth, karpenterGrowth, type NewNode } from './karpenter-growth.ts';
import { type PoolAnswer, typesText } from './pool-answers.ts';
import { removalOf } from './removal.ts';

/** How often the tools look again when their nodes have come: limits are kept pessimistically, a loop adds to one group. */
const mostRounds = 12;

/** Pending pods times NodePools of a round: each pair takes some 20 µs and 1.5 kB, and more are not asked about. */
const mostPairs = 200_000;

/** Seconds from when a node is asked for until pods can be placed on it. */
const defaultSeconds = 60;

const notGrown: Grown = { events: [], told: new Map(), comes: [], advice: new Map(), assumptions: [] };

/** @param seconds from when a node is asked for until pods can be placed on it */
export function growerOf(seconds = defaultSeconds): Grower {
  return { seconds, assumedBeside, grow: (input, runTo) => grow(input, seconds, runTo), removal: removalOf };
}

function poolObjectsOf(input: SimulationInput): readonly PoolObject[] {
  return [...input.workspace, ...input.snapshot].map(({ object }) => object).filter(isPoolObject);
}

function poolsOf(input: SimulationInput): Pools {
  const objects = poolObjectsOf(input);
  return readPools(objects, new Inventory(input).objects('Node'));
}

function* grow(
  input: SimulationInput,
  seconds: number,
  runTo: (events: readonly ScenarioEvent[]) => Generator<void, SettledRun>,
): Generator<void, Grown> {
  const pools = poolsOf(input);
  if (!hasPools(pools)) return notGrown;
  const events: ScenarioEvent[] = [];
  const byKey = new Map<string, readonly string[]>();
  const comes = new Map<string, NodesToCome>();
  let advice: Grown['advice'] = new Map();
  let at = 0;
  const nodesNow = new Inventory(input).objects('Node');
  const catalogs = catalogsOf(pools, nodesNow);
  let unasked = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const end = yield* runTo(events);
    const cluster = clusterAtEnd(end);
    if (cluster.waiting.size === 0) {
      advice = new Map();
      break;
    }
    const isTooMuch = cluster.waiting.size * pools.nodePools.length > mostPairs;
    if (isTooMuch) unasked = cluster.waiting.size;
    const growths = [
      ...(pools.nodePools.length === 0 || isTooMuch ? [] : [karpenterGrowth(pools, catalogs, cluster)]),
      ...(pools.groups.length === 0 ? [] : [groupGrowth(pools, cluster)]),
    ];
    yield;
    advice = adviceOf(growths);
    // Where both tools are at work, the first to ask is served.
    const nodes = growths.find((each) => each.nodes.length > 0)?.nodes ?? [];
    if (nodes.length === 0) break;
    const asking = nodes.flatMap(({ pods }) => pods.map((key) => end.since.get(cluster.waiting.get(key)!) ?? 0));
    at = Math.max(Math.ceil(Math.max(0, ...asking)), at) + seconds;
    for (const [title, alike] of byTitle(nodes)) {
      const text = say`${count(alike.length, 'node')} of ${title}`;
      byKey.set(text, [...new Set(alike.flatMap((node) => linesOf(node, end.simulated, cluster)))]);
      const like = { pool: alike[0]!.pool, templates: alike.map(({ node }) => node) };
      events.push({ operation: { verb: 'add', count: alike.length, like }, at, text });
      const workloads = alike.flatMap(({ pods }) => pods.flatMap((key) => cluster.waiting.get(key)?.workload ?? []));
      const known = comes.get(title);
      comes.set(title, {
        title,
        nodes: (known?.nodes ?? 0) + alike.length,
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
    assumptions: [
      ...assumptionsOf(pools, seconds, areAssumed),
      ...notCounted(input),
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
  const groups = new Map<string, NewNode[]>();
  for (const node of nodes) {
    const known = groups.get(node.title);
    if (known === undefined) groups.set(node.title, [node]);
    else known.push(node);
  }
  return groups;
}

function linesOf({ types, pods }: NewNode, simulated: SimulatedCluster, { waiting }: ClusterAtEnd): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of pods) {
    const workload = simulated.workloads[waiting.get(key)?.workload ?? -1];
    const title = workload === undefined ? key : titleOf(workload);
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

/** What says more of pools, and is not worked out. */
function notCounted(input: SimulationInput): readonly Assumption[] {
  const objects = poolObjectsOf(input);
  return ['NodeOverlay', 'CapacityBuffer'].flatMap((kind): readonly Assumption[] => {
    const amount = objects.filter((object) => object.kind === kind).length;
    if (amount === 0) return [];
    const detail =
      kind === 'NodeOverlay'
        ? say`What they change of capacity and price counts as it is without them.`
        : say`The room that they hold counts as free.`;
    return [
      {
        mark: '?',
        text: say`not counted: ${count(amount, kind === 'NodeOverlay' ? 'NodeOverlay' : 'CapacityBuffer')}`,
        detail,
      },
    ];
  });
}

function assumptionsOf({ nodePools, groups }: Pools, seconds: number, zonesAssumed: boolean): readonly Assumption[] {
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
