import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import { classFindings } from './support/class-findings.ts';
import { replaceWord } from './support/edits.ts';
import type { ObjectRule } from './rule.ts';

export const classValueOutOfRange: ObjectRule = {
  code: 'class-value-out-of-range',
  title: 'A PriorityClass has a value above 1000000000',
  severity: 'error',
  scope: 'object',
  check: (subject) => classFindings(subject, 'class-value-out-of-range'),
  fix: ({ fact, path }) =>
    fact === undefined || path === undefined
      ? []
      : [
          {
            title: `Lower the value to ${highestUserDefinablePriority}, the highest allowed`,
            edits: [replaceWord(fact, path, String(highestUserDefinablePriority))],
          },
        ],
};
