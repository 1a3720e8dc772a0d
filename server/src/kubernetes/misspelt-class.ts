import { likelyName, nearestNames } from '../util/nearest-names.ts';
import { isPlaceholder } from './placeholders.ts';

/**
 * The declared StorageClass that a name is most likely meant to be. Clouds bring classes that nobody declares, with short
 * names and names that differ in a number (`gp2`, `gp3`): those are no misspellings.
 */
export function misspeltStorageClass(name: string, declared: Iterable<string>): string | undefined {
  const withoutNumbers = (text: string): string => text.replace(/\d+/g, '');
  if (name.length < 5) return undefined;
  return nearestNames(name, declared, 2).find((near) => withoutNumbers(near) !== withoutNumbers(name));
}

/** Pools that a cloud has without an object. Sources: EKS Auto Mode, compute classes of GKE Autopilot */
const builtInPools: ReadonlySet<string> = new Set(
  'general-purpose system Accelerator Balanced Performance Scale-Out autopilot autopilot-spot'.split(' '),
);

/** The declared NodePool or ComputeClass that a name is most likely meant to be. */
export function misspeltPool(name: string, declared: readonly string[]): string | undefined {
  const isNamed = declared.includes(name) || builtInPools.has(name) || isPlaceholder(name);
  return isNamed ? undefined : likelyName(name, declared);
}
