import { namedAmount } from '../../util/amounts.ts';
import { count, grouped, list, titleOf } from '../../util/words.ts';
import { isQuantityError, parseQuantity, quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import type { FitReport, FitRoom } from '../../simulation/capacity/fit.ts';
import type { Headroom } from '../../simulation/scenario/headroom.ts';
import type { NodesToCome } from '../../simulation/growth/grown.ts';
import type { NodesNeeded } from '../../simulation/capacity/nodes-needed.ts';
import type { CommandAnswer, PartLine, AnswerPart } from '../answer/answer.ts';

/** Lists longer than this are told in numbers. */
const longest = 6;

/** What autoscalers have to do with it, where there are pools. */
interface PoolsOfFit {
  /** Nodes that have come for what is declared. */
  readonly comes?: readonly NodesToCome[];
  /** What becomes of the next pod, once no node has room for one. */
  readonly next?: { readonly makes: boolean; readonly pool: string; readonly text: string } | undefined;
}

export function fitAnswer(
  report: FitReport,
  needed: NodesNeeded | null,
  headroom: Headroom | null = null,
  pools: PoolsOfFit = {},
): CommandAnswer {
  const { workload, running, waiting, gates, free, withinBudgets, evicting, quotas, nodesAreAssumed } = report;
  const runs = `${titleOf(workload)}: ${count(running, 'pod runs', 'pods run')}${waiting === 0 ? '' : `, ${grouped(waiting)} pending`}.`;
  const gated = gates.length === 0 ? [] : [`Its pods wait for ${list(gates)}; the answer is what would be without.`];
  return {
    // Who asks for headroom has not asked how many more fit.
    verdict: headroom === null ? verdictOf(report, pools) : headroomVerdict(headroom, report),
    tone: (headroom === null ? fitsOne(report) : headroom.pods === 0 || headroom.isEnough === true) ? 'good' : 'bad',
    parts: [
      ...(headroom === null
        ? []
        : [headroomPart(headroom, titleOf(workload)), { title: '', lines: [verdictOf(report, pools)] }]),
      { title: '', lines: [runs, ...gated] },
      roomPart(free, 'without evicting a pod.', free.evicts === null && free.isExact),
      ...(free.evicts === null
        ? []
        : [roomPart(withinBudgets, 'if lower priorities are evicted and no budget is broken.')]),
      ...(free.evicts === null || evicting.count === withinBudgets.count
        ? []
        : [roomPart(evicting, 'if budgets are broken too.')]),
      ...poolParts(pools),
      ...(quotas.length === 0 ? [] : [{ title: 'Quotas', lines: quotas.map((quota) => quotaLine(quota, free)) }]),
      ...rollOutParts(report, pools),
      ...(needed === null ? [] : [neededPart(needed)]),
      ...(nodesAreAssumed
        ? [{ title: '', lines: [{ text: 'The nodes are assumed: nothing names any.', tone: 'warning' as const }] }]
        : []),
    ],
  };
}

function poolParts({ comes = [], next }: PoolsOfFit): readonly AnswerPart[] {
  const come = comes.map(({ title, nodes }) => `${count(nodes, 'node')} of ${title}`);
  const lines = [
    ...(next === undefined ? [] : [`The next one: ${next.text}.`]),
    ...(come.length === 0 ? [] : [`Counted: ${list(come, longest)}, added for the pods that are declared.`]),
  ];
  return lines.length === 0 ? [] : [{ title: 'Autoscalers', lines }];
}

/** Whether one more fits without evictions, and every quota lets it in. */
export function fitsOne({ free, quotas }: FitReport): boolean {
  return free.count > 0 && quotas.every(({ more }) => more > 0);
}

function verdictOf(
  { workload, free, withinBudgets, evicting, quotas, nodesAreAssumed }: FitReport,
  { next }: PoolsOfFit,
): string {
  const least = quotas.toSorted((a, b) => a.more - b.more)[0];
  // Another scheduler may have room for it.
  const mark = nodesAreAssumed || free.runsOut === 'scheduler' ? '? ' : '';
  const none = free.count === 0;
  const fit = `${none ? 'No' : amountOf(free)} more ${free.count > 1 || !free.isExact ? 'pods' : 'pod'} of ${titleOf(workload)} ${free.count > 1 || !free.isExact ? 'fit' : 'fits'} without evictions`;
  const more =
    withinBudgets.count > free.count
      ? `; ${amountOf(withinBudgets)} by evicting lower priorities within budgets`
      : evicting.count > free.count
        ? `; ${amountOf(evicting)} by evicting lower priorities, which breaks budgets`
        : '';
  const most = Math.max(free.count, withinBudgets.count, evicting.count);
  const quota =
    least === undefined || (least.more >= most && free.isExact)
      ? ''
      : `; ResourceQuota ${least.quota} lets in ${least.more === 0 ? 'none' : grouped(least.more)}`;
  const grows = next?.makes === true ? `; the next comes on a new node of ${next.pool}` : '';
  return `${mark}${fit}${more}${grows}${quota}.`;
}

function roomPart(room: FitRoom, how: string, isLast = false): AnswerPart {
  const lines: (string | PartLine)[] = [];
  if (room.nodes.length > 0) lines.push(nodesText(room));
  if (room.why !== '') lines.push(`The next one: ${room.why}`);
  if (room.evicts !== null) {
    const { node, victims, brokenBudgets } = room.evicts;
    const broken = brokenBudgets.length === 0 ? '' : `, and break ${list(brokenBudgets)}`;
    lines.push(`It would evict ${list(victims, longest)} on ${node}${broken}.`);
  }
  if (!room.isExact) lines.push({ text: 'Whether there is room for more was not looked for.', tone: 'warning' });
  if (isLast) lines.push('No eviction makes room for one more.');
  return { title: `${amountOf(room)} more ${room.count === 1 && room.isExact ? 'fits' : 'fit'} ${how}`, lines };
}

function quotaLine({ quota, more, resource, message }: FitReport['quotas'][number], free: FitRoom): string | PartLine {
  const text =
    message === ''
      ? `ResourceQuota ${quota} lets in ${grouped(more)} more: ${resource}.`
      : `ResourceQuota ${quota} lets in none: ${message}`;
  return more < free.count || !free.isExact ? { text, tone: 'warning' } : text;
}

/** Pods of the old template are counted as they run: none of them ends before a new one is ready, unless it may. */
function rollOutParts(
  { rollOut, running, waiting, free, evicting, quotas }: FitReport,
  { next }: PoolsOfFit,
): readonly AnswerPart[] {
  // Where none of its pods runs, nothing is rolled out.
  if (rollOut === null || running === 0) return [];
  const { strategy, surge, unavailable, requests } = rollOut;
  const line = (text: string, isBad = false): readonly AnswerPart[] => [
    { title: 'Roll-out', lines: [isBad ? { text, tone: 'warning' } : text] },
  ];
  if (strategy === 'Recreate') {
    return line('To roll out, nothing has to fit beside the old pods: all of them end first.');
  }
  // Those that are pending are not available already.
  const mayEnd = unavailable - waiting;
  if (mayEnd > 0) {
    const most = `up to ${count(mayEnd, 'old pod')} ${mayEnd === 1 ? 'ends' : 'end'} first`;
    return line(
      `To roll out, no pod has to fit beside the old ones: ${most}, and maxSurge lets ${surge} start beside them.`,
    );
  }
  const needs = `To roll out, 1 pod${amountsOf(requests)} must fit beside the old ones`;
  if (quotas.some(({ more }) => more === 0)) {
    return line(`${needs}, and a quota lets in none: the roll-out would not start.`, true);
  }
  if (free.count > 0) {
    return line(
      `${needs}: there is room for ${free.isExact ? '' : 'at least '}${grouped(free.count)}, and maxSurge lets ${surge} start at a time.`,
    );
  }
  if (next?.makes === true && evicting.count === 0) {
    return line(`${needs}: none does, so each waits for a new node of ${next.pool}.`);
  }
  if (evicting.count > 0) return line(`${needs}: one does only by evicting lower priorities.`, true);
  return line(
    `${needs}, and none does: the roll-out would stop at 0. With maxSurge: 0 and maxUnavailable: ${waiting + 1} an old pod ends first.`,
    true,
  );
}

function amountsOf(requests: Readonly<Record<string, string>>): string {
  const amounts = Object.entries(requests).map(([resource, written]) => {
    const quantity = parseQuantity(written);
    if (isQuantityError(quantity)) return `${written} ${resource}`;
    const amount = resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    return namedAmount(resource, Number(amount));
  });
  return amounts.length === 0 ? '' : ` of ${list(amounts, longest)}`;
}

function neededPart({ like, left, waiting, tried, nodes }: NodesNeeded): AnswerPart {
  const model = 'node' in like ? `like ${like.node}` : `of ${like.cpu} cpu, ${like.memory}`;
  const unhelped = left.reduce((sum, each) => sum + each.count, 0);
  const helped = waiting - unhelped;
  const title =
    waiting === 0
      ? 'Nothing is pending.'
      : helped === 0
        ? `No number of nodes ${model} helps: ${grouped(tried)} were tried.`
        : `${count(nodes, 'more node')} ${model}: ${unhelped === 0 ? 'all' : `of ${grouped(waiting)}`} ${grouped(helped)} run`;
  const named = left.slice(0, longest).map(({ workload, count: pods, message }) => {
    return `${titleOf(workload)}, ${count(pods, 'pod')}: ${message}`;
  });
  return {
    title,
    lines: [...named, ...(left.length > longest ? [`and ${grouped(left.length - longest)} more workloads`] : [])],
  };
}

/** Source: cluster-autoscaler/config/flags/flags.go (expendable-pods-priority-cutoff) */
const expendableBelow = -10;

function headroomVerdict(
  { pods, requests, priority, isEnough }: Headroom,
  { workload, nodesAreAssumed }: FitReport,
): string {
  const mark = nodesAreAssumed ? '? ' : '';
  const title = titleOf(workload);
  if (pods === 0) return `${mark}${title} needs no headroom: it evicts no pods, and none of its pods stays pending.`;
  const room = `room for ${count(pods, 'pod')}${eachOf(requests)}`;
  if (priority === null || isEnough !== true) return `${mark}${title} needs ${room} to evict no other pods.`;
  return `${mark}${title} evicts no other pods where ${count(pods, 'placeholder pod')}${eachOf(requests)} ${pods === 1 ? 'runs' : 'run'} before it.`;
}

function eachOf(requests: Headroom['requests']): string {
  const amounts = amountsOf(requests);
  return amounts === '' ? '' : `${amounts} each`;
}

function headroomPart(
  { pods, of, evicted, requests, priority, isEnough, isHeldByBuffer, buffers }: Headroom,
  title: string,
): AnswerPart {
  const held = buffers.map(
    ({ name, pods: amount }) =>
      `CapacityBuffer ${name} holds room for ${count(amount, 'pod')} of it, which is counted where a NodePool or node group is known.`,
  );
  if (pods === 0) {
    return { title: '', lines: held };
  }
  const each = eachOf(requests);
  const why = `${grouped(pods)} of its ${count(of, 'pod')} ${pods === 1 ? 'finds' : 'find'} no free node${evicted === 0 ? '' : ` and ${pods === 1 ? 'evicts' : 'evict'} ${count(evicted, 'pod')}`}.`;
  const buffer = `CapacityBuffer with scalableRef ${title} and replicas: ${pods}`;
  const holds =
    isHeldByBuffer === false
      ? `A run with a ${buffer} evicts other pods, too, or leaves some pending.`
      : `A ${buffer} holds as much.`;
  if (priority === null) {
    return {
      title: `Headroom: ${count(pods, 'pod')}${each}`,
      lines: [why, 'It never preempts, so that placeholders would not make room for it.', holds, ...held],
    };
  }
  const tried =
    isEnough === null
      ? [{ text: 'No run with them was possible: no node takes its pods.', tone: 'warning' as const }]
      : isEnough
        ? ['A run with them evicts only them.']
        : [{ text: 'A run with them evicts other pods, too, or leaves some pending.', tone: 'warning' as const }];
  return {
    title: `Headroom: ${count(pods, 'placeholder pod')}${each}`,
    lines: [
      why,
      `With its node selector, affinity and tolerations, and priority ${priority} or less, placeholders are evicted instead.`,
      ...tried,
      priority < expendableBelow
        ? {
            text: `Cluster Autoscaler keeps no room for priorities below ${expendableBelow}: raise those that are evicted, or --expendable-pods-priority-cutoff.`,
            tone: 'warning' as const,
          }
        : `Cluster Autoscaler keeps room for them down to priority ${expendableBelow}.`,
      holds,
      ...held,
    ],
  };
}

function amountOf({ count: amount, isExact }: FitRoom): string {
  return `${isExact ? '' : 'At least '}${grouped(amount)}`;
}

function nodesText({ nodes }: FitRoom): string {
  const named = nodes.slice(0, longest).map(({ node, count: here }) => `${node} ${grouped(here)}`);
  return `${named.join(', ')}${nodes.length > longest ? ` and ${count(nodes.length - longest, 'more node')}` : ''}`;
}
