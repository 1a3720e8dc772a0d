import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { poolsFor } from '../index/pools.ts';
import { domainsOf } from './support/domains.ts';
import { findingAt } from './support/narrow.ts';
import { meantBy } from '../index/selection.ts';
import { requiredTermsOf } from './support/terms.ts';
import type { ObjectRule } from './support/rule.ts';

export const antiAffinityExceedsDomains: ObjectRule = {
  code: 'anti-affinity-exceeds-domains',
  title: 'Required anti-affinity of more replicas than there are nodes or zones for',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const terms = requiredTermsOf(fact, 'podAntiAffinity');
    if (terms.length === 0) return;
    const replicas = replicasOf(fact.object);
    for (const { term, path } of terms) {
      if (!meantBy(facts, term, fact.namespace).includes(fact)) continue;
      const nodes = facts.ofKind('Node');
      const { values, unlabelled } = domainsOf(nodes, term.topologyKey, fact.template?.spec);
      if (values === 0 || unlabelled || replicas <= values) continue;
      // Pools may make nodes in other domains.
      if (fact.template !== undefined && poolsFor(fact.template.spec, facts).length > 0) continue;
      const left = replicas - values;
      const message = say`${count(replicas, 'replica')} must be apart by ${term.topologyKey}, of which the known nodes that they may use have ${count(values, 'value')}: ${count(left, 'pod')} will stay pending.`;
      yield findingAt(fact, [...path, 'topologyKey'], message);
    }
  },
};
