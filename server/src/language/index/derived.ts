import type { Fact, FactsReader } from './fact.ts';
import type { Kind } from './kinds.ts';

/** A fact and the one that took its place. */
export interface Replacement {
  readonly before: Fact;
  readonly after: Fact;
}

/**
 * Something worked out from all objects of some kinds, kept until one of them changes: the last result for each target,
 * as targets are asked about in turns.
 *
 * @param replace puts one fact of a result in the place of another, which is all that most edits ask for. False means
 *   that it could not; the result may then be half changed, and is built anew
 */
export function derived<Result>(
  kinds: readonly Kind[],
  build: (...lists: readonly (readonly Fact[])[]) => Result,
  replace: (result: Result, replacement: Replacement) => boolean = () => false,
): (facts: FactsReader) => Result {
  const results = new WeakMap<object, { readonly lists: readonly (readonly Fact[])[]; readonly result: Result }>();
  return (facts) => {
    const last = results.get(facts.owner);
    const lists = kinds.map((kind) => facts.ofKind(kind));
    if (last?.lists.every((list, index) => list === lists[index]) === true) return last.result;
    const replacements = last === undefined ? undefined : replacementsIn(last.lists, lists);
    const isKept = replacements?.every((replacement) => replace(last!.result, replacement)) === true;
    const result = isKept ? last!.result : build(...lists);
    results.set(facts.owner, { lists, result });
    return result;
  };
}

/** More replacements than this cost about as much as building anew. */
const maxReplacements = 8;

/** The facts that were exchanged; undefined where facts came, went or moved, or where many were exchanged. */
function replacementsIn(
  before: readonly (readonly Fact[])[],
  after: readonly (readonly Fact[])[],
): readonly Replacement[] | undefined {
  const replacements: Replacement[] = [];
  for (const [index, list] of before.entries()) {
    const now = after[index]!;
    if (now === list) continue;
    if (now.length !== list.length) return undefined;
    for (let at = 0; at < list.length; at++) {
      if (list[at] === now[at]) continue;
      // What has moved would be found at both of its places.
      if (replacements.length === maxReplacements || list.includes(now[at]!)) return undefined;
      replacements.push({ before: list[at]!, after: now[at]! });
    }
  }
  return replacements;
}

/** Puts one item of a list in the place of another. */
export function replaceItem<Item>(list: Item[], before: Item, after: Item): void {
  const at = list.indexOf(before);
  if (at !== -1) list[at] = after;
}
