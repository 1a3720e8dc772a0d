import { isList, isObject, valueAt } from '../../util/values.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { KubeObject, Node, PersistentVolume, StorageClass } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { KubeletReserve } from '../instance-types/read-table.ts';
import { stableKey, zoneKey } from '../karpenter/labels.ts';
import {
  type NodeClaim,
  type NodeOverlay,
  type NodePool,
  readNodeClaim,
  readNodeOverlay,
  readNodePool,
} from '../karpenter/objects.ts';
import { type MachineGroup, eksctlGroups, machineGroup } from './machine-groups.ts';

/** What says how a cluster grows. */
export interface Pools {
  readonly nodePools: readonly NodePool[];
  readonly nodeClaims: readonly NodeClaim[];
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  /** The first that says something counts: the heaviest, and of equal ones the last by name. */
  readonly overlays: readonly NodeOverlay[];
  /** Node groups that Cluster Autoscaler may change. */
  readonly groups: readonly MachineGroup[];
  /** Names of the ComputeClasses of GKE, whose machines are not known here. */
  readonly computeClasses: readonly string[];
  /** Zones that pods, volumes and storage classes name. */
  readonly namedZones: readonly string[];
}

/** An EC2NodeClass, as far as resources and zones depend on it. */
export interface NodeClass {
  readonly zones: readonly string[];
  readonly reserve: KubeletReserve;
  /** Whose types have another overhead, and fewer addresses. */
  readonly isWindows: boolean;
}

export function hasPools({ nodePools, groups }: Pools): boolean {
  return nodePools.length + groups.length > 0;
}

/** Whether anything adds nodes, if only such as are not known. */
export function mayGrow(pools: Pools): boolean {
  const { nodePools, groups, computeClasses } = pools;
  return nodePools.some(({ isStatic }) => !isStatic) || groups.length + computeClasses.length > 0;
}

/** Never throws: what has the wrong type counts as absent. */
export function readPools(objects: readonly KubeObject[], nodes: readonly Node[]): Pools {
  const pools = objects.filter(isPoolObject);
  const ofKind = (kind: string): readonly PoolObject[] => pools.filter((object) => object.kind === kind);
  const machines = [...ofKind('MachineDeployment'), ...ofKind('MachineSet'), ...ofKind('MachinePool')];
  const autoscalers = ofKind('MachineAutoscaler').map(({ written }) => written);
  return {
    nodePools: firsts(ofKind('NodePool').map(({ written }) => readNodePool(written))),
    nodeClaims: ofKind('NodeClaim').map(({ written }) => readNodeClaim(written)),
    nodeClasses: new Map(ofKind('EC2NodeClass').map((object) => [nameOf(object), readNodeClass(object)])),
    overlays: ofKind('NodeOverlay')
      .map(({ written }) => readNodeOverlay(written))
      .sort((a, b) => b.weight - a.weight || (a.name > b.name ? -1 : 1)),
    groups: [
      ...machines.flatMap(({ written }) => machineGroup(written, autoscalers, nodes)),
      ...ofKind('ClusterConfig').flatMap(({ written }) => eksctlGroups(written, nodes)),
    ],
    computeClasses: ofKind('ComputeClass').map(nameOf),
    namedZones: [...new Set(objects.flatMap(zonesNamedBy))],
  };
}

/** A cluster has one of each name; files of one name for several providers are alternatives. */
function firsts(pools: readonly NodePool[]): readonly NodePool[] {
  const byKey = new Map<string, NodePool>();
  for (const pool of pools) {
    const key = [pool.name, pool.nodeClass.group, pool.nodeClass.kind].join('\n');
    if (!byKey.has(key)) byKey.set(key, pool);
  }
  return [...byKey.values()];
}

/** What pods and volumes ask for may be there, where nothing says which zones there are. */
function zonesNamedBy(object: KubeObject): readonly string[] {
  const spec = podTemplateOf(object)?.spec;
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    spec?.affinity?.nodeAffinity ?? {};
  const terms = [
    ...(required?.nodeSelectorTerms ?? []),
    ...(preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference),
    ...(object.kind === 'PersistentVolume'
      ? ((object as PersistentVolume).spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [])
      : []),
  ];
  const listed = [
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.filter(({ operator }) => operator === 'In')),
    ...(object.kind === 'StorageClass'
      ? ((object as StorageClass).allowedTopologies ?? []).flatMap(
          ({ matchLabelExpressions = [] }) => matchLabelExpressions,
        )
      : []),
  ];
  const selected = labelValue(spec?.nodeSelector, zoneKey);
  return [
    ...(selected === undefined ? [] : [selected]),
    ...listed.flatMap(({ key, values = [] }) => (stableKey(key) === zoneKey ? values : [])),
  ];
}

function readNodeClass({ written }: PoolObject): NodeClass {
  const at = (...path: readonly (string | number)[]): unknown => valueAt(written, path);
  const subnets = at('status', 'subnets');
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const amounts = (value: unknown) => (isObject(value) ? readResourceList(value as Record<string, string>) : undefined);
  const [maxPods, podsPerCore] = [
    number(at('spec', 'kubelet', 'maxPods')),
    number(at('spec', 'kubelet', 'podsPerCore')),
  ];
  const [kube, system] = [
    amounts(at('spec', 'kubelet', 'kubeReserved')),
    amounts(at('spec', 'kubelet', 'systemReserved')),
  ];
  const size = at('spec', 'blockDeviceMappings', 0, 'ebs', 'volumeSize');
  const disk = typeof size === 'string' ? parseQuantity(size) : undefined;
  const terms = at('spec', 'amiSelectorTerms');
  const families = [at('spec', 'amiFamily'), ...(isList(terms) ? terms.map((term) => valueAt(term, ['alias'])) : [])];
  return {
    isWindows: families.some((each) => typeof each === 'string' && each.toLowerCase().startsWith('windows')),
    zones: (isList(subnets) ? subnets : []).flatMap((subnet) => {
      const zone = valueAt(subnet, ['zone']);
      return typeof zone === 'string' ? [zone] : [];
    }),
    reserve: {
      ...(maxPods === undefined ? {} : { maxPods }),
      ...(podsPerCore === undefined ? {} : { podsPerCore }),
      ...(kube === undefined ? {} : { kubeReserved: kube }),
      ...(system === undefined ? {} : { systemReserved: system }),
      ...(disk === undefined || isQuantityError(disk) ? {} : { diskBytes: disk.nanos / 1_000_000_000n }),
    },
  };
}
