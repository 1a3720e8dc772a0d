import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { compileLabelSelector, type Labels } from '../../kubernetes/labels.ts';
import { keyOf, keyOfObject, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';

/** Workloads that are named. */
const mostNamed = 3;

/** Budgets whose labels, or those of the pods, are others now, so that they no longer protect a workload that stays. */
export function lostBudgets(before: readonly KubeObject[], now: readonly KubeObject[]): readonly string[] {
  const budgets = new Map(before.filter(isBudget).map((budget) => [keyOf(budget), budget]));
  const workloads = new Map(before.map((object) => [keyOfObject(object), object]));
  const stay = now.flatMap((object) => {
    const [was, is] = [labelsOf(workloads.get(keyOfObject(object))), labelsOf(object)];
    const isOwned = (object.metadata?.ownerReferences ?? []).length > 0;
    return was === undefined || is === undefined || isOwned ? [] : [{ object, was, is }];
  });
  // There may be thousands of budgets and workloads, of which few are changed.
  const relabelled = stay.filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is));
  return now.filter(isBudget).flatMap((budget) => {
    const was = budgets.get(keyOf(budget));
    if (was === undefined) return [];
    const [selected, selects] = [was, budget].map(({ spec }) => compileLabelSelector(spec?.selector));
    const isSame = JSON.stringify(was.spec?.selector) === JSON.stringify(budget.spec?.selector);
    const lost = (isSame ? relabelled : stay).filter(
      (each) =>
        namespaceOf(each.object) === namespaceOf(budget) && selected!.matches(each.was) && !selects!.matches(each.is),
    );
    const names = [...new Set(lost.map(({ object }) => nameOf(object)))];
    return names.length === 0 ? [] : [say`budget ${keyOf(budget)} no longer protects ${list(names, mostNamed)}`];
  });
}

function labelsOf(object: KubeObject | undefined): Labels | undefined {
  return object && podTemplateOf(object)?.metadata.labels;
}

function isBudget(object: KubeObject): object is PodDisruptionBudget {
  return object.kind === 'PodDisruptionBudget';
}
