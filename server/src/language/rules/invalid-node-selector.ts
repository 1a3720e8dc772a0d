import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidNodeSelector: ObjectRule = {
  code: 'invalid-node-selector',
  title: 'A nodeSelector that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-node-selector'),
};
