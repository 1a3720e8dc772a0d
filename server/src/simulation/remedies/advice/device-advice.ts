import type { CausePart } from '../../../report-model/cause.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { joined, say } from '../../../util/say.ts';
import { count, list } from '../../../util/words.ts';
import { needOf, requestName, type RequestPart } from '../../causes/device-text.ts';
import type { Inventory } from '../../cluster/inventory.ts';

const adviceLimit = 3;

const namesLimit = 3;

/** Letters that a name begins with, where it may be meant by them. */
const leastShared = 4;

/** What to do where a node has no devices for the claims of a pod. */
export function deviceAdvice(
  part: CausePart & { readonly kind: 'devices' },
  node: string,
  mayTakeFrom: (claim: string) => boolean,
): readonly string[] {
  const all = [
    ...togetherAdvice(part),
    ...part.requests.flatMap((request) => requestAdvice(request, node, mayTakeFrom)),
  ];
  return [...new Set(all)].slice(0, adviceLimit);
}

/** An error that ends the attempt, whatever other nodes have. */
export function deviceErrorAdvice(reason: string, inventory: Inventory): readonly string[] {
  const [, key] = /no such key: ([^\s,;]+)/.exec(reason) ?? [];
  if (key !== undefined) {
    const meant = meantOfDevices(key, inventory);
    if (meant.length > 0) return [say`select by ${list(meant, namesLimit)}, which devices have`];
    const offered = offeredOfDevices(inventory);
    if (offered.length > 0 && !offered.some(({ name }) => name === key)) {
      return [say`select by what devices have, such as ${list(offered.map(pathOf), namesLimit)}: none has ${key}`];
    }
    return [say`ask for the attribute with has(…), or with ?. and orValue(…): a device that lacks it ends the attempt`];
  }
  if (comparesQuantities.test(reason)) {
    return [say`compare quantities with compareTo(quantity(…)), as in memory.compareTo(quantity('40Gi')) >= 0`];
  }
  if (reason.includes('CEL ')) return [say`repair the selector: an error in it ends the attempt on every node`];
  if (reason.includes('currently being updated')) {
    return [say`let the driver publish all slices of the pool (resourceSliceCount), or ask for a number of devices`];
  }
  if (reason.includes('in the meantime')) {
    return [say`name each claim once in the pod: its containers can share it`];
  }
  return [];
}

const comparesQuantities = /overload for '_[<>]=?_' applied to '\(kubernetes\.Quantity/;

interface Offered {
  readonly name: string;
  /** As it is written in a selector: `["gpu.example.com"]`. */
  readonly domain: string;
  readonly field: string;
}

function pathOf({ name, domain, field }: Offered): string {
  return `device.${field}${domain}.${name}`;
}

/** What devices have, each once. */
function offeredOfDevices(inventory: Inventory): readonly Offered[] {
  const all = inventory.objects('ResourceSlice').flatMap(({ spec }) =>
    (spec.devices ?? []).flatMap(({ attributes = {}, capacity = {} }) =>
      Object.entries({ attributes, capacity }).flatMap(([field, values]) =>
        Object.keys(values).map((written) => {
          const [domain, name] = written.includes('/') ? written.split('/', 2) : [spec.driver, written];
          return { name: name ?? '', domain: `["${domain ?? ''}"]`, field };
        }),
      ),
    ),
  );
  return [...new Map(all.map((each) => [pathOf(each), each])).values()];
}

/** What devices have by a name, or by the nearest one, of a domain that no selector names beside it. */
function meantOfDevices(key: string, inventory: Inventory): readonly string[] {
  const offered = offeredOfDevices(inventory);
  const names = new Set(offered.map(({ name }) => name));
  const [near = [...names].find((name) => key.length >= leastShared && name.startsWith(key))] = names.has(key)
    ? [key]
    : nearestNames(key, names, 2);
  const selectors = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'] as const;
  const written = selectors.map((kind) => JSON.stringify(inventory.objects(kind).map(({ spec }) => spec))).join();
  const isMeant = ({ name, domain }: Offered): boolean =>
    name === near && (near !== key || !written.replaceAll('\\', '').includes(domain));
  return offered.filter(isMeant).map(pathOf);
}

/** Where there are devices for each request, and not for all. */
function togetherAdvice({ requests, together, match }: CausePart & { readonly kind: 'devices' }): readonly string[] {
  if (match.length > 0) {
    return [say`add a node with devices that have the same ${list(match)}, or take the constraint out of the claim`];
  }
  return together === 0
    ? []
    : [
        say`claim at most ${together} of class ${requests[0]!.className} in a pod, or add a node with ${count(needOf(requests), 'such device')}`,
      ];
}

function requestAdvice(request: RequestPart, node: string, mayTakeFrom: (claim: string) => boolean): readonly string[] {
  const { obstacles, instead, devices, className } = request;
  const of = (kind: RequestPart['obstacles'][number]['kind']): readonly string[] =>
    obstacles.flatMap((each) => (each.kind === kind ? each.texts : []));
  const named = (kind: RequestPart['obstacles'][number]['kind']): readonly string[] =>
    obstacles.flatMap((each) => (each.kind === kind ? each.names : []));
  if (devices === 0 && obstacles.length === 0) {
    return [
      say`run the driver of class ${className} on a node that has the devices, so that it publishes a ResourceSlice`,
    ];
  }
  const { need, fit } = request;
  const others = of('taken').filter(mayTakeFrom);
  const isShort = obstacles.every(({ kind }) => kind === 'class');
  return [
    ...(isShort && fit > 0 && need > fit
      ? [say`ask for at most ${fit} in ${requestName(request)}, or add a node with ${count(need, 'such device')}`]
      : []),
    ...(instead.length === 0
      ? []
      : [say`use class ${list(instead)} in ${requestName(request)}: ${node} has enough of it`]),
    ...(others.length === 0
      ? []
      : [say`scale down what uses claim ${list(others, namesLimit)}: a claim without pods gives its devices back`]),
    ...(of('taint').length === 0
      ? []
      : [
          say`find out why its driver or a DeviceTaintRule has put ${joined([...of('taint')], ', ')} on ${list(named('taint'), namesLimit)}; tolerate it in ${requestName(request)} only if such a device will do`,
        ]),
    ...(of('pool').length === 0
      ? []
      : [
          say`see to the driver of class ${className}: of pool ${list(named('pool'), namesLimit)} no device is given until all of its slices are there and valid`,
        ]),
    ...(of('selector').length === 0 || of('taken').length > 0 || (need > 0 && fit >= need)
      ? []
      : [say`select in ${requestName(request)} what devices have, or add a node whose devices have it`]),
    ...(isShort && obstacles.length > 0 && fit === 0 && instead.length === 0
      ? [say`add a node with devices of class ${className}: no device on ${node} passes its selectors`]
      : []),
    ...(of('error').length === 0
      ? []
      : [say`repair the selectors of ${requestName(request)} or of class ${className}`]),
  ];
}
