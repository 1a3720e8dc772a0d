import { say } from '../../util/say.ts';
import { titleOf } from '../../util/words.ts';
import type { PodAffinityTerm } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { compile, meantBy, namespacesOf, podsSelectedIn } from '../index/selection.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';
import { requiredTermsOf } from './support/terms.ts';

export const affinityCircle: ObjectRule = {
  code: 'affinity-circle',
  title: 'Pods of two workloads require each other, and none can be the first',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (isStoredPod(fact)) return;
    for (const { term, path } of requiredTermsOf(fact, 'podAffinity')) {
      const [first, ...others] = awaited(fact, term, facts);
      if (first === undefined || ![first, ...others].every((each) => needs(each, fact, facts))) continue;
      const message = say`These pods need a pod of ${titleOf(first)} beside them, and those need one of these: while none of them runs, none is placed. The scheduler lets a first pod in only where its own labels match its term.`;
      yield findingAt(fact, [...path, 'labelSelector'], message, {
        related: () => [first],
        absence: { of: 'Pod', namespace: fact.namespace },
      });
    }
  },
};

/** Workloads of which a pod has to be there first; none where one runs, or may be the first. */
function awaited(fact: Fact, term: PodAffinityTerm, facts: FactsReader): readonly Fact[] {
  const meant = meantBy(facts, term, fact.namespace);
  if (meant.includes(fact)) return [];
  const selector = compile(term.labelSelector);
  const runs = [...namespacesOf(facts, term, fact.namespace)].some((namespace) =>
    podsSelectedIn(facts, namespace, selector).some(isStoredPod),
  );
  return runs ? [] : meant;
}

/** Whether the pods of a workload wait for those of another alone. */
function needs(workload: Fact, other: Fact, facts: FactsReader): boolean {
  return requiredTermsOf(workload, 'podAffinity').some(({ term }) => {
    const all = awaited(workload, term, facts);
    return all.length === 1 && all[0] === other;
  });
}
