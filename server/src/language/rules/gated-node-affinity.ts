import { podUpdateFindings } from './support/pod-update-findings.ts';
import type { ObjectRule } from './rule.ts';

export const gatedNodeAffinity: ObjectRule = {
  code: 'gated-node-affinity',
  title: 'The required node affinity of a gated pod changes in another way than by added requirements',
  severity: 'error',
  scope: 'object',
  check: (subject) => podUpdateFindings(subject, 'gated-node-affinity'),
};
