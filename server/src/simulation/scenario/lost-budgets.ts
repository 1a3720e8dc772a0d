import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { keyOf, keyOfObject, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';

/** Workloads that are named. */
const mostNamed = 3;

/** Budgets whose labels, or those of the pods, are others now, so that they no longer protect a workload that stays. */
export function lostBudgets(before: readonly KubeObject[], now: readonly KubeObject[]): readonly string[] {
  const budgets = new Map(before.filter(isBudget).map((budget) => [keyOf(budget), budget]));
  const workloads = new Map(before.map((object) => [keyOfObject(object), object]));
  return now.filter(isBudget).flatMap((budget) => {
    const was = budgets.get(keyOf(budget));
    if (was === undefined) return [];
    const lost = now.filter((object) => {
      const earlier = workloads.get(keyOfObject(object));
      return (
        earlier !== undefined &&
        (object.metadata?.ownerReferences ?? []).length === 0 &&
        (was !== budget || earlier !== object) &&
        selects(was, earlier) &&
        !selects(budget, object)
      );
    });
    const names = [...new Set(lost.map(nameOf))];
    return names.length === 0 ? [] : [say`budget ${keyOf(budget)} no longer protects ${list(names, mostNamed)}`];
  });
}

function isBudget(object: KubeObject): object is PodDisruptionBudget {
  return object.kind === 'PodDisruptionBudget';
}

function selects({ spec, ...budget }: PodDisruptionBudget, object: KubeObject): boolean {
  const labels = podTemplateOf(object)?.metadata.labels;
  return (
    labels !== undefined &&
    namespaceOf(object) === namespaceOf(budget) &&
    compileLabelSelector(spec?.selector).matches(labels)
  );
}
