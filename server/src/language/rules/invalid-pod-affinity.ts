import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidPodAffinity: ObjectRule = {
  code: 'invalid-pod-affinity',
  title: 'Pod affinity or anti-affinity that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-pod-affinity'),
};
