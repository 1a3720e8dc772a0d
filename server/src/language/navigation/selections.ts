import type { LabelSelector, PodDisruptionBudget, Service } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../fact.ts';
import { isMadeByController } from '../standing.ts';
import { selectedIn, selects } from '../rules/support/selection.ts';

/** What selects pods by their labels. */
const selecting = ['Service', 'PodDisruptionBudget'] as const;

/** The selector of a service or a budget; undefined for other kinds, and for a service without one. */
function selectorOf({ kind, object }: Fact): LabelSelector | undefined {
  if (kind === 'PodDisruptionBudget') return (object as PodDisruptionBudget).spec?.selector;
  if (kind !== 'Service') return undefined;
  const { selector } = (object as Service).spec ?? {};
  return selector === undefined || Object.keys(selector).length === 0 ? undefined : { matchLabels: selector };
}

/** The workloads whose pods a service or a budget selects. */
export function selectedBy(fact: Fact, facts: FactsReader): readonly Fact[] {
  const selector = selectorOf(fact);
  return selector === undefined ? [] : selectedIn(facts, fact.namespace, selector);
}

/** The services and budgets that select the pods of a workload. */
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
