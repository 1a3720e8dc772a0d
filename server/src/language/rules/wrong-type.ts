import { valueAt } from '../../kit/values.ts';
import { fixAt, quoteScalar } from './support/edits.ts';
import { narrowRange } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const wrongType: ObjectRule = {
  code: 'wrong-type',
  title: 'A value has a type that its field does not take, such as `y`, which YAML reads as true',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    for (const { path, message } of fact.problems) {
      const range = narrowRange(fact, path);
      const value = valueAt(fact.manifest.value, path);
      const written = fact.document.text.slice(range.start, range.end);
      // Nobody who writes `y` or `on` for a name thinks of booleans.
      const isSurprise = typeof value === 'boolean' && written !== String(value);
      const why = isSurprise ? `YAML 1.1, as kubectl reads it, takes ${written} for ${String(value)}. ` : '';
      yield { range, message: `${why}The API server refuses it: ${message}.`, fact, path };
    }
  },
  fix: fixAt((fact, path) => {
    const value = valueAt(fact.manifest.value, path);
    if (typeof value !== 'boolean' && typeof value !== 'number') return [];
    const edit = quoteScalar(fact, path);
    return [{ title: `Write it as text: ${edit.text}`, preferred: true, edits: [edit] }];
  }),
};
