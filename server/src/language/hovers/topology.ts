import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Domains, KnownNode } from '../index/known-nodes.ts';
import { code } from '../connection/markdown.ts';
import { nodeLinks, nodesText, some } from './links.ts';
import { type HoverPlace, nodesOf, paragraphs } from './place.ts';

/** How many domains are told of. */
export const shownDomains = 8;

/** Into how many domains a topology key divides the nodes, and which nodes are in none. */
export function domainsText(key: string, place: HoverPlace, effect = ''): string {
  if (key === '') return say`Without a topology key there are no domains.`;
  const known = nodesOf(place);
  if (known.nodes.length === 0) return '';
  const domains = known.domains(key);
  const { byValue } = domains;
  if (byValue.size === 0) {
    return say`**No domain**: none of ${nodesText(known)} has a label ${code(key)}.${effectText(effect)}`;
  }
  const isHost = [...byValue.values()].every(({ length }) => length === 1);
  const names = some([...byValue], ([value, nodes]) => domainText(value, nodes, isHost), shownDomains);
  return paragraphs(
    say`**${count(byValue.size, 'domain')}** of ${code(key)} over ${nodesText(known)}: ${names}.`,
    withoutText(domains, key, place, effect),
  );
}

function domainText(value: string, nodes: readonly KnownNode[], isHost: boolean): string {
  return isHost ? code(value) : say`${code(value)} (${count(nodes.length, 'node')})`;
}

function withoutText({ without }: Domains, key: string, { facts }: HoverPlace, effect: string): string {
  if (without.length === 0) return '';
  return say`${count(without.length, 'node')} ${without.length === 1 ? 'lacks' : 'lack'} the label ${code(key)}: ${nodeLinks(without, facts)}.${effectText(effect)}`;
}

function effectText(effect: string): string {
  return effect === '' ? '' : say` There ${effect}.`;
}
