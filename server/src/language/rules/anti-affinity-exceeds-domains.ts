import { say } from '../../kit/say.ts';
import { count } from '../../kit/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import type { Node, PodSpec } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import type { Fact } from '../fact.ts';
import { keptByKey } from './support/kept.ts';
import { findingAt } from './support/narrow.ts';
import { meantBy } from './support/selection.ts';
import { requiredTermsOf } from './support/terms.ts';
import type { ObjectRule } from './rule.ts';

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
      const left = replicas - values;
      const message = say`${count(replicas, 'replica')} must be apart by ${term.topologyKey}, of which the known nodes that they may use have ${count(values, 'value')}: ${count(left, 'pod')} will stay pending.`;
      yield findingAt(fact, [...path, 'topologyKey'], message);
    }
  },
};

interface Domains {
  readonly values: number;
  /** Nodes without the label are in no domain, and take any number of the pods. */
  readonly unlabelled: boolean;
}

const kept = keptByKey<Domains>();

/** Into how many domains a topology key divides the nodes that the pods may use. */
function domainsOf(nodes: readonly Fact[], topologyKey: string, spec: PodSpec | undefined): Domains {
  const { nodeSelector, affinity, tolerations } = spec ?? {};
  const key = JSON.stringify([topologyKey, nodeSelector, affinity?.nodeAffinity, tolerations]);
  return kept(nodes, key, () => {
    const required = compileRequiredNodeAffinity(spec);
    const open = nodes.filter(({ object }) => {
      const node = object as Node;
      return (
        required.matches(selectableNode(node)) &&
        firstUntolerated(node.spec?.taints, tolerations, NO_SCHEDULE_EFFECTS) === undefined
      );
    });
    const labels = open.map(({ object }) => labelValue(object.metadata?.labels, topologyKey));
    const values = new Set(labels.filter((value) => value !== undefined));
    return { values: values.size, unlabelled: labels.includes(undefined) };
  });
}
