import { count } from '../../kit/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import type { Fact } from '../facts.ts';
import { narrowRange } from './support/narrow.ts';
import { meantBy } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const antiAffinityExceedsDomains: ObjectRule = {
  code: 'anti-affinity-exceeds-domains',
  title: 'Required anti-affinity of more replicas than there are nodes or zones for',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const terms = fact.template?.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (fact.template === undefined || terms.length === 0) return;
    const replicas = replicasOf(fact.object);
    for (const [index, term] of terms.entries()) {
      if (!meantBy(facts, term, fact.namespace).includes(fact)) continue;
      const nodes = facts.ofKind('Node');
      const { values, unlabelled } = domainsOf(nodes, term.topologyKey);
      if (nodes.length === 0 || unlabelled || replicas <= values) continue;
      const path = [
        ...fact.template.path,
        'spec',
        'affinity',
        'podAntiAffinity',
        'requiredDuringSchedulingIgnoredDuringExecution',
        index,
        'topologyKey',
      ];
      const left = replicas - values;
      yield {
        range: narrowRange(fact, path),
        message: `${count(replicas, 'replica')} must be apart by ${term.topologyKey}, of which the known nodes have ${count(values, 'value')}: ${count(left, 'pod')} will stay pending.`,
        fact,
        path,
      };
    }
  },
};

interface Domains {
  readonly values: number;
  /** Nodes without the label are in no domain, and take any number of the pods. */
  readonly unlabelled: boolean;
}

const domainsByKey = new WeakMap<readonly Fact[], Map<string, Domains>>();

/** Into how many domains a topology key divides the nodes. */
function domainsOf(nodes: readonly Fact[], topologyKey: string): Domains {
  let byKey = domainsByKey.get(nodes);
  if (byKey === undefined) domainsByKey.set(nodes, (byKey = new Map<string, Domains>()));
  let domains = byKey.get(topologyKey);
  if (domains === undefined) {
    const labels = nodes.map(({ object }) => labelValue(object.metadata?.labels, topologyKey));
    const values = new Set(labels.filter((value) => value !== undefined));
    byKey.set(topologyKey, (domains = { values: values.size, unlabelled: labels.includes(undefined) }));
  }
  return domains;
}
