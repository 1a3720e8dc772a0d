import { isNumber } from '../../util/exact-integer.ts';
import { sameItems } from '../../util/same-items.ts';
import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { nearestQuantities } from '../../kubernetes/nearest-quantities.ts';
import { fixAt, quoteScalar, replaceWord } from './support/edits.ts';
import { narrowRange } from './support/narrow.ts';
import { isUnfinished } from '../../admission/format/written.ts';
import type { ObjectRule } from './support/rule.ts';

export const wrongType: ObjectRule = {
  code: 'wrong-type',
  title: 'A value has a type that its field does not take, such as `y`, which YAML reads as true',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    const { problems, more } = fact.manifest.decoded;
    for (const [index, { path, message }] of problems.entries()) {
      const value = valueAt(fact.manifest.value, path);
      // `<CPU>`: somebody is still to fill it in.
      if (isUnfinished(value)) continue;
      const range = narrowRange(fact, path);
      const written = fact.document.text.slice(range.start, range.end);
      // Nobody who writes `y` or `on` for a name thinks of booleans.
      const isSurprise = typeof value === 'boolean' && /^(?:y|yes|on|n|no|off)$/i.test(written);
      const why = isSurprise ? say`YAML 1.1, as kubectl reads it, takes ${written} for ${String(value)}. ` : '';
      const amount = isOfQuantity(message) ? say`${JSON.stringify(value)} is no amount. ` : '';
      const text = say`${why}${amount}The API server refuses it: ${message}.`;
      const isLast = more !== undefined && index === problems.length - 1;
      // Of a chart that nobody in the workspace gives the value.
      const isLeftToValues = value === '' && fact.manifest.rendering?.hasOnlyOwnValues === true;
      const schemaSays = isOfQuantity(message) ? {} : { schemaSays: 'type' as const };
      yield {
        range,
        message: text,
        fact,
        path,
        ...schemaSays,
        ...(isLeftToValues ? { severity: 'warning' } : {}),
        ...(isLast ? { more: more.problems } : {}),
      };
    }
  },
  fix: fixAt((fact, path) => {
    const value = valueAt(fact.manifest.value, path);
    const told = fact.problems.find((each) => sameItems(each.path, path))?.message ?? '';
    if (typeof value === 'string' && isOfQuantity(told)) {
      return nearestQuantities(value, String(path.at(-1))).map((amount, index) => ({
        title: say`Change to ${amount}`,
        ...(index === 0 ? { preferred: true } : {}),
        edits: [replaceWord(fact, path, amount)],
      }));
    }
    if (typeof value === 'string' && quotedWords.some(([type, word]) => type.test(told) && word.test(value))) {
      const edits = [replaceWord(fact, path, value)];
      return [{ title: say`Write it without quotes: ${value}`, preferred: true, isSafe: true, edits }];
    }
    if (typeof value !== 'boolean' && !isNumber(value)) return [];
    const edit = quoteScalar(fact, path);
    return [{ title: say`Write it as text: ${edit.text}`, preferred: true, edits: [edit] }];
  }),
};

/** Source: ErrFormatWrong, ErrNumeric and ErrSuffix in apimachinery/pkg/api/resource/quantity.go */
function isOfQuantity(message: string): boolean {
  return message.startsWith('quantities must match') || message.startsWith('unable to parse ');
}

/** What would be of its type without quotes. Source: UnmarshalTypeError of encoding/json */
const quotedWords: readonly (readonly [type: RegExp, word: RegExp])[] = [
  [/ of type bool$/, /^(?:true|false)$/],
  [/ of type int\d*$/, /^(?:0|-?[1-9]\d{0,8})$/],
];
