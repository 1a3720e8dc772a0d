import { labelValue } from '../../kubernetes/labels.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { ec2Catalog } from '../instance-types/ec2-catalog.ts';
import { ec2Types } from '../instance-types/read-table.ts';
import type { Catalog } from '../karpenter/catalog.ts';
import { osKey, zoneKey } from '../karpenter/labels.ts';
import type { NodePool } from '../karpenter/objects.ts';
import { isManaged } from '../karpenter/provision.ts';
import { Requirement } from '../karpenter/requirement.ts';
import type { Pools } from './read-pools.ts';

/** Zones where neither a NodeClass, nor a node, nor a pool says one. */
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
  return zones.size === 0 ? { zones: assumedZones, areAssumed: true } : { zones: [...zones].sort(), areAssumed: false };
}

/** Whether the types that a pool may choose from are known: those of EC2, with Linux. */
export function hasKnownTypes(pool: NodePool, { nodeClasses }: Pools): boolean {
  if (!isManaged(pool) || nodeClasses.get(pool.nodeClass.name)?.isWindows === true) return false;
  const systems = pool.requirements.filter(({ key }) => key === osKey);
  return systems.every((each) => Requirement.of(each).has('linux') || !Requirement.of(each).has('windows'));
}

/** The types of each pool whose types are known. */
export function catalogsOf(pools: Pools, nodes: readonly Node[]): ReadonlyMap<string, Catalog> {
  const { zones } = zonesOf(pools, nodes);
  const byClass = new Map<string, Catalog>();
  const types = [...ec2Types().values()];
  return new Map(
    pools.nodePools
      .filter((pool) => hasKnownTypes(pool, pools))
      .map((pool) => {
        const { name } = pool.nodeClass;
        let catalog = byClass.get(name);
        if (catalog === undefined) {
          const nodeClass = pools.nodeClasses.get(name);
          const own = nodeClass === undefined || nodeClass.zones.length === 0 ? zones : nodeClass.zones;
          catalog = ec2Catalog(types, {
            zones: own,
            ...(nodeClass === undefined ? {} : { reserve: nodeClass.reserve }),
          });
          byClass.set(name, catalog);
        }
        return [pool.name, catalog];
      }),
  );
}
