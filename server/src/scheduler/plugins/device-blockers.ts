import { nodeTermTexts } from '../../kubernetes/requirement-text.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import {
  deviceEngine,
  type DeviceObstacle,
  type DeviceSource,
  type DeviceVerdict,
  type RequestVerdicts,
  type WantedClaim,
} from '../framework/device-engine.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import { compareBytewise } from '../framework/order.ts';
import type { Blocker, Cycle, DeviceProblem, RequestShortage } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** Names and texts of each kind that are told. */
const mostTold = 4;

/** What the claims of a pod need before any node is looked at, and is not there; null where it is something else. */
export function missingForDevices({ cluster, pod }: Cycle): Blocker | null {
  const { objects } = cluster;
  const { resourceClaimTemplates, deviceClasses } = objects.fixed;
  const within = (keys: Iterable<string>): readonly string[] =>
    [...keys].flatMap((key) => (key.startsWith(`${pod.namespace}/`) ? [key.slice(pod.namespace.length + 1)] : []));
  const missing = (
    kind: (Blocker & { kind: 'device-claim' })['missing'],
    name: string,
    known: readonly string[],
  ): Blocker => ({ kind: 'device-claim', missing: kind, name, known: [...known].sort(compareBytewise) });
  for (const { name, resourceClaimName, resourceClaimTemplateName } of pod.pod.spec?.resourceClaims ?? []) {
    const made = pod.pod.status?.resourceClaimStatuses?.find((each) => each.name === name);
    const claimName = resourceClaimName ?? made?.resourceClaimName;
    if (claimName === undefined) {
      if (made !== undefined || resourceClaimTemplateName === undefined) continue;
      if (resourceClaimTemplates.has(`${pod.namespace}/${resourceClaimTemplateName}`)) continue;
      return missing('ResourceClaimTemplate', resourceClaimTemplateName, within(resourceClaimTemplates.keys()));
    }
    const claim = objects.resourceClaim(`${pod.namespace}/${claimName}`);
    if (claim === undefined) {
      return missing('ResourceClaim', claimName, within([...objects.resourceClaims].map(keyOf)));
    }
    if (claim.status?.allocation !== undefined) continue;
    for (const { exactly, firstAvailable = [] } of claim.spec.devices?.requests ?? []) {
      const asked = exactly === undefined ? firstAvailable : [exactly];
      const unknown = asked.find(({ deviceClassName }) => !deviceClasses.has(deviceClassName));
      if (unknown !== undefined) return missing('DeviceClass', unknown.deviceClassName, [...deviceClasses.keys()]);
    }
  }
  return null;
}

/** What a node was asked for. */
export interface AskedOfNode {
  readonly source: DeviceSource;
  readonly node: NodeFacts;
  readonly pod: PodInfo;
  readonly wanted: readonly WantedClaim[];
  /** Request of the scheduler's own claim → extended resource. */
  readonly resources: ReadonlyMap<string, string>;
  readonly timesOut: boolean;
}

/** Why the devices that reach a node do not serve the claims of a pod; null where there is nothing to say of them. */
export function devicesBlocker({ source, node, pod, wanted, resources, timesOut }: AskedOfNode): Blocker | null {
  const requests = deviceEngine()?.explain(source, node, wanted) ?? [];
  if (requests.length === 0) return null;
  const claimNames = wanted.map(({ name }) => writtenName(pod, name));
  const shortages = requests.map((request): RequestShortage => shortageOf(request, claimNames, resources));
  // Of alternatives one is enough.
  const isServed = ({ claim, of }: RequestVerdicts): boolean =>
    requests.some((other, at) => other.claim === claim && other.of === of && isEnough(shortages[at]!));
  const short = shortages.filter((_, at) => !isServed(requests[at]!));
  const match = wanted.flatMap(({ spec }) =>
    (spec.devices?.constraints ?? []).flatMap(({ matchAttribute }) => matchAttribute ?? []),
  );
  const competing = short.length > 0 || match.length > 0 ? [] : competingOf(requests);
  const told = shortages.filter((_, at) => competing.includes(requests[at]!));
  return {
    kind: 'devices',
    requests: [short, told, shortages].find(({ length }) => length > 0)!,
    together: usableFor(competing),
    match: short.length > 0 ? [] : [...new Set(match)],
    timesOut,
  };
}

/** Requests of one class for which there are too few devices together; alternatives are not asked for together. */
function competingOf(requests: readonly RequestVerdicts[]): readonly RequestVerdicts[] {
  const own = requests.filter(({ need, isShared, request }) => need > 0 && !isShared && !request.includes('/'));
  const classes = [...new Set(own.map(({ className }) => className))];
  const alike = classes.map((name) => own.filter(({ className }) => className === name));
  return alike.find((each) => each.reduce((sum, { need }) => sum + need, 0) > usableFor(each)) ?? [];
}

/** How many devices would do for one or another of the requests. */
function usableFor(requests: readonly RequestVerdicts[]): number {
  // All are told of the same devices, in one order.
  return new Set(
    requests.flatMap(({ verdicts }) => verdicts.flatMap(({ obstacle }, at) => (obstacle === null ? [at] : []))),
  ).size;
}

/** Whether a request would be served if no other were. */
function isEnough({ need, fit, devices }: RequestShortage): boolean {
  return need === 0 ? devices > 0 && fit > 0 : fit >= need;
}

/** A claim that was made for the pod by the name of what it was made of. */
function writtenName({ pod }: PodInfo, claim: string): string {
  const made = pod.status?.resourceClaimStatuses?.find(({ resourceClaimName }) => resourceClaimName === claim);
  const entry = made === undefined ? undefined : pod.spec?.resourceClaims?.find(({ name }) => name === made.name);
  return entry?.resourceClaimTemplateName ?? claim;
}

function shortageOf(
  { claim, request, className, need, verdicts, instead }: RequestVerdicts,
  claimNames: readonly string[],
  resources: ReadonlyMap<string, string>,
): RequestShortage {
  const devices = verdicts.filter(({ device }) => device !== '').length;
  const pools = new Set(verdicts.map(({ pool }) => pool));
  const nameIn = ({ pool, device }: DeviceVerdict): string =>
    device === '' || pools.size === 1 ? device || pool : `${pool}/${device}`;
  const groups = new Map<string, { kind: DeviceProblem; names: string[]; count: number; texts: string[] }>();
  for (const verdict of verdicts) {
    if (verdict.obstacle === null) continue;
    const { kind, text } = toldObstacle(verdict.obstacle);
    // One claim or another has it: that is one reason.
    const key = kind === 'taken' ? kind : `${kind} ${text}`;
    const group = getOrInsert(groups, key, () => ({ kind, names: [], count: 0, texts: [] }));
    group.count += 1;
    if (group.names.length < mostTold) group.names.push(nameIn(verdict));
    if (text !== '' && group.texts.length < mostTold && !group.texts.includes(text)) group.texts.push(text);
  }
  // Devices of other classes are not what is looked for, where there are some of this.
  const obstacles = [...groups.values()].sort((a, b) => rank(a.kind) - rank(b.kind) || b.count - a.count);
  const resource = resources.get(request);
  return {
    claim: resource ?? claimNames[claim] ?? '',
    request: resource === undefined ? request : '',
    className,
    need,
    fit: verdicts.filter(({ obstacle }) => obstacle === null).length,
    devices,
    obstacles: obstacles.slice(0, mostTold),
    // Which class serves an extended resource is not the pod's choice.
    instead: resource === undefined ? instead.slice(0, mostTold).map((each) => each.className) : [],
  };
}

function rank(kind: DeviceProblem): number {
  return kind === 'error' || kind === 'pool' ? 0 : kind === 'class' ? 2 : 1;
}

function toldObstacle(obstacle: DeviceObstacle): { readonly kind: DeviceProblem; readonly text: string } {
  switch (obstacle.kind) {
    case 'selector':
      return { kind: obstacle.of === 'class' ? 'class' : 'selector', text: obstacle.text };
    case 'taken':
      return { kind: 'taken', text: obstacle.by };
    case 'taint': {
      const { key, value, effect } = obstacle;
      return { kind: 'taint', text: value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}` };
    }
    case 'capacity':
    case 'error':
    case 'pool':
      return { kind: obstacle.kind, text: obstacle.text };
    default:
      return { kind: obstacle.kind, text: '' };
  }
}

/** A claim whose devices a node does not reach, or that never got ready. */
export function elsewhereBlocker(claim: ResourceClaim, isStale: boolean): Blocker {
  const terms = claim.status?.allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  return {
    kind: 'devices-elsewhere',
    claim: nameOf(claim),
    wanted: isStale ? [] : terms.map((term) => nodeTermTexts(term).join(', ')),
  };
}
