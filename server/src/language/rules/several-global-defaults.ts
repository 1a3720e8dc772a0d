import { secondGlobalDefault } from '../../admission/priority/priority-class.ts';
import type { Fact } from '../facts.ts';
import { type ClassFact, classLadder } from '../priority-classes.ts';
import { fixAt, replaceWord } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule, Related } from './rule.ts';

export const severalGlobalDefaults: ObjectRule = {
  code: 'several-global-defaults',
  title: 'More than one PriorityClass is marked as the global default',
  severity: 'error',
  scope: 'object',
  *check({ fact, facts }) {
    const ladder = classLadder(facts);
    const own = ladder.byName.get(fact.name)?.find((entry) => entry.fact === fact);
    if (own?.globalDefault !== true) return;
    const isOther = ({ name }: ClassFact): boolean => name !== fact.name;
    const { defaults } = ladder;
    // Folders of one repository may be meant for different clusters; documents of one file are applied together.
    const placed = placedIn(defaults);
    const alongside = [placed.inFiles.get(fact.uri) ?? [], placed.stored];
    const together = alongside.flatMap((list) => list.find(isOther) ?? []);
    const stored = together.length > 0 ? together : [defaults.find(isOther)].filter((entry) => entry !== undefined);
    const refusal = secondGlobalDefault(
      own.object,
      stored.map(({ object }) => object),
      'create',
    );
    if (refusal === undefined) return;
    yield findingAt(fact, ['globalDefault'], `${refusal.text}.`, {
      ...(together.length > 0 ? {} : { severity: 'warning' as const }),
      related: () => placed.marks.filter((mark) => mark.fact.name !== fact.name),
    });
  },
  fix: fixAt((fact, path) => [
    { title: 'Do not make this class the global default', edits: [replaceWord(fact, path, 'false')] },
  ]),
};

/** The defaults that the cluster has, and those of each file; both lowest value first. */
interface PlacedDefaults {
  readonly stored: readonly ClassFact[];
  readonly inFiles: ReadonlyMap<string, readonly ClassFact[]>;
  /** Where each is marked. */
  readonly marks: readonly Related[];
}

const placedDefaults = new WeakMap<readonly ClassFact[], PlacedDefaults>();

function placedIn(defaults: readonly ClassFact[]): PlacedDefaults {
  let placed = placedDefaults.get(defaults);
  if (placed === undefined) {
    const stored: ClassFact[] = [];
    const inFiles = new Map<string, ClassFact[]>();
    const marks: Related[] = [];
    for (const entry of defaults) {
      if (entry.fact === null) continue;
      marks.push(marked(entry.name, entry.fact));
      const list = entry.fact.source === 'snapshot' ? stored : inFiles.get(entry.fact.uri);
      if (list === undefined) inFiles.set(entry.fact.uri, [entry]);
      else list.push(entry);
    }
    placedDefaults.set(defaults, (placed = { stored, inFiles, marks }));
  }
  return placed;
}

function marked(name: string, fact: Fact): Related {
  return { fact, path: ['globalDefault'], message: `${name} is marked as the global default too` };
}
