import { addTo } from '../../util/maps.ts';
import { clockText, count, grouped, list, upperFirst } from '../../util/words.ts';
import type { DrainedPodReport, DrainReport, DrainRequest } from '../../simulation/drains/drain-nodes.ts';
import type { DrainedNodes, Unblockers } from '../../simulation/remedies/unblocking/unblock-drain.ts';
import { answersText } from '../../simulation/growth/pool-answers.ts';
import type { DrainGrowth } from '../../simulation/scenario/drain-growth.ts';
import { describeRemedy } from '../../simulation/report/describe-remedy.ts';
import { refusalData } from '../evict/render.ts';
import { type AnswerPart, type CommandAnswer, commandLine } from '../answer/answer.ts';
import { drainTranscript } from './transcript.ts';

/** Lists longer than this are told in numbers. */
const longest = 12;

/** What comes of a drain: where it ends, what keeps it, what would help, and where the pods go. */
export function drainAnswer(
  report: DrainReport,
  unblockers: Unblockers,
  request: DrainRequest,
  growth: DrainGrowth | null = null,
  command?: string,
): CommandAnswer {
  const { pods, races, preempted } = report;
  const { late, pending } = pendingOf(report, growth);
  const landed = pods.filter(({ landedOn }) => landedOn !== null);
  const lost = pods.filter(({ replacement, goneAt, isOver }) => replacement === null && goneAt !== null && !isOver);
  const parts: readonly AnswerPart[] = [
    { title: '', lines: growthLines(report, growth) },
    { title: '', lines: [...keptLines(report, request), ...raceLines(races), ...poolLines(unblockers)] },
    helpPart(unblockers, command),
    {
      title: `Where the evicted land: ${grouped(landed.length)}`,
      lines: cut(landed, ({ pod, replacement, landedOn }) => {
        return `${pod}: ${replacement === pod ? '' : `${replacement ?? ''} `}on ${landedOn ?? ''}`;
      }),
    },
    { title: `Lost, for nothing makes them anew: ${grouped(lost.length)}`, lines: cut(lost, ({ pod }) => pod) },
    {
      title: `Evicted by preemption for replacements: ${grouped(preempted.length)}`,
      tone: 'bad',
      lines: cut(preempted, ({ clock, pod, for: preemptor }) => `${clockText(clock)}  ${pod} for ${preemptor}`),
    },
    pendingPart('until nodes come', late),
    pendingPart('in the end', pending),
    { title: '', lines: beforeLines(report.before) },
  ];
  return {
    verdict: verdictOf(report, request, growth),
    tone: isDrained(report, growth) ? 'good' : 'bad',
    parts: parts.filter(({ lines }) => lines.length > 0),
    transcript: drainTranscript(report, request),
  };
}

/** By itself, or once autoscalers have added nodes. */
export function isDrained({ nodes }: DrainReport, growth: DrainGrowth | null): boolean {
  return nodes.every(({ state }) => state === 'drained') || isUnblocked(growth);
}

function isUnblocked(growth: DrainGrowth | null): boolean {
  return growth !== null && growth.comes.length > 0 && growth.drainedAt !== null;
}

type Pending = DrainReport['pending'];

/** Of the pods that the drain leaves pending, those that the nodes of autoscalers take, and the others. */
function pendingOf(
  { pending }: DrainReport,
  growth: DrainGrowth | null,
): { readonly late: Pending; readonly pending: Pending } {
  if (growth === null || growth.comes.length === 0) return { late: [], pending };
  const stays = new Set(growth.pending.map(({ pod }) => pod));
  return {
    late: pending.filter(({ pod }) => !stays.has(pod)),
    pending: pending.filter(({ pod }) => stays.has(pod)),
  };
}

function pendingPart(when: string, pods: Pending): AnswerPart {
  return {
    title: `Pending ${when}: ${grouped(pods.length)}`,
    tone: 'warning',
    lines: cut([...sharing(pods)], ([message, names]) => `${list(names, longest)}: ${message}`),
  };
}

/** The names of those that say the same, by what they say. */
function sharing(pods: Pending): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { pod, message } of pods) addTo(names, message, pod);
  return names;
}

/** `1 new node of NodePool general` */
function nodesText({ comes }: DrainGrowth): string {
  return list(comes.map(({ pool, nodes }) => `${count(nodes, 'new node')} of ${pool}`));
}

function isOneNode({ comes }: DrainGrowth): boolean {
  return comes.reduce((sum, { nodes }) => sum + nodes, 0) === 1;
}

function growthLines(report: DrainReport, growth: DrainGrowth | null): readonly string[] {
  if (growth === null) return [];
  const { nodes } = report;
  const { late, pending } = pendingOf(report, growth);
  const left = new Set(pending.map(({ pod }) => pod));
  const why = growth.pending.filter(({ pod }) => left.has(pod)).map(({ answers }) => answersText(answers));
  const hangs = nodes.some(({ state }) => state !== 'drained');
  const isOnlyLate = hangs && isUnblocked(growth);
  return [
    ...(isOnlyLate ? [`Without ${isOneNode(growth) ? 'it' : 'them'}:`] : []),
    ...(growth.comes.length > 0 && late.length === 0 ? [`Autoscalers add ${nodesText(growth)}.`] : []),
    ...cut([...new Set(why)].filter(Boolean), (text) => `Of the pods that stay pending: ${text}.`),
  ];
}

function verdictOf(report: DrainReport, { dryRun }: DrainRequest, growth: DrainGrowth | null): string {
  const { nodes, pods, preempted } = report;
  const isDry = dryRun !== 'none';
  const all = nodes.length === 1 ? nodes[0]!.name : count(nodes.length, 'node');
  const ended = nodes.find(({ state }) => state === 'hangs') ?? nodes.find(({ state }) => state !== 'drained');
  if (ended === undefined) {
    if (isDry) return `${all} would be drained, in a dry run: ${count(pods.length, 'pod')} may be evicted.`;
    const evicted = pods.filter(({ goneAt }) => goneAt !== null).length;
    const after = clockText(Math.max(0, ...nodes.map(({ at }) => at ?? 0)));
    const { late, pending } = pendingOf(report, growth);
    const left = [
      ...(growth === null || late.length === 0
        ? []
        : [
            `; ${count(late.length, 'pod')} ${late.length === 1 ? 'comes' : 'come'} back once ${nodesText(growth)} ${isOneNode(growth) ? 'is' : 'are'} there`,
          ]),
      ...(pending.length === 0
        ? []
        : [`; ${count(pending.length, 'replacement')} ${pending.length === 1 ? 'stays' : 'stay'} pending`]),
    ].join('');
    const displaced =
      preempted.length === 0 ? '' : `, and ${grouped(preempted.length)} more by preemption for their replacements`;
    const back = pods.filter(({ landedOn }) => nodes.some(({ name }) => name === landedOn)).length;
    const again =
      back === 0
        ? ''
        : `; ${count(back, 'replacement')} ${back === 1 ? 'is' : 'are'} back on ${nodes.length === 1 ? 'it' : 'them'}, as ${back === 1 ? 'it tolerates' : 'they tolerate'} the taint of cordoned nodes`;
    return `${all} ${nodes.length === 1 ? 'is' : 'are'} drained after ${after}: ${count(evicted, 'pod')} evicted${displaced}${left}${again}.`;
  }
  if (growth !== null && isUnblocked(growth)) {
    const after = nodes.length === 1 ? ` after ${clockText(growth.drainedAt ?? 0)}` : '';
    return `${all} ${nodes.length === 1 ? 'is' : 'are'} drained${after}, once ${nodesText(growth)} ${isOneNode(growth) ? 'has' : 'have'} come.`;
  }
  const stays = isDry ? '' : nodes.length === 1 ? 'it stays cordoned' : `${allOf(nodes.length)} stay cordoned`;
  const drained = nodes.filter(({ state }) => state === 'drained').length;
  const waits = nodes.filter(({ state }) => state === 'waits').length;
  const at = nodes.length === 1 ? '' : ` at ${ended.name}`;
  const lines = [
    ...(drained === 0 ? [] : [`${count(drained, 'node')} before it ${drained === 1 ? 'is' : 'are'} drained`]),
    ...(waits === 0 ? [] : [`${count(waits, 'more node', 'more nodes')} ${waits === 1 ? 'is' : 'are'} never reached`]),
    ...(stays === '' ? [] : [stays]),
  ];
  const end = lines.length === 0 ? '.' : `; ${list(lines)}.`;
  if (ended.state === 'stopped') {
    const why = ended.errors.length === 1 ? list(ended.errors) : count(ended.errors.length, 'reason');
    return `Draining ${all} stops${at} before any of its pods is evicted: ${why}${end}`;
  }
  const kept = pods.filter(({ node, goneAt }) => node === ended.name && goneAt === null);
  const budgets = [...new Set(kept.flatMap(({ blockedBy }) => blockedBy))];
  const behind = budgets.length === 0 ? '' : ` behind ${list(budgets.map((budget) => `budget ${budget}`))}`;
  const what = ended.state === 'hangs' ? 'hangs' : `is given up after ${clockText(ended.at ?? 0)}`;
  const keeps =
    kept.length === 0 ? '' : `, with ${count(kept.length, 'pod')} on ${nodes.length === 1 ? 'it' : ended.name}`;
  return `Draining ${all} ${what}${at}${behind}${keeps}${end}`;
}

/** Why pods are still there, those of one reason together. */
function keptLines({ nodes, pods, events }: DrainReport, { dryRun, disableEviction }: DrainRequest): readonly string[] {
  return nodes.flatMap(({ name, state, at, errors }): readonly string[] => {
    if (state === 'stopped') {
      const reasons = errors.length === 1 ? [] : errors;
      return dryRun === 'none' ? reasons : [...reasons, 'A dry run leaves everything as it is.'];
    }
    if (state !== 'hangs' && state !== 'unfinished') return [];
    if (state === 'hangs' && disableEviction && dryRun === 'server') {
      return ['kubectl waits for pods that a dry run does not delete: without --timeout it never ends.'];
    }
    const own = pods.filter(({ node }) => node === name);
    const ends = state === 'unfinished' ? [`kubectl gives ${name} up. What it has evicted goes.`] : [];
    const late =
      state === 'unfinished' && dryRun === 'none' ? own.filter(({ goneAt }) => (goneAt ?? 0) > (at ?? 0)) : [];
    const reasons = new Map<string, string[]>();
    for (const { pod, goneAt, answer, remedy } of own) {
      if (goneAt !== null || (dryRun !== 'none' && answer.allowed)) continue;
      const refusal = events.findLast(
        (event) =>
          event.pod === pod && ['refused', 'failed', 'held', 'hangs'].includes(event.kind) && event.text !== '',
      );
      const code = refusal?.kind === 'refused' && !answer.allowed ? `Refused (${answer.code}):` : '';
      const reason = [code, sentence(refusal?.text ?? ''), remedyText(remedy)].filter((each) => each !== '').join(' ');
      addTo(reasons, reason, pod);
    }
    return [
      ...(dryRun === 'none' ? ends : ['A dry run leaves everything as it is.']),
      ...cut(late, ({ pod, goneAt }) => {
        return `${pod} goes after ${clockText(goneAt ?? 0)}: give it so long with --timeout, or less with --grace-period.`;
      }),
      ...cut([...reasons], ([reason, names]) => {
        return `${list(names, longest)} ${names.length === 1 ? 'is' : 'are'} still there. ${reason}`.trimEnd();
      }),
    ];
  });
}

function raceLines(races: DrainReport['races']): readonly string[] {
  return cut(races, ({ budget, pods, evicted }) => {
    return `${list(pods, longest)} compete for ${evicted} of PodDisruptionBudget ${budget}; which pod wins is chance.`;
  });
}

function poolLines({ budgetsTogether, oneByOne, uncordoning, found }: Unblockers): readonly string[] {
  // What helps has its changes below.
  const isBelow =
    budgetsTogether !== null && found.some(({ whatIf }) => whatIf.join() === budgetsTogether.whatIf.join());
  return [
    ...(budgetsTogether === null
      ? []
      : [
          `If you relax ${allOf(budgetsTogether.whatIf.length, 'budget')} that block it, ${outcomeText(budgetsTogether)}${isBelow ? '' : `: ${budgetsTogether.whatIf.join(' and ')}`}.`,
        ]),
    ...(oneByOne === null
      ? []
      : [`If you drain one node at a time, with a command for each, ${outcomeText(oneByOne)}.`]),
    ...(uncordoning === null
      ? []
      : [
          `If you also uncordon each node, once it is upgraded, before you drain the next, ${outcomeText(uncordoning)}.`,
        ]),
  ];
}

function outcomeText({ nodes, pending }: DrainedNodes): string {
  const left = nodes.filter(({ state }) => state !== 'drained').map(({ name }) => name);
  const all = count(nodes.length, 'node');
  const end = clockText(Math.max(0, ...nodes.map(({ at }) => at ?? 0)));
  if (nodes.length === 1) return left.length === 0 ? `the node drains within ${end}` : 'the node does not drain';
  if (left.length === 0) return `${allOf(nodes.length, 'node')} drain within ${end}${pendingText(pending)}`;
  const drained = nodes.length - left.length;
  const those = `${list(left)} ${left.length === 1 ? 'hangs' : 'hang'}`;
  return drained === 0
    ? `none of ${all} drains`
    : `${grouped(drained)} of ${all} ${drained > 1 ? 'drain' : 'drains'} and ${those}`;
}

function pendingText(pending: number): string {
  return pending === 0 ? '' : `, and ${count(pending, 'pod')} ${pending === 1 ? 'stays' : 'stay'} pending`;
}

/** `both nodes`, `all 3 nodes`. */
function allOf(number: number, what = ''): string {
  if (number === 2) return what === '' ? 'both' : `both ${what}s`;
  return `all ${what === '' ? grouped(number) : count(number, what)}`;
}

function helpPart({ found, tried, uncordoning }: Unblockers, command: string | undefined): AnswerPart {
  if (found.length === 0 && uncordoning === null && tried.length > 0) {
    const all = list(tried.map((whatIf) => whatIf.join(' and ')));
    return { title: '', lines: [`Nothing that was tried unblocks it: ${all}.`] };
  }
  const isAlone = found.every(({ whatIf }) => whatIf.length === 1);
  const several = found.length > 1 ? 'Each of these lines' : 'This';
  return {
    title: isAlone ? 'Any of these alone would unblock it' : `${several} as a whole would unblock it`,
    lines: found.flatMap(({ whatIf, drainedAt, pending, autoscalers = [] }): AnswerPart['lines'] => [
      `${whatIf.join(' and ')}: drained after ${clockText(drainedAt)}${pendingText(pending)}`,
      ...(autoscalers.length === 0
        ? []
        : [
            `  as long as HorizontalPodAutoscaler ${list(autoscalers)} does not scale it down: raise its minReplicas too`,
          ]),
      ...(command === undefined ? [] : [commandLine(command, whatIf)]),
    ]),
  };
}

/** What the drain finds in place although nobody has said that it is there. */
function beforeLines({ placed, waiting, evicted, tainted }: DrainReport['before']): readonly string[] {
  if (placed + waiting + tainted === 0) return [];
  const lines = [
    ...(placed === 0 ? [] : [`${count(placed, 'pod')} placed, which had been pending or only written down`]),
    ...(evicted === 0 ? [] : [`${evicted} evicted for them`]),
    ...(tainted === 0 ? [] : [`${tainted} evicted by taints of their nodes`]),
    ...(waiting === 0 ? [] : [`${waiting} without a node`]),
  ];
  return [`Assumed: the cluster has settled before, with ${lines.join(', ')}.`];
}

function cut<T>(all: readonly T[], describe: (each: T) => string): readonly string[] {
  const rest = all.length - longest;
  return [...all.slice(0, longest).map(describe), ...(rest > 0 ? [`and ${grouped(rest)} more`] : [])];
}

/** With a large letter and a full stop. */
function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? upperFirst(text) : `${upperFirst(text)}.`;
}

function remedyText(remedy: DrainedPodReport['remedy']): string {
  if (remedy === null) return '';
  const { stuck, text } = describeRemedy(remedy);
  return stuck ? `Stuck. ${text}` : text;
}

/** The same as data. */
export function drainData(report: DrainReport, unblockers: Unblockers, growth: DrainGrowth | null = null) {
  const pods = report.pods.map(({ answer, remedy, ...pod }) => ({
    ...pod,
    answer: answer.allowed ? { allowed: true, code: 200 } : refusalData(answer),
    ...(remedy === null ? {} : { remedy: describeRemedy(remedy) }),
  }));
  return { ...report, pods, unblockers, ...(growth === null ? {} : { growth }) };
}
