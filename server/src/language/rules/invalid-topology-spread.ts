import { podFindings } from './support/pod-findings.ts';
import type { ObjectRule } from './rule.ts';

export const invalidTopologySpread: ObjectRule = {
  code: 'invalid-topology-spread',
  title: 'Topology spread constraints that the API server refuses',
  severity: 'error',
  scope: 'object',
  check: (subject) => podFindings(subject, 'invalid-topology-spread'),
};
