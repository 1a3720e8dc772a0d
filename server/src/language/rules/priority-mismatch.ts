import { removeEntry } from './support/edits.ts';
import { refusedPodFinding } from './support/refused-pod.ts';
import type { ObjectRule } from './rule.ts';

export const priorityMismatch: ObjectRule = {
  code: 'priority-mismatch',
  title: 'A pod writes a priority that differs from the value of its class',
  severity: 'error',
  scope: 'object',
  check: (subject) => refusedPodFinding(subject, 'priority-mismatch'),
  fix: ({ fact, path }) =>
    fact === undefined || path === undefined
      ? []
      : [
          {
            title: 'Remove `priority`: the class decides it',
            preferred: true,
            safe: true,
            edits: [removeEntry(fact, path)],
          },
        ],
};
