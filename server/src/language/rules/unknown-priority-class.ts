import { say } from '../../kit/say.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { classesFor, classLadder, podPriority } from '../priority-classes.ts';
import { refusalText } from './support/refused-pod.ts';
import { nearestNames } from '../../kit/nearest-names.ts';
import { dnsSubdomainProblems } from '../../admission/format/names.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';
import { classToCreate } from './support/create-class.ts';
import { fixAt, replaceScalar } from './support/edits.ts';

/** How many existing classes are offered in place of an unknown one. */
const offeredClasses = 3;

export const unknownPriorityClass: ObjectRule = {
  code: 'unknown-priority-class',
  title: 'A pod names a PriorityClass that does not exist',
  // Classes may well be declared in another repository; an error only where all of them are known.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const resolution = podPriority(facts, fact);
    if (resolution === undefined || resolution.admitted || resolution.reason !== 'unknown-class') return;
    const name = fact.template?.spec.priorityClassName ?? '';
    // One that can be no name of a class is told by `invalid-pod`.
    if (isPlaceholder(name) || dnsSubdomainProblems(name).length > 0) return;
    const path = [...fact.template!.path, 'spec', 'priorityClassName'];
    const { complete, refused } = classLadder(facts);
    const declaration = refused.get(name);
    const message = complete ? refusalText(fact, resolution.detail) : doubtfulText(name, declaration !== undefined);
    yield findingAt(fact, path, message, {
      ...(complete ? { severity: 'error' as const } : {}),
      related: () => (declaration === undefined ? [] : [declaration]),
      value: name,
    });
  },
  fix: fixAt((fact, path, subject, written = '') => {
    const values = new Map(classesFor(classLadder(subject.facts), subject.uri).map(({ name, value }) => [name, value]));
    const isOffered = (name: string): boolean => fact.namespace === 'kube-system' || !systemPriorityClasses.has(name);
    const near = nearestNames(written, [...values.keys()].filter(isOffered)).slice(0, offeredClasses);
    const edit = classToCreate(written, subject);
    return [
      ...near.map((name) => ({
        title: say`Use PriorityClass ${name} (${values.get(name) ?? 0})`,
        edits: [replaceScalar(fact, path, name)],
      })),
      ...(edit === undefined ? [] : [{ title: say`Create PriorityClass ${written}`, edits: [edit] }]),
    ];
  }),
};

function doubtfulText(name: string, isRefused: boolean): string {
  return isRefused
    ? say`The API server refuses PriorityClass "${name}" as it is declared, and then pods that name it, unless the cluster has it already.`
    : say`No PriorityClass named "${name}" is declared in the workspace or in a cluster snapshot.`;
}
