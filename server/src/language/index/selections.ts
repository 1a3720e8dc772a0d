import { isObject, valueAt } from '../../util/values.ts';
import type { LabelSelector, PodDisruptionBudget, Service } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from './fact.ts';
import { isMadeByController } from './priority-ranking.ts';
import { selectedIn, selects } from './selection.ts';

/** What selects pods by their labels. */
const selecting = ['Service', 'PodDisruptionBudget', 'NetworkPolicy'] as const;

/** The selector of what selects pods; undefined for other kinds, and for a service without one. */
function selectorOf({ kind, object, manifest }: Fact): LabelSelector | undefined {
  if (kind === 'PodDisruptionBudget') return (object as PodDisruptionBudget).spec?.selector;
  if (kind === 'NetworkPolicy') return policySelector(valueAt(manifest.value, ['spec', 'podSelector']));
  if (kind !== 'Service') return undefined;
  const { selector } = (object as Service).spec ?? {};
  return selector === undefined || Object.keys(selector).length === 0 ? undefined : { matchLabels: selector };
}

const policySelectors = new WeakMap<object, LabelSelector>();

/** Of a policy, which nobody decodes, what its `podSelector` says by labels alone. */
function policySelector(written: unknown): LabelSelector | undefined {
  if (!isObject(written) || Object.hasOwn(written, 'matchExpressions')) return undefined;
  let selector = policySelectors.get(written);
  if (selector === undefined) {
    const labels = isObject(written['matchLabels']) ? Object.entries(written['matchLabels']) : [];
    const matchLabels = Object.fromEntries(
      labels.filter((label): label is [string, string] => typeof label[1] === 'string'),
    );
    policySelectors.set(written, (selector = { matchLabels }));
  }
  return selector;
}

/** The workloads whose pods a service, a budget or a policy selects. */
export function selectedBy(fact: Fact, facts: FactsReader): readonly Fact[] {
  const selector = selectorOf(fact);
  return selector === undefined ? [] : selectedIn(facts, fact.namespace, selector);
}

/** The services, budgets and policies that select the pods of a workload. */
export function selectorsOf(workload: Fact, facts: FactsReader): readonly Fact[] {
  if (isMadeByController(workload)) return [];
  return selecting.flatMap((kind) =>
    facts.ofKind(kind).filter((fact) => {
      if (fact.namespace !== workload.namespace) return false;
      const selector = selectorOf(fact);
      return selector !== undefined && selects(selector, workload);
    }),
  );
}
