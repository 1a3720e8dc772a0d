import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidNodeAffinity: ObjectRule = {
  code: 'invalid-node-affinity',
  title: 'Node affinity that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-node-affinity'),
};
