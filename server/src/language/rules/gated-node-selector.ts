import type { Pod } from '../../kubernetes/objects.ts';
import { valueAt } from '../value-at.ts';
import { insertFirst, replaceScalar } from './support/edits.ts';
import { podUpdateFindings } from './support/pod-update-findings.ts';
import type { FixEdit, ObjectRule } from './rule.ts';

export const gatedNodeSelector: ObjectRule = {
  code: 'gated-node-selector',
  title: 'The nodeSelector of a gated pod loses or changes an entry',
  severity: 'error',
  scope: 'object',
  check: (subject) => podUpdateFindings(subject, 'gated-node-selector'),
  fix({ fact, path }, { earlierOf }) {
    if (fact === undefined || path === undefined) return [];
    const old = earlierOf(fact)
      .map(({ object }) => (object as Pod).spec?.nodeSelector)
      .find((selector) => selector !== undefined);
    const written = valueAt(fact.manifest.value, path);
    if (old === undefined || written === undefined) return [];
    const edits = Object.entries(old).flatMap(([key, value]): FixEdit[] => {
      const now = valueAt(written, [key]);
      if (now === value) return [];
      return [now === undefined ? insertFirst(fact, path, key, value) : replaceScalar(fact, [...path, key], value)];
    });
    return edits.length === 0 ? [] : [{ title: 'Put the entries back as they were', preferred: true, edits }];
  },
};
