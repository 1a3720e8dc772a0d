import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidPod: ObjectRule = {
  code: 'invalid-pod',
  title: 'Another field of a pod that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-pod'),
};
