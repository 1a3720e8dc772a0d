import type { ClassFact } from '../priority-classes.ts';
import { classesFor, classLadder, podPriority } from '../priority-classes.ts';
import { refusalText } from './support/refused-pod.ts';
import { nearestNames } from '../../kit/nearest-names.ts';
import { narrowRange } from './support/narrow.ts';
import { isPlaceholder } from './support/placeholders.ts';
import type { Fix, FixSubject, Finding, ObjectRule } from './rule.ts';
import { classToCreate } from './support/create-class.ts';
import { replaceScalar } from './support/edits.ts';

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
    if (isPlaceholder(name)) return;
    const path = [...fact.template!.path, 'spec', 'priorityClassName'];
    const { complete } = classLadder(facts);
    yield {
      range: narrowRange(fact, path),
      message: complete
        ? refusalText(fact, resolution.detail)
        : `No PriorityClass named "${name}" is declared in the workspace or in a cluster snapshot.`,
      ...(complete ? { severity: 'error' as const } : {}),
      fact,
      path,
      value: name,
    };
  },
  fix(finding, subject) {
    const { fact, path, value } = finding;
    if (fact === undefined || path === undefined || value === undefined) return [];
    const classes = classesFor(classLadder(subject.facts), subject.uri);
    const existing = nearestNames(
      value,
      classes.map((entry) => entry.name),
    ).slice(0, offeredClasses);
    return [...existing.map((name) => useClass(finding, name, classes)), ...createClass(value, subject)];
  },
};

function useClass(finding: Finding, name: string, classes: readonly ClassFact[]): Fix {
  const value = classes.find((entry) => entry.name === name)?.value ?? 0;
  return {
    title: `Use PriorityClass ${name} (${value})`,
    edits: [replaceScalar(finding.fact!, finding.path!, name)],
  };
}

function createClass(name: string, subject: FixSubject): Fix[] {
  const edit = classToCreate(name, subject);
  return edit === undefined ? [] : [{ title: `Create PriorityClass ${name}`, edits: [edit] }];
}
