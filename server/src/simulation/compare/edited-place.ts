import type { Edit } from '../../util/edits.ts';
import type { ReportCause } from '../../report-model/report.ts';

/**
 * Where somebody edited what a cause is of: what tools make of a value stands elsewhere. All that differs comes of the
 * only edit that there is; of several the only one that has the value before and now.
 */
export function editedPlace(
  edits: readonly Edit[],
  { origin, old, new: next }: Pick<ReportCause, 'origin' | 'old' | 'new'>,
): ReportCause['origin'] {
  const isIn = ({ uri, line, now }: Edit): boolean =>
    uri === origin?.uri && line <= origin.range.start.line && origin.range.start.line < line + now.length;
  if (edits.some(isIn)) return origin;
  const has = (lines: readonly string[], value: ReportCause['old']): boolean =>
    value === null || lines.some((line) => line.includes(String(value)));
  const [edit, ...more] = edits.length === 1 ? edits : edits.filter((e) => has(e.before, old) && has(e.now, next));
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
