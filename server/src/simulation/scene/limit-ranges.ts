import { namespaceOf } from '../../kubernetes/names.ts';
import type { Container, LimitRange, Pod, ResourceList } from '../../kubernetes/objects.ts';

interface ContainerDefaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * Fills in what containers do not say, as the LimitRanger admission plugin does for a new pod. Its minimum, maximum and
 * ratio checks are left to the rules of the editor.
 * Source: plugin/pkg/admission/limitranger/admission.go (mergePodResourceRequirements)
 */
export function applyLimitRanges(pod: Pod, limitRanges: readonly LimitRange[]): Pod {
  const namespace = namespaceOf(pod);
  let result = pod;
  for (const limitRange of limitRanges) {
    if (namespaceOf(limitRange) !== namespace || result.spec === undefined) continue;
    const defaults = containerDefaults(limitRange);
    const { spec } = result;
    result = {
      ...result,
      spec: {
        ...spec,
        containers: spec.containers.map((container) => withDefaults(container, defaults)),
        ...(spec.initContainers === undefined
          ? {}
          : { initContainers: spec.initContainers.map((container) => withDefaults(container, defaults)) }),
      },
    };
  }
  return result;
}

/** Source: SetDefaults_LimitRangeItem in pkg/apis/core/v1/defaults.go, defaultContainerResourceRequirements in limitranger */
function containerDefaults(limitRange: LimitRange): ContainerDefaults {
  let requests: ResourceList = {};
  let limits: ResourceList = {};
  for (const item of limitRange.spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    // The client library renames the field; manifests say `default`.
    const written = (item as { readonly default?: ResourceList }).default;
    const limit = { ...item.max, ...written } as ResourceList;
    const request = { ...item.min, ...limit, ...item.defaultRequest } as ResourceList;
    requests = { ...requests, ...request };
    limits = { ...limits, ...limit };
  }
  return { requests, limits };
}

function withDefaults(container: Container, defaults: ContainerDefaults): Container {
  const { resources } = container;
  return {
    ...container,
    resources: {
      ...resources,
      requests: { ...defaults.requests, ...resources?.requests } as Record<string, string>,
      limits: { ...defaults.limits, ...resources?.limits } as Record<string, string>,
    },
  };
}
