import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidSchedulingGates: ObjectRule = {
  code: 'invalid-scheduling-gates',
  title: 'Scheduling gates that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-scheduling-gates'),
};
