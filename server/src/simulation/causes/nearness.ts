import type { Cause, CausePart } from '../../report-model/cause.ts';
import { deviceDomainOf, taintOwner, type TaintOwner } from '../../kubernetes/taint-owner.ts';

/**
 * How far a node is from taking the pod. What other pods take may become free, and is as near as can be; what is wrong
 * with a node for a time comes next; a node that refuses for what it is was never meant for the pod, and least of all one
 * that the pod itself rules out by a selector.
 */
export function farness(parts: readonly CausePart[]): number {
  return parts.reduce((sum, part) => sum + distanceOf(part), 0);
}

/** Larger than what any number of nearer reasons adds up to. */
const taken = 1;
const forATime = 50;
const tooSmall = 400;
const closed: Readonly<Record<TaintOwner, number>> = { condition: 80, own: 2_000, reserved: 10_000 };
/** Pods that ask for devices find none on other nodes, which are farther. */
const forDevices = 4_000;
const otherKind = 5_000;
const outOfReach = 50_000;
const ruledOut = 250_000;

function distanceOf(part: CausePart): number {
  switch (part.kind) {
    case 'amount':
      if (part.need <= part.capacity) return taken;
      return part.capacity === 0 ? otherKind : tooSmall;
    case 'port':
    case 'volume-limit':
      return 2 * taken;
    // Of domains that may not take one more and those that have no room, room is what is lacking.
    case 'spread':
      return part.domain === '' ? otherKind : 3 * taken;
    case 'anti-affinity':
      return 4 * taken;
    case 'affinity':
      return 8 * taken;
    case 'cordon':
      return forATime;
    case 'taint':
      return Math.max(
        ...part.taints.map((taint) => (deviceDomainOf(taint) === undefined ? closed[taintOwner(taint)] : forDevices)),
      );
    case 'devices':
      return deviceDistance(part);
    case 'volume':
    case 'volume-choice':
    case 'devices-elsewhere':
      return outOfReach;
    case 'labels':
      return ruledOut + part.wanted.length;
    case 'node-name':
      return ruledOut;
    case 'claim':
    case 'device-claim':
    case 'gate':
    case 'scheduler':
      return taken;
    case 'other':
      return tooSmall;
  }
}

type Devices = CausePart & { readonly kind: 'devices' };

/** Devices that others have may become free; a node without any gets none. */
function deviceDistance({ requests }: Devices): number {
  const distances = requests.map(({ devices, obstacles }) =>
    devices === 0 ? otherKind : obstacles.some(({ kind }) => usedKinds.has(kind)) ? taken : tooSmall,
  );
  return Math.max(taken, ...distances);
}

const usedKinds: ReadonlySet<string> = new Set(['capacity', 'counters', 'taken']);

/** Of amounts and devices that are short, the share of what is needed that is missing; over all of them. */
export function missingShare(parts: readonly CausePart[]): number {
  const share = (need: number, free: number): number => (need > 0 ? (need - free) / need : 0);
  return parts.reduce((sum, part) => {
    if (part.kind === 'amount') return sum + share(part.need, part.free);
    if (part.kind !== 'devices') return sum;
    return part.requests.reduce((rest, { need, fit }) => rest + Math.max(0, share(need, fit)), sum);
  }, 0);
}

/** Whether a node is one that the pod may use, and other pods or its size keep it from there. */
export function isOpenTo(parts: readonly CausePart[]): boolean {
  return parts.every((part) => openKinds.has(part.kind) && (part.kind !== 'spread' || part.domain !== ''));
}

const openKinds: ReadonlySet<CausePart['kind']> = new Set<CausePart['kind']>([
  'amount',
  'port',
  'spread',
  'affinity',
  'anti-affinity',
  'volume-limit',
]);

/** The constraint that keeps a pod from all other nodes that it may use, and so leaves it those that are short. */
export function limitingSpread({ parts, others }: Pick<Cause, 'parts' | 'others'>): Spread | undefined {
  const open = others.flatMap((other) => (isOpenTo(other.parts) ? [other.parts.find(isSpread)] : []));
  return isOpenTo(parts) && !parts.some(isSpread) && open.every((part) => part !== undefined) ? open[0] : undefined;
}

type Spread = CausePart & { readonly kind: 'spread' };

function isSpread(part: CausePart): part is Spread {
  return part.kind === 'spread';
}

/** Whether nodes that the pod may use have enough of a resource, and something else keeps it from them. */
export function isEnoughElsewhere({ others }: Pick<Cause, 'others'>, resource: string, isHopeless: boolean): boolean {
  return others.some(
    ({ parts }) =>
      isOpenTo(parts) &&
      !parts.some(
        (part) => part.kind === 'amount' && part.resource === resource && (!isHopeless || part.need > part.capacity),
      ),
  );
}

/** The same for nodes that differ only in amounts and names. */
export function kindsOf(parts: readonly CausePart[]): string {
  return [...new Set(parts.map(kindOf))].sort().join();
}

/** The same for pods that wait for the same thing. */
export function subjectsOf(parts: readonly CausePart[]): string {
  const subjects = parts.map((part) => {
    switch (part.kind) {
      case 'labels':
        return isPinned(part) ? '' : part.wanted.join();
      case 'affinity':
        return part.selectors.join();
      case 'scheduler':
      case 'node-name':
        return part.name;
      case 'device-claim':
        return `${part.missing} ${part.name}`;
      case 'devices-elsewhere':
        return part.claim;
      case 'devices':
        return part.requests.map(({ claim, request, className }) => `${claim} ${request} ${className}`).join();
      case 'claim':
        return `${part.problem} ${part.problem === 'unknown-class' ? part.names.join() : ''}`;
      default:
        return '';
    }
  });
  return [kindsOf(parts), ...new Set(subjects)].join(' ').trim();
}

/** The pod of a DaemonSet is for one node. */
export function isPinned(part: CausePart): boolean {
  return part.kind === 'labels' && part.wanted.some((wanted) => wanted.startsWith('metadata.name='));
}

/** Devices of another class are of one kind where they are the same. */
function kindOfObstacle({ kind, texts }: Devices['requests'][number]['obstacles'][number]): string {
  return kind === 'class' ? `${kind} ${texts.join()}` : kind;
}

function kindOf(part: CausePart): string {
  switch (part.kind) {
    case 'amount':
      return `${part.resource} ${part.need <= part.capacity ? 'short' : 'too small'}`;
    case 'taint':
      return `taint ${part.taints.join()}`;
    case 'anti-affinity':
      return `${part.kind} ${part.theirs}`;
    case 'devices':
      return part.requests.every(({ devices }) => devices === 0)
        ? 'no devices'
        : `devices ${[...new Set(part.requests.flatMap(({ obstacles }) => obstacles.map(kindOfObstacle)))].sort().join()}`;
    default:
      return part.kind;
  }
}
