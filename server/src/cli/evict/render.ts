import { count, list } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { controllerOf } from '../../disruption/controllers.ts';
import { isHealthy } from '../../disruption/pods.ts';
import type { EvictionRefused } from '../../disruption/eviction.ts';
import { type AnswerPart, type CommandAnswer, commandLine, type PartLine } from '../answer/answer.ts';
import type { StandingBudget } from '../../simulation/cluster/standing-cluster.ts';
import type { EvictionVerdict } from './judge-eviction.ts';

/** The HTTP code that tells a client that the pod goes. */
const granted = 200;

/** Source: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction */
const rateLimits =
  'A 429 that names no budget comes from the rate limits of the API server, and passes by itself; kubectl drain tries again after 5 seconds.';

/** Source: "Troubleshooting stuck evictions" of the same page. */
const waysOut =
  'Until then: pause what evicts, look at the application, or delete the pod directly, which asks no budget.';

/** Too few are ready: none of these is to be deleted. */
const remake =
  'Until then: pause what evicts, or look at the application; a pod that is not ready may be deleted, and is made anew.';

const exemptions = {
  'finished-or-pending': 'The pod has ended, has not started or is on its way out, so no budget is asked.',
  'no-budget': 'No PodDisruptionBudget selects the pod.',
  unready: 'The pod is not ready, and its budget lets such pods go.',
  'dry-run': 'A dry run charges no budget.',
} as const;

/**
 * @param unblockedBy operations each of which was tried and lets it through
 * @param command what has been typed, to be typed again with one of them
 */
export function evictionAnswer(
  verdict: EvictionVerdict,
  unblockedBy: readonly string[] = [],
  command?: string,
): CommandAnswer {
  const { answer, remedy, assumptions, budgets } = verdict;
  const pod = keyOf(verdict.subject.pod);
  const lines: (string | PartLine)[] = answer.allowed
    ? [
        answer.exempt === undefined ? chargedText(verdict) : exemptions[answer.exempt],
        endText(verdict),
        ...(controllerOf(verdict.subject.pod) === undefined && verdict.subject.workload.kind === 'Pod'
          ? ['No controller makes it anew.']
          : []),
      ]
    : [
        answer.message,
        ...(answer.cause === undefined ? [] : [answer.cause]),
        ...(answer.code === 429 ? [rateLimits] : []),
      ];
  if (remedy !== undefined) {
    const ways = remedy.kind === 'ready-pods' ? remake : waysOut;
    const untilThen = remedy.stuck || remedy.kind === 'ready-pods' ? ` ${ways}` : '';
    const head = remedy.stuck ? 'Stuck.' : remedy.kind === 'ready-pods' ? 'May pass by itself.' : 'Passes by itself.';
    lines.push({ text: `${head} ${remedy.text}${untilThen}`, tone: remedy.stuck ? 'warning' : 'good' });
  }
  lines.push(...assumptions.map((text): PartLine => ({ text: `Assumed: ${text}.`, tone: 'faint' })));
  const behind =
    answer.allowed || budgets.length === 0 ? '' : ` by ${list(budgets.map(({ budget }) => `budget ${keyOf(budget)}`))}`;
  return {
    verdict: answer.allowed
      ? `${pod}: ${granted}, granted.`
      : `${pod}: ${answer.code}${answer.reason === undefined ? '' : ` ${answer.reason}`}, refused${behind}.`,
    tone: answer.allowed ? 'good' : 'bad',
    parts: [
      { title: '', lines },
      ...(unblockedBy.length === 0
        ? []
        : [
            {
              title: unblockedBy.length === 1 ? 'This would let it go' : 'Any of these alone would let it go',
              lines: unblockedBy.flatMap((each): AnswerPart['lines'] => [
                each,
                ...(command === undefined ? [] : [commandLine(command, [each])]),
              ]),
            },
          ]),
    ],
  };
}

function chargedText({ answer }: EvictionVerdict): string {
  const [charged] = answer.charged;
  if (charged === undefined) return 'No budget stands in the way.';
  const left = charged.disruptionsAllowed;
  return `PodDisruptionBudget ${charged.budget.metadata?.name ?? ''} allows it, and ${left === 0 ? 'none' : String(left)} more until a replacement is ready.`;
}

const mirrorPod = 'kubernetes.io/config.mirror';

function endText({ subject: { pod, leaves }, services, gracePeriodSeconds }: EvictionVerdict): string {
  if (leaves !== null) return `The taint of ${leaves} evicts it, whatever its budgets say.`;
  const { deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp !== undefined) return `It is being deleted already, by ${deletionTimestamp}.`;
  if (Object.hasOwn(pod.metadata?.annotations ?? {}, mirrorPod)) {
    return `It mirrors a static pod: its containers go on running, and the kubelet of ${pod.spec?.nodeName ?? 'its node'} makes it anew. What ends it is to take its file away there.`;
  }
  if (gracePeriodSeconds === 0) return 'It is gone at once.';
  const sending =
    services.length === 0
      ? isHealthy(pod)
        ? 'No Service selects it'
        : 'It is not ready, and no Service sends to it'
      : `${services.length === 1 ? 'Service' : 'Services'} ${list(services)} ${services.length === 1 ? 'stops' : 'stop'} sending to it at once`;
  return `${sending}; its deletionTimestamp is ${count(gracePeriodSeconds, 'second')} ahead: so long it has to end, and is gone then.`;
}

/** The same as data. */
export function verdictData(verdict: EvictionVerdict, unblockedBy: readonly string[] = []) {
  const { subject, answer, budgets, remedy, assumptions, gracePeriodSeconds } = verdict;
  const data = answer.allowed
    ? {
        allowed: true,
        code: granted,
        gracePeriodSeconds,
        ...(answer.exempt === undefined ? {} : { exempt: answer.exempt }),
      }
    : refusalData(answer);
  return {
    pod: { namespace: subject.pod.metadata?.namespace, name: subject.pod.metadata?.name },
    workload: subject.workload,
    ...(subject.leaves === null ? {} : { evictedByTaintOf: subject.leaves }),
    ...data,
    remedy,
    ...(unblockedBy.length === 0 ? {} : { unblockedBy }),
    budgets: budgets.map(budgetOf),
    assumptions,
  };
}

/** What the API server refuses an eviction with, as data. */
export function refusalData({ code, message, reason, cause, retryAfterSeconds }: EvictionRefused) {
  return { allowed: false, code, message, reason, cause, retryAfterSeconds };
}

function budgetOf({ budget: { metadata, status }, derived }: StandingBudget) {
  return {
    namespace: metadata?.namespace ?? 'default',
    name: metadata?.name ?? '',
    expectedPods: status?.expectedPods ?? 0,
    desiredHealthy: status?.desiredHealthy ?? 0,
    currentHealthy: status?.currentHealthy ?? 0,
    disruptionsAllowed: status?.disruptionsAllowed ?? 0,
    derived,
  };
}
