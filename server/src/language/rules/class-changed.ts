import { validatePriorityClassUpdate } from '../../admission/priority/priority-class.ts';
import { certainWhenInCluster, comparedWith } from './support/compared-with.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const classChanged: ObjectRule = {
  code: 'class-changed',
  title: 'The value or the preemption policy of an existing PriorityClass changes',
  // With git it is only likely that the class exists as it was committed; deleting and creating it again is legal.
  severity: 'warning',
  scope: 'object',
  *check({ fact, earlier }) {
    if (fact.kind !== 'PriorityClass') return;
    for (const version of earlier) {
      const errors = validatePriorityClassUpdate(fact.object, version.object);
      const ofFields = errors.filter(({ field }) => field === 'value' || field === 'preemptionPolicy');
      for (const error of ofFields) {
        yield certainWhenInCluster(version, comparedWith(version, fieldErrorFinding(fact, error)));
      }
      if (ofFields.length > 0) return;
    }
  },
};
