import { podUpdateFindings } from './support/pod-update-findings.ts';
import type { ObjectRule } from './rule.ts';

export const immutablePodField: ObjectRule = {
  code: 'immutable-pod-field',
  title: 'A field of an existing pod changes that may not change',
  // With git it is only likely that the pod exists as it was committed; deleting and creating it again is legal.
  severity: 'warning',
  scope: 'object',
  check: (subject) => podUpdateFindings(subject, 'immutable-pod-field'),
};
