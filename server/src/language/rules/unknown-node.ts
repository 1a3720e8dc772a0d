import { say } from '../../util/say.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { derived } from '../index/derived.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { fixAt, replaceScalar } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

export const unknownNode: ObjectRule = {
  code: 'unknown-node',
  title: 'A pod names a node that is not known',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const name = fact.template?.spec.nodeName ?? '';
    if (fact.template === undefined || name === '' || isPlaceholder(name)) return;
    const nodes = facts.ofKind('Node');
    if (nodes.length === 0 || nodeNames(facts).has(name)) return;
    const path = [...fact.template.path, 'spec', 'nodeName'];
    const message = say`No known node is named "${name}". nodeName bypasses the scheduler: while the node does not exist, the pod never runs, and is deleted in the end.`;
    yield findingAt(fact, path, message, { value: name, absence: { of: 'Node' } });
  },
  fix: fixAt((fact, path, { facts }, written = '') =>
    nearestNames(written, nodeNames(facts), mostChanges)
      .slice(0, offeredNodes)
      .map((name, index) => ({
        title: say`Change to ${name}`,
        preferred: index === 0,
        edits: [replaceScalar(fact, path, name)],
      })),
  ),
};

/** Letters by which a name may differ from the one that is meant. */
const mostChanges = 3;
const offeredNodes = 3;

const nodeNames = derived(['Node'], (nodes) => new Set(nodes.map(({ name }) => name)));
