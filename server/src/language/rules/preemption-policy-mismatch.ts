import { removeEntry } from './support/edits.ts';
import { refusedPodFinding } from './support/refused-pod.ts';
import type { ObjectRule } from './rule.ts';

export const preemptionPolicyMismatch: ObjectRule = {
  code: 'preemption-policy-mismatch',
  title: 'A pod writes a preemption policy that differs from that of its class',
  severity: 'error',
  scope: 'object',
  check: (subject) => refusedPodFinding(subject, 'policy-mismatch'),
  fix: ({ fact, path }) =>
    fact === undefined || path === undefined
      ? []
      : [
          {
            title: 'Remove `preemptionPolicy`: the class decides it',
            preferred: true,
            edits: [removeEntry(fact, path)],
          },
        ],
};
