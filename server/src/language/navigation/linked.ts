import type { LinkedEditingRanges, Position } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Facts } from '../index/facts.ts';
import { mentionAt, mentionsInObject } from '../index/mentions.ts';
import { unquotedRange } from './unquoted-range.ts';

/** Characters of keys and values of labels. */
const wordPattern = '[-\\w./]+';

/** A label of a pod template and the selectors of the same object that must match it, which are typed together. */
export function linkedRanges(file: ManifestFile, position: Position, facts: Facts): LinkedEditingRanges | null {
  const mention = mentionAt(file, position, facts);
  if (mention?.kind !== 'label of pods' && mention?.kind !== 'label value of pods') return null;
  const ranges = new Map<string, LinkedEditingRanges['ranges'][number]>();
  for (const { fact, path, part } of mentionsInObject(mention)) {
    const range = facts.originOf(fact, path, part)?.range;
    if (range === undefined || fact.manifest.rendering?.isWrittenHere(path) === false) return null;
    // What an anchor and its aliases share is written once.
    ranges.set(JSON.stringify(range), unquotedRange(file, range));
  }
  return ranges.size < 2 ? null : { ranges: [...ranges.values()], wordPattern };
}
