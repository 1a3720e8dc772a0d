import type { Edit } from '../../util/edits.ts';
import type { ReportCause } from '../../report-model/report.ts';

/**
 * Where somebody edited what a cause is of: what tools make of a value stands elsewhere. All that differs comes of the
 * only edit that there is; of several of one that has the value before and now, under keys that are most like the object
 * and its field.
 */
export function editedPlace(
  edits: readonly Edit[],
  { object, field, origin, old, new: next }: Pick<ReportCause, 'object' | 'field' | 'origin' | 'old' | 'new'>,
): ReportCause['origin'] {
  const isIn = ({ uri, line, now }: Edit): boolean =>
    uri === origin?.uri && line <= origin.range.start.line && origin.range.start.line < line + now.length;
  if (edits.some(isIn)) return origin;
  const has = (lines: readonly string[], value: ReportCause['old']): boolean =>
    value === null || lines.some((line) => line.includes(String(value)));
  const having = edits.length === 1 ? edits : edits.filter((e) => has(e.before, old) && has(e.now, next));
  const [edit, ...more] = mostLike(having, object, field);
  const [text] = edit?.now ?? [];
  if (edit === undefined || text === undefined || more.length > 0) return origin;
  const character = text.search(/\S|$/);
  return {
    uri: edit.uri,
    range: {
      start: { line: edit.line, character },
      end: { line: edit.line, character: text.length },
    },
  };
}

/** Those under keys that share most with the name of an object, and then with the way to a field. */
function mostLike(edits: readonly Edit[], object: string, field: string): readonly Edit[] {
  const name = plain(object.split('/').at(-1)!);
  const steps = new Set(field.split(/[.[\]]+/));
  const likeness = ({ under }: Edit): readonly [number, number] => {
    const shared = under.map(plain).filter((key) => key !== '' && (name.includes(key) || key.includes(name)));
    return [Math.max(0, ...shared.map(({ length }) => length)), under.filter((key) => steps.has(key)).length];
  };
  const all = edits.map((edit) => ({ edit, like: likeness(edit) }));
  const [best] = all.map(({ like }) => like).sort(([a, b], [c, d]) => c - a || d - b);
  return all.filter(({ like }) => like.join() === best?.join()).map(({ edit }) => edit);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
