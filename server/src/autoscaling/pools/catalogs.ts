import { labelValue } from '../../kubernetes/labels.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { ec2Catalog } from '../instance-types/ec2-catalog.ts';
import { ec2Types, type KubeletReserve } from '../instance-types/read-table.ts';
import { readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { Catalog, type InstanceType } from '../karpenter/catalog.ts';
import { areCompatible, type Requirements, selectorRequirements, together } from '../karpenter/requirements.ts';
import {
  capacityTypeKey,
  hostnameKey,
  instanceTypeKey,
  nodePoolKey,
  osKey,
  wellKnownLabels,
  zoneKey,
} from '../karpenter/labels.ts';
import type { NodeOverlay, NodePool } from '../karpenter/objects.ts';
import { isManaged } from '../karpenter/provision.ts';
import { Requirement } from '../karpenter/requirement.ts';
import type { Pools } from './read-pools.ts';

/** Zones where nothing names one. */
const assumedZones: readonly string[] = ['zone-1', 'zone-2', 'zone-3'];

export function zonesOf(
  pools: Pools,
  nodes: readonly Node[],
): { readonly zones: readonly string[]; readonly areAssumed: boolean } {
  const zones = new Set([
    ...[...pools.nodeClasses.values()].flatMap((nodeClass) => nodeClass.zones),
    ...nodes.flatMap(({ metadata }) => labelValue(metadata?.labels, zoneKey) ?? []),
    ...pools.nodePools.flatMap(({ requirements }) =>
      requirements.flatMap(({ key, operator, values = [] }) => (key === zoneKey && operator === 'In' ? values : [])),
    ),
  ]);
  // What pods ask for is only believed where nothing says which zones there are.
  const known = zones.size === 0 ? pools.namedZones : [...zones];
  return known.length === 0
    ? { zones: assumedZones, areAssumed: true }
    : { zones: known.toSorted(), areAssumed: false };
}

/** Whether the types that a pool may choose from are known: those of EC2, with Linux, that are not only reserved. */
export function hasKnownTypes(pool: NodePool, { nodeClasses }: Pools): boolean {
  if (!isManaged(pool) || nodeClasses.get(pool.nodeClass.name)?.isWindows === true) return false;
  return pool.requirements.every((each) => {
    const requirement = Requirement.of(each);
    const isOnly = (value: string, ...others: readonly string[]): boolean =>
      requirement.has(value) && !others.some((other) => requirement.has(other));
    if (requirement.key === osKey) return !isOnly('windows', 'linux');
    // What is reserved is not known here.
    return requirement.key !== capacityTypeKey || !isOnly('reserved', 'spot', 'on-demand');
  });
}

/** Catalogs that are kept: making one takes longer than most answers that it gives. */
const keptCatalogs = 4;
const known = new Map<string, Catalog>();

function catalogFor(zones: readonly string[], reserve: KubeletReserve = {}): Catalog {
  const amounts = (list: KubeletReserve['kubeReserved']): readonly string[] =>
    [...(list ?? [])].map(([name, { nanos }]) => `${name}=${nanos}`);
  const { maxPods = '', podsPerCore = '', kubeReserved, systemReserved, diskBytes = '' } = reserve;
  const reserved = [maxPods, podsPerCore, amounts(kubeReserved), amounts(systemReserved), String(diskBytes)];
  const key = JSON.stringify([zones, ...reserved]);
  let catalog = known.get(key);
  if (catalog === undefined) {
    if (known.size >= keptCatalogs) known.clear();
    known.set(key, (catalog = ec2Catalog([...ec2Types().values()], { zones, reserve })));
  }
  return catalog;
}

/** With the capacity that overlays add. Source: karpenter pkg/cloudprovider/overlay */
function overlaid(catalog: Catalog, overlays: readonly NodeOverlay[], pool: string): Catalog {
  const own = overlays.filter(({ requirements, capacity }) => {
    const ofPool = requirements.filter(({ key }) => key === nodePoolKey).map((each) => Requirement.of(each));
    return capacity.size > 0 && ofPool.every((requirement) => requirement.has(pool));
  });
  if (own.length === 0) return catalog;
  const added = own.map(({ requirements, capacity }) => ({
    requirements: selectorRequirements(requirements.filter(({ key }) => key !== nodePoolKey)),
    capacity,
  }));
  return new Catalog(
    catalog.types.map((type): InstanceType => {
      const fitting = added.filter(({ requirements }) =>
        areCompatible(type.requirements, together(requirements), wellKnownLabels),
      );
      if (fitting.length === 0) return type;
      const amounts = fitting.toReversed().flatMap(({ capacity }) => [...capacity]);
      const withAmounts = (list: ResourceAmounts): ResourceAmounts => new Map([...list, ...amounts]);
      return { ...type, capacity: withAmounts(type.capacity), allocatable: withAmounts(type.allocatable) };
    }),
  );
}

/** Where a node is, and what besides is not of its type. */
const placeKeys: ReadonlySet<string> = new Set([zoneKey, capacityTypeKey]);
const ownKeys: ReadonlySet<string> = new Set([...placeKeys, hostnameKey, nodePoolKey]);

/**
 * Of pools whose types are not known those that nodes of theirs show. Other pools may have a name as well, for another
 * provider.
 */
export function shownCatalogs(pools: Pools, nodes: readonly Node[]): ReadonlyMap<string, Catalog> {
  const names = new Set(pools.nodePools.filter((pool) => !hasKnownTypes(pool, pools)).map(({ name }) => name));
  for (const pool of pools.nodePools) if (hasKnownTypes(pool, pools)) names.delete(pool.name);
  /** By pool, one of those of a type in a place. */
  const shown = new Map<string, Map<string, Node>>();
  for (const node of nodes) {
    const [type, pool = '', capacityType, zone] = [instanceTypeKey, nodePoolKey, capacityTypeKey, zoneKey].map((key) =>
      labelValue(node.metadata?.labels, key),
    );
    // How much of what is reserved is left is not known.
    if (type === undefined || !names.has(pool) || capacityType === 'reserved') continue;
    const ofPool = shown.get(pool) ?? new Map<string, Node>();
    shown.set(pool, ofPool.set(JSON.stringify([type, capacityType, zone]), node));
  }
  return new Map([...shown].map(([pool, ofPool]) => [pool, new Catalog(shownTypes(ofPool.values()), false)]));
}

function shownTypes(nodes: Iterable<Node>): readonly InstanceType[] {
  const types = new Map<string, InstanceType>();
  for (const { metadata, status } of nodes) {
    const labels = Object.entries(metadata?.labels ?? {});
    const name = labelValue(metadata?.labels, instanceTypeKey) ?? '';
    const capacityType = labelValue(metadata?.labels, capacityTypeKey) ?? '';
    const those = (keys: ReadonlySet<string>, isIn: boolean): Requirements =>
      together(labels.flatMap(([key, value]) => (keys.has(key) === isIn ? [Requirement.in(key, value)] : [])));
    const offering = { requirements: those(placeKeys, true), capacityType, price: 0, isAvailable: true };
    types.set(name, {
      name,
      requirements: those(ownKeys, false),
      capacity: readResourceList(status?.capacity),
      allocatable: readResourceList(status?.allocatable),
      offerings: [...(types.get(name)?.offerings ?? []), offering],
    });
  }
  return [...types.values()];
}

/** The types of each pool whose types are known. */
export function catalogsOf(pools: Pools, nodes: readonly Node[]): ReadonlyMap<string, Catalog> {
  const { zones } = zonesOf(pools, nodes);
  return new Map(
    pools.nodePools
      .filter((pool) => hasKnownTypes(pool, pools))
      .map((pool) => {
        const nodeClass = pools.nodeClasses.get(pool.nodeClass.name);
        const own = nodeClass === undefined || nodeClass.zones.length === 0 ? zones : nodeClass.zones;
        return [pool.name, overlaid(catalogFor(own, nodeClass?.reserve), pools.overlays, pool.name)];
      }),
  );
}
