import { nearestNames } from '../util/nearest-names.ts';

/**
 * The declared StorageClass that a name is most likely meant to be. Clouds bring classes that nobody declares, with short
 * names and names that differ in a number (`gp2`, `gp3`): those are no misspellings.
 */
export function misspeltStorageClass(name: string, declared: Iterable<string>): string | undefined {
  const withoutNumbers = (text: string): string => text.replace(/\d+/g, '');
  if (name.length < 5) return undefined;
  return nearestNames(name, declared, 2).find((near) => withoutNumbers(near) !== withoutNumbers(name));
}
