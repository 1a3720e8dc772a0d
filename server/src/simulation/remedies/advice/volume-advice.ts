import type { Cause, CausePart } from '../../../report-model/cause.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { joined, say } from '../../../util/say.ts';
import { list } from '../../../util/words.ts';
import { labelValue } from '../../../kubernetes/labels.ts';
import { namespaceOf } from '../../../kubernetes/names.ts';
import { areVolumesApart } from '../../causes/find-causes.ts';
import { isPinned } from '../../causes/nearness.ts';
import type { Inventory } from '../../cluster/inventory.ts';
import { namedOrCreated } from './missing-claims.ts';

const hostname = 'kubernetes.io/hostname';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';
const namesLimit = 3;

/** What to do about volumes that are elsewhere than the nodes that a pod may use. */
export function placeAdvice(cause: Cause): readonly string[] {
  return [
    ...selectsElsewhere(cause),
    ...whereClassMakes(cause),
    ...(areVolumesApart(cause)
      ? [say`move one of the volumes to where the other is: restore a snapshot of it there`]
      : []),
  ];
}

/** A class that makes volumes only where no node is. */
function whereClassMakes({ parts, others }: Cause): readonly string[] {
  const isSelected = others.some((other) => other.parts.some(({ kind }) => kind === 'labels'));
  return parts.flatMap((part) =>
    part.kind === 'volume' && part.volume === '' && !isSelected
      ? [say`let the class of claim ${part.claim} make volumes where nodes are (allowedTopologies)`]
      : [],
  );
}

/** A volume that is elsewhere than where the pod selects to be. */
function selectsElsewhere({ parts, others }: Cause): readonly string[] {
  const volume = parts.find(({ kind }) => kind === 'volume');
  const isSelected = others.some((other) => other.parts.some((part) => part.kind === 'labels' && !isPinned(part)));
  if (volume?.kind !== 'volume' || !isSelected) return [];
  if (volume.volume === '') {
    return [
      say`let the pod select nodes with ${joined(volume.wanted, say` or `)}, or use a class for claim ${volume.claim} that makes volumes where the pod selects to be`,
    ];
  }
  return [
    say`let the pod select where volume ${volume.volume} is, or make claim ${volume.claim} anew of a class with volumeBindingMode: WaitForFirstConsumer, which makes volumes where pods are placed`,
  ];
}

/** Source: a class without a provisioner, as for local volumes: kubernetes.io/no-provisioner */
export function volumeChoiceAdvice(
  { claim, className }: CausePart & { readonly kind: 'volume-choice' },
  inventory: Inventory,
): readonly string[] {
  const found = inventory.objects('StorageClass').find(({ metadata }) => metadata?.name === className);
  if (found?.provisioner !== 'kubernetes.io/no-provisioner') {
    return inventory.objects('CSIStorageCapacity').some((each) => each.storageClassName === className)
      ? [say`free storage of class ${className} where pods may run, or ask for less in claim ${claim}`]
      : [];
  }
  const released = inventory
    .objects('PersistentVolume')
    .filter(({ spec, status }) => status?.phase === 'Released' && spec?.storageClassName === className)
    .map(({ metadata }) => metadata?.name ?? '');
  return [
    say`create a PersistentVolume of class ${className} for claim ${claim}: nothing makes one for a class without a provisioner`,
    ...(released.length === 0
      ? []
      : [
          say`or take spec.claimRef out of ${list(released, namesLimit)}, whose claim is gone, where the data there may go`,
        ]),
  ];
}

/** What is kept on a node's own disk is where that node is, and nowhere else; other volumes are where a pool may be. */
export function lostNodeAdvice(
  { claim, wanted, volume }: CausePart & { readonly kind: 'volume' },
  inventory: Inventory,
  grows: boolean,
): readonly string[] {
  const lost = wanted.flatMap((each) => /^kubernetes\.io\/hostname=(\S+)$/.exec(each)?.[1] ?? []);
  const isThere = (name: string): boolean =>
    inventory.objects('Node').some(({ metadata }) => labelValue(metadata?.labels, hostname) === name);
  if (lost.length === 0 && grows) return [poolFor(wanted, volume)];
  return lost.length === 0 || lost.length < wanted.length || lost.some(isThere)
    ? []
    : [
        say`bring node ${list(lost)} back, which has the data of claim ${claim}; without it, delete the claim, and what makes the pod makes an empty one`,
      ];
}

/** What to do where no pool makes nodes where a volume is. */
function poolFor(wanted: readonly string[], volume: string): string {
  return say`let a pool make nodes with ${joined(wanted, say` or `)}, where volume ${volume} is, or restore a snapshot of it where nodes are`;
}

export function claimAdvice(
  { claim, problem, names }: CausePart & { readonly kind: 'claim' },
  {
    namespace,
    workload,
    replicas,
  }: { readonly namespace: string; readonly workload: string; readonly replicas: number },
  inventory: Inventory,
): readonly string[] {
  const classes = inventory.objects('StorageClass').flatMap(({ metadata }) => metadata?.name ?? []);
  const [first] = classes;
  switch (problem) {
    case 'missing':
      if (names.length > 0) {
        return [say`raise quota ${list(names)}, or ask for less in claim ${claim}`];
      }
      if (inventory.claims.refused.has(`${namespace}/${claim}`)) {
        return [say`correct claim ${claim}, which the API server refuses as it is written`];
      }
      return [
        namedOrCreated(
          'PersistentVolumeClaim',
          claim,
          inventory
            .objects('PersistentVolumeClaim')
            .filter((each) => namespaceOf(each) === namespace)
            .flatMap(({ metadata }) => metadata?.name ?? []),
          namespace,
          inventory,
        ),
      ];
    case 'no-class':
      return first === undefined
        ? [say`create a StorageClass, or a volume for claim ${claim}`]
        : [
            say`set storageClassName: ${first} in claim ${claim}, or mark it as the default: kubectl annotate storageclass ${first} ${defaultClass}=true`,
          ];
    case 'unknown-class': {
      const [near = first] = nearestNames(names[0] ?? '', classes, 4);
      return near === undefined
        ? [say`create StorageClass ${list(names)}`]
        : [say`set storageClassName: ${near} in claim ${claim}, or create StorageClass ${list(names)}`];
    }
    case 'unbound': {
      const see = `kubectl describe pvc ${claim} -n ${namespace}`;
      const own = inventory.objects('StorageClass').find(({ metadata }) => metadata?.name === names[0]);
      if (own === undefined || own.provisioner === 'kubernetes.io/no-provisioner') {
        return [say`create a PersistentVolume that suits claim ${claim} (class, size and access modes): ${see}`];
      }
      return [say`see why ${own.provisioner} makes no volume for claim ${claim}: ${see}`];
    }
    case 'in-use':
      if (names.some((key) => !key.startsWith(`${namespace}/${workload}-`))) {
        return [
          say`let ${list(names)} end first, or make the claim anew as ReadWriteOnce, for pods on one node, or ReadWriteMany`,
        ];
      }
      if (replicas > 1) {
        return [
          say`give each replica a claim of its own (volumeClaimTemplates of a StatefulSet), or use ReadWriteMany`,
        ];
      }
      return [
        say`let the pod that uses it end first (strategy Recreate), or make the claim ReadWriteOnce, for pods on one node, or ReadWriteMany`,
      ];
    case 'other':
      return [];
  }
}
