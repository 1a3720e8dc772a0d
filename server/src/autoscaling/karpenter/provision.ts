import { keyOf } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import { type Catalog } from './catalog.ts';
import type { KarpenterCluster } from './cluster.ts';
import type { Fault } from './faults.ts';
import { awsDomain, nodePoolKey } from './labels.ts';
import type { NewNodeClaim } from './node-claim.ts';
import type { NodePool } from './objects.ts';
import { isCurrentlyReschedulable, isProvisionable, isScheduled } from './pods.ts';
import { poolProblems, requirementProblems } from './pool-validation.ts';
import {
  type Journal,
  type PoolOffer,
  Scheduler,
  type SchedulerInput,
  type SchedulerOptions,
  silent,
} from './scheduler.ts';
import { type StateNode, stateNodesOf } from './state-nodes.ts';
import { volumeProblem, volumeRequirements } from './volumes.ts';
import { podRequirementsOf, workingPod } from './working-pod.ts';

/** What became of a pod in a pass. */
export type PodOutcome =
  /** Not looked at: not marked unschedulable, bound, nominated, of a DaemonSet, static. */
  | { readonly kind: 'not-provisionable' }
  /** Left out before scheduling; without a reason where no event says it. */
  | { readonly kind: 'ignored'; readonly reason?: string }
  /** No usable pool, or its volumes could not be told. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'existing'; readonly node: StateNode }
  | { readonly kind: 'new'; readonly claim: NewNodeClaim }
  | { readonly kind: 'unplaced'; readonly fault: Fault };

export interface Provisioning {
  /** By namespace and name: pods that are not bound, and bound ones that must move. */
  readonly pods: ReadonlyMap<string, { readonly outcome: PodOutcome; readonly isMoved: boolean }>;
  readonly claims: readonly NewNodeClaim[];
  /** What each pool by itself says of the pods that are left, if that is asked for. */
  readonly offers: ReadonlyMap<string, readonly PoolOffer[]>;
}

export interface ProvisionInput {
  readonly cluster: KarpenterCluster;
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly options: Omit<SchedulerOptions, 'waitsForReservations'>;
  readonly journal: Journal;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether it is told what each pool says of the pods that are left. */
  readonly explains?: boolean;
}

/** Pools that nodes can be made of, in the order in which they are asked. Source: NewScheduler in provisioner.go */
export function usablePools(
  { cluster, catalogs }: Pick<ProvisionInput, 'cluster' | 'catalogs'>,
  journal: Journal,
): readonly NodePool[] {
  return cluster.nodePools
    .filter((pool) => {
      const isShown = catalogs.get(pool.name)?.isWhole === false;
      if ((!isManaged(pool) && !isShown) || pool.isStatic) return false;
      if (isReady(pool)) return !pool.isBeingDeleted;
      journal.log(`ERROR ignoring nodepool, not ready NodePool=${pool.name}`);
      return false;
    })
    .sort((a, b) => b.weight - a.weight || (a.name > b.name ? -1 : 1));
}

export function isManaged({ nodeClass }: NodePool): boolean {
  return nodeClass.group === awsDomain && nodeClass.kind === 'EC2NodeClass';
}

/** A pool that Karpenter has not looked at yet is taken for ready when it is valid. */
export function isReady(pool: NodePool): boolean {
  const { conditions } = pool;
  if (conditions === undefined) return poolProblems(pool).length === 0;
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

const noOffers: Provisioning['offers'] = new Map();

/** More kinds of pods get no answer of each pool. */
const mostExplained = 50;

/** Pods of one make get the same answers. */
function offersFor(pods: readonly Pod[], input: SchedulerInput): Provisioning['offers'] {
  if (pods.length === 0) return noOffers;
  const scheduler = new Scheduler({ ...input, journal: silent });
  const known = new Map<string, readonly PoolOffer[]>();
  const offers = new Map<string, readonly PoolOffer[]>();
  for (const pod of pods) {
    const make = JSON.stringify([pod.metadata?.namespace, pod.metadata?.labels, pod.spec]);
    let own = known.get(make);
    if (own === undefined && known.size < mostExplained) known.set(make, (own = scheduler.offersFor(workingPod(pod))));
    if (own !== undefined) offers.set(keyOf(pod), own);
  }
  return offers;
}

/** One provisioning pass. Source: karpenter pkg/controllers/provisioning/provisioner.go Schedule at v1.13.0 */
export function provision(input: ProvisionInput): Provisioning {
  const { cluster, catalogs, options, journal, now } = input;
  const outcomes = new Map<string, { readonly outcome: PodOutcome; readonly isMoved: boolean }>();
  const pending = pendingPods(cluster, (pod, outcome) => outcomes.set(keyOf(pod), { outcome, isMoved: false }));
  const stateNodes = stateNodesOf(cluster);
  const moving = stateNodes
    .filter(({ isMarkedForDeletion }) => isMarkedForDeletion)
    .flatMap(({ pods }) => pods.filter((pod) => isCurrentlyReschedulable(pod, cluster.budgets, now)));
  const all = [...pending.map((pod) => ({ pod, isMoved: false })), ...moving.map((pod) => ({ pod, isMoved: true }))];
  for (const { pod, isMoved } of all) outcomes.set(keyOf(pod), { outcome: { kind: 'undecided' }, isMoved });
  if (all.length === 0) return { pods: outcomes, claims: [], offers: noOffers };
  const nodePools = usablePools(input, journal);
  if (nodePools.length === 0) {
    journal.log('no dynamic nodepools found');
    return { pods: outcomes, claims: [], offers: noOffers };
  }
  const schedulerInput: SchedulerInput = {
    cluster,
    nodePools,
    catalogs,
    stateNodes: stateNodes.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion),
    pods: withVolumes(
      all.map(({ pod }) => pod),
      cluster,
    ),
    options: { ...options, waitsForReservations: true },
    journal,
  };
  const solution = new Scheduler(schedulerInput).solve();
  const unplaced = all.filter(({ pod }) => solution.faults.has(keyOf(pod))).map(({ pod }) => pod);
  const offers = input.explains === true ? offersFor(unplaced, schedulerInput) : noOffers;
  const put = (key: string, outcome: PodOutcome): void => {
    outcomes.set(key, { outcome, isMoved: outcomes.get(key)?.isMoved ?? false });
  };
  for (const { state, pods } of solution.existing) {
    for (const { key } of pods) put(key, { kind: 'existing', node: state });
  }
  for (const claim of solution.claims) for (const { key } of claim.pods) put(key, { kind: 'new', claim });
  for (const [key, fault] of solution.faults) put(key, { kind: 'unplaced', fault });
  const deferred = [...solution.faults].filter(([, { kind }]) => kind === 'reserved').map(([key]) => key);
  if (deferred.length > 0) {
    const text =
      'deferring scheduling decision for provisionable pod(s) to future simulation due to limited reserved offering capacity';
    const more = deferred.length > 5 ? ` and ${deferred.length - 5} other(s)` : '';
    journal.log(`${text} Pods=${deferred.slice(0, 5).join(', ')}${more}`);
  }
  return { pods: outcomes, claims: solution.claims, offers };
}

/** Pods whose volumes can be told, with where these can be. */
export function withVolumes(
  pods: readonly Pod[],
  cluster: KarpenterCluster,
): ConstructorParameters<typeof Scheduler>[0]['pods'] {
  return pods.flatMap((pod) => {
    const volumes = volumeRequirements(pod, cluster);
    return 'problem' in volumes ? [] : [{ pod: workingPod(pod), volumes: volumes.alternatives }];
  });
}

/** Pods that Karpenter takes into a pass; of the others that are not bound it is told why not. */
export function pendingPods(
  cluster: KarpenterCluster,
  leftOut: (pod: Pod, outcome: PodOutcome) => void,
): readonly Pod[] {
  return cluster.pods.filter((pod) => {
    if (isScheduled(pod)) return false;
    if (!isProvisionable(pod)) {
      leftOut(pod, { kind: 'not-provisionable' });
      return false;
    }
    const ignored = reasonToIgnore(pod, cluster);
    if (ignored !== undefined) leftOut(pod, ignored);
    return ignored === undefined;
  });
}

/** Source: Provisioner.Validate */
function reasonToIgnore(pod: Pod, cluster: KarpenterCluster): PodOutcome | undefined {
  const working = workingPod(pod);
  if (podRequirementsOf(working).get(nodePoolKey)?.operator === 'DoesNotExist') return { kind: 'ignored' };
  const selector = Object.entries(pod.spec?.nodeSelector ?? {}).sort();
  const problems = [
    ...selector.flatMap(([key, value]) => requirementProblems({ key, operator: 'In', values: [value] })),
    ...(working.nodeTerms ?? []).flatMap(({ matchFields, matchExpressions = [] }) => [
      ...(matchFields === undefined ? [] : ['node selector term with matchFields is not supported']),
      ...matchExpressions.flatMap(requirementProblems),
    ]),
  ];
  const ofVolumes = volumeProblem(pod, cluster);
  if (ofVolumes !== undefined) problems.push(ofVolumes);
  return problems.length === 0 ? undefined : { kind: 'ignored', reason: problems.join('; ') };
}
