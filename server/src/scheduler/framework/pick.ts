import type { NodeName, PodKey } from '../decision.ts';
import type { NodeSet } from './node-set.ts';

/** Names of the nodes, sorted bytewise. */
export function sortedNames(indexes: Iterable<number>, nodes: NodeSet): readonly NodeName[] {
  const rank = nodes.nameRank;
  return [...indexes].sort((a, b) => rank[a]! - rank[b]!).map((index) => nodes.facts[index]!.name);
}

/**
 * One of several equal nodes: the bytewise smallest name, or with a seed one drawn from seed and pod. The real
 * scheduler draws at random.
 */
export function pickNode(indexes: readonly number[], nodes: NodeSet, seed: number | undefined, pod: PodKey): NodeName {
  if (seed !== undefined && indexes.length > 1) {
    const names = sortedNames(indexes, nodes);
    return names[hash(`${seed}/${pod}`) % names.length]!;
  }
  let smallest = indexes[0]!;
  // The names of all nodes are put in order when some of them tie.
  if (indexes.length === 1) return nodes.facts[smallest]!.name;
  const rank = nodes.nameRank;
  for (const index of indexes) if (rank[index]! < rank[smallest]!) smallest = index;
  return nodes.facts[smallest]!.name;
}

/** FNV-1a, 32 bits, and the last steps of MurmurHash3: the low bits of FNV alone are those of the text added up. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
