import { say } from '../../util/say.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { systemPriorityClassPrefix } from '../../admission/priority/priority-class.ts';
import { classesFor, classLadder, podPriority } from '../index/priority-classes.ts';
import { refusalText } from './support/refused-pod.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { dnsSubdomainProblems } from '../../admission/format/names.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { findingAt } from './support/narrow.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import type { ObjectRule } from './support/rule.ts';
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
    // Nobody can declare a class of a reserved name: it is there from the beginning, or never.
    const isReserved = name.startsWith(systemPriorityClassPrefix);
    const [near] = declaration === undefined ? nearestNames(name, namesFor(facts, fact), mostChanges(name)) : [];
    const isSure = complete || isReserved;
    const message = isSure
      ? `${refusalText(fact, resolution.detail)}${near === undefined ? '' : say` Did you mean ${near}?`}`
      : doubtfulText(name, declaration !== undefined, near);
    yield findingAt(fact, path, message, {
      ...(isSure
        ? { severity: 'error' as const }
        : near === undefined
          ? { absence }
          : { severity: 'warning' as const }),
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

const absence = { of: 'PriorityClass' } as const;

/** Names of classes that pods of a namespace may have. */
function namesFor(facts: FactsReader, { namespace, uri }: Fact): readonly string[] {
  return classesFor(classLadder(facts), uri)
    .map(({ name }) => name)
    .filter(
      (name) =>
        namespace === 'kube-system' || !systemPriorityClasses.has(name) || name.startsWith(systemPriorityClassPrefix),
    );
}

/** Letters by which a name may differ from the one that is meant. */
function mostChanges(name: string): number {
  return name.length < 5 ? 1 : 2;
}

function doubtfulText(name: string, isRefused: boolean, near: string | undefined): string {
  if (near !== undefined) return say`No PriorityClass named "${name}" is declared; did you mean ${near}?`;
  return isRefused
    ? say`The API server refuses PriorityClass "${name}" as it is declared, and then pods that name it, unless the cluster has it already.`
    : say`No PriorityClass named "${name}" is declared in the workspace or in a cluster snapshot.`;
}
