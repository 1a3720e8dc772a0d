import { classFindings } from './support/class-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidPriorityClass: ObjectRule = {
  code: 'invalid-priority-class',
  title: 'Another field of a PriorityClass that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: ({ fact }) => classFindings(fact, 'invalid-priority-class'),
};
