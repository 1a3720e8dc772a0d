import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { secondGlobalDefault } from '../../admission/priority/priority-class.ts';
import type { Fact } from '../index/fact.ts';
import { type ClassFact, classLadder } from '../index/priority-classes.ts';
import { fixAt, replaceWord } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule, Related } from './support/rule.ts';

export const severalGlobalDefaults: ObjectRule = {
  code: 'several-global-defaults',
  title: 'More than one PriorityClass is marked as the global default',
  severity: 'error',
  scope: 'object',
  *check({ fact, facts }) {
    // Folders of one repository may be meant for different clusters; documents of one file are applied together.
    const placed = placedIn(classLadder(facts).defaults);
    const own = placed.byFact.get(fact);
    if (own === undefined) return;
    const isOther = ({ name }: ClassFact): boolean => name !== fact.name;
    const alongside = [placed.inFiles.get(fact.uri) ?? [], placed.stored];
    const together = alongside.flatMap((list) => list.find(isOther) ?? []);
    const stored = together.length > 0 ? together : placed.all.filter(isOther).slice(0, 1);
    const refusal = secondGlobalDefault(
      own.object,
      stored.map(({ object }) => object),
      'create',
    );
    if (refusal === undefined) return;
    yield findingAt(fact, ['globalDefault'], `${refusal.text}.`, {
      ...(together.length > 0 ? {} : { severity: 'warning' as const }),
      related: () => placed.marksBut(fact.name),
    });
  },
  fix: fixAt((fact, path) => [
    { title: say`Do not make this class the global default`, edits: [replaceWord(fact, path, 'false')] },
  ]),
};

/** The defaults; of those that the cluster has, of those of each file and of all the first two names, lowest first. */
interface PlacedDefaults {
  readonly byFact: ReadonlyMap<Fact, ClassFact>;
  readonly stored: readonly ClassFact[];
  readonly inFiles: ReadonlyMap<string, readonly ClassFact[]>;
  readonly all: readonly ClassFact[];
  /** Where those of other names are marked. */
  readonly marksBut: (name: string) => readonly Related[];
}

const placedDefaults = new WeakMap<readonly ClassFact[], PlacedDefaults>();

function placedIn(defaults: readonly ClassFact[]): PlacedDefaults {
  let placed = placedDefaults.get(defaults);
  if (placed === undefined) {
    const byFact = new Map<Fact, ClassFact>();
    const stored: ClassFact[] = [];
    const inFiles = new Map<string, ClassFact[]>();
    const all: ClassFact[] = [];
    const marks: Related[] = [];
    const placesOf = new Map<string, number[]>();
    for (const entry of defaults) {
      addName(all, entry);
      if (entry.fact === null) continue;
      byFact.set(entry.fact, entry);
      addTo(placesOf, entry.name, marks.length);
      marks.push(marked(entry.name, entry.fact));
      const list = entry.fact.source === 'snapshot' ? stored : inFiles.get(entry.fact.uri);
      if (list === undefined) inFiles.set(entry.fact.uri, [entry]);
      else addName(list, entry);
    }
    const marksBut = (name: string): readonly Related[] => {
      const [place, ...more] = placesOf.get(name) ?? [];
      if (place === undefined) return marks;
      return more.length === 0 ? marks.toSpliced(place, 1) : marks.filter(({ fact }) => fact.name !== name);
    };
    placedDefaults.set(defaults, (placed = { byFact, stored, inFiles, all, marksBut }));
  }
  return placed;
}

/** Whoever asks looks for a name that is not its own: two are enough. */
function addName(list: ClassFact[], entry: ClassFact): void {
  if (list.length === 0 || (list.length === 1 && list[0]!.name !== entry.name)) list.push(entry);
}

function marked(name: string, fact: Fact): Related {
  return { fact, path: ['globalDefault'], message: say`${name} is marked as the global default too` };
}
