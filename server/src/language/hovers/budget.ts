import { least } from '../../util/extremes.ts';
import { joined, say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { code, plain } from '../connection/markdown.ts';
import { preemptors } from '../index/priority-ranking.ts';
import { podPriority } from '../index/priority-classes.ts';
import { type BudgetOutlook, budgetOutlook } from '../rules/support/budgets.ts';
import { workloadsOfBudget } from '../rules/support/overlaps.ts';
import { selects } from '../index/selection.ts';
import { factLink, factLinks } from './links.ts';

/** What a budget allows, what it holds for and what not. */
export function budgetHover(fact: Fact, facts: Facts): string {
  const { status } = fact.object as PodDisruptionBudget;
  const selected = workloadsOfBudget(fact, facts);
  const outlook = budgetOutlook(fact, facts);
  return joined(
    [
      say`**PodDisruptionBudget ${code(fact.name)}**${outlook === undefined ? '' : say`: allows ${count(outlook.allowed, 'disruption')}`}`,
      selected.length === 0
        ? say`Selects none of the workloads that are declared here.`
        : say`Selects pods of ${factLinks(selected, facts)}.`,
      outlook === undefined ? '' : arithmeticText(outlook),
      status?.disruptionsAllowed === undefined
        ? ''
        : say`In the cluster: ${count(status.disruptionsAllowed, 'disruption')} allowed, ${status.currentHealthy ?? 0} of ${status.desiredHealthy ?? 0} desired pods healthy.`,
      joined(
        [
          say`- Holds for \`kubectl drain\` and everything else that uses the eviction API.`,
          say`- Preemption only prefers to keep it${preemptionText(selected, facts)}.`,
          say`- Does not hold for node pressure, for deleted pods and for workloads that are scaled down.`,
        ],
        '\n',
      ),
    ].filter((part) => part !== ''),
    '\n\n',
  );
}

function arithmeticText({ pods, desiredHealthy, unscaled, autoscaled }: BudgetOutlook): string {
  if (unscaled !== undefined) {
    return say`The pods of ${plain(titleOf(unscaled))} have no scale to count, so the disruption controller allows nothing.`;
  }
  const least = autoscaled === undefined ? '' : say` at the least, which the autoscaler may raise`;
  return say`Worked out from the manifests: ${count(pods, 'pod')}${least}, of which ${desiredHealthy} must stay healthy.`;
}

function preemptionText(selected: readonly Fact[], facts: Facts): string {
  const priorities = selected.flatMap((workload) => {
    const resolved = podPriority(facts, workload);
    return resolved?.admitted === true ? [resolved.priority] : [];
  });
  if (priorities.length === 0) return '';
  const above = preemptors(facts, least(priorities), selected);
  return above.count === 0 ? '' : say`: ${count(above.count, 'workload')} of higher priority may evict its pods`;
}

/** What the eviction API would answer for a pod of a workload while all of them are healthy, and what is in the way. */
export function evictionHover(workload: Fact, facts: Facts): string {
  const budgets = facts
    .ofKind('PodDisruptionBudget')
    .filter(
      (budget) =>
        budget.namespace === workload.namespace &&
        selects((budget.object as PodDisruptionBudget).spec?.selector, workload),
    );
  const [budget, second] = budgets;
  if (budget === undefined) return say`Eviction: always granted, as no budget selects its pods.`;
  if (second !== undefined) {
    return say`Eviction: refused with 500, because ${factLinks(budgets, facts)} both select its pods, and the eviction API supports one budget for a pod. Change one of their selectors.`;
  }
  const outlook = budgetOutlook(budget, facts);
  if (outlook === undefined) return say`Eviction: up to ${factLink(budget, facts)}.`;
  if (outlook.allowed > 0) {
    return say`Eviction: granted for ${count(outlook.allowed, 'pod')} at a time, by ${factLink(budget, facts)}.`;
  }
  const needs = say`${factLink(budget, facts)} needs ${outlook.desiredHealthy} of ${count(outlook.pods, 'pod')}`;
  if (outlook.autoscaled !== undefined) {
    return say`Eviction: refused with 429 while the autoscaler is at its minimum, as ${needs}. Once it has added pods, it may pass; a higher minimum or a looser budget would unblock it for good.`;
  }
  return say`Eviction: refused with 429 for ever, as ${needs}. More replicas or a looser budget would unblock it.`;
}
