import { likelyName } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { fixAt, replaceScalar } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { labelsOf, podsSelectedIn, selectedIn, workloadsIn } from '../index/selection.ts';
import type { Fix, ObjectRule } from './support/rule.ts';

const path = ['spec', 'selector'];

export const budgetSelectsNothing: ObjectRule = {
  code: 'budget-selects-nothing',
  title: 'A PodDisruptionBudget selects no pods',
  // Its pods may be declared elsewhere.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const { selector } = (fact.object as PodDisruptionBudget).spec ?? {};
    const compiled = compileLabelSelector(selector);
    if (compiled.invalid !== undefined) return;
    if (compiled.isNothing) {
      yield findingAt(fact, path, say`Without a selector this budget selects no pods, and so protects nothing.`);
      return;
    }
    // Where no workload of the namespace is known, the budget is not to blame.
    if (workloadsIn(facts, fact.namespace).length === 0 || selectedIn(facts, fact.namespace, selector).length > 0) {
      return;
    }
    // A pod may be there without whoever made it.
    if (podsSelectedIn(facts, fact.namespace, compiled).length > 0) return;
    // Names of several things differ in a number.
    const near = meantLabels(fact, facts).find(({ meant }) => !/\d/.test(meant));
    const meant = near === undefined ? '' : say`; did you mean ${near.key}: ${near.meant}?`;
    const message = say`None of the workloads declared in namespace "${fact.namespace}" has these labels, so this budget protects nothing${meant === '' ? '.' : meant}`;
    yield findingAt(fact, path, message, {
      absence: { of: 'Pod', namespace: fact.namespace },
      ...(near === undefined ? {} : { severity: 'warning' as const }),
    });
  },
  fix: fixAt((fact, _path, { facts }) =>
    meantLabels(fact, facts).map(({ key, meant }): Fix => {
      const edits = [replaceScalar(fact, [...path, 'matchLabels', key], meant)];
      return { title: say`Change to ${meant}`, preferred: true, edits };
    }),
  ),
};

/** Labels whose value is nearly one with which the budget would select pods. */
function meantLabels(fact: Fact, facts: FactsReader): readonly { readonly key: string; readonly meant: string }[] {
  const { selector = {} } = (fact.object as PodDisruptionBudget).spec ?? {};
  const { matchLabels = {} } = selector;
  return Object.entries(matchLabels).flatMap(([key, value]) => {
    const meant = likelyName(value, [...(labelValues(workloadsIn(facts, fact.namespace)).get(key) ?? [])]);
    if (meant === undefined) return [];
    const meantSelector = { ...selector, matchLabels: { ...matchLabels, [key]: meant } };
    return selectedIn(facts, fact.namespace, meantSelector).length === 0 ? [] : [{ key, meant }];
  });
}

const known = new WeakMap<readonly Fact[], Map<string, Set<string>>>();

/** The values that workloads have of each label. */
function labelValues(workloads: readonly Fact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = known.get(workloads) ?? new Map<string, Set<string>>();
  if (known.has(workloads)) return values;
  known.set(workloads, values);
  for (const [key, value] of workloads.flatMap((workload) => Object.entries(labelsOf(workload)))) {
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return values;
}
