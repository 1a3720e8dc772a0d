import { qualifiedName } from '../../kit/words.ts';
import type { Fact, Facts } from '../facts.ts';
import { code, link } from '../markdown.ts';

/** How many objects a hover names before it only counts. */
const named = 4;

/** The name of an object as a link to where it is written. */
export function factLink(fact: Fact, facts: Facts): string {
  const origin = facts.originOf(fact);
  const name = code(qualifiedName(fact));
  return origin === undefined ? name : link(name, origin.uri, origin.range.start.line);
}

/** Several names, with what follows each, and how many more there are. */
export function factLinks<Item extends Fact>(
  facts: readonly Item[],
  all: Facts,
  after: (fact: Item) => string = () => '',
): string {
  const shown = facts.slice(0, named).map((fact) => `${factLink(fact, all)}${after(fact)}`);
  const rest = facts.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
