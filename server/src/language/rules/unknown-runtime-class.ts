import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { derived } from '../index/derived.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';

export const unknownRuntimeClass: ObjectRule = {
  code: 'unknown-runtime-class',
  title: 'A pod names a RuntimeClass that is not declared',
  // Classes may well be declared in another repository.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const name = fact.template?.spec.runtimeClassName ?? '';
    if (fact.template === undefined || name === '' || isPlaceholder(name) || isStoredPod(fact)) return;
    const declared = declaredNames(facts);
    if (declared.has(name)) return;
    const path = [...fact.template.path, 'spec', 'runtimeClassName'];
    const [near] = nearestNames(name, declared, name.length < 5 ? 1 : 2);
    const message =
      near === undefined
        ? say`No RuntimeClass named "${name}" is declared in the workspace or in a cluster snapshot. Without it the API server refuses the pods.`
        : say`No RuntimeClass named "${name}" is declared; did you mean ${near}? Without it the API server refuses the pods.`;
    yield findingAt(fact, path, message, {
      value: near ?? '',
      ...(near === undefined ? { absence } : { severity: 'warning' as const }),
    });
  },
  fix: changeToMeant,
};

const declaredNames = derived(['RuntimeClass'], (classes) => new Set(classes.map(({ name }) => name)));

const absence = { of: 'RuntimeClass' } as const;
