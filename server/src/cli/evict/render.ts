import { jsonText } from '../terminal/json.ts';
import { count, list } from '../../kit/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { isHealthy } from '../../disruption/pods.ts';
import { printable, wrap } from '../terminal/text.ts';
import { terminalStyle } from '../terminal/style.ts';
import type { StandingBudget } from '../../simulation/scene/standing-cluster.ts';
import type { EvictionVerdict } from './judge-eviction.ts';

/** The HTTP code that tells a client that the pod goes. */
const granted = 200;

/** Source: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction */
const rateLimits =
  'A 429 that names no budget comes from the rate limits of the API server, and passes by itself; kubectl drain tries again after 5 seconds.';

/** Source: "Troubleshooting stuck evictions" of the same page. */
const waysOut =
  'Until then: pause what evicts, look at the application, or delete the pod directly, which asks no budget.';

const exemptions = {
  'finished-or-pending': 'The pod has ended, has not started or is on its way out, so no budget is asked.',
  'no-budget': 'No PodDisruptionBudget selects the pod.',
  unready: 'The pod is not ready, and its budget lets such pods go.',
  'dry-run': 'A dry run charges no budget.',
} as const;

export function renderVerdict(
  verdict: EvictionVerdict,
  { colour, columns }: { colour: boolean; columns: number },
): string {
  const style = terminalStyle(colour);
  const { answer, remedy, assumptions } = verdict;
  const code = answer.allowed
    ? style.good(`${granted}`)
    : style.bad(`${answer.code}${answer.reason === undefined ? '' : ` ${answer.reason}`}`);
  const reasons = answer.allowed
    ? [answer.exempt === undefined ? chargedText(verdict) : exemptions[answer.exempt], endText(verdict)]
    : [
        answer.message,
        ...(answer.cause === undefined ? [] : [answer.cause]),
        ...(answer.code === 429 ? [rateLimits] : []),
      ];
  const lines = [
    `${style.strong(printable(keyOf(verdict.subject.pod)))}: ${code}`,
    ...reasons.flatMap((text) => wrap([{ text: printable(text) }], columns, '  ')),
  ];
  if (remedy !== undefined) {
    const untilThen = remedy.stuck || remedy.kind === 'ready-pods' ? ` ${waysOut}` : '';
    const head = remedy.stuck
      ? style.warning('Stuck.')
      : style.good(remedy.kind === 'ready-pods' ? 'May pass by itself.' : 'Passes by itself.');
    lines.push(...wrap([{ text: `${head} ${printable(remedy.text)}${untilThen}` }], columns, '  '));
  }
  for (const text of assumptions) {
    lines.push(...wrap([{ text: `Assumed: ${printable(text)}.`, paint: style.faint }], columns, '  '));
  }
  return `${lines.join('\n')}\n`;
}

function chargedText({ answer }: EvictionVerdict): string {
  const [charged] = answer.charged;
  if (charged === undefined) return 'No budget stands in the way.';
  const left = charged.disruptionsAllowed;
  return `PodDisruptionBudget ${charged.budget.metadata?.name ?? ''} allows it, and ${left === 0 ? 'none' : String(left)} more until a replacement is ready.`;
}

function endText({ subject: { pod }, services, gracePeriodSeconds }: EvictionVerdict): string {
  const { deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp !== undefined) return `It is being deleted already, by ${deletionTimestamp}.`;
  if (gracePeriodSeconds === 0) return 'It is gone at once.';
  const sending =
    services.length === 0
      ? isHealthy(pod)
        ? 'No Service selects it'
        : 'It is not ready, and no Service sends to it'
      : `${services.length === 1 ? 'Service' : 'Services'} ${list(services)} ${services.length === 1 ? 'stops' : 'stop'} sending to it at once`;
  return `${sending}; its deletionTimestamp is ${count(gracePeriodSeconds, 'second')} ahead: so long it has to end, and is gone then.`;
}

export function renderVerdictJson(verdict: EvictionVerdict): string {
  const { subject, answer, budgets, remedy, assumptions, gracePeriodSeconds } = verdict;
  const told = answer.allowed
    ? {
        allowed: true,
        code: granted,
        gracePeriodSeconds,
        ...(answer.exempt === undefined ? {} : { exempt: answer.exempt }),
      }
    : {
        allowed: false,
        code: answer.code,
        message: answer.message,
        reason: answer.reason,
        cause: answer.cause,
        retryAfterSeconds: answer.retryAfterSeconds,
      };
  const whole = {
    pod: { namespace: subject.pod.metadata?.namespace, name: subject.pod.metadata?.name },
    workload: subject.workload,
    ...told,
    remedy,
    budgets: budgets.map(budgetOf),
    assumptions,
  };
  return `${jsonText(whole)}\n`;
}

function budgetOf({ budget: { metadata, status }, derived }: StandingBudget): object {
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
