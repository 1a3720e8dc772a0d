import { getOrInsert } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { namedAmount } from '../../util/amounts.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { compareText, count, list } from '../../util/words.ts';
import type { Cause, CausePart } from '../../report-model/cause.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { devicesText } from './device-text.ts';
import { isEnoughElsewhere, isOpenTo, isPinned, limitingSpread } from './nearness.ts';
import { amountsOf, isOffered } from './shortages-of.ts';

/** How nodes and pods are named. */
export interface CauseNames {
  node(index: number): string;
  /** Of how many nodes there are. */
  readonly nodes: number;
  /** Whether it is said of several pods, of which it is true of each. */
  readonly ofEach?: boolean;
}

/** More nodes than this are counted. */
const nodesNamed = 3;

/** `it asks for 1 cpu, w1 has 0.5 cpu free; 3 nodes are closed to it by taint …`: said of a pod, as `it`. */
export function causeText(cause: Cause, names: CauseNames): string {
  const own = ownText(cause, names);
  return joined(
    [
      ...(cause.group === null
        ? [own]
        : [cause.group.text, say`beside the others ${cause.group.blocked} finds no node: ${own}`]),
      ...cause.notes,
      ...fewestText(cause, names),
      ...resizeText(cause),
      ...needsText(cause, names),
      ...othersText(cause, names),
    ],
    '; ',
  );
}

/** What keeps it from the nearest node alone. */
export function ownText(cause: Cause, names: CauseNames): string {
  const { parts } = cause;
  // Pods that keep each other away are told of once.
  const own = parts.filter(
    (part) =>
      part.kind !== 'anti-affinity' ||
      !part.theirs ||
      !parts.some(
        (other) =>
          other.kind === part.kind &&
          !other.theirs &&
          other.topologyKey === part.topologyKey &&
          other.pods.join() === part.pods.join(),
      ),
  );
  const amounts = amountsOf({ parts: own }).filter(isOffered);
  const others = own.filter((part) => part.kind !== 'amount' || !isOffered(part));
  const texts = others.map((part) => partText(part, cause, names));
  return joined([...(amounts.length === 0 ? [] : [amountsText(amounts, cause, names)]), ...texts], say`, and `);
}

/** As `ownText`, and of a claim without a volume why those that are there are none for it. */
export function nearestText(cause: Cause, names: CauseNames): string {
  const isOfClaim = cause.parts.some(
    (part) => part.kind === 'volume-choice' || (part.kind === 'claim' && part.problem !== 'in-use'),
  );
  return joined([ownText(cause, names), ...(isOfClaim ? cause.notes.slice(0, 1) : [])], '; ');
}

/** What a kind of cause is called, in a word or two. */
export function partName(part: CausePart): string {
  switch (part.kind) {
    case 'amount':
      return part.resource;
    case 'taint':
      return say`taints`;
    case 'cordon':
      return say`cordoned nodes`;
    case 'labels':
      return say`node labels`;
    case 'node-name':
      return say`node name`;
    case 'port':
      return say`host port`;
    case 'spread':
      return say`spread`;
    case 'affinity':
      return say`pod affinity`;
    case 'anti-affinity':
      return say`pod anti-affinity`;
    case 'volume':
    case 'volume-choice':
    case 'volume-limit':
      return say`volumes`;
    case 'claim':
      return say`claim`;
    case 'device-claim':
    case 'devices':
    case 'devices-elsewhere':
      return say`devices`;
    case 'gate':
      return say`gates`;
    case 'scheduler':
      return say`scheduler`;
    case 'other':
      return part.plugin === 'DynamicResources'
        ? say`devices`
        : part.plugin === 'GangScheduling'
          ? say`pod group`
          : part.plugin === 'NodeDeclaredFeatures'
            ? say`node features`
            : part.plugin;
  }
}

function partText(part: CausePart, cause: Cause, names: CauseNames): string {
  const on = cause.node === null ? '' : names.node(cause.node);
  switch (part.kind) {
    case 'amount':
      return notOffered(part, cause, names);
    case 'taint':
      return say`${nodesText(cause.nodes, names)} ${cause.nodes.length === 1 ? 'is' : 'are'} closed to it by ${taintsText(part.taints)}`;
    case 'cordon':
      return say`${nodesText(cause.nodes, names)} ${cause.nodes.length === 1 ? 'is' : 'are'} cordoned`;
    case 'labels':
      if (lackingOn(part, cause) === names.nodes) return say`no node has ${joined(part.wanted.map(wantedText), ', ')}`;
      return lackedApart(cause).length > 1
        ? say`no node has ${list(lackedApart(cause))} together: ${shortText(part, cause.nodes, names)}`
        : say`${nodesText(cause.nodes, names)} ${cause.nodes.length === 1 ? 'lacks' : 'lack'} ${joined(part.wanted, ', ')}`;
    case 'node-name':
      return say`there is no node ${part.name}`;
    case 'port':
      return part.pods.length === 0
        ? say`host port ${list(part.ports)} is taken ${onEach(cause, on, names)}`
        : say`host port ${list(part.ports)} is taken ${onEach(cause, on, names)} by ${list(part.pods)}`;
    case 'spread':
      return spreadText(part, cause, names);
    case 'affinity':
      return part.elsewhere.length === 0
        ? say`it must be placed with a pod of ${list(part.selectors)} in the same ${part.topologyKey}, and none is there`
        : say`it must be placed with a pod of ${list(part.selectors)} of its own namespace in the same ${part.topologyKey}, and none is there; such pods are in namespace ${list(part.elsewhere)}`;
    case 'anti-affinity': {
      const where = onEach(cause, on, names);
      const others = part.count > part.pods.length ? say` and ${part.count - part.pods.length} more` : '';
      if (part.theirs) return say`the anti-affinity of ${list(part.pods)}${others} keeps it away ${where}`;
      return part.topologyKey === 'kubernetes.io/hostname'
        ? say`its anti-affinity keeps it apart from ${list(part.pods)}${others} ${where}`
        : say`its anti-affinity over ${part.topologyKey} keeps it apart from ${list(part.pods)}${others} ${where}`;
    }
    case 'volume':
      return volumeText(part);
    case 'volume-choice':
      return say`claim ${part.claim} of class ${part.className} gets no volume on ${on}: ${part.reason}`;
    case 'volume-limit':
      return part.need > part.limit
        ? say`it has ${count(part.need, 'volume')} of driver ${part.driver}, which attaches at most ${part.limit} to ${on} (CSINode)`
        : say`driver ${part.driver} attaches at most ${count(part.limit, 'volume')} to ${on} (CSINode), which has ${part.used}`;
    case 'claim':
      return claimText(part);
    case 'device-claim':
      return say`there is no ${part.missing} ${part.name}`;
    case 'devices-elsewhere':
      return part.wanted.length === 0
        ? say`the devices of claim ${part.claim} did not get ready`
        : say`claim ${part.claim} has devices that can only be used on nodes with ${joined(part.wanted, say` or `)}`;
    case 'devices':
      return devicesText(part, cause, on);
    case 'gate':
      return part.gates.length === 1 ? say`gate ${list(part.gates)} holds it` : say`gates ${list(part.gates)} hold it`;
    case 'scheduler':
      return mayRunElsewhere(cause)
        ? say`no profile is known for scheduler ${part.name} (${likelyScheduler(part)}); unless a scheduler of that name runs, no scheduler looks at it and no event comes`
        : say`no profile is known for scheduler ${part.name} (${likelyScheduler(part)}), so that no scheduler looks at it and no event comes`;
    case 'other':
      // Of an error in an expression, the mistake without the drawing of its place.
      return part.reasons.map((reason) => reason.split('\n', 1)[0]!).join(', ');
  }
}

/** Where a volume can be used, or is to be made. */
export function volumeText({ claim, volume, wanted }: CausePart & { readonly kind: 'volume' }): string {
  const nodes = joined(wanted, say` or `);
  return volume === ''
    ? say`the class of claim ${claim} makes volumes only for nodes with ${nodes}`
    : say`volume ${volume} of claim ${claim} can only be used on nodes with ${nodes}`;
}

function onEach({ nodes }: Cause, on: string, names: CauseNames): string {
  return nodes.length > 1 ? say`on each of ${nodesText(nodes, names)}` : say`on ${on}`;
}

/** How many nodes lack the same labels, whatever else keeps the pod from them. */
function lackingOn({ wanted }: CausePart & { readonly kind: 'labels' }, { nodes, others }: Cause): number {
  const lacks = (part: CausePart): boolean =>
    part.kind === 'labels' && wanted.every((each) => part.wanted.includes(each));
  return others.reduce((sum, other) => (other.parts.some(lacks) ? sum + other.nodes.length : sum), nodes.length);
}

/** Labels that nodes lack, where each of them lacks some. */
export function lackedApart({ parts, others }: Pick<Cause, 'parts' | 'others'>): readonly string[] {
  const lacking = [parts, ...others.map((other) => other.parts)].map((each) =>
    each.flatMap((part) => (part.kind === 'labels' && !isPinned(part) ? part.wanted : [])),
  );
  const isEverywhere = lacking.every((wanted) => wanted.length > 0);
  return isEverywhere ? [...new Set(lacking.flat())].sort(compareText) : [];
}

/** What makes a node one that the pod may not use. */
const closing: ReadonlySet<CausePart['kind']> = new Set(['taint', 'cordon', 'labels', 'node-name', 'volume']);

type Amount = CausePart & { readonly kind: 'amount' };

/** `it asks for 1 cpu and 4 Gi; at most 0.5 cpu and 2 Gi free, on w1`. */
function amountsText(amounts: readonly Amount[], cause: Cause, names: CauseNames): string {
  const { node, nodes, others } = cause;
  const on = node === null ? '' : names.node(node);
  const asked = amounts.filter(({ resource }) => resource !== 'pods');
  const full = amounts.filter(({ resource }) => resource === 'pods');
  const named = (some: readonly Amount[], of: (amount: Amount) => number): string =>
    list(some.map((amount) => namedAmount(amount.resource, of(amount))));
  const hopeless = asked.filter(({ need, capacity }) => need > capacity);
  const short = asked.filter(({ need, capacity }) => need <= capacity);
  const mayUse = !cause.parts.some(({ kind }) => closing.has(kind));
  const isOnly = mayUse && nodes.length === 1 && !others.some(({ parts }) => isOpenTo(parts));
  // Pods that have a node each are short of it on all of those.
  const isPinnedHere = nodes.length > 1 && others.some(({ parts }) => parts.some(isPinned));
  const only = isOnly ? say`${on}, the only node it may use` : isPinnedHere ? nodesText(nodes, names) : on;
  const isLargest = mayUse && !hopeless.some(({ resource }) => isEnoughElsewhere(cause, resource, true));
  return joined(
    [
      ...(asked.length === 0
        ? []
        : [
            asks(
              named(asked, ({ need }) => need),
              names,
            ),
          ]),
      ...(hopeless.length === 0
        ? []
        : isLargest
          ? [say`the largest node it may use has ${named(hopeless, ({ capacity }) => capacity)}`]
          : [say`${on} has ${named(hopeless, ({ capacity }) => capacity)}`]),
      ...(short.length === 0
        ? []
        : short.every(({ free }) => free === 0)
          ? [
              say`no ${list(short.map(({ resource }) => resource))} free on ${isOnly ? only : nodesText(nodes, names)}${leftBySpread(cause)}`,
            ]
          : [say`at most ${named(short, ({ free }) => free)} free, on ${only}${leftBySpread(cause)}`]),
      ...full.map(({ capacity }) =>
        nodes.length > 1
          ? say`${nodesText(nodes, names)} run as many pods as they may (${capacity} on ${on})`
          : say`${on} may run no more than ${count(capacity, 'pod')}`,
      ),
    ],
    '; ',
  );
}

function leftBySpread(cause: Cause): string {
  const spread = limitingSpread(cause);
  return spread === undefined ? '' : say`, where its spread over ${spread.topologyKey} needs it`;
}

function asks(what: string, { ofEach = false }: CauseNames): string {
  return ofEach ? say`each asks for ${what}` : say`it asks for ${what}`;
}

function notOffered({ resource, need }: Amount, { nodes }: Cause, names: CauseNames): string {
  const asked = asks(namedAmount(resource, need), names);
  if (isHugePages(resource)) return say`${asked}; no node that it may use has set any aside`;
  const className = classNamed(resource);
  if (className !== undefined) {
    return say`${asked}; no node offers it, and there is no DeviceClass ${className} behind it`;
  }
  return nodes.length === names.nodes
    ? say`${asked}; no node offers it (its device plugin runs on none, or has no such device)`
    : say`${asked}; no node that it may use offers it (its device plugin runs on none of them, or has no such device)`;
}

const ofClass = 'deviceclass.resource.kubernetes.io/';

/** The DeviceClass that the name of a resource stands for. Source: ResourceDeviceClassPrefix in resource.k8s.io */
export function classNamed(resource: string): string | undefined {
  return resource.startsWith(ofClass) ? resource.slice(ofClass.length) : undefined;
}

/** They have no device plugin: the kernel sets them aside. */
export function isHugePages(resource: string): boolean {
  return resource.startsWith('hugepages-');
}

function spreadText(part: CausePart & { readonly kind: 'spread' }, { nodes }: Cause, names: CauseNames): string {
  const { topologyKey, maxSkew, domain, count: here, fewest, minimum, domains, minDomains } = part;
  if (domain === '') {
    return say`${nodesText(nodes, names)} ${nodes.length === 1 ? 'has' : 'have'} no label ${topologyKey}, over which it is spread`;
  }
  const rule = say`its spread over ${topologyKey} allows ${maxSkew} more than the fewest`;
  if (minDomains > 0) {
    return say`${rule}, which is 0 while there are ${domains} of ${minDomains} domains (minDomains); ${domain} has ${here}`;
  }
  return say`${rule}: ${domain} has ${here}, ${list(fewest, nodesNamed)} ${fewest.length === 1 ? 'has' : 'have'} ${minimum}`;
}

/** Why the domain with the fewest pods takes none. */
function fewestText({ fewest }: Cause, names: CauseNames): readonly string[] {
  if (fewest === null || fewest.parts.length === 0) return [];
  return [
    say`no pod can go there: ${joined(
      fewest.parts.map((part) => shortText(part, fewest.nodes, names)),
      ', ',
    )}`,
  ];
}

function resizeText({ resized }: Cause): readonly string[] {
  return resized.length === 0
    ? []
    : [say`the resize of ${list(resized)} is deferred, and the scheduler counts what was asked for`];
}

function needsText({ needs, node }: Cause, names: CauseNames): readonly string[] {
  return needs.length === 0 || node === null
    ? []
    : [
        say`evicting pods of lower priority on ${names.node(node)} would take away ${list(needs)}, which its pod affinity needs`,
      ];
}

/** What keeps it from the other nodes, those that are closed to it. */
function othersText({ others, parts, fewest }: Cause, names: CauseNames): readonly string[] {
  const worst = new Map<string, { readonly part: CausePart; readonly nodes: number[]; readonly besides: string[] }>();
  for (const { parts: other, nodes } of others) {
    if (fewest?.nodes.every((node) => nodes.includes(node)) === true) continue;
    // That a node does not offer a device says more than that it is small, too.
    const [part, second] = other[0]?.kind === 'amount' ? lackingFirst(other) : other;
    if (part === undefined || isPinned(part)) continue;
    const key = JSON.stringify(part);
    // To uncordon a node is not enough where something else keeps the pod from it, too.
    const besides = part.kind === 'cordon' && second !== undefined ? [shortText(second, nodes, names)] : [];
    if (parts.length === 1 && key === JSON.stringify(parts[0]) && besides.length === 0) continue;
    const known = getOrInsert(worst, key, () => ({ part, nodes: [], besides: [] }));
    known.nodes.push(...nodes);
    known.besides.push(...besides);
  }
  const lines = [...worst.values()].map(({ part, nodes, besides }) => {
    const sorted = nodes.toSorted((a, b) => a - b);
    return joined([shortText(part, sorted, names), ...besides.slice(0, othersTold)], say`, and `);
  });
  return lines.slice(0, othersTold);
}

function lackingFirst(parts: readonly CausePart[]): readonly CausePart[] {
  const isLacking = (part: CausePart): boolean => part.kind === 'amount' && !isOffered(part);
  return parts.toSorted((a, b) => Number(isLacking(b)) - Number(isLacking(a)));
}

const othersTold = 3;

/** What keeps a pod from some nodes, in few words. */
export function shortText(part: CausePart, nodes: readonly number[], names: CauseNames): string {
  const on = nodesText(nodes, names);
  const one = nodes.length === 1;
  switch (part.kind) {
    case 'amount':
      return !isOffered(part)
        ? say`${on} ${one ? 'does' : 'do'} not offer ${part.resource}`
        : part.need > part.capacity
          ? say`${on} ${one ? 'is' : 'are'} too small (${namedAmount(part.resource, part.capacity)})`
          : say`${namedAmount(part.resource, part.need - part.free)} short on ${on}`;
    case 'taint':
      return say`${on} ${one ? 'is' : 'are'} closed to it by ${taintsText(part.taints)}`;
    case 'cordon':
      return say`${on} ${one ? 'is' : 'are'} cordoned`;
    case 'labels':
      return say`${on} ${one ? 'lacks' : 'lack'} ${joined(part.wanted, ', ')}`;
    case 'volume':
      return part.volume === ''
        ? say`claim ${part.claim} gets no volume on ${on}, only on nodes with ${joined(part.wanted, say` or `)}`
        : say`volume ${part.volume} of claim ${part.claim} (${joined(part.wanted, say` or `)}) cannot be used on ${on}`;
    case 'devices-elsewhere':
      return say`the devices of claim ${part.claim} cannot be used on ${on}`;
    case 'devices':
      return part.requests.every(({ devices, obstacles }) => devices + obstacles.length === 0)
        ? say`${on} ${one ? 'has' : 'have'} no devices`
        : say`${on} ${one ? 'has' : 'have'} too few devices that fit`;
    case 'anti-affinity':
      return part.theirs
        ? say`the anti-affinity of ${list(part.pods)} keeps it from ${on}`
        : say`its anti-affinity keeps it from ${list(part.pods)} on ${on}`;
    case 'spread':
      return say`its spread over ${part.topologyKey} allows no more on ${on}`;
    case 'affinity':
      return say`${on} ${one ? 'has' : 'have'} no pod of ${list(part.selectors)}`;
    case 'volume-limit':
      return say`${on} ${one ? 'has' : 'have'} as many volumes as its driver attaches (${part.limit})`;
    default:
      return say`${partName(part)} on ${on}`;
  }
}

function claimText({ claim, problem, names }: CausePart & { readonly kind: 'claim' }): string {
  switch (problem) {
    case 'missing':
      return names.length === 0
        ? say`there is no claim ${claim}`
        : say`quota ${list(names)} has no room for claim ${claim}`;
    case 'no-class':
      return say`claim ${claim} names no storage class, none is the default, and no volume suits it`;
    case 'unknown-class':
      return say`there is no StorageClass ${list(names)}, which claim ${claim} names`;
    case 'unbound':
      return say`claim ${claim} is bound to no volume yet, and its class does not wait for a pod`;
    case 'in-use':
      return names.length === 0
        ? say`claim ${claim} is ReadWriteOncePod, and in use`
        : say`claim ${claim} is ReadWriteOncePod, and ${list(names)} uses it`;
    case 'other':
      return joined([...names], ', ');
  }
}

function taintsText(taints: readonly string[]): string {
  return taints.length === 1 ? say`taint ${list(taints)}` : say`taints ${list(taints)}`;
}

function nodesText(nodes: readonly number[], names: CauseNames): string {
  return nodes.length > nodesNamed ? count(nodes.length, 'node') : list(nodes.map((node) => names.node(node)));
}

/** A label that nodes have no more, with what it is called now. */
function wantedText(wanted: string): string {
  const current = currentLabel(/^[^=\s]+/.exec(wanted)?.[0] ?? '');
  return current === undefined ? wanted : say`${wanted} (the label is called ${current} now)`;
}

function likelyScheduler(part: SchedulerPart): string {
  const near = nearScheduler(part);
  return near === undefined ? say`known: ${list(part.known)}` : say`did you mean ${near}?`;
}

type SchedulerPart = CausePart & { readonly kind: 'scheduler' };

function nearScheduler({ name, known }: SchedulerPart): string | undefined {
  return nearestNames(name, known, Math.ceil(name.length / 4))[0];
}

/** Whether a pod is left to a scheduler that may run, for nothing is known of it. */
export function mayRunElsewhere(cause: Cause | null): boolean {
  return cause?.parts.some((part) => part.kind === 'scheduler' && nearScheduler(part) === undefined) === true;
}
