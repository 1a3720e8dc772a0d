import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { nameAmong } from '../cluster/simulated-cluster.ts';
import { isSame } from '../scenario/settled-cluster.ts';

/** An object that is written more than once, and has changed where it does not count. */
export interface UncountedChange {
  /** As of `keyOfObject`. */
  readonly key: string;
  /** The file that counts; empty where it is the same, or nobody knows. */
  readonly counts: string;
}

/**
 * Of objects that are written more than once the first counts. Where another one has changed, and the first has not, that
 * comes before it in both: it is what is asked about. With the keys of such objects.
 */
export function withChangedFirst(
  earlier: SimulationInput,
  now: SimulationInput,
): { readonly earlier: SimulationInput; readonly now: SimulationInput; readonly keys: readonly string[] } {
  if (earlier.workspace === now.workspace) return { earlier, now, keys: [] };
  const [before, after] = [copiesOf(earlier.workspace), copiesOf(now.workspace)];
  const first = { before: new Map<Declared, Declared>(), after: new Map<Declared, Declared>() };
  const keys: string[] = [];
  for (const [key, [counting, ...others]] of after) {
    const [countedBefore, ...othersBefore] = before.get(key) ?? [];
    if (countedBefore === undefined || !isSame(countedBefore.object, counting!.object)) continue;
    // Several may stand in one file, or come of one base: what is as it was in any of them has not changed.
    const there = new Set(others.map(textOf));
    const known = new Set(othersBefore.map(textOf));
    const gone = new Map(othersBefore.flatMap((each) => (there.has(textOf(each)) ? [] : [[each.origin?.uri, each]])));
    const copy = others.find(
      (each) => each.origin !== undefined && !known.has(textOf(each)) && gone.has(each.origin.uri),
    );
    if (copy === undefined) continue;
    exchange(first.before, countedBefore, gone.get(copy.origin?.uri)!);
    exchange(first.after, counting!, copy);
    keys.push(key);
  }
  if (keys.length === 0) return { earlier, now, keys };
  const ordered = (input: SimulationInput, places: ReadonlyMap<Declared, Declared>): SimulationInput => ({
    ...input,
    workspace: input.workspace.map((each) => places.get(each) ?? each),
  });
  return { earlier: ordered(earlier, first.before), now: ordered(now, first.after), keys };
}

function exchange(places: Map<Declared, Declared>, one: Declared, other: Declared): void {
  places.set(one, other).set(other, one);
}

/** That a copy was taken because it has changed. */
export function choiceAmongCopies(keys: readonly string[]): WholeReport['assumptions'] {
  if (keys.length === 0) return [];
  const names = list(
    keys.map((key) => key.replace('//', '/')),
    4,
  );
  const text = say`written more than once, of which what has changed is used: ${names}`;
  return [{ mark: '?', text, detail: say`A cluster has one of each name. Leave the other files out with --exclude.` }];
}

/** Objects that are written more than once, and otherwise than before where they do not count. */
export function uncountedChanges(before: readonly Declared[], now: readonly Declared[]): readonly UncountedChange[] {
  if (before === now) return [];
  const known = new Set([...copiesOf(before).values()].flatMap(([, ...others]) => others.map(textOf)));
  return [...copiesOf(now)].flatMap(([key, [counting, ...others]]) => {
    const changed = others.findLast((each) => !known.has(textOf(each)));
    if (changed === undefined) return [];
    const [file, own] = [counting!.origin?.uri, changed.origin?.uri];
    const isElsewhere = file !== undefined && file !== own;
    return [{ key, counts: isElsewhere ? nameAmong(file, own === undefined ? [] : [own]) : '' }];
  });
}

/** What is written more than once, by `keyOfObject`, in order. */
function copiesOf(workspace: readonly Declared[]): ReadonlyMap<string, readonly Declared[]> {
  const copies = new Map<string, Declared[]>();
  for (const declared of workspace) {
    const key = keyOfObject(declared.object);
    const known = copies.get(key);
    if (known === undefined) copies.set(key, [declared]);
    else known.push(declared);
  }
  return new Map([...copies].filter(([, { length }]) => length > 1));
}

function textOf({ object }: Declared): string {
  return JSON.stringify(object);
}
