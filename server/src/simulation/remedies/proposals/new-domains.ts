import type { CausePart } from '../../../report-model/cause.ts';
import { compareText } from '../../../util/words.ts';
import { labelValue } from '../../../kubernetes/labels.ts';
import type { Node } from '../../../kubernetes/objects.ts';

const hostname = 'kubernetes.io/hostname';
/** Nobody opens more zones than this for one workload. */
const mostDomains = 3;

/**
 * Domains that no node is in yet, such as `topology.kubernetes.io/zone=eu-1c`: as many as the constraint lacks
 * (`minDomains`), or one for each pod that anti-affinity keeps out of all there are. Each node has its own host name.
 */
export function newDomains(parts: readonly CausePart[], pods: number, nodes: readonly Node[]): readonly string[] {
  const [first] = parts.flatMap((part) => {
    if ((part.kind !== 'spread' && part.kind !== 'anti-affinity') || part.topologyKey === hostname) return [];
    if (part.kind === 'anti-affinity') return [{ key: part.topologyKey, lacking: pods }];
    return part.minDomains > 0 ? [{ key: part.topologyKey, lacking: part.minDomains - part.domains }] : [];
  });
  if (first === undefined || first.lacking > mostDomains) return [];
  const { key, lacking } = first;
  const there = new Set(nodes.flatMap(({ metadata }) => labelValue(metadata?.labels, key) ?? []));
  if (there.size === 0) return [];
  const made: string[] = [];
  for (let last = [...there].toSorted(compareText).at(-1)!; made.length < lacking; made.push(`${key}=${last}`)) {
    do last = next(last);
    while (there.has(last));
  }
  return made;
}

/** `eu-1b` → `eu-1c`, `zone-9` → `zone-10`, `east` → `east-2`. */
function next(domain: string): string {
  let digits = domain.length;
  while (digits > 0 && isDigit(domain[digits - 1]!)) digits--;
  const last = domain.at(-1)!;
  if (digits < domain.length) return `${domain.slice(0, digits)}${Number(domain.slice(digits)) + 1}`;
  const before = domain.at(-2) ?? '-';
  const isLetter = last >= 'a' && last < 'z' && (before === '-' || isDigit(before));
  return isLetter ? `${domain.slice(0, -1)}${String.fromCodePoint(last.codePointAt(0)! + 1)}` : `${domain}-2`;
}

function isDigit(letter: string): boolean {
  return letter >= '0' && letter <= '9';
}
