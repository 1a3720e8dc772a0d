import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidToleration: ObjectRule = {
  code: 'invalid-toleration',
  title: 'A toleration that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-toleration'),
};
