import type { Facts } from './facts.ts';
import { kinds } from './kinds.ts';

/**
 * Whether something that is declared is called so: objects and namespaces. A text of ours that is a word may be a name
 * too, and where it is one nobody translates it.
 */
export function knownNames(facts: Facts): (text: string) => boolean {
  let names: ReadonlySet<string> = new Set();
  let contentState = -1;
  return (text) => {
    if (facts.contentState !== contentState) {
      ({ contentState } = facts);
      names = new Set(kinds.flatMap((kind) => facts.ofKind(kind).flatMap(({ name, namespace }) => [name, namespace])));
    }
    return names.has(text);
  };
}
