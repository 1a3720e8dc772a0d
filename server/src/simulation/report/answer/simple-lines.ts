import { isNamed, marked } from '../../../report-model/assumed.ts';
import { openerOf } from '../../../kubernetes/gate-owners.ts';
import { joined, say } from '../../../util/say.ts';
import type { AnswerLine } from '../../../report-model/answer.ts';
import { clockText, count, grouped, list, outOf } from '../../../util/words.ts';
import { byWorkload, type Told, workloadName } from './told.ts';
import { whyThere } from './why-there.ts';

function linesOf(
  told: Told,
  pods: readonly number[],
  sign: AnswerLine['sign'],
  describe: (pods: readonly number[]) => Pick<AnswerLine, 'details' | 'then' | 'count'>,
): AnswerLine[] {
  return [...byWorkload(told, pods)].map(([workload, own]) => ({
    sign,
    name: workloadName(told, own[0]!),
    marks: [],
    workloads: workload < 0 ? [] : [workload],
    pods: own,
    ...describe(own),
  }));
}

const withState = (told: Told, state: string) =>
  [...told.arriving, ...told.replacements].filter((pod) => told.waiting.stateOf(pod) === state);

export function gatedLines(told: Told): AnswerLine[] {
  return linesOf(told, withState(told, 'gated'), '‖', (pods) => ({
    count: count(pods.length, 'pod'),
    details: [gatesText(told.decisionOf(pods[0]!)?.message ?? '')],
    then: joined(
      gatesIn(told.decisionOf(pods[0]!)?.message ?? '').flatMap((gate) => openerOf(gate) ?? []),
      '; ',
    ),
  }));
}

/** Pods that a drain cannot evict: kept by a budget for good, or in the way of its beginning. */
export function blockedLines(told: Told): AnswerLine[] {
  const whyNot = new Map(
    told.parts.drains.flatMap(({ node, blocked }) => blocked.map((each) => [each.pod, { ...each, node }] as const)),
  );
  const kept = linesOf(told, [...whyNot.keys()], '×', (pods) => {
    const { why, help, node } = whyNot.get(pods[0]!)!;
    return {
      count: marked(told.mark, count(pods.length, 'pod')),
      details: [say`stays on ${told.names.node(node)}`, why],
      then: help,
    };
  });
  const inTheWay = told.parts.drains.flatMap(({ node, refusals }) =>
    refusals.map(({ why, pods }): AnswerLine => ({
      sign: '×',
      name: told.names.node(node),
      count: marked(told.mark, count(pods.length, 'pod')),
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
export function failedLines(told: Told): AnswerLine[] {
  const why = new Map(told.parts.drains.flatMap(({ failed }) => failed.map((each) => [each.pod, each.why] as const)));
  return linesOf(told, [...why.keys()], '×', (pods) => ({
    count: marked(told.mark, count(pods.length, 'pod')),
    details: [why.get(pods[0]!)!],
    then: '',
  }));
}

/** Pods that compete for what a budget has left: how many may go is known, which of them is chance. */
export function raceLines(told: Told): AnswerLine[] {
  return told.parts.drains.flatMap(({ node, races }) =>
    races.map(({ budget, pods, evicted }): AnswerLine => ({
      sign: '~',
      name: list([...byWorkload(told, pods).values()].map(([first]) => workloadName(told, first!))),
      count: marked(told.mark, count(pods.length, 'pod')),
      marks: [],
      details: [
        say`compete on ${told.names.node(node)} for what budget ${budget} has left`,
        say`${grouped(evicted)} may go at once; which is chance`,
      ],
      then: '',
      workloads: [...byWorkload(told, pods).keys()].filter((workload) => workload >= 0),
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

export function refusedLines(told: Told): AnswerLine[] {
  return linesOf(told, withState(told, 'refused'), '×', (pods) => ({
    count: count(pods.length, 'pod'),
    details: [told.decisionOf(pods[0]!)?.message ?? ''],
    then: '',
  }));
}

export function scheduledLines(told: Told): AnswerLine[] {
  const arrived = new Map<number, { clock: number; node: number }>();
  for (const { kind, pod, clock, node } of told.parts.steps) {
    if (kind === 'scheduled' && node !== null) arrived.set(pod, { clock, node });
  }
  const pods = told.arriving.filter((pod) => told.waiting.stateOf(pod) === 'scheduled');
  return linesOf(told, pods, '+', (own) => {
    const { workload } = told.pod(own[0]!);
    const ofWorkload = [...told.arriving.map((pod) => told.pod(pod).workload), ...told.parts.held];
    const arriving = ofWorkload.filter((each) => each !== null && each === workload).length;
    const evicted = told.parts.victims.filter(({ preemptor }) => own.includes(preemptor)).length;
    return {
      count: marked(told.mark, outOf(own.length, Math.max(arriving, own.length))),
      details: [
        placesText(
          told,
          own.flatMap((pod) => arrived.get(pod) ?? []),
        ),
        evicted === 0 ? say`evicts nobody` : say`evicts ${marked(told.mark, count(evicted, 'pod'))}`,
        ...groupText(told, own),
        ...unattachedText(told, own),
      ],
      then: whyThere(told, own),
    };
  });
}

/** Of pods whose PodGroups have a node for each of their pods that is here. */
function groupText({ parts: { groups }, waiting }: Told, pods: readonly number[]): readonly string[] {
  const own = new Set(pods.flatMap((pod) => groups.get(pod) ?? []));
  if (own.size === 0) return [];
  for (const [pod, group] of groups) {
    if (own.has(group) && ['pending', 'gated', 'refused'].includes(waiting.stateOf(pod))) own.delete(group);
  }
  const names = [...own].map((group) => group.slice(group.indexOf('/') + 1));
  if (names.length === 0) return [];
  return [names.length === 1 ? say`pod group ${list(names)} whole` : say`pod groups ${list(names, 3)}, each whole`];
}

function unattachedText({ parts: { unattached } }: Told, pods: readonly number[]): readonly string[] {
  return (['elsewhere', 'unbound'] as const).flatMap((why) => {
    const [first, ...others] = pods.filter((pod) => unattached.get(pod)?.why === why);
    if (first === undefined) return [];
    const { claim } = unattached.get(first)!;
    const number = others.length + 1;
    const starts = say`${grouped(number)} of them ${number === 1 ? 'does' : 'do'} not start`;
    return why === 'elsewhere'
      ? [say`${starts}: claim ${claim} is ReadWriteOnce, and attached to another node (Multi-Attach)`]
      : [say`${starts}: claim ${claim} waits for its first pod to be scheduled, and nodeName leaves the scheduler out`];
  });
}

/** More places than this are counted. */
const placesInLine = 3;

function placesText(told: Told, places: readonly { readonly clock: number; readonly node: number }[]): string {
  const nodes = new Set(places.map(({ node }) => node));
  const last = Math.max(0, ...places.map(({ clock }) => clock));
  const when = last === 0 ? say`at once` : say`within ${clockText(last)}`;
  if ([...nodes].some((node) => !isNamed(told.parts.nodes[node]!))) return say`assumed nodes, ${when}`;
  if (nodes.size > placesInLine) return say`${marked(told.mark, count(nodes.size, 'node'))}, ${when}`;
  const inOrder = [...places].sort((a, b) => a.clock - b.clock);
  const each = inOrder.map(
    ({ clock, node }) => say`${told.names.node(node)} ${clock === 0 ? say`at once` : say`after ${clockText(clock)}`}`,
  );
  return list([...new Set(each)], placesInLine + 1);
}
