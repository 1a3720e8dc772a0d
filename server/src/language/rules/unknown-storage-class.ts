import { say } from '../../util/say.ts';
import type { PersistentVolume, PersistentVolumeClaim, PodSpec, StatefulSet } from '../../kubernetes/objects.ts';
import { misspeltStorageClass } from '../../kubernetes/misspelt-class.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

export const unknownStorageClass: ObjectRule = {
  code: 'unknown-storage-class',
  title: 'A claim names a StorageClass that the cluster does not have, or misspells one',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const declared = declaredNames(facts);
    if (declared.size === 0) return;
    for (const { path, spec } of claimsOf(fact)) {
      const name = spec?.storageClassName ?? '';
      if (name === '' || (spec?.volumeName ?? '') !== '' || isPlaceholder(name) || declared.has(name)) continue;
      // A volume of the same name of a class is bound without one.
      if (namesOfVolumes(facts).has(name)) continue;
      const near = misspeltStorageClass(name, declared);
      // Classes of a cloud are seldom declared: only a snapshot has all that there are.
      if (near === undefined && !isClusterKnown(facts)) continue;
      const message =
        near === undefined
          ? say`No StorageClass named "${name}" is in the cluster snapshot or declared. Without it pods that use the claim stay pending.`
          : say`No StorageClass named "${name}" is declared; did you mean ${near}? Without it pods that use the claim stay pending.`;
      yield findingAt(fact, [...path, 'storageClassName'], message, {
        value: near ?? '',
        ...(near === undefined ? { absence } : { severity: 'warning' as const }),
      });
    }
  },
  fix: changeToMeant,
};

const declaredNames = derived(['StorageClass'], (classes) => new Set(classes.map(({ name }) => name)));

const isClusterKnown = derived(['StorageClass'], (classes) => classes.some(({ source }) => source === 'snapshot'));

const namesOfVolumes = derived(
  ['PersistentVolume'],
  (volumes) => new Set(volumes.map(({ object }) => (object as PersistentVolume).spec?.storageClassName ?? '')),
);

interface WrittenClaim {
  /** Of its spec. */
  readonly path: readonly (string | number)[];
  readonly spec: PersistentVolumeClaim['spec'];
}

/** Claims that an object is, or that are made for its pods; those that a cluster has are left as they are. */
function claimsOf(fact: Fact): readonly WrittenClaim[] {
  const { kind, object, template } = fact;
  if (kind === 'PersistentVolumeClaim') {
    const { spec, status } = object as PersistentVolumeClaim;
    return status?.phase === undefined ? [{ path: ['spec'], spec }] : [];
  }
  if (template === undefined || isStoredPod(fact)) return [];
  const made = kind === 'StatefulSet' ? ((object as StatefulSet).spec?.volumeClaimTemplates ?? []) : [];
  const { volumes = [] }: PodSpec = template.spec;
  return [
    ...made.map(({ spec }, index) => ({ path: ['spec', 'volumeClaimTemplates', index, 'spec'], spec })),
    ...volumes.flatMap(({ ephemeral }, index) => {
      const { spec } = ephemeral?.volumeClaimTemplate ?? {};
      const at = [...template.path, 'spec', 'volumes', index, 'ephemeral', 'volumeClaimTemplate', 'spec'];
      return spec === undefined ? [] : [{ path: at, spec }];
    }),
  ];
}

const absence = { of: 'StorageClass' } as const;
