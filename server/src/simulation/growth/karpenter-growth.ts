import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { hasKnownTypes } from '../../autoscaling/pools/catalogs.ts';
import { countBits } from '../../autoscaling/karpenter/bits.ts';
import { bySize, type Catalog, type InstanceType } from '../../autoscaling/karpenter/catalog.ts';
import { karpenterCluster } from '../../autoscaling/karpenter/cluster.ts';
import { capacityTypeKey, nodePoolKey, wellKnownLabels, zoneKey } from '../../autoscaling/karpenter/labels.ts';
import type { NewNodeClaim } from '../../autoscaling/karpenter/node-claim.ts';
import type { NodePool } from '../../autoscaling/karpenter/objects.ts';
import { poolProblems } from '../../autoscaling/karpenter/pool-validation.ts';
import { isReady, type PodOutcome, provision } from '../../autoscaling/karpenter/provision.ts';
import { type PoolOffer, silent, templateRequirements } from '../../autoscaling/karpenter/scheduler.ts';
import { conflicts, requirementOf } from '../../autoscaling/karpenter/requirements.ts';
import { podRequirementsOf, untolerated, workingPod } from '../../autoscaling/karpenter/working-pod.ts';
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
export function karpenterGrowth(pools: Pools, catalogs: ReadonlyMap<string, Catalog>, end: ClusterAtEnd): Growth {
  const cluster = karpenterCluster([...end.nodes, ...end.pods, ...end.others], pools.nodePools, pools.nodeClaims);
  const options = { ignoresPreferences: false, relaxesMinValues: false };
  const { pods, claims, offers } = provision({ cluster, catalogs, options, journal: silent, now: 0, explains: true });
  const nodes = claims.map((claim) => newNode(claim));
  const answers = new Map<string, readonly PoolAnswer[]>();
  const unusable = unusablePools(pools);
  const byKey = new Map(unusable.length === 0 ? [] : end.pods.map((pod) => [keyOf(pod), pod]));
  for (const [key, { outcome }] of pods) {
    if (!end.waiting.has(key) || outcome.kind === 'new') continue;
    const own =
      outcome.kind === 'unplaced' || outcome.kind === 'undecided'
        ? [...(offers.get(key) ?? []), ...unusable.map((pool) => unusableOffer(pool, byKey.get(key)))]
        : [];
    const text = textOf(outcome, pools.nodePools.length);
    if (own.length > 0) answers.set(key, poolAnswers(own));
    else if (text !== undefined) answers.set(key, [{ tool: 'Karpenter', pool: '', makes: false, text }]);
  }
  return { nodes, answers };
}

interface UnusablePool {
  readonly pool: NodePool;
  readonly fault: string;
}

/** Pools that Karpenter leaves out, and those of providers whose types are not known here. */
function unusablePools(pools: Pools): readonly UnusablePool[] {
  const all = pools.nodePools.filter(({ isStatic, isBeingDeleted }) => !isStatic && !isBeingDeleted);
  return all.flatMap((pool): readonly UnusablePool[] => {
    const { kind, name } = pool.nodeClass;
    const fault = hasKnownTypes(pool, pools)
      ? faultOf(pool)
      : say`the instance types of ${kind} ${name} are not known here, only those of EC2 with Linux, on demand or spot`;
    return fault === undefined ? [] : [{ pool, fault }];
  });
}

/** One whose labels and taints suit a pod is nearer than any whose do not, and farther than one that only has a limit. */
function unusableOffer({ pool, fault }: UnusablePool, pod: Pod | undefined): PoolOffer {
  const offer = { pool: pool.name, types: [], of: 0, fault };
  if (pod === undefined) return offer;
  const working = workingPod(pod);
  const inTheWay =
    untolerated(pool.taints, working.tolerations).length +
    conflicts(templateRequirements(pool), podRequirementsOf(working), wellKnownLabels);
  return { ...offer, refusals: inTheWay + 0.9 };
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
    types: { names: sorted.map(({ name }) => name), of: countBits(template.types) },
    pods: pods.map(({ key }) => key),
  };
}

/** Spot is taken before on-demand. */
function rankOf(capacityType: string): number {
  return ['reserved', 'spot', 'on-demand'].indexOf(capacityType);
}
