import { labelValue } from '../../kubernetes/labels.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { count } from '../markdown.ts';
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
      const domains = new Set(
        nodes.flatMap(({ object }) => labelValue(object.metadata?.labels, term.topologyKey) ?? []),
      );
      // Nodes without the label are in no domain, and take any number of the pods.
      const unlabelled = nodes.some(
        ({ object }) => labelValue(object.metadata?.labels, term.topologyKey) === undefined,
      );
      if (nodes.length === 0 || unlabelled || replicas <= domains.size) continue;
      const path = [
        ...fact.template.path,
        'spec',
        'affinity',
        'podAntiAffinity',
        'requiredDuringSchedulingIgnoredDuringExecution',
        index,
        'topologyKey',
      ];
      const left = replicas - domains.size;
      yield {
        range: narrowRange(fact, path),
        message: `${count(replicas, 'replica')} must be apart by ${term.topologyKey}, of which the known nodes have ${count(domains.size, 'value')}: ${count(left, 'pod')} will stay pending.`,
        fact,
        path,
      };
    }
  },
};
