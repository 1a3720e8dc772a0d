import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import { profileFor, schedulerNames } from './support/scheduler-configuration.ts';

export const unknownScheduler: ObjectRule = {
  code: 'unknown-scheduler',
  title: 'A pod asks for a scheduler of which no profile is known',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts, release }) {
    const name = fact.template?.spec.schedulerName ?? '';
    if (fact.template === undefined || name === '' || isPlaceholder(name) || isStoredPod(fact)) return;
    if (profileFor(facts, name, release) !== undefined) return;
    const path = [...fact.template.path, 'spec', 'schedulerName'];
    const [near] = nearestNames(name, schedulerNames(facts, release), mostChanges(name));
    if (near !== undefined) {
      const message = say`No scheduler is called "${name}"; did you mean ${near}? No scheduler looks at these pods: they stay pending, without an event.`;
      yield findingAt(fact, path, message, { severity: 'warning', value: near });
      return;
    }
    const message = say`No profile is known for scheduler "${name}". Unless another scheduler of that name runs, these pods stay pending, without an event.`;
    yield findingAt(fact, path, message);
  },
  fix: changeToMeant,
};

/** Letters by which a name may differ from the one that is meant. */
function mostChanges(name: string): number {
  return Math.ceil(name.length / 5);
}
