import { type EvictionAnswer, budgetsOfPod, evict } from '../../disruption/eviction.ts';
import { remedyFor } from '../../disruption/eviction-remedy.ts';
import type { StandingBudget, StandingCluster, StandingPod } from '../../simulation/standing-cluster.ts';
import { describeRemedy, type Remedy } from './describe-remedy.ts';

/** What the eviction API answers about one pod, and on what that rests. */
export interface EvictionVerdict {
  readonly subject: StandingPod;
  readonly answer: EvictionAnswer;
  /** Those that select the pod. */
  readonly budgets: readonly StandingBudget[];
  /** Absent when the eviction is granted. */
  readonly remedy?: Remedy;
  readonly assumptions: readonly string[];
  /** How long the pod may take to end once its eviction is granted. */
  readonly gracePeriodSeconds: number;
}

/** Judges the eviction of a pod at `now`, in ms since the epoch. */
export function judgeEviction(cluster: StandingCluster, subject: StandingPod, now: number): EvictionVerdict {
  const all = cluster.budgets(now);
  const { pod } = subject;
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
  const budgets = all.filter(({ budget }) => selecting.has(budget));
  return {
    subject,
    answer,
    budgets,
    ...(answer.allowed ? {} : { remedy: describeRemedy(remedyFor(answer)) }),
    assumptions: assumptionsOf(subject, budgets),
    gracePeriodSeconds: gracePeriodOf(subject),
  };
}

function assumptionsOf({ assumed, workload }: StandingPod, budgets: readonly StandingBudget[]): string[] {
  const derived = budgets.filter((budget) => budget.derived).map(({ budget }) => budget.metadata?.name ?? '');
  return [
    ...(assumed === 'existence'
      ? [`${workload.kind} ${workload.namespace}/${workload.name} has made its pods; they run and are ready`]
      : []),
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
