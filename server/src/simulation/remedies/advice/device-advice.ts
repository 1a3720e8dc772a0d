import type { CausePart } from '../../../report-model/cause.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { joined, say } from '../../../util/say.ts';
import { count, list } from '../../../util/words.ts';
import { needOf, requestName, type RequestPart } from '../../causes/device-text.ts';
import type { Inventory } from '../../cluster/inventory.ts';

const adviceLimit = 3;

const namesLimit = 3;

/** What to do where a node has no devices for the claims of a pod. */
export function deviceAdvice(part: CausePart & { readonly kind: 'devices' }, node: string): readonly string[] {
  const all = [...togetherAdvice(part), ...part.requests.flatMap((request) => requestAdvice(request, node))];
  return [...new Set(all)].slice(0, adviceLimit);
}

/** An error that ends the attempt, whatever other nodes have. */
export function deviceErrorAdvice(reason: string, inventory: Inventory): readonly string[] {
  const [, key] = /no such key: ([^\s,;]+)/.exec(reason) ?? [];
  if (key !== undefined) {
    const meant = meantOfDevices(key, inventory);
    if (meant.length > 0) return [say`select by ${list(meant, namesLimit)}, which devices have`];
    return [say`ask for the attribute with has(…), or with ?. and orValue(…): a device that lacks it ends the attempt`];
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

/** What devices have by a name, or by the nearest one, of a domain that no selector names beside it. */
function meantOfDevices(key: string, inventory: Inventory): readonly string[] {
  const offered = inventory.objects('ResourceSlice').flatMap(({ spec }) =>
    (spec.devices ?? []).flatMap(({ attributes = {}, capacity = {} }) =>
      Object.entries({ attributes, capacity }).flatMap(([field, all]) =>
        Object.keys(all).map((name) => {
          const [domain, own] = name.includes('/') ? name.split('/', 2) : [spec.driver, name];
          return { name: own ?? '', domain: `["${domain ?? ''}"]`, field };
        }),
      ),
    ),
  );
  const names = new Set(offered.map(({ name }) => name));
  const [near] = names.has(key) ? [key] : nearestNames(key, names, 2);
  const selectors = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'] as const;
  const written = selectors.map((kind) => JSON.stringify(inventory.objects(kind).map(({ spec }) => spec))).join();
  const isMeant = ({ name, domain }: (typeof offered)[number]): boolean =>
    name === near && (near !== key || !written.replaceAll('\\', '').includes(domain));
  return [...new Set(offered.filter(isMeant).map(({ name, domain, field }) => `device.${field}${domain}.${name}`))];
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

function requestAdvice(request: RequestPart, node: string): readonly string[] {
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
  const isShort = obstacles.every(({ kind }) => kind === 'class');
  return [
    ...(isShort && fit > 0 && need > fit
      ? [say`ask for at most ${fit} in ${requestName(request)}, or add a node with ${count(need, 'such device')}`]
      : []),
    ...(instead.length === 0
      ? []
      : [say`use class ${list(instead)} in ${requestName(request)}: ${node} has enough of it`]),
    ...(of('taken').length === 0
      ? []
      : [say`end pods that use claim ${list(of('taken'))}: a claim without pods gives its devices back`]),
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
