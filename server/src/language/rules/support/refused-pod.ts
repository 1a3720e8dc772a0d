import { say } from '../../../util/say.ts';
import type { PriorityRefusal } from '../../../admission/priority/priority.ts';
import type { Fact } from '../../index/fact.ts';
import { classFor, classLadder, podPriority } from '../../index/priority-classes.ts';
import { findingAt } from './narrow.ts';
import type { Finding, ObjectSubject, Related } from './rule.ts';

/** Pods are refused when they are created: those of a workload only after it was applied itself. */
export function refusalText(fact: Fact, detail: string): string {
  if (fact.kind === 'PersistentVolumeClaim') return say`The API server refuses this claim: ${detail}.`;
  const who = fact.kind === 'Pod' ? say`this pod` : say`the pods of this ${fact.kind}`;
  return say`The API server refuses ${who}: ${detail}.`;
}

/** The finding for a pod that priority admission refuses because it says otherwise than its class. */
export function* refusedPodFinding(
  { fact, facts }: ObjectSubject,
  reason: Exclude<PriorityRefusal['reason'], 'unknown-class'>,
): Iterable<Finding> {
  const resolution = podPriority(facts, fact);
  if (resolution === undefined || resolution.admitted || resolution.reason !== reason) return;
  // A policy that is none is told by `invalid-pod`.
  const policy = fact.template?.spec.preemptionPolicy ?? 'Never';
  if (reason === 'policy-mismatch' && policy !== 'Never' && policy !== 'PreemptLowerPriority') return;
  const path = [...fact.template!.path, 'spec', resolution.field];
  const ladder = classLadder(facts);
  const className = resolution.computed?.className ?? '';
  const declared = className === '' ? undefined : classFor(ladder, className, fact.uri)?.fact;
  const related: Related[] =
    declared === undefined || declared === null
      ? []
      : [
          {
            fact: declared,
            path: [resolution.field === 'priority' ? 'value' : 'preemptionPolicy'],
            message: say`PriorityClass ${className}`,
          },
        ];
  // Without a class in sight, a global default elsewhere may still make it right.
  const certain = resolution.computed?.source !== 'none' || ladder.complete;
  yield findingAt(fact, path, refusalText(fact, resolution.detail), {
    ...(certain ? {} : { severity: 'warning' as const }),
    related: () => related,
  });
}
