import { nameOf } from '../../kubernetes/names.ts';
import type { Device, KubeObject, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { isObject, valueAt } from '../../util/values.ts';
import { compareText } from '../../util/words.ts';

type DeviceTaint = NonNullable<Device['taints']>[number];

/**
 * ResourceSlices with the taints of DeviceTaintRules behind those of their drivers. A rule without a selector taints
 * every device. Source: resourceslice/tracker/tracker.go (applyPatches) of kubernetes/dynamic-resource-allocation
 */
export function taintedSlices(
  slices: readonly ResourceSlice[],
  rules: readonly KubeObject[],
  { featureGates }: Release,
): readonly ResourceSlice[] {
  if (rules.length === 0 || !featureGates.has('DRADeviceTaintRules') || !featureGates.has('DRADeviceTaints')) {
    return slices;
  }
  const byName = [...rules].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  return slices.map((slice) => {
    const { driver, pool, devices = [] } = slice.spec;
    const applied = byName.filter((rule) => selects(rule, 'driver', driver) && selects(rule, 'pool', pool.name));
    if (applied.length === 0) return slice;
    const tainted = devices.map((device) => {
      const added = applied.filter((rule) => selects(rule, 'device', device.name)).flatMap(taintOf);
      return added.length === 0 ? device : { ...device, taints: [...(device.taints ?? []), ...added] };
    });
    return { ...slice, spec: { ...slice.spec, devices: tainted } };
  });
}

function selects(rule: KubeObject, field: 'driver' | 'pool' | 'device', name: string): boolean {
  const selected = valueAt(rule, ['spec', 'deviceSelector', field]);
  return typeof selected !== 'string' || selected === name;
}

function taintOf(rule: KubeObject): readonly DeviceTaint[] {
  const taint = valueAt(rule, ['spec', 'taint']);
  if (!isObject(taint) || typeof taint['key'] !== 'string' || typeof taint['effect'] !== 'string') return [];
  const { key, effect, value, timeAdded } = taint;
  const more = {
    ...(typeof value === 'string' ? { value } : {}),
    ...(typeof timeAdded === 'string' ? { timeAdded } : {}),
  };
  return [{ key, effect, ...more }];
}
