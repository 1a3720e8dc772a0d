import type { Declared } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { copiesOf, textOf } from '../cluster/copies.ts';
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
 * comes before it in both: it is what is asked about.
 */
export function withChangedFirst(
  earlier: SimulationInput,
  now: SimulationInput,
): { readonly earlier: SimulationInput; readonly now: SimulationInput } {
  if (earlier.workspace === now.workspace) return { earlier, now };
  const [before, after] = [copiesOf(earlier.workspace), copiesOf(now.workspace)];
  const first = { before: new Map<Declared, Declared>(), after: new Map<Declared, Declared>() };
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
  }
  if (first.after.size === 0) return { earlier, now };
  const ordered = (input: SimulationInput, places: ReadonlyMap<Declared, Declared>): SimulationInput => ({
    ...input,
    workspace: input.workspace.map((each) => places.get(each) ?? each),
  });
  return { earlier: ordered(earlier, first.before), now: ordered(now, first.after) };
}

function exchange(places: Map<Declared, Declared>, one: Declared, other: Declared): void {
  places.set(one, other).set(other, one);
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
