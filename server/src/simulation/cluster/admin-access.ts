import { labelValue } from '../../kubernetes/labels.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../kubernetes/objects.ts';
import type { Inventory } from './inventory.ts';

/** Source: DRAAdminNamespaceLabelKey in pkg/apis/resource/types.go */
export const adminAccessLabel = 'resource.kubernetes.io/admin-access';

/**
 * Whether the API server refuses a claim, or those that a template makes, as it asks for admin access in a namespace that
 * is declared without the label for it. Source: AuthorizedForAdmin in pkg/apis/resource/resourceutils
 */
export function lacksAdminAccess(object: ResourceClaim | ResourceClaimTemplate, inventory: Inventory): boolean {
  const spec = 'spec' in object.spec ? object.spec.spec : object.spec;
  if (object.metadata?.uid !== undefined || !(spec.devices?.requests ?? []).some(asksForAdmin)) return false;
  const namespace = inventory.objects('Namespace').find(({ metadata }) => metadata?.name === namespaceOf(object));
  return namespace !== undefined && labelValue(namespace.metadata?.labels, adminAccessLabel) !== 'true';
}

function asksForAdmin({ exactly }: { readonly exactly?: { readonly adminAccess?: boolean } }): boolean {
  return exactly?.adminAccess === true;
}
