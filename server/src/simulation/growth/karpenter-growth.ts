import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  quantityValue,
} from '../../kubernetes/quantity.ts';
import { none } from '../../autoscaling/karpenter/amounts.ts';
import { hasKnownTypes } from '../../autoscaling/pools/catalogs.ts';
import { countBits } from '../../autoscaling/karpenter/bits.ts';
import { bySize, type Catalog, type InstanceType } from '../../autoscaling/karpenter/catalog.ts';
import { karpenterCluster } from '../../autoscaling/karpenter/cluster.ts';
import { capacityTypeKey, nodePoolKey, wellKnownLabels, zoneKey } from '../../autoscaling/karpenter/labels.ts';
import type { NewNodeClaim } from '../../autoscaling/karpenter/node-claim.ts';
import type { NodePool } from '../../autoscaling/karpenter/objects.ts';
import { poolProblems } from '../../autoscaling/karpenter/pool-validation.ts';
import { isManaged, isReady, type PodOutcome, provision } from '../../autoscaling/karpenter/provision.ts';
import {
  type LimitInUse,
  type PoolOffer,
  silent,
  templateRequirements,
} from '../../autoscaling/karpenter/scheduler.ts';
import { conflicts, incompatibility, requirementOf } from '../../autoscaling/karpenter/requirements.ts';
import {
  podRequirementsOf,
  strictRequirements,
  untolerated,
  untoleratedText,
  type WorkingPod,
  workingPod,
} from '../../autoscaling/karpenter/working-pod.ts';
import type { Pools } from '../../autoscaling/pools/read-pools.ts';
import type { ClusterAtEnd } from './cluster-at-end.ts';
import { type PoolAnswer, poolAnswers, shortened } from './pool-answers.ts';

/** A node that a tool asks for. */
export interface NewNode {
  /** Of its name: the pool or the group. */
  readonly pool: string;
  /** As it is said: `NodePool general`. */
  readonly title: string;
  readonly node: Node;
  /** Names of the types that remain, where a pool chooses among some, and of how many. */
  readonly types?: { readonly names: readonly string[]; readonly of: number };
  /** Pods that it is made for. */
  readonly pods: readonly string[];
}

export interface Growth {
  readonly nodes: readonly NewNode[];
  /** What the tool says of pods that it leaves waiting, by `namespace/name`. */
  readonly answers: ReadonlyMap<string, readonly PoolAnswer[]>;
}

/** What Karpenter asks for, and what it says of the pods that it leaves waiting. */
export function karpenterGrowth(
  pools: Pools,
  catalogs: ReadonlyMap<string, Catalog>,
  end: ClusterAtEnd,
  explains: boolean,
): Growth {
  const names = new Set(end.nodes.map(nameOf));
  // The claim of a node that is gone goes with it.
  const known = pools.nodeClaims.filter(({ nodeName }) => nodeName === '' || names.has(nodeName));
  const cluster = karpenterCluster([...end.nodes, ...end.pods, ...end.others], pools.nodePools, known);
  const options = { ignoresPreferences: false, relaxesMinValues: false };
  const { pods, claims, offers } = provision({ cluster, catalogs, options, journal: silent, now: 0, explains });
  const nodes = withinNodeLimits(claims, end.nodes).map((claim) => newNode(claim));
  const answers = new Map<string, readonly PoolAnswer[]>();
  if (!explains) return { nodes, answers };
  const unusable = unusablePools(pools, end.nodes);
  // Of types that are not known others may fit.
  const isOfWhole = ({ pool }: PoolOffer): boolean => catalogs.get(pool)?.isWhole !== false;
  const byKey = new Map(unusable.length === 0 ? [] : end.pods.map((pod) => [keyOf(pod), pod]));
  for (const [key, { outcome }] of pods) {
    if (!end.waiting.has(key) || outcome.kind === 'new') continue;
    const own =
      (outcome.kind === 'unplaced' && outcome.fault.kind !== 'claims') || outcome.kind === 'undecided'
        ? [...(offers.get(key) ?? []).filter(isOfWhole), ...unusable.map((pool) => unusableOffer(pool, byKey.get(key)))]
        : [];
    const text = textOf(outcome, pools.nodePools.length);
    if (own.length > 0) answers.set(key, poolAnswers(own));
    else if (text !== undefined) answers.set(key, [{ tool: 'Karpenter', pool: '', makes: false, text }]);
  }
  return { nodes, answers };
}

/**
 * One pass looks at a limit of nodes only where nothing is left of it; what goes beyond is refused when it is launched.
 * Source: Provisioner.Create in karpenter pkg/controllers/provisioning/provisioner.go
 */
function withinNodeLimits(claims: readonly NewNodeClaim[], nodes: readonly Node[]): readonly NewNodeClaim[] {
  const left = new Map<string, number>();
  return claims.filter(({ template: { pool } }) => {
    const limit = pool.limits?.get('nodes');
    if (limit === undefined) return true;
    const known = left.get(pool.name) ?? Number(quantityValue(limit)) - nodesOf(pool, nodes).length;
    left.set(pool.name, known - 1);
    return known > 0;
  });
}

function nodesOf({ name }: NodePool, nodes: readonly Node[]): readonly Node[] {
  return nodes.filter(({ metadata }) => labelValue(metadata?.labels, nodePoolKey) === name);
}

/** A pool that Karpenter leaves out, or whose types are not known here. */
interface UnusablePool {
  readonly pool: NodePool;
  /** Undefined where it depends on the types. */
  readonly fault: string | undefined;
  readonly limits: readonly LimitInUse[];
}

function unusablePools(pools: Pools, nodes: readonly Node[]): readonly UnusablePool[] {
  const all = pools.nodePools.filter(({ isStatic, isBeingDeleted }) => !isStatic && !isBeingDeleted);
  return all.flatMap((pool): readonly UnusablePool[] => {
    const fault = faultOf(pool);
    if (fault === undefined && hasKnownTypes(pool, pools)) return [];
    const own = nodesOf(pool, nodes);
    const limits = [...(pool.limits ?? [])].map(([resource, limit]): LimitInUse => {
      const amounts = own.map(({ status }) =>
        resource === 'nodes' ? one : (readResourceList(status?.capacity).get(resource) ?? none),
      );
      return { resource, limit, used: amounts.reduce(addQuantities, none) };
    });
    return [{ pool, fault, limits }];
  });
}

const one = integerQuantity(1);

/** One whose labels and taints suit a pod is nearer than any whose do not, and farther than one that only has a limit. */
function unusableOffer(unusable: UnusablePool, pod: Pod | undefined): PoolOffer {
  const { pool, fault } = unusable;
  const { kind, name } = pool.nodeClass;
  const open = {
    fault:
      name === ''
        ? say`it names no node class`
        : say`the instance types of ${kind} ${name} are not known here, only those of EC2 with Linux, on demand or spot`,
    isOpen: true,
  };
  const offer = { pool: pool.name, types: [], of: 0, ...(fault === undefined ? open : { fault }) };
  if (pod === undefined) return offer;
  const working = workingPod(pod);
  const inTheWay =
    untolerated(pool.taints, working.tolerations).length +
    conflicts(templateRequirements(pool), podRequirementsOf(working), wellKnownLabels);
  const refusal = fault === undefined ? refusalOf(unusable, working) : undefined;
  return { ...offer, refusals: inTheWay + 0.9, ...(refusal && { ...refusal, isOpen: false }) };
}

/** What keeps a pod from every node of a pool, whatever its types are: taints, requirements, limits that it alone exceeds. */
export function refusalOf(
  { pool, limits }: Omit<UnusablePool, 'fault'>,
  pod: WorkingPod,
): Pick<PoolOffer, 'fault' | 'limits'> | undefined {
  const taints = untolerated(
    pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule'),
    pod.tolerations,
  );
  if (taints.length > 0) return { fault: untoleratedText(taints) };
  const forms = pod.nodeTerms?.map((term) => ({ ...pod, nodeTerms: [term] })) ?? [pod];
  const problems = forms.map((form) => {
    const required = strictRequirements(form);
    // Of other providers it is not known which labels they give.
    const isOther = !isManaged(pool);
    const given = new Set(
      [...required.keys()].filter((key) => wellKnownLabels.has(key) || (isOther && key.includes('/'))),
    );
    return incompatibility(templateRequirements(pool), required, given);
  });
  const last = problems.at(-1);
  if (last !== undefined && !problems.includes(undefined)) return { fault: `incompatible requirements, ${last()}` };
  const requests = podRequests(pod.pod.spec!);
  const exceeded = limits.filter(({ resource, used, limit }) => {
    const request = resource === 'nodes' ? one : (requests.get(resource) ?? none);
    return compareQuantities(addQuantities(used, request), limit) > 0;
  });
  return exceeded.length === 0 ? undefined : { fault: '', limits: exceeded };
}

/** Source: the log of karpenter pkg/controllers/provisioning/provisioner.go, and what its status says */
function faultOf(pool: NodePool): string | undefined {
  return isReady(pool) ? undefined : joined(['ignoring nodepool, not ready', ...poolProblems(pool)], ': ');
}

/** More pools are counted: what Karpenter says of each stands in one line. */
const mostInLine = 20;

function textOf(outcome: PodOutcome, nodePools: number): string | undefined {
  if (outcome.kind === 'ignored') {
    return outcome.reason === undefined
      ? say`the pod requires that karpenter.sh/nodepool does not exist`
      : shortened(outcome.reason);
  }
  if (outcome.kind === 'existing') return say`it expects the pod on ${outcome.node.name}`;
  if (outcome.kind !== 'unplaced') return undefined;
  return nodePools > mostInLine ? say`none of ${count(nodePools, 'NodePool')} takes it` : outcome.fault.text();
}

/** The smallest of the types that remain, in the first zone that is left: which one is bought is not known. */
function newNode(claim: NewNodeClaim): NewNode {
  const { template, requirements, pods, instanceTypes } = claim;
  const { pool } = template;
  const sorted = [...instanceTypes].sort(bySize);
  const type = sorted[0]!;
  const offering = type.offerings
    .filter((each) =>
      [...each.requirements].every(
        ([key, value]) => requirementOf(requirements, key).intersects(value) || value.values.size === 0,
      ),
    )
    .sort((a, b) => rankOf(a.capacityType) - rankOf(b.capacityType))[0];
  const single = Object.fromEntries(
    [...requirements].flatMap(([key, { only }]) => (only === undefined ? [] : [[key, only]])),
  );
  const ofType = Object.fromEntries(
    [...type.requirements].flatMap(([key, { only }]) => (only === undefined ? [] : [[key, only]])),
  );
  const place = Object.fromEntries(
    [zoneKey, capacityTypeKey].flatMap((key) => {
      const only = offering?.requirements.get(key)?.only;
      return only === undefined ? [] : [[key, only]];
    }),
  );
  const amounts = (list: InstanceType['capacity']): Readonly<Record<string, string>> =>
    Object.fromEntries([...list].map(([name, amount]) => [name, formatQuantity(amount)]));
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { labels: { ...ofType, ...place, ...pool.templateLabels, ...single, [nodePoolKey]: pool.name } },
    // Karpenter looks at nodes of its pools once it knows their machine.
    spec: { providerID: `${pool.name}/new`, taints: pool.taints },
    status: { capacity: amounts(type.capacity), allocatable: amounts(type.allocatable) },
  };
  return {
    pool: pool.name,
    title: `NodePool ${pool.name}`,
    node,
    ...(template.catalog.isWhole && {
      types: { names: sorted.map(({ name }) => name), of: countBits(template.types) },
    }),
    pods: pods.map(({ key }) => key),
  };
}

/** Spot is taken before on-demand. */
function rankOf(capacityType: string): number {
  return ['reserved', 'spot', 'on-demand'].indexOf(capacityType);
}
