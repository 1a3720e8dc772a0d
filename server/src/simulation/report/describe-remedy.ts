import { say } from '../../util/say.ts';
import { count, list, outOf } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { roundedText } from '../../disruption/budget-status.ts';
import { controllerOf } from '../../disruption/controllers.ts';
import { wayOfOperator } from '../../disruption/operators.ts';
import type { EvictionRemedy } from '../../disruption/eviction-remedy.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Autoscaling } from '../cluster/autoscaled-workloads.ts';

/** What would let an eviction through, in words. */
export interface Remedy {
  readonly kind: EvictionRemedy['kind'];
  /** Whether it stays refused until somebody changes something. */
  readonly stuck: boolean;
  readonly text: string;
}

/** @param growing an autoscaler that may add pods to those that were counted */
export function describeRemedy(remedy: EvictionRemedy, growing?: Autoscaling): Remedy {
  const { kind } = remedy;
  switch (remedy.kind) {
    case 'retry':
      return {
        kind,
        stuck: false,
        text: say`The disruption controller has yet to look at the budget. Try again in ${count(remedy.afterSeconds, 'second')}.`,
      };
    case 'ready-pods':
      return { kind, stuck: !remedy.passes, text: say`${readyPodsText(remedy)}${unreadyText(remedy)}` };
    case 'wider-budget':
      return {
        kind,
        stuck: true,
        text: say`${widerBudgetText(remedy, growing)}${ownerText(remedy.budget)}${unreadyText(remedy)}`,
      };
    case 'unready-allowed':
      return {
        kind,
        stuck: true,
        text: say`The pod does not work, and its budget keeps it all the same: set \`unhealthyPodEvictionPolicy: AlwaysAllow\` in PodDisruptionBudget ${keyOf(remedy.budget)}, or fix the pods. Now ${list(
          remedy.unready.map(({ text }) => text),
          longest,
        )}.`,
      };
    case 'working-budget':
      return {
        kind,
        stuck: true,
        text: say`The disruption controller cannot work out PodDisruptionBudget ${keyOf(remedy.budget)}: ${remedy.message}. Until it can, nothing is evicted.${
          remedy.message.includes('scale subresource')
            ? say` Leave such pods out of its selector, or give minAvailable as a number.`
            : ''
        }`,
      };
    case 'single-budget':
      return {
        kind,
        stuck: true,
        text: say`${list(remedy.budgets.map((budget) => `PodDisruptionBudget ${keyOf(budget)}`))} all select the pod. Change their selectors so that only one does.`,
      };
    case 'running-controller':
      return {
        kind,
        stuck: true,
        text: say`The disruption controller does not confirm evictions. See whether kube-controller-manager runs.`,
      };
    case 'end-of-namespace':
      return {
        kind,
        stuck: false,
        text: say`The namespace is being deleted, and its pods with it: nothing is evicted there.`,
      };
    case 'current-request':
      return { kind, stuck: false, text: say`The request was about another version of the pod. Ask again.` };
  }
}

function unreadyText({ keepsUnready }: { readonly keepsUnready: boolean }): string {
  return keepsUnready
    ? say` The pod is not ready: with \`unhealthyPodEvictionPolicy: AlwaysAllow\` its budget would let it go.`
    : '';
}

/** What an operator makes, it keeps as it wants it. */
function ownerText(budget: PodDisruptionBudget): string {
  const owner = controllerOf(budget);
  return owner === undefined ? '' : say` ${owner.kind} ${owner.name} keeps the budget as it is: change it there.`;
}

/** More pods are counted. */
const longest = 5;

function readyPodsText({ missing, unready, passes }: EvictionRemedy & { readonly kind: 'ready-pods' }): string {
  const more = count(missing, 'more pod', 'more pods');
  if (unready.length === 0) {
    return say`Passes once ${more} of the budget ${missing === 1 ? 'is' : 'are'} ready: never, where their replacements cannot start (CrashLoopBackOff, ImagePullBackOff), stay Pending, or wait for pods with a day to end.`;
  }
  const named = list(
    unready.map(({ text }) => text),
    longest,
  );
  return passes
    ? say`Passes once ${more} of the budget ${missing === 1 ? 'is' : 'are'} ready. Now ${named}.`
    : say`Passes only once you make ${more} of the budget ready: ${named}.`;
}

function widerBudgetText(
  { budget, maker }: EvictionRemedy & { readonly kind: 'wider-budget' },
  growing: Autoscaling | undefined,
): string {
  const way = wayOfOperator(maker);
  const { expectedPods = 0, desiredHealthy = 0 } = budget.status ?? {};
  if (expectedPods === 0) {
    return say`PodDisruptionBudget ${keyOf(budget)} expects no pods, so it lets none go. Give it minAvailable or maxUnavailable, and pods that a controller with replicas makes.`;
  }
  const pods = say`${outOf(desiredHealthy, count(expectedPods, 'pod'))}${roundedText(budget.spec, expectedPods)}`;
  if (growing !== undefined) {
    return say`PodDisruptionBudget ${keyOf(budget)} wants ${pods} healthy, so none may go before HorizontalPodAutoscaler ${growing.autoscaler} has added some. Lower minAvailable, raise maxUnavailable, or raise minReplicas.`;
  }
  if (way !== undefined) {
    return say`PodDisruptionBudget ${keyOf(budget)} wants ${pods} healthy, so none may ever go: ${way}.`;
  }
  if (budget.spec?.maxUnavailable !== undefined) {
    return say`PodDisruptionBudget ${keyOf(budget)} wants ${pods} healthy, so none may ever go. Raise maxUnavailable.`;
  }
  return budget.spec?.minAvailable === '100%'
    ? say`PodDisruptionBudget ${keyOf(budget)} wants ${pods} healthy, so none may ever go. Lower minAvailable.`
    : say`PodDisruptionBudget ${keyOf(budget)} wants ${pods} healthy, so none may ever go. Lower minAvailable, or add replicas.`;
}
