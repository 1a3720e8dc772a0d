import type { CausePart } from '../../contract/cause.ts';
import { compareText } from '../../kit/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import type { Node } from '../../kubernetes/objects.ts';

const hostname = 'kubernetes.io/hostname';
/** Nobody opens more zones than this for one workload. */
const mostDomains = 3;

/**
 * Domains that no node is in yet, such as `topology.kubernetes.io/zone=eu-1c`: as many as the constraint lacks
 * (`minDomains`), or one for each pod that anti-affinity keeps out of all there are. Each node has its own host name.
 */
export function newDomains(parts: readonly CausePart[], pods: number, nodes: readonly Node[]): readonly string[] {
  const [first] = parts.flatMap((part) => {
    if (part.kind === 'spread' && part.minDomains > 0) {
      return [{ key: part.topologyKey, lacking: part.minDomains - part.domains }];
    }
    return part.kind === 'anti-affinity' ? [{ key: part.topologyKey, lacking: pods }] : [];
  });
  if (first === undefined || first.key === hostname || first.lacking > mostDomains) return [];
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
  const number = /\d+$/.exec(domain)?.[0];
  if (number !== undefined) return `${domain.slice(0, -number.length)}${Number(number) + 1}`;
  const [letter = ''] = /(?<=^|[\d-])[a-y]$/.exec(domain) ?? [];
  return letter === '' ? `${domain}-2` : `${domain.slice(0, -1)}${String.fromCodePoint(letter.codePointAt(0)! + 1)}`;
}
