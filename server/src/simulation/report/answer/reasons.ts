import { namedAmount } from '../../../util/amounts.ts';
import { getOrInsert } from '../../../util/maps.ts';
import { own } from '../../../util/own.ts';
import { say } from '../../../util/say.ts';
import type { Cause } from '../../../report-model/cause.ts';
import type { Amounts, ReportDecision, ReportNode, ReportPod } from '../../../report-model/report.ts';
import { list } from '../../../util/words.ts';
import { overAll } from '../../causes/find-causes.ts';
import { type CauseNames, causeText, nearestText, partName } from '../../causes/cause-text.ts';
import { missingShare, subjectsOf } from '../../causes/nearness.ts';
import { amountsOf, shortResource } from '../../causes/shortages-of.ts';
import { answersText } from '../../growth/pool-answers.ts';
import type { AnswerContext } from './answer-context.ts';

/** Why a pod waits, in one word or two, with the figures that say how far it is from a place. */
export interface Reason {
  /** Pods with the same key share a line. */
  readonly key: string;
  readonly name: string;
  /** The resource, where an amount is in the way. */
  readonly resource: string | null;
  /** What a pod of it asks for, and the most that a node it may use has free; null for other reasons. */
  readonly shortage: Shortage | null;
  /** What keeps it from the node that is nearest to taking it, and from the others. */
  readonly words: string;
  /** The first of it: what keeps it from the nearest node. */
  readonly own: string;
  /** Null of a pod that finds a place by evicting others, and of one that was not looked at. */
  readonly cause: Cause | null;
}

export interface Shortage {
  readonly resource: string;
  readonly need: number;
  /** What is free on the nearest node. */
  readonly free: number;
  readonly node: number;
  /** No node that it may use has so much, even when empty. */
  readonly hopeless: boolean;
  /** The most that such a node has in all. */
  readonly capacity: number;
}

/** Why a pod is pending at the end. */
export function reasonOf(context: AnswerContext, index: number): Reason {
  const ofPools = saidByPools(context, index);
  if (ofPools !== '') return other(say`node pools`, ofPools);
  const cause = context.causeOf(index);
  if (cause !== undefined && cause.parts.length > 0) return ofCause(ofDaemons(cause, context, index), context);
  const decision = context.decisionOf(index);
  if (decision === undefined) return other(say`not tried`, say`not tried yet`);
  return other(decision.kind === 'not-modelled' ? say`not modelled` : say`the scheduler`, decision.message);
}

/** Where there are no nodes but those that pools make, what the pools say of a pod is why it waits; else empty. */
export function saidByPools(context: AnswerContext, index: number): string {
  const { nodes, comes, poolAnswers } = context.parts;
  const { namespace, name } = context.pod(index);
  if (nodes.length > comes.reduce((sum, made) => sum + made.nodes, 0)) return '';
  return answersText(poolAnswers.get(`${namespace}/${name}`) ?? []);
}

const knownOfDaemons = new WeakMap<AnswerContext, Map<string, Cause>>();

/** Each pod of a DaemonSet has a node of its own: those that lack the same there are told of together. */
function ofDaemons(cause: Cause, context: AnswerContext, index: number): Cause {
  const { workload } = context.pod(index);
  if (context.parts.workloads[workload ?? -1]?.kind !== 'DaemonSet') return cause;
  const causes = getOrInsert(knownOfDaemons, context, () => new Map());
  const key = `${workload} ${subjectsOf(cause.parts)}`;
  let all = causes.get(key);
  if (all === undefined) {
    const alike = [...context.arriving, ...context.replacements].flatMap((pod) => {
      const other = context.pod(pod).workload === workload ? context.causeOf(pod) : undefined;
      return other !== undefined && subjectsOf(other.parts) === subjectsOf(cause.parts) ? [other] : [];
    });
    const [nearest = cause] = alike.toSorted((a, b) => missingShare(a.parts) - missingShare(b.parts));
    const nodes = [...new Set([...nearest.nodes, ...alike.flatMap((each) => each.nodes)])].sort((a, b) => a - b);
    const parts = nearest.parts.map((part) => overAll(part, alike));
    causes.set(key, (all = { ...nearest, parts, nodes }));
  }
  return all;
}

/** The same cause is told of many pods. */
const known = new WeakMap<AnswerContext, Map<Cause, Reason>>();

function ofCause(cause: Cause, context: AnswerContext): Reason {
  const reasons = getOrInsert(known, context, () => new Map());
  return getOrInsert(reasons, cause, () => makeReason(cause, context));
}

function makeReason(cause: Cause, context: AnswerContext): Reason {
  const amounts = amountsOf(cause);
  const [least] = amounts;
  const names = causeNames(context);
  const isAmount = least !== undefined && amounts.length === cause.parts.length;
  return {
    key: subjectsOf(cause.parts),
    name: list([...new Set(cause.parts.map(partName))]),
    resource: isAmount ? least.resource : null,
    shortage: isAmount
      ? {
          resource: least.resource,
          need: least.need,
          free: least.free,
          node: cause.node ?? 0,
          capacity: least.capacity,
          hopeless: least.need > least.capacity,
        }
      : null,
    words: causeText(cause, names),
    own: cause.group?.text ?? nearestText(cause, names),
    cause,
  };
}

export function causeNames({ names, parts }: AnswerContext): CauseNames {
  return { node: (index) => names.node(index), nodes: parts.nodes.length };
}

function other(name: string, words: string): Reason {
  return { key: `${name}: ${words}`, name, resource: null, shortage: null, words, own: words, cause: null };
}

/**
 * What a pod that evicts others found on the node that it is nominated to: the scarcest resource, or what refused it.
 * @param requested what is asked for on each node at the moment of the decision
 */
export function reasonToEvict(
  pod: ReportPod,
  decision: Pick<ReportDecision, 'node' | 'message' | 'refusals'> | undefined,
  nodes: readonly ReportNode[],
  requested: readonly Amounts[],
): Reason {
  if (decision === undefined) return other(say`not tried`, say`not tried yet`);
  const { refusals, node } = decision;
  const there = refusals.find((group) => node !== null && group.nodes.includes(node));
  const shortages = shortagesOf(pod, refusals, nodes, requested);
  if (there?.plugin === 'NodeResourcesFit' && shortages.length > 0) {
    const shortage = shortages.find(({ isEverywhere }) => isEverywhere);
    if (shortage === undefined) {
      const needs = list(shortages.map((each) => namedAmount(each.resource, each.need)));
      return other(say`the scheduler`, say`none that it may use has ${needs} free`);
    }
    const { resource } = shortage;
    const words = `Insufficient ${resource}`;
    return { key: resource, name: resource, resource, shortage, words, own: words, cause: null };
  }
  return other(say`the scheduler`, there?.reasons.join(', ') ?? decision.message);
}

interface Room {
  /** By node. */
  readonly free: Float64Array;
  readonly capacity: Float64Array;
}

/** By what is asked for on each node: thousands of pods may be short of the same. */
const rooms = new WeakMap<readonly Amounts[], Map<string, Room>>();

function roomFor(resource: string, nodes: readonly ReportNode[], requested: readonly Amounts[]): Room {
  const byResource = getOrInsert(rooms, requested, () => new Map());
  let room = byResource.get(resource);
  if (room === undefined) {
    const capacity = Float64Array.from(nodes, ({ allocatable }) => own(allocatable, resource) ?? 0);
    const free = capacity.map((amount, node) => Math.max(0, amount - (own(requested[node], resource) ?? 0)));
    byResource.set(resource, (room = { free, capacity }));
  }
  return room;
}

/** The resources that are short on nodes that nothing else refuses, first the one with the least of what is needed. */
function shortagesOf(
  pod: ReportPod,
  refusals: ReportDecision['refusals'],
  nodes: readonly ReportNode[],
  requested: readonly Amounts[],
): readonly (Shortage & { readonly isEverywhere: boolean })[] {
  const byResource = new Map<string, Shortage & { readonly lacking: number }>();
  let open = 0;
  for (const group of refusals) {
    if (group.plugin !== 'NodeResourcesFit') continue;
    open += group.nodes.length;
    for (const resource of group.reasons.flatMap(shortResource)) {
      const need = resource === 'pods' ? 1 : (own(pod.requests, resource) ?? 0);
      const known = byResource.get(resource);
      let [free, at, largest] = [known?.free ?? -1, known?.node ?? -1, known?.capacity ?? 0];
      const room = roomFor(resource, nodes, requested);
      for (const node of group.nodes) {
        const left = room.free[node]!;
        if (left > free) {
          free = left;
          at = node;
        }
        if (room.capacity[node]! > largest) largest = room.capacity[node]!;
      }
      if (at < 0) continue;
      const lacking = (known?.lacking ?? 0) + group.nodes.length;
      byResource.set(resource, {
        ...{ resource, need, free, lacking },
        ...{ node: at, capacity: largest, hopeless: need > largest },
      });
    }
  }
  const share = ({ need, free }: Shortage) => (need === 0 ? 1 : free / need);
  return [...byResource.values()]
    .map((shortage) => ({ ...shortage, isEverywhere: shortage.lacking === open }))
    .sort((a, b) => Number(b.hopeless) - Number(a.hopeless) || share(a) - share(b));
}
