/** Which types of instances NodePools may choose from: loaded where one is declared. */
import { defaultNode } from '../../kubernetes/defaults/objects.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { holdsVariable } from '../../kubernetes/placeholders.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { buffersIn } from '../../simulation/growth/buffers.ts';
import { podRequests, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { ec2Types } from '../../autoscaling/instance-types/read-table.ts';
import { tableDate } from '../../autoscaling/instance-types/table.ts';
import { none, noAmounts } from '../../autoscaling/karpenter/amounts.ts';
import { countBits, isEmpty, keepBits, noBits } from '../../autoscaling/karpenter/bits.ts';
import type { Catalog, InstanceType } from '../../autoscaling/karpenter/catalog.ts';
import { filterTypes, labelsWithTooFewValues } from '../../autoscaling/karpenter/filter-types.ts';
import { wellKnownLabels } from '../../autoscaling/karpenter/labels.ts';
import type { NodePool } from '../../autoscaling/karpenter/objects.ts';
import { poolProblems } from '../../autoscaling/karpenter/pool-validation.ts';
import { Requirement } from '../../autoscaling/karpenter/requirement.ts';
import { type Requirements, together } from '../../autoscaling/karpenter/requirements.ts';
import { templateRequirements } from '../../autoscaling/karpenter/scheduler.ts';
import { catalogsOf, zonesOf } from '../../autoscaling/pools/catalogs.ts';
import type { MachineGroup } from '../../autoscaling/pools/machine-groups.ts';
import { type NodeClass, readPools } from '../../autoscaling/pools/read-pools.ts';
import { getOrInsert } from '../../util/maps.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';
import { nodePoolOf } from './pools.ts';

export { tableDate };

const catalogs = derived(
  ['NodePool', 'EC2NodeClass', 'NodeOverlay', 'Node'],
  (ofPools, ofClasses, ofOverlays, ofNodes) => {
    const objects = [...ofPools, ...ofClasses, ...ofOverlays].flatMap(({ object }) =>
      isPoolObject(object) ? [object] : [],
    );
    const nodes = ofNodes.map(({ object }) => defaultNode(object as Node));
    const pools = readPools(objects, nodes);
    return { byPool: catalogsOf(pools, nodes), ...zonesOf(pools, nodes) };
  },
);

/** The groups that a MachineDeployment, MachineSet, MachinePool or ClusterConfig declares. */
export function groupsOf({ object }: Fact, facts: FactsReader): readonly MachineGroup[] {
  if (!isPoolObject(object)) return [];
  const nodes = facts.ofKind('Node').map((node) => defaultNode(node.object as Node));
  const autoscalers = facts
    .ofKind('MachineAutoscaler')
    .flatMap((each) => (isPoolObject(each.object) ? [each.object] : []));
  return readPools([object, ...autoscalers], nodes).groups;
}

export function nodeClassOf({ object, name }: Fact): NodeClass | undefined {
  return isPoolObject(object) ? readPools([object], []).nodeClasses.get(name) : undefined;
}

/** How many pods a CapacityBuffer holds room for, and what each requests. */
export function bufferOf(
  { object }: Fact,
  facts: FactsReader,
): { readonly pods: number; readonly requests: Readonly<Record<string, string>> } | undefined {
  const named = [...scalableKinds, 'PodTemplate' as const].flatMap((kind) => facts.ofKind(kind));
  const [buffer] = buffersIn([object, ...named.map((each) => each.object)]);
  if (buffer === undefined) return undefined;
  const requests = [...podRequests(buffer.pods[0]?.spec ?? {})].filter(([, { nanos }]) => nanos > 0n);
  return {
    pods: buffer.pods.length,
    requests: Object.fromEntries(requests.map(([resource, amount]) => [resource, formatQuantity(amount)])),
  };
}

const scalableKinds = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Job'] as const;

/** What a NodePool may make. */
export interface PoolTypes {
  readonly pool: NodePool;
  readonly catalog: Catalog;
  readonly requirements: Requirements;
  /** Those that meet all that the pool requires. */
  readonly types: readonly InstanceType[];
  /** Why Karpenter takes no notice of the pool. */
  readonly problems: readonly string[];
  /** Keys that have fewer values among the types than they must. */
  readonly tooFew: ReadonlyMap<string, number>;
  readonly zones: readonly string[];
  readonly areZonesAssumed: boolean;
}

const known = new WeakMap<Catalog, WeakMap<Fact, PoolTypes>>();

/** Undefined where the types of its provider are not known here. */
export function typesOfPool(fact: Fact, facts: FactsReader): PoolTypes | undefined {
  const { byPool, zones, areAssumed } = catalogs(facts);
  const pool = nodePoolOf(fact);
  const catalog = byPool.get(pool.name);
  const written = pool.requirements.flatMap(({ key, values = [] }) => [key, ...values]);
  if (catalog === undefined || written.some(holdsVariable)) return undefined;
  const ofCatalog = getOrInsert(known, catalog, () => new WeakMap());
  return getOrInsert(ofCatalog, fact, () => {
    const requirements = templateRequirements(pool);
    const types = catalog.typesOf(typesMeeting(catalog, requirements));
    return {
      pool,
      catalog,
      requirements,
      types,
      problems: poolProblems(pool),
      tooFew: labelsWithTooFewValues(types, requirements),
      zones,
      areZonesAssumed: areAssumed,
    };
  });
}

function typesMeeting(catalog: Catalog, requirements: Requirements): Uint32Array {
  const nothing = { pod: noAmounts, daemons: noAmounts, all: noAmounts };
  const filtered = filterTypes(catalog, catalog.all, requirements, nothing, true);
  return 'types' in filtered ? filtered.types : noBits(catalog.types.length);
}

/** How many types meet one requirement of a pool by itself. */
export function typesMeetingOne({ pool, catalog }: PoolTypes, index: number): number {
  const requirement = pool.requirements[index];
  return requirement === undefined ? 0 : countBits(typesMeeting(catalog, together([Requirement.of(requirement)])));
}

/** Whether some type that a pool may choose has room for a pod. */
export function hasTypeFor({ catalog, requirements }: PoolTypes, requests: ResourceAmounts): boolean {
  const bits = typesMeeting(catalog, requirements).slice();
  keepBits(bits, catalog.fitting(requests));
  return !isEmpty(bits);
}

/** All types that are known. */
export function typeNames(): readonly string[] {
  return [...ec2Types().keys()];
}

/** All values that types have of a label, in order; empty for labels that no type has. */
export function valuesOf({ catalog }: Pick<PoolTypes, 'catalog'>, key: string): readonly string[] {
  if (!wellKnownLabels.has(key)) return [];
  const values = new Set(catalog.requirementsAt(key).groups.flatMap((group) => [...group.values]));
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The type that has least of a resource, and how much. */
export function smallestOf(
  types: readonly InstanceType[],
  resource: string,
): { readonly type: InstanceType; readonly amount: Quantity } | undefined {
  let smallest: { readonly type: InstanceType; readonly amount: Quantity } | undefined;
  for (const type of types) {
    const amount = type.capacity.get(resource) ?? none;
    if (smallest === undefined || compareQuantities(amount, smallest.amount) < 0) smallest = { type, amount };
  }
  return smallest;
}
