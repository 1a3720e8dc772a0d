import { say } from '../../util/say.ts';
import { systemPriorityClassPrefix } from '../../admission/priority/priority-class.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import type { FactsReader } from '../index/fact.ts';
import { mentionsOf } from '../index/mentions.ts';
import { classLadder } from '../index/priority-classes.ts';
import { classFindings } from './support/class-findings.ts';
import { replaceScalar } from './support/edits.ts';
import type { FixEdit, ObjectRule } from './support/rule.ts';

export const reservedClassName: ObjectRule = {
  code: 'reserved-class-name',
  title: 'A PriorityClass uses a name that is reserved for the system',
  severity: 'error',
  scope: 'object',
  *check(subject) {
    const { name: value } = subject.fact;
    for (const finding of classFindings(subject, 'reserved-class-name')) yield { ...finding, value };
  },
  fix({ value: name }, { facts }) {
    // A built-in class with a wrong value needs its value back, not another name.
    if (name === undefined || systemPriorityClasses.has(name)) return [];
    const wanted = freeName(name, facts);
    return [
      { title: say`Rename to ${wanted} everywhere`, preferred: true, edits: renameEverywhere(name, wanted, facts) },
    ];
  },
};

/** The name without its prefix, and with an ending when a class of that name exists. */
function freeName(name: string, facts: FactsReader): string {
  const { byName } = classLadder(facts);
  const bare = name.slice(systemPriorityClassPrefix.length);
  const candidates = bare === '' ? ['priority'] : [bare, `${bare}-priority`];
  const free = candidates.find(
    (candidate) => !byName.has(candidate) && !candidate.startsWith(systemPriorityClassPrefix),
  );
  return free ?? `my-${name}`;
}

/** The class itself, every pod and template that names it, and every quota that is scoped to it. */
function renameEverywhere(name: string, wanted: string, facts: FactsReader): FixEdit[] {
  return mentionsOf({ kind: 'PriorityClass', namespace: '', name }, facts).flatMap(({ fact, path }) =>
    fact.source === 'workspace' ? [replaceScalar(fact, path, wanted)] : [],
  );
}
