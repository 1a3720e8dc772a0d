/** The nodes that stand in where nobody names one: here they are made, whoever asks. */
import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import type { KubeObject, Node, Taint } from '../../kubernetes/objects.ts';
import { formatQuantity, isQuantityError, parseQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { asRegistered, bareLabels } from '../../kubernetes/registered-node.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import { amountIn, assumedPools, type AssumedPool, basePool, lettersOf, type WantedSize } from './assumed-pools.ts';
import type { AssumedNodes, AssumedPoolSize, SimulationInput } from './input.ts';

const mostAssumedNodes = 1000;
const podsOnNode = 110;

const grammar = 'COUNT[:CPU[:MEMORY[:PODS]]][,KEY=VALUE…]';

/**
 * Reads pools with `+` between them: `10:8:32Gi,kubernetes.io/arch=arm64+2:8:32Gi,nvidia.com/gpu:1`, or says what is
 * wrong with them. `auto` in place of a number leaves it to what pods ask for.
 */
export function assumedNodesOf(text: string): AssumedNodes | string {
  const pools: AssumedPoolSize[] = [];
  for (const each of text.split('+')) {
    const pool = poolOf(each.trim());
    if (typeof pool === 'string') return pool;
    pools.push(pool);
  }
  const isOne = pools.length === 1 || pools.every(({ count }) => count !== undefined);
  return isOne ? pools : say`'${text}' has a pool without a number of nodes`;
}

/** Sizes are worked out of amounts as numbers. */
function isAmount(text: string): boolean {
  const read = parseQuantity(text);
  return !isQuantityError(read) && Number.isFinite(Number(read.nanos));
}

function poolOf(text: string): AssumedPoolSize | string {
  const [size = '', ...features] = text.split(',');
  const [count = '', cpu, memory, pods, ...rest] = size.split(':');
  if (rest.length > 0) return say`'${size}' is not ${grammar}`;
  for (const quantity of [cpu, memory]) {
    if (quantity !== undefined && !isAmount(quantity)) return say`'${quantity}' is not a quantity`;
  }
  const isCounted = count !== 'auto';
  for (const [number, most] of [
    [isCounted ? count : undefined, mostAssumedNodes],
    [pods, Number.MAX_SAFE_INTEGER],
  ] as const) {
    if (number === undefined) continue;
    const value = /^\d+$/.test(number) ? Number(number) : 0;
    if (value < 1 || value > most) return say`'${number}' is not a number from 1 to ${most}`;
  }
  const labels: [string, string][] = [];
  const resources: [string, string][] = [];
  const taints: Taint[] = [];
  for (const feature of features) {
    const [pair = '', effect] = feature.split(':');
    const at = pair.indexOf('=');
    const [key, value] = [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
    if (at > 0 && effect === undefined) labels.push([key, value]);
    else if (at > 0) taints.push({ key, ...(value === '' ? {} : { value }), effect: effect! });
    else if (at < 0 && effect !== undefined && isAmount(effect)) resources.push([pair, effect]);
    else return say`'${feature}' is not KEY=VALUE, KEY=VALUE:EFFECT or RESOURCE:AMOUNT`;
  }
  return {
    ...(isCounted ? { count: Number(count) } : {}),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...(pods === undefined ? {} : { pods: Number(pods) }),
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    ...(taints.length === 0 ? {} : { taints }),
    ...(resources.length === 0 ? {} : { resources: Object.fromEntries(resources) }),
  };
}

/** What a kubelet reports of a node that has this much: with the rest that each of them has, for what asks for it. */
export function reportedAmounts({
  cpu,
  memory,
  pods,
}: Readonly<Record<'cpu' | 'memory' | 'pods', string | number>>): Record<string, string> {
  return { cpu: String(cpu), 'ephemeral-storage': '100Gi', memory: String(memory), pods: String(pods) };
}

/**
 * A node without a status as its kubelet would report it if it were of the size of an assumed one.
 * Source: pkg/kubelet/nodestatus/setters.go
 */
export function withSizeOf(node: Node, like: Node): Node {
  const { capacity = {}, allocatable = {} } = like.status ?? {};
  return { ...asRegistered(node), status: { ...node.status, capacity, allocatable } };
}

/** The assumed nodes of an input: what operations make of it leaves them as they are. */
export function assumedNodesFor(input: SimulationInput): readonly Node[] {
  // After the last node was deleted there is none.
  if (input.assumedNodes?.[0]?.count === 0) return [];
  if (input.standIns !== undefined) return input.standIns;
  const root = rootOf(input);
  return getOrInsert(known, root, () => nodesOfInput(root));
}

/** Two versions of the same with the same assumed nodes: enough for both. */
export function withSameNodes<Input extends SimulationInput>(earlier: Input, now: Input): readonly [Input, Input] {
  const [before, root] = [rootOf(earlier), rootOf(now)];
  if (before === root) return [earlier, now];
  const nodes = nodesOfInput(root, before);
  const having = (input: Input): Input =>
    assumedNodesFor(input) === nodes && input === now ? input : { ...input, basis: undefined, standIns: nodes };
  return [having(earlier), having(now)];
}

const known = new WeakMap<SimulationInput, readonly Node[]>();

/** What was there before all operations. */
function rootOf(input: SimulationInput): SimulationInput {
  let root = input;
  while (root.basis !== undefined) root = root.basis;
  return root;
}

function nodesOfInput(input: SimulationInput, other?: SimulationInput): readonly Node[] {
  const { assumedNodes: wanted = [], growth } = input;
  const objectsOf = ({ workspace, snapshot }: SimulationInput): KubeObject[] =>
    [...workspace, ...snapshot].map(({ object }) => object);
  // What lacks room with autoscalers gets nodes of them.
  if (growth !== undefined && wanted.every(({ count }) => count === undefined)) {
    const objects = objectsOf(input);
    const base = nodesIn([basePool(sizeOf(wanted[0]))]);
    // A node that is named without its size gets that of an assumed one.
    const nodes = objects.some(({ kind }) => kind === 'Node') ? base : growth.assumedBeside(objects, base);
    if (nodes !== undefined) return nodes;
  }
  return nodesFor(wanted, objectsOf(input), other === undefined ? [] : objectsOf(other));
}

/**
 * `assumed-a`, `assumed-arm64-a`, …: those that somebody described, else those that the pods of some objects need.
 * @param others of another version of the same, that are to have the same nodes
 */
export function nodesFor(
  wanted: AssumedNodes,
  objects: Iterable<KubeObject>,
  others: Iterable<KubeObject> = [],
): readonly Node[] {
  if (wanted.some(({ count }) => count !== undefined)) return nodesIn(wanted.map(described));
  return nodesIn(assumedPools(objects, sizeOf(wanted[0]), others));
}

function sizeOf({ cpu, memory, pods = podsOnNode }: AssumedPoolSize = {}): WantedSize {
  return { cpu: amountIn('cpu', cpu), memory: amountIn('memory', memory), pods };
}

function described(pool: AssumedPoolSize): AssumedPool {
  const base = basePool(sizeOf(pool));
  const resources = Object.entries(pool.resources ?? {}).map(([name, amount]): [string, number] => [
    name,
    amountIn(name, amount) ?? 0,
  ]);
  const [title = ''] = [
    ...Object.values(pool.labels ?? {}),
    ...resources.map(([name]) => name.slice(name.lastIndexOf('/') + 1)),
  ];
  return {
    ...base,
    title,
    count: pool.count ?? base.count,
    amounts: new Map([...base.amounts, ...resources]),
    labels: new Map(Object.entries(pool.labels ?? {})),
    taints: pool.taints ?? [],
  };
}

/** The last that were made: an edit mostly leaves the pools as they are. */
let last: { readonly of: string; readonly nodes: readonly Node[] } | undefined;

function nodesIn(pools: readonly AssumedPool[]): readonly Node[] {
  const of = JSON.stringify(pools, (_, value: unknown) =>
    value instanceof Map ? [...(value as Map<string, unknown>)] : value,
  );
  if (last?.of !== of) last = { of, nodes: namedApart(pools) };
  return last.nodes;
}

/** Pools whose names begin alike go on with the letters. */
function namedApart(pools: readonly AssumedPool[]): readonly Node[] {
  const named = new Map<string, number>();
  return pools.flatMap((pool, place) => {
    const stem = pool.title === '' ? 'assumed' : `assumed-${slug(pool.title) || String(place)}`;
    const before = named.get(stem) ?? 0;
    named.set(stem, before + pool.count);
    return nodesOf(pool, stem, before);
  });
}

function nodesOf(pool: AssumedPool, stem: string, before: number): Node[] {
  const { title, count, labels, taints, zones, domains } = pool;
  const amounts = Object.fromEntries([...pool.amounts].map(([name, amount]) => [name, quantityText(name, amount)]));
  return Array.from({ length: count }, (_, index) => {
    const name = pool.name === '' ? `${stem}-${lettersOf(before + index)}` : pool.name;
    const zone = zones[index % zones.length]!;
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        annotations: { [assumedPool]: title },
        labels: {
          ...Object.fromEntries(bareLabels),
          'kubernetes.io/hostname': name,
          'topology.kubernetes.io/region': 'assumed',
          'topology.kubernetes.io/zone': zone,
          ...Object.fromEntries(domains.map((key) => [key, zone])),
          ...Object.fromEntries(labels),
        },
      },
      ...(taints.length === 0 ? {} : { spec: { taints } }),
      status: { capacity: amounts, allocatable: amounts },
    };
  });
}

/** As part of a name. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 40);
}

function quantityText(resource: string, amount: number): string {
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  const read = parseQuantity(isBytes ? `${Math.round(amount / 1024 ** 2)}Mi` : `${Math.round(amount * 1000)}m`);
  return formatQuantity(read as Quantity);
}
