import type { CausePart } from '../../report-model/cause.ts';
import { say } from '../../util/say.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity } from '../../kubernetes/quantity.ts';
import type { PodInfo } from '../../scheduler/index.ts';
import type { Inventory } from '../cluster/inventory.ts';

/** Volumes that are told of for a claim. */
const volumesTold = 2;

/** Why the volumes that are there are none for a claim that waits for one, and claims of the same name elsewhere. */
export function volumesOfClass(
  parts: readonly CausePart[],
  { namespace }: PodInfo,
  { inventory, refusedClaims }: { readonly inventory: Inventory; readonly refusedClaims: ReadonlyMap<string, string> },
): readonly string[] {
  const claims = inventory.objects('PersistentVolumeClaim');
  const notes = parts.flatMap((part) => {
    // A claim that a pod uses has its volume.
    if ((part.kind !== 'claim' || part.problem === 'in-use') && part.kind !== 'volume-choice') return [];
    if (part.kind === 'claim' && part.problem === 'missing') {
      const refusal = refusedClaims.get(`${namespace}/${part.claim}`);
      if (refusal !== undefined) return [say`the API server refuses it: ${refusal}`];
      const elsewhere = claims.find(({ metadata }) => metadata?.name === part.claim);
      return elsewhere === undefined
        ? []
        : [say`the one of that name is in namespace ${namespaceOf(elsewhere)}, and pods only use those of their own`];
    }
    const claim = claims.find((each) => each.metadata?.name === part.claim && namespaceOf(each) === namespace);
    if (claim === undefined) return [];
    return [
      ...(part.kind === 'volume-choice' ? storageLeft(claim, part.className, inventory) : []),
      ...unfit(claim, inventory.objects('PersistentVolume')).slice(0, volumesTold),
    ];
  });
  return [...new Set(notes)];
}

/** What a driver says that it has left for a class, where that is less than a claim asks for. */
function storageLeft(waiting: PersistentVolumeClaim, className: string, inventory: Inventory): readonly string[] {
  const asked = readResourceList(waiting.spec?.resources?.requests).get('storage');
  const [most] = inventory
    .objects('CSIStorageCapacity')
    .filter((each) => each.storageClassName === className)
    .flatMap(({ capacity }) => readResourceList({ storage: capacity ?? '0' }).get('storage') ?? [])
    .sort((a, b) => compareQuantities(b, a));
  return asked === undefined || most === undefined || compareQuantities(most, asked) >= 0
    ? []
    : [
        say`it asks for ${formatQuantity(asked)}, and class ${className} has at most ${formatQuantity(most)} left in one place (CSIStorageCapacity)`,
      ];
}

/** Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (FindMatchingVolume) */
function unfit(waiting: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): readonly string[] {
  const { metadata, spec } = waiting;
  const asked = readResourceList(spec?.resources?.requests).get('storage');
  const modes = spec?.accessModes ?? [];
  return volumes
    .filter((volume) => (volume.spec?.storageClassName ?? '') === (spec?.storageClassName ?? ''))
    .flatMap((volume): readonly string[] => {
      const name = volume.metadata?.name ?? '';
      const { claimRef, capacity, accessModes = [] } = volume.spec ?? {};
      if (claimRef !== undefined) {
        const isOther = claimRef.name !== metadata?.name || claimRef.namespace !== namespaceOf(waiting);
        const holder = `${claimRef.namespace}/${claimRef.name}`;
        if (isOther) return [say`volume ${name} of its class is kept for claim ${holder}`];
      }
      const size = readResourceList(capacity).get('storage');
      if (asked !== undefined && size !== undefined && compareQuantities(size, asked) < 0) {
        return [say`volume ${name} of its class has ${formatQuantity(size)}, and it asks for ${formatQuantity(asked)}`];
      }
      const lacking = modes.filter((mode) => !accessModes.includes(mode));
      return lacking.length === 0 ? [] : [say`volume ${name} of its class is not ${lacking.join(', ')}`];
    });
}
