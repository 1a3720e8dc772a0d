import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { quotaScopes } from '../../admission/quota/scopes.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import { quotasIn } from '../rules/support/quotas.ts';
import { factLinks } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';

/**
 * When a deadline ends a pod, and what follows.
 * Sources: pkg/kubelet/active_deadline.go, isTerminating in pkg/quota/v1/evaluator/core/pods.go,
 * ValidatePodTemplateSpecForReplicaSet in pkg/apis/apps/validation
 */
export function deadlineHover({ fact, facts }: HoverPlace): string | undefined {
  const seconds = fact.template?.spec.activeDeadlineSeconds;
  if (seconds === undefined) return undefined;
  const { kind } = fact;
  if (kind !== 'Pod' && kind !== 'Job' && kind !== 'CronJob') {
    return say`**The API server refuses it in a ${kind}**: there pods are to run for good.`;
  }
  const scoped = quotasIn(facts, fact.namespace).filter(({ object }) =>
    quotaScopes(object as ResourceQuota).some(({ scopeName }) => scopeName === 'Terminating'),
  );
  return paragraphs(
    say`**The kubelet ends each pod as failed ${count(seconds, 'second')} after it has taken it up**; the time for which it waits for a node does not count.`,
    points([
      kind === 'Pod'
        ? say`Nothing makes a new one.`
        : say`For its Job that is a failure, which \`backoffLimit\` counts.`,
      say`A simulation does not end it: there it runs on until the scenario lets it finish.`,
      say`Quotas of the scope \`Terminating\` count it, those of \`NotTerminating\` do not${scoped.length === 0 ? '' : say`: here ${factLinks(scoped, facts)}`}.`,
    ]),
  );
}
