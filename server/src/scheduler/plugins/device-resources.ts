import type { ClusterState } from '../framework/cluster-state.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { isExtendedResourceName } from '../framework/scalar-resource-name.ts';

const ofClass = 'deviceclass.resource.kubernetes.io/';
const none: ReadonlySet<string> = new Set();

/**
 * The extended resources of a pod that a DeviceClass stands behind: nodes that do not have them as such may offer them
 * as devices. Source: DRAExtendedResource; DeviceClassResolver in pkg/scheduler/framework/plugins/dynamicresources
 */
export function deviceResourcesOf({ release, objects }: ClusterState, pod: PodInfo): ReadonlySet<string> {
  const scalars = pod.exact?.requests.scalars ?? pod.requests.scalars;
  const { deviceClasses } = objects.fixed;
  if (scalars.size === 0 || deviceClasses.size === 0) return none;
  if (!release.featureGates.has('DRAExtendedResource')) return none;
  const named = new Set([...deviceClasses.values()].map(({ spec }) => spec.extendedResourceName ?? ''));
  const found = [...scalars].filter(([name, amount]) => {
    if (Number(amount) === 0) return false;
    if (name.startsWith(ofClass)) return deviceClasses.has(name.slice(ofClass.length));
    return isExtendedResourceName(name) && named.has(name);
  });
  return found.length === 0 ? none : new Set(found.map(([name]) => name));
}
