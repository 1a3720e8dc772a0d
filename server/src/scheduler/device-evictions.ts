import { type DeviceTaint, toleratesDeviceTaint } from '../kubernetes/device-taints.ts';
import type { Device, ResourceClaim } from '../kubernetes/objects.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { claimsOf } from './framework/resource-claims.ts';

type Results = NonNullable<NonNullable<NonNullable<ResourceClaim['status']>['allocation']>['devices']>['results'];
type Result = NonNullable<Results>[number];

/** A NoExecute taint of a device that a pod has, and after how many seconds the pod has to leave for it. */
export interface DeviceEviction {
  readonly taint: DeviceTaint;
  readonly seconds: number;
}

/**
 * The taints of its devices for which a pod is deleted. A toleration only counts here that names the effect.
 * Source: pkg/controller/devicetainteviction/device_taint_eviction.go (podEvictionTime, claimEvictionTime)
 */
export function deviceEvictions({ objects, release }: ClusterState, pod: PodInfo): readonly DeviceEviction[] {
  if (!release.featureGates.has('DRADeviceTaints') || objects.fixed.resourceSlices.length === 0) return [];
  const found = claimsOf(objects, pod, release);
  if ('problem' in found) return [];
  return found.claims
    .filter(({ status }) =>
      (status?.reservedFor ?? []).some(({ uid, name }) => uid === pod.uid || name === pod.pod.metadata?.name),
    )
    .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
    .flatMap((result) => evicting(deviceOf(objects.fixed.resourceSlices, result), result));
}

function evicting(device: Device | undefined, { tolerations = [] }: Result): readonly DeviceEviction[] {
  return (device?.taints ?? []).flatMap((taint): readonly DeviceEviction[] => {
    if (taint.effect !== 'NoExecute') return [];
    const seconds = tolerations
      .filter((each) => each.effect === 'NoExecute' && toleratesDeviceTaint(each, taint))
      .map(({ tolerationSeconds }) => (tolerationSeconds === undefined ? Infinity : Math.max(0, tolerationSeconds)));
    if (seconds.includes(Infinity)) return [];
    return [{ taint, seconds: Math.min(...seconds, ...(seconds.length === 0 ? [0] : [])) }];
  });
}

/** Of the newest generation of its pool. */
function deviceOf(slices: ClusterState['objects']['fixed']['resourceSlices'], result: Result): Device | undefined {
  const pool = slices.filter(({ spec }) => spec.driver === result.driver && spec.pool.name === result.pool);
  const newest = Math.max(...pool.map(({ spec }) => spec.pool.generation));
  return pool
    .filter(({ spec }) => spec.pool.generation === newest)
    .flatMap(({ spec }) => spec.devices ?? [])
    .find(({ name }) => name === result.device);
}
