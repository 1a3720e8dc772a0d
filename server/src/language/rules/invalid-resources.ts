import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidResources: ObjectRule = {
  code: 'invalid-resources',
  title: 'Resources or overhead that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-resources'),
};
