import { say } from '../../util/say.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { DeviceClass, ResourceSlice } from '../../kubernetes/objects.ts';
import { isDeviceResource, knownDevices, namesInDevices } from '../index/known-devices.ts';
import type { Asked, Choice } from './context.ts';

const ofDevices = say`of devices that are there`;

/** What a pod may request of classes of devices. */
export function* classResources({ context: { facts, release } }: Asked): Generator<Choice> {
  for (const { name, object } of facts.ofKind('DeviceClass')) {
    const { extendedResourceName } = (object as DeviceClass).spec;
    for (const label of [extendedResourceName, `deviceclass.resource.kubernetes.io/${name}`]) {
      if (label !== undefined && isDeviceResource(label, facts, release)) {
        yield { label, detail: say`of DeviceClass ${name}` };
      }
    }
  }
}

export function drivers({ context: { facts } }: Asked): readonly Choice[] {
  return facts.ofKind('ResourceSlice').map(({ object }) => ({
    label: (object as ResourceSlice).spec.driver,
    detail: say`driver of a ResourceSlice`,
  }));
}

/** `domain/name`, as constraints name attributes. */
export function* attributes({ context: { facts } }: Asked): Generator<Choice> {
  for (const [domain, names] of namesInDevices(facts, 'attributes')) {
    for (const name of names) yield { label: `${domain}/${name}`, detail: ofDevices };
  }
}

/** Capacities as devices name them that several claims can share. */
export function* sharedCapacities({ context: { facts } }: Asked): Generator<Choice> {
  for (const { device } of knownDevices(facts)) {
    if (device.allowMultipleAllocations !== true) continue;
    for (const [label, { value }] of Object.entries(device.capacity ?? {})) yield { label, detail: value };
  }
}

export function* deviceTaints({ path, context: { facts } }: Asked): Generator<Choice> {
  for (const { device } of knownDevices(facts)) {
    for (const { key, value, effect } of device.taints ?? []) {
      const label = path.at(-1) === 'key' ? key : value;
      if (label !== undefined) yield { label, detail: say`${effect} of ${device.name}` };
    }
  }
}

/** Requests of the claim that a constraint or a configuration is in, and their alternatives. */
export function requestsBeside({ object, path }: Asked): readonly Choice[] {
  return requestsOf(valueAt(object.value, path.slice(0, path.lastIndexOf('devices') + 1)));
}

function requestsOf(devices: unknown): readonly Choice[] {
  const requests = valueAt(devices, ['requests']);
  return (isList(requests) ? requests : []).flatMap((request) => {
    const name = valueAt(request, ['name']);
    if (typeof name !== 'string' || !isObject(request)) return [];
    const { firstAvailable } = request;
    const others = (isList(firstAvailable) ? firstAvailable : []).flatMap((each) => {
      const other = valueAt(each, ['name']);
      return typeof other === 'string' ? [{ label: `${name}/${other}`, detail: say`alternative` }] : [];
    });
    return [{ label: name, detail: say`request` }, ...others];
  });
}

/** The claims of the pod that a container is in. */
export function claimsOfPod({ object }: Asked): readonly Choice[] {
  const claims = valueAt(object.value, [...(podTemplatePath(object.kind) ?? []), 'spec', 'resourceClaims']);
  return (isList(claims) ? claims : []).flatMap((claim) => {
    const name = valueAt(claim, ['name']);
    return typeof name === 'string' ? [{ label: name, detail: say`claim of the pod` }] : [];
  });
}

/** The requests of a claim that a container names. */
export function requestsOfClaim({ object, path, context: { facts } }: Asked): readonly Choice[] {
  const name = valueAt(object.value, [...path.slice(0, -1), 'name']);
  const claims = valueAt(object.value, [...(podTemplatePath(object.kind) ?? []), 'spec', 'resourceClaims']);
  const claim = (isList(claims) ? claims : []).find((each) => valueAt(each, ['name']) === name);
  const isOf = (kind: 'ResourceClaim' | 'ResourceClaimTemplate', field: string) =>
    facts.ofKind(kind).find((each) => each.namespace === object.namespace && each.name === valueAt(claim, [field]))
      ?.manifest.value;
  const own = isOf('ResourceClaim', 'resourceClaimName');
  const template = isOf('ResourceClaimTemplate', 'resourceClaimTemplateName');
  return requestsOf(valueAt(own, ['spec', 'devices']) ?? valueAt(template, ['spec', 'spec', 'devices'])).filter(
    ({ label }) => !label.includes('/'),
  );
}
