import { say } from '../../util/say.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { suppressionsIn } from './support/suppressions.ts';
import type { DocumentRule } from './support/rule.ts';

/** The registry, which lists this rule too, passes the codes that exist: importing it here would be a circle. */
export function unknownSuppression(isRule: (code: string) => boolean, codes: () => readonly string[]): DocumentRule {
  return {
    code: 'unknown-suppression',
    title: 'A comment turns off a rule that does not exist',
    severity: 'warning',
    scope: 'document',
    *check({ document }) {
      for (const { code, range } of suppressionsIn(document)) {
        if (isRule(code)) continue;
        const nearest = nearestNames(code, codes())[0];
        const hint = nearest === undefined ? '' : say` Did you mean "${nearest}"?`;
        yield {
          range,
          message: say`There is no rule "${code}".${hint}`,
          ...(nearest === undefined ? {} : { value: nearest }),
        };
      }
    },
    fix({ range, value }, { uri, index }) {
      if (value === undefined) return [];
      return [{ title: say`Change to ${value}`, preferred: true, edits: [{ uri, index, range, text: value }] }];
    },
  };
}
