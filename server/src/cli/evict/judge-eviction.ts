import { countsControllers } from '../../disruption/budget-status.ts';
import { type EvictionAnswer, budgetsOfPod, evict } from '../../disruption/eviction.ts';
import { remedyFor } from '../../disruption/eviction-remedy.ts';
import { type UnreadyPod, unreadyPods } from '../../disruption/unready-pods.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { StandingBudget, StandingCluster, StandingPod } from '../../simulation/cluster/standing-cluster.ts';
import { count, titleOf } from '../../util/words.ts';
import { describeRemedy, type Remedy } from '../../simulation/report/describe-remedy.ts';

/** What the eviction API answers about one pod, and on what that rests. */
export interface EvictionVerdict {
  readonly subject: StandingPod;
  readonly answer: EvictionAnswer;
  /** Those that select the pod. */
  readonly budgets: readonly StandingBudget[];
  /** Absent when the eviction is granted. */
  readonly remedy?: Remedy;
  readonly assumptions: readonly string[];
  /** Services that send to the pod. */
  readonly services: readonly string[];
  /** How long the pod may take to end once its eviction is granted. */
  readonly gracePeriodSeconds: number;
}

/** Judges the eviction of a pod at `now`, in ms since the epoch. */
export function judgeEviction(cluster: StandingCluster, subject: StandingPod, now: number): EvictionVerdict {
  const all = cluster.budgets(now);
  // A taint has it deleted already.
  const pod = subject.leaves === null ? subject.pod : deleted(subject.pod, now);
  const answer = evict(
    pod,
    all.map(({ budget }) => budget),
  );
  const selecting = new Set(
    budgetsOfPod(
      pod,
      all.map(({ budget }) => budget),
    ),
  );
  const budgets = subject.leaves === null ? all.filter(({ budget }) => selecting.has(budget)) : [];
  const derived = budgets.filter((budget) => budget.derived);
  const counted = workloadsOf(cluster, derived);
  const countsScales = derived.some(({ budget }) => countsControllers(budget.spec));
  const growing = counted
    .map((workload) => cluster.scaleOf(workload).autoscaling)
    .find((each) => each?.mayGrow === true);
  const unreadyOf = (budget: PodDisruptionBudget): readonly UnreadyPod[] => unreadyPods(podsOf(cluster, budget), now);
  return {
    subject,
    answer,
    budgets,
    ...(answer.allowed ? {} : { remedy: describeRemedy(remedyFor(answer, { pod, unreadyOf }), growing) }),
    assumptions: [
      ...assumptionsOf(subject, budgets),
      ...counted.flatMap((workload) => scaleText(cluster, workload, countsScales)),
    ],
    services: cluster.servicesOf(pod),
    gracePeriodSeconds: gracePeriodOf(subject),
  };
}

function deleted(pod: Pod, now: number): Pod {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: new Date(now).toISOString() } };
}

type Workload = StandingPod['workload'];

function podsOf(cluster: StandingCluster, budget: PodDisruptionBudget): readonly Pod[] {
  return cluster.pods.map(({ pod }) => pod).filter((pod) => budgetsOfPod(pod, [budget]).length > 0);
}

/** The workloads whose pods the budgets select. */
function workloadsOf(cluster: StandingCluster, budgets: readonly StandingBudget[]): Workload[] {
  const all = budgets.map(({ budget }) => budget);
  const found = new Map<string, Workload>();
  for (const { pod, workload } of cluster.pods) {
    const name = titleOf(workload);
    if (!found.has(name) && budgetsOfPod(pod, all).length > 0) found.set(name, workload);
  }
  return [...found.values()];
}

/** Which number of pods is counted, where a manifest does not say it alone. */
function scaleText(cluster: StandingCluster, workload: Workload, countsScales: boolean): string[] {
  const { autoscaling, assumed } = cluster.scaleOf(workload);
  if (autoscaling !== undefined && autoscaling.replicas > 0) {
    const { autoscaler, min, max, replicas, live } = autoscaling;
    const which = live ? 'as many as the cluster has' : 'the fewest';
    return [
      `HorizontalPodAutoscaler ${autoscaler} keeps ${titleOf(workload)} at ${min} to ${max} pods; counted: ${replicas}, ${which}`,
    ];
  }
  if (assumed === undefined || !countsScales) return [];
  const what =
    assumed.from === 'spec' ? `its spec.replicas, ${assumed.replicas}` : `its ${count(assumed.replicas, 'pod')}`;
  return [`${titleOf(workload)} (${assumed.apiVersion}) has a scale; counted: ${what}`];
}

function assumptionsOf({ pod, assumed, workload }: StandingPod, budgets: readonly StandingBudget[]): string[] {
  const derived = budgets.filter((budget) => budget.derived).map(({ budget }) => budget.metadata?.name ?? '');
  return [
    ...(assumed !== 'existence'
      ? []
      : pod.status?.phase === 'Pending'
        ? [`${titleOf(workload)} has made its pods, and this one has no node`]
        : [`${titleOf(workload)} has made its pods; they run and are ready`]),
    ...(assumed === 'state' ? ['the pod runs and is ready'] : []),
    ...(derived.length === 0
      ? []
      : [`the status of ${derived.join(', ')} is worked out from the pods, as the disruption controller would`]),
  ];
}

/** Source: SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go (DefaultTerminationGracePeriodSeconds) */
const defaultGracePeriodSeconds = 30;

/** Pods that no kubelet has to stop go at once. Source: CheckGracefulDelete in pkg/registry/core/pod/strategy.go */
function gracePeriodOf({ pod: { spec, status }, assumed }: StandingPod): number {
  const isOnNode = (spec?.nodeName ?? '') !== '' || assumed !== null;
  if (!isOnNode || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const seconds = spec?.terminationGracePeriodSeconds ?? defaultGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}
