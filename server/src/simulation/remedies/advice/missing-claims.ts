import { likelyName } from '../../../util/nearest-names.ts';
import { say } from '../../../util/say.ts';
import { namespaceOf } from '../../../kubernetes/names.ts';
import type { PodSpec } from '../../../kubernetes/objects.ts';
import { adminAccessLabel, refusedAdminAccess } from '../../../kubernetes/admin-access.ts';
import type { Inventory } from '../../cluster/inventory.ts';

/** What to make, so that a pod that is held back for want of its claims has them; empty where they are there. */
export function missingClaimsOf(spec: PodSpec, namespace: string, inventory: Inventory): readonly string[] {
  const namespaces = inventory.objects('Namespace');
  return (spec.resourceClaims ?? []).flatMap(({ resourceClaimName, resourceClaimTemplateName }) => {
    const kind = resourceClaimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
    const name = resourceClaimName ?? resourceClaimTemplateName;
    const names = inventory
      .objects(kind)
      .filter((object) => namespaceOf(object) === namespace && refusedAdminAccess(object, namespaces) === undefined)
      .flatMap(({ metadata }) => metadata?.name ?? []);
    return name === undefined || names.includes(name) ? [] : [namedOrCreated(kind, name, names, namespace, inventory)];
  });
}

/** Another name is meant, or another version, or the object is to be made. */
export function namedOrCreated(
  kind: 'DeviceClass' | 'PersistentVolumeClaim' | 'ResourceClaim' | 'ResourceClaimTemplate',
  name: string,
  known: readonly string[],
  namespace: string,
  inventory: Inventory,
): string {
  if (kind === 'ResourceClaim' || kind === 'ResourceClaimTemplate') {
    const own = inventory
      .objects(kind)
      .filter((each) => each.metadata?.name === name && namespaceOf(each) === namespace);
    if (own.some((each) => refusedAdminAccess(each, inventory.objects('Namespace')) !== undefined)) {
      return say`label namespace ${namespace} ${adminAccessLabel}=true, without which the API server refuses adminAccess there (${kind} ${name})`;
    }
  }
  const served = inventory.servedVersionOf(kind, name, namespace);
  if (served !== undefined) {
    return say`change apiVersion of ${kind} ${name} to ${served}: the one that is written is not served`;
  }
  const elsewhere = inventory.objects(kind).find((object) => namespace !== '' && object.metadata?.name === name);
  if (elsewhere !== undefined) {
    return say`create ${kind} ${name} in namespace ${namespace}: pods there do not see that of ${namespaceOf(elsewhere)}`;
  }
  const near = likelyName(name, known);
  return near === undefined ? say`create ${kind} ${name}` : say`name ${kind} ${near}, or create ${name}`;
}
