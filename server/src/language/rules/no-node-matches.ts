import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import { count } from '../markdown.ts';
import { isStoredPod } from '../priority-classes.ts';
import { narrowRange } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const noNodeMatches: ObjectRule = {
  code: 'no-node-matches',
  title: 'No known node has the labels that a pod asks for, or all that have them carry a taint it does not tolerate',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const { template } = fact;
    // DaemonSets tolerate what their controller adds; on no node they have no pods, which may be meant.
    if (template === undefined || fact.kind === 'DaemonSet' || isStoredPod(fact)) return;
    const nodes = facts.ofKind('Node').map(({ object }) => object as Node);
    if (nodes.length === 0) return;
    const { spec, path } = template;
    if (spec.nodeName !== undefined && spec.nodeName !== '') return;
    const required = compileRequiredNodeAffinity(spec);
    const matching = nodes.filter((node) => required.matches(selectableNode(node)));
    if (matching.length === 0) {
      const part = spec.nodeSelector === undefined ? ['affinity', 'nodeAffinity'] : ['nodeSelector'];
      yield {
        range: narrowRange(fact, [...path, 'spec', ...part]),
        message: `None of the ${count(nodes.length, 'known node')} matches the node selector and affinity of these pods: they would stay pending.`,
        fact,
      };
      return;
    }
    const taints = matching.map((node) => firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS));
    const [first] = taints;
    if (first === undefined || taints.includes(undefined)) return;
    const value = first.value === undefined || first.value === '' ? '' : `=${first.value}`;
    yield {
      range: narrowRange(fact, [...path, 'spec', 'tolerations']),
      message: `Every node that these pods may run on has a taint that they do not tolerate, such as ${first.key}${value}:${first.effect}: they would stay pending.`,
      fact,
    };
  },
};
