import { exceededIn } from '../../../admission/quota/exceeded.ts';
import { isNamed, marked } from '../../../report-model/assumed.ts';
import { openerOf } from '../../../kubernetes/gate-owners.ts';
import { addTo } from '../../../util/maps.ts';
import { joined, say } from '../../../util/say.ts';
import type { AnswerLine } from '../../../report-model/answer.ts';
import type { ReportStep } from '../../../report-model/report.ts';
import { clockText, count, grouped, list, momentText, outOf } from '../../../util/words.ts';
import { shortText } from '../../causes/cause-text.ts';
import { byWorkload, type AnswerContext, type WithoutPods, workloadName } from './answer-context.ts';
import { whyThere } from './why-there.ts';

function linesOf(
  context: AnswerContext,
  pods: readonly number[],
  sign: AnswerLine['sign'],
  describe: (pods: readonly number[]) => Pick<AnswerLine, 'details' | 'then' | 'count'>,
): AnswerLine[] {
  return [...byWorkload(context, pods)].map(([workload, own]) => ({
    sign,
    name: workloadName(context, own[0]!),
    marks: [],
    workloads: workload < 0 ? [] : [workload],
    pods: own,
    ...describe(own),
  }));
}

const withState = (context: AnswerContext, state: string) =>
  [...context.arriving, ...context.replacements].filter((pod) => context.waiting.stateOf(pod) === state);

export function gatedLines(context: AnswerContext): AnswerLine[] {
  return linesOf(context, withState(context, 'gated'), '‖', (pods) => ({
    count: count(pods.length, 'pod'),
    details: [gatesText(context.decisionOf(pods[0]!)?.message ?? '')],
    then: joined(
      gatesIn(context.decisionOf(pods[0]!)?.message ?? '').flatMap((gate) => openerOf(gate) ?? []),
      '; ',
    ),
  }));
}

/** Pods that a drain cannot evict: kept by a budget for good, or in the way of its beginning. */
export function blockedLines(context: AnswerContext): AnswerLine[] {
  const whyNot = new Map(
    context.parts.drains.flatMap(({ node, blocked }) => blocked.map((each) => [each.pod, { ...each, node }] as const)),
  );
  const kept = linesOf(context, [...whyNot.keys()], '×', (pods) => {
    const { why, help, node } = whyNot.get(pods[0]!)!;
    return {
      count: marked(context.mark, count(pods.length, 'pod')),
      details: [say`stays on ${context.names.node(node)}`, why],
      then: help,
    };
  });
  const inTheWay = context.parts.drains.flatMap(({ node, refusals }) =>
    refusals.map(({ why, pods }): AnswerLine => ({
      sign: '×',
      name: context.names.node(node),
      count: marked(context.mark, count(pods.length, 'pod')),
      marks: [],
      details: [why],
      then: say`kubectl evicts nothing, and the node stays cordoned`,
      workloads: [],
      pods,
    })),
  );
  return [...inTheWay, ...kept];
}

/** Evictions that the API server refuses for good. */
export function failedLines(context: AnswerContext): AnswerLine[] {
  const why = new Map(
    context.parts.drains.flatMap(({ failed }) => failed.map((each) => [each.pod, each.why] as const)),
  );
  return linesOf(context, [...why.keys()], '×', (pods) => ({
    count: marked(context.mark, count(pods.length, 'pod')),
    details: [why.get(pods[0]!)!],
    then: severalBudgets(context.pod(pods[0]!).budgets),
  }));
}

function severalBudgets(budgets: readonly string[]): string {
  return budgets.length < 2
    ? ''
    : say`budgets ${list([...budgets])} select it: change their selectors so that only one does`;
}

/** Pods that compete for what a budget has left: how many may go is known, which of them is chance. */
export function raceLines(context: AnswerContext): AnswerLine[] {
  return context.parts.drains.flatMap(({ node, races }) =>
    races.map(({ budget, pods, evicted }): AnswerLine => ({
      sign: '~',
      name: list([...byWorkload(context, pods).values()].map(([first]) => workloadName(context, first!))),
      count: marked(context.mark, count(pods.length, 'pod')),
      marks: [],
      details: [
        say`compete on ${context.names.node(node)} for what budget ${budget} has left`,
        say`${grouped(evicted)} may go at once; which is chance`,
      ],
      then: '',
      workloads: [...byWorkload(context, pods).keys()].filter((workload) => workload >= 0),
      pods,
    })),
  );
}

/** Source: PreEnqueue in pkg/scheduler/framework/plugins/gangscheduling */
const fewPods = 'waiting for minCount pods from a gang';
const noGroup = 'waiting for pods\'s pod group "';

/** Source: pkg/scheduler/framework/plugins/schedulinggates, whose text names the gates in brackets. */
function gatesText(message: string): string {
  if (message.startsWith(fewPods)) return say`too few pods of its pod group are there (minCount of the PodGroup)`;
  if (message.startsWith(noGroup)) {
    return say`its PodGroup is not there: ${list([message.slice(noGroup.length).split('"', 1)[0]!])}`;
  }
  const gates = gatesIn(message);
  return gates.length === 0 ? message : gates.length === 1 ? say`gate ${list(gates)}` : say`gates ${list(gates)}`;
}

function gatesIn(message: string): readonly string[] {
  const opened = message.indexOf('[');
  return opened !== -1 && message.endsWith(']') ? message.slice(opened + 1, -1).split(' ') : [];
}

export function refusedLines(context: AnswerContext): AnswerLine[] {
  const refused = withState(context, 'refused');
  const workloads = refused.length === 0 ? noWorkloads : workloadsToCome(context);
  return linesOf(context, refused, '×', (pods) => {
    const quota = quotaInDoubt(context, pods[0]!, workloads);
    const message = context.decisionOf(pods[0]!)?.message ?? '';
    const when = context.parts.doubtOf?.(pods[0]!, message) ?? '';
    const doubt =
      when === '' && quota !== ''
        ? say`which pods ResourceQuota ${quota} refuses depends on which are created first`
        : when;
    return {
      count: marked(doubt === '' ? '' : '?', count(pods.length, 'pod')),
      details: doubt === '' ? [message] : [message, doubt],
      then: '',
    };
  });
}

/** Whether a quota that refuses a pod has counted nothing before it. */
function isUnused(message: string): boolean {
  const [, rest = ''] = message.split(' used: ', 2);
  const [used = ''] = rest.split(', ', 1);
  return used !== '' && used.split(',').every((each) => each.endsWith('=0'));
}

/** The quota that refuses a pod, where pods of other workloads come to its namespace, too; else empty. */
function quotaInDoubt(context: AnswerContext, refused: number, toCome: WorkloadsToCome): string {
  const message = context.decisionOf(refused)?.message ?? '';
  // Where nothing was used, nothing came first.
  const quota = isUnused(message) ? '' : (exceededIn(message)?.quota ?? '');
  const { namespace, workload } = context.pod(refused);
  return [...(toCome.get(namespace) ?? [])].some((other) => other !== workload) ? quota : '';
}

/** By namespace, the first two workloads of which pods are created: whether there is another needs no more. */
type WorkloadsToCome = ReadonlyMap<string, ReadonlySet<number | null>>;

const noWorkloads: WorkloadsToCome = new Map();

function workloadsToCome(context: AnswerContext): WorkloadsToCome {
  const found = new Map<string, Set<number | null>>();
  for (const index of [...context.arriving, ...context.replacements]) {
    const { namespace, workload } = context.pod(index);
    const known = found.get(namespace);
    if (known === undefined) found.set(namespace, new Set([workload]));
    else if (known.size < 2) known.add(workload);
  }
  return found;
}

/** Workloads that make no pods at all. */
export function idleLines(context: AnswerContext): AnswerLine[] {
  return context.parts.without
    .filter(({ isIdle }) => isIdle)
    .map(({ workload, leftOut, isQueued, held }): AnswerLine => {
      const name = context.names.workload(workload);
      const line = { sign: '‖' as const, name, marks: [], workloads: [workload], pods: [] };
      if (held !== null) {
        const behind = say`its StatefulSet makes ${count(held.amount, 'more pod', 'more pods')} only once it is ready (OrderedReady)`;
        return { ...line, count: say`${held.amount} not made`, details: [held.why, behind], then: '' };
      }
      const why = leftOut.length > 0 ? leftOutTexts(context, leftOut) : [say`it is suspended (spec.suspend)`];
      const then = isQueued ? say`Kueue lets it begin when a queue admits it` : '';
      return { ...line, count: say`no pods`, details: why, then };
    });
}

function leftOutTexts(context: AnswerContext, leftOut: WithoutPods['leftOut']): readonly string[] {
  const names = { node: (index: number) => context.names.node(index), nodes: context.parts.nodes.length };
  return leftOut
    .slice(0, obstaclesTold)
    .map(({ part, nodes }) =>
      part.kind === 'labels' && nodes.length === names.nodes
        ? say`no node has ${joined(part.wanted, ', ')}`
        : shortText(part, nodes, names),
    );
}

const obstaclesTold = 3;

export function scheduledLines(context: AnswerContext): AnswerLine[] {
  const { parts, arriving: all, waiting } = context;
  const arrived = new Map<number, { clock: number; node: number }>();
  const stepsOf = new Map<number, { readonly at: number; readonly step: ReportStep }[]>();
  for (const [at, step] of parts.steps.entries()) {
    const { kind, pod, clock, node } = step;
    if (kind === 'scheduled' && node !== null) arrived.set(pod, { clock, node });
    if (kind !== 'scheduled' && kind !== 'nominated') continue;
    addTo(stepsOf, pod, { at, step });
  }
  const arrivingOf = amounts([...all.map((pod) => context.pod(pod).workload), ...parts.held]);
  const evictedBy = amounts(parts.victims.map(({ preemptor }) => preemptor));
  const leftOutOf = new Map(parts.without.map((each) => [each.workload, each.leftOut]));
  const evictions = (own: readonly number[]): number => own.reduce((sum, pod) => sum + (evictedBy.get(pod) ?? 0), 0);
  const pods = all.filter((pod) => waiting.stateOf(pod) === 'scheduled');
  const lines = linesOf(context, pods, '+', (own) => {
    const { workload } = context.pod(own[0]!);
    const arriving = workload === null ? 0 : (arrivingOf.get(workload) ?? 0);
    const evicted = evictions(own);
    const over = parts.overQuota.find(({ workloads }) => workloads.includes(workload ?? -1));
    const steps = own.flatMap((pod) => stepsOf.get(pod) ?? []).sort((a, b) => a.at - b.at);
    return {
      count: marked(over === undefined ? context.mark : '?', outOf(own.length, Math.max(arriving, own.length))),
      details: [
        placesText(
          context,
          own.flatMap((pod) => arrived.get(pod) ?? []),
        ),
        evicted === 0 ? say`evicts no pod` : say`evicts ${marked(context.mark, count(evicted, 'pod'))}`,
        ...leftOutTexts(context, (workload === null ? undefined : leftOutOf.get(workload)) ?? []),
        ...groupText(context, own),
        ...unattachedText(context, own),
        ...(over === undefined
          ? []
          : [
              say`unless ResourceQuota ${over.quota} refuses it, which allows ${over.allowed} of ${over.counted} objects of kind ${over.kind}`,
            ]),
      ],
      then: whyThere(
        context,
        steps.map(({ step }) => step),
      ),
    };
  });
  // Where not all are shown, those that evict most are.
  return lines.sort((a, b) => evictions(b.pods) - evictions(a.pods));
}

function amounts<Key>(all: readonly Key[]): ReadonlyMap<Key, number> {
  const found = new Map<Key, number>();
  for (const each of all) found.set(each, (found.get(each) ?? 0) + 1);
  return found;
}

/** Of pods whose PodGroups have a node for each of their pods that is here. */
function groupText({ parts: { groups }, waiting }: AnswerContext, pods: readonly number[]): readonly string[] {
  const own = new Set(pods.flatMap((pod) => groups.get(pod) ?? []));
  if (own.size === 0) return [];
  for (const [pod, group] of groups) {
    if (own.has(group) && ['pending', 'gated', 'refused'].includes(waiting.stateOf(pod))) own.delete(group);
  }
  const names = [...own].map((group) => group.slice(group.indexOf('/') + 1));
  if (names.length === 0) return [];
  return [names.length === 1 ? say`pod group ${list(names)} whole` : say`pod groups ${list(names, 3)}, each whole`];
}

function unattachedText({ parts: { unattached } }: AnswerContext, pods: readonly number[]): readonly string[] {
  return (['elsewhere', 'unbound'] as const).flatMap((why) => {
    const [first, ...others] = pods.filter((pod) => unattached.get(pod)?.why === why);
    if (first === undefined) return [];
    const { claim } = unattached.get(first)!;
    const number = others.length + 1;
    const starts =
      pods.length === 1
        ? say`it does not start`
        : say`${grouped(number)} of them ${number === 1 ? 'does' : 'do'} not start`;
    return why === 'elsewhere'
      ? [say`${starts}: claim ${claim} is ReadWriteOnce, and attached to another node (Multi-Attach)`]
      : [say`${starts}: claim ${claim} waits for its first pod to be scheduled, and nodeName leaves the scheduler out`];
  });
}

/** More places than this are counted. */
const placesInLine = 3;

function placesText(
  context: AnswerContext,
  places: readonly { readonly clock: number; readonly node: number }[],
): string {
  const nodes = new Set(places.map(({ node }) => node));
  const last = Math.max(0, ...places.map(({ clock }) => clock));
  const day = context.parts;
  const isDay = day.clockStart !== undefined;
  const by = isDay ? say`by ${momentText(day, last)}` : say`within ${clockText(last)}`;
  const when = last === 0 ? say`at once` : by;
  if ([...nodes].some((node) => !isNamed(context.parts.nodes[node]!))) return say`assumed nodes, ${when}`;
  if (nodes.size > placesInLine) return say`${marked(context.mark, count(nodes.size, 'node'))}, ${when}`;
  const inOrder = [...places].sort((a, b) => a.clock - b.clock);
  const each = inOrder.map(({ clock, node }) => {
    const at = isDay ? say`at ${momentText(day, clock)}` : say`after ${clockText(clock)}`;
    return say`${context.names.node(node)} ${clock === 0 ? say`at once` : at}`;
  });
  const moments = new Set(each);
  if (moments.size > placesInLine + 1) return say`${list([...nodes].map((node) => context.names.node(node)))}, ${when}`;
  return list([...moments]);
}
