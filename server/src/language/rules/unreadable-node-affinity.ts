import { say } from '../../util/say.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { NodeSelectorTerm } from '../../kubernetes/objects.ts';
import { unreadableParts } from '../../kubernetes/unreadable-node-terms.ts';
import type { Fact } from '../index/fact.ts';
import type { Finding, ObjectRule } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

export const unreadableNodeAffinity: ObjectRule = {
  code: 'unreadable-node-affinity',
  title: 'Node affinity that the API server accepts and kube-scheduler cannot read',
  severity: 'warning',
  scope: 'object',
  *check({ fact }) {
    if (fact.template === undefined) return;
    const { spec, path } = fact.template;
    const affinity = spec.affinity?.nodeAffinity;
    const at: Path = [...path, 'spec', 'affinity', 'nodeAffinity'];
    for (const [index, term] of (affinity?.[required]?.nodeSelectorTerms ?? []).entries()) {
      yield* findings(
        fact,
        term,
        [...at, required, 'nodeSelectorTerms', index],
        isComparison,
        say`The term matches no node.`,
      );
    }
    for (const [index, { preference }] of (affinity?.[preferred] ?? []).entries()) {
      const outcome = say`Where more than one node fits, every attempt to schedule the pod ends in an error.`;
      yield* findings(fact, preference, [...at, preferred, index, 'preference'], () => true, outcome);
    }
  },
};

/** Of required terms the API server refuses the rest. */
function isComparison(operator: string): boolean {
  return operator === 'Gt' || operator === 'Lt';
}

function* findings(
  fact: Fact,
  term: NodeSelectorTerm,
  at: Path,
  accepted: (operator: string) => boolean,
  outcome: string,
): Iterable<Finding> {
  const marked = new Set<string>();
  for (const { path, value, problem } of unreadableParts(term)) {
    const [list, index] = path;
    if (value === undefined || list !== 'matchExpressions' || marked.has(String(path))) continue;
    const operator = term.matchExpressions?.[index as number]?.operator ?? '';
    if (!accepted(operator)) continue;
    marked.add(String(path));
    const message = say`kube-scheduler cannot read ${JSON.stringify(value)}: ${problem}. ${outcome}`;
    yield findingAt(fact, [...at, ...path], message);
  }
}
