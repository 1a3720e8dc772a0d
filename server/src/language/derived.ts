import type { Fact, FactsReader } from './facts.ts';
import type { Kind } from './kinds.ts';

/**
 * Something worked out from all objects of some kinds, kept until one of them changes. Only the last outcome is kept:
 * one server has one set of facts.
 */
export function derived<Result>(
  kinds: readonly Kind[],
  build: (...lists: readonly (readonly Fact[])[]) => Result,
): (facts: FactsReader) => Result {
  let last: { readonly lists: readonly (readonly Fact[])[]; readonly result: Result } | undefined;
  return (facts) => {
    const lists = kinds.map((kind) => facts.ofKind(kind));
    if (last?.lists.every((list, index) => list === lists[index]) !== true) last = { lists, result: build(...lists) };
    return last.result;
  };
}
