import type { Path } from './json.ts';
import { labelValue } from './labels.ts';
import { namespaceOf } from './names.ts';
import type { Namespace, ResourceClaim, ResourceClaimTemplate } from './objects.ts';

/** Source: DRAAdminNamespaceLabelKey in pkg/apis/resource/types.go */
export const adminAccessLabel = 'resource.kubernetes.io/admin-access';

/**
 * Where a claim, or a template of claims, asks for admin access that the API server refuses: in a namespace that is
 * declared without the label for it. Undefined where it is not refused, and for what is stored already.
 * Source: AuthorizedForAdmin in pkg/apis/resource/resourceutils
 */
export function refusedAdminAccess(
  object: ResourceClaim | ResourceClaimTemplate,
  namespaces: readonly Namespace[],
): Path | undefined {
  const isTemplate = 'spec' in object.spec;
  const { requests = [] } = ('spec' in object.spec ? object.spec.spec : object.spec).devices ?? {};
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  if (index < 0 || object.metadata?.uid !== undefined) return undefined;
  const namespace = namespaces.find(({ metadata }) => metadata?.name === namespaceOf(object));
  if (namespace === undefined || labelValue(namespace.metadata?.labels, adminAccessLabel) === 'true') return undefined;
  return [...(isTemplate ? ['spec', 'spec'] : ['spec']), 'devices', 'requests', index, 'exactly', 'adminAccess'];
}
