/**
 * What the fields are for that do not bear on scheduling: of pods, and of the other kinds that are read. By struct and
 * field; what means the same wherever it stands, by its name alone.
 */
import { own } from '../../../util/own.ts';
import { anywhere } from './anywhere.ts';
import { otherWords } from './other-kinds.ts';
import { podWords } from './pods.ts';

/** The sentence of a field that decides nothing about where pods run; undefined where there is none. */
export function plainFieldWords(struct: string, field: string): string | undefined {
  for (const each of [struct, sameAs.get(struct) ?? '']) {
    const words = own(podWords, each) ?? own(otherWords, each);
    const sentence = words === undefined ? undefined : own(words, field);
    if (sentence !== undefined) return sentence;
  }
  return own(anywhere, field);
}

/** Structs that have the fields of another one, with the same meaning. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ['EphemeralContainer', 'Container'],
  ['PersistentVolumeSpec', 'Volume'],
]);
