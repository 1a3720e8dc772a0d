import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { type Batches, duplicate, inBatches, invalid, requiredFormat } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goQuote } from '../format/go-quote.ts';
import { goList, goString } from '../format/go-zero.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { validateVolumeSource, type Volume, type VolumeRules } from './volume-sources.ts';

/** Volumes that containers may mount, by name: only those without a mistake. */
export type MountableVolumes = ReadonlyMap<string, Volume>;

/**
 * Judges the volumes of a pod. `podName` is empty for templates, and for pods that are still to be named. `mountable`
 * gets those that containers may mount.
 * Source: ValidateVolumes in pkg/apis/core/validation/validation.go
 */
export function judgeVolumes(
  volumes: PodSpec['volumes'],
  podName: string,
  mountable: Map<string, Volume>,
  rules: VolumeRules,
  at: FieldPath,
): Batches {
  const created = new Set<string>();
  for (const volume of goList(volumes)) {
    if (podName !== '' && volume.ephemeral !== undefined) created.add(`${podName}-${goString(volume.name)}`);
  }
  return inBatches(goList(volumes), (volume, index) => {
    if (volume.image !== undefined && !rules.allowImageVolumes) {
      // Dropped together with what mounts it: nothing is wrong with either.
      mountable.set(goString(volume.name), volume);
      return [];
    }
    const place = at.index(index);
    const found = [
      ...validateVolumeSource(volume, place, rules),
      ...validateName(volume, podName, place.child('name')),
      ...(mountable.has(goString(volume.name)) ? [duplicate(place.child('name'), volume.name)] : []),
    ];
    if (found.length === 0) mountable.set(goString(volume.name), volume);
    const claim = goString(volume.persistentVolumeClaim?.claimName);
    if (created.has(claim)) {
      const claimName = place.child('persistentVolumeClaim', 'claimName');
      found.push(invalid(claimName, claim, 'must not reference a PVC that gets created for an ephemeral volume'));
    }
    return found;
  });
}

/** The name of an ephemeral volume becomes part of the name of its claim. */
function validateName(volume: Volume, podName: string, at: FieldPath): FieldError[] {
  const name = goString(volume.name);
  const errors = requiredFormat(at, name, dnsLabelProblems);
  if (podName === '' || name === '' || volume.ephemeral === undefined) return errors;
  const claim = `${podName}-${name}`;
  return [
    ...dnsSubdomainProblems(claim).map((problem) => invalid(at, name, `PVC name ${goQuote(claim)}: ${problem}`)),
    ...errors,
  ];
}
