import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { objectRefusals, refusalFinding } from './support/object-refusals.ts';
import { refusalFixes } from './support/refusal-fixes.ts';
import type { ObjectRule } from './support/rule.ts';

export const invalidWorkload: ObjectRule = {
  code: 'invalid-workload',
  title: 'A workload that the API server refuses, for another reason than its pods',
  severity: 'error',
  scope: 'object',
  fix: refusalFixes,
  *check(subject) {
    const { fact, release } = subject;
    const { kind, object } = fact;
    // What is read from a cluster was accepted once.
    if (kind === 'Pod' || !isWorkloadKind(kind) || object.metadata?.uid !== undefined) return;
    for (const refusal of objectRefusals(fact, release)) {
      if (refusal.error.ofTemplate !== true) yield* refusalFinding(subject, refusal);
    }
  },
};
