import { secondGlobalDefault } from '../../admission/priority/priority-class.ts';
import { classLadder } from '../priority-classes.ts';
import { replaceWord } from './support/edits.ts';
import { narrowRange } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const severalGlobalDefaults: ObjectRule = {
  code: 'several-global-defaults',
  title: 'More than one PriorityClass is marked as the global default',
  severity: 'error',
  scope: 'object',
  *check({ fact, facts }) {
    const { byName } = classLadder(facts);
    const own = byName.get(fact.name)?.find((entry) => entry.fact === fact);
    if (own?.globalDefault !== true) return;
    const others = [...byName.values()].flat().filter((entry) => entry.globalDefault && entry.name !== fact.name);
    if (others.length === 0) return;
    // Folders of one repository may be meant for different clusters; documents of one file are applied together.
    const together = others.filter((entry) => entry.fact?.uri === fact.uri || entry.fact?.source === 'snapshot');
    const stored = (together.length > 0 ? together : others).map((entry) => entry.object);
    const refusal = secondGlobalDefault(own.object, stored, 'create');
    if (refusal === undefined) return;
    yield {
      range: narrowRange(fact, ['globalDefault']),
      message: `${refusal.text}.`,
      ...(together.length > 0 ? {} : { severity: 'warning' as const }),
      related: others.flatMap((entry) =>
        entry.fact === null
          ? []
          : [
              {
                fact: entry.fact,
                path: ['globalDefault'],
                message: `${entry.name} is marked as the global default too`,
              },
            ],
      ),
      fact,
      path: ['globalDefault'],
    };
  },
  fix: ({ fact, path }) =>
    fact === undefined || path === undefined
      ? []
      : [{ title: 'Do not make this class the global default', edits: [replaceWord(fact, path, 'false')] }],
};
