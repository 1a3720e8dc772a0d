import { jsonText } from '../terminal/json.ts';
import { dryRunSuffixes } from '../../disruption/drain-texts.ts';
import { aggregateErrors } from '../../kubernetes/aggregate-errors.ts';
import { count, upperFirst } from '../../kit/words.ts';
import type { DrainedPodReport, DrainReport, DrainRequest } from '../../simulation/scenario/drain-nodes.ts';
import type { Unblockers } from '../../simulation/scenario/unblock-drain.ts';
import { describeRemedy } from '../../simulation/report/describe-remedy.ts';
import { terminalStyle } from '../terminal/style.ts';
import { printable, wrap } from '../terminal/text.ts';

/** Lists longer than this are told in numbers. */
const longest = 12;

/** The drain as text: what kubectl prints for each node, the answers, and what comes of it. */
export function renderDrain(
  report: DrainReport,
  unblockers: Unblockers,
  { colour, columns }: { colour: boolean; columns: number },
  { dryRun, disableEviction }: DrainRequest,
): string {
  const suffix = dryRunSuffixes[dryRun];
  // With --disable-eviction only the dry run of the client prints the line.
  const evicts = !disableEviction || dryRun === 'client';
  const style = terminalStyle(colour);
  const lines: string[] = [];
  const add = (text: string, indent = ''): void => {
    lines.push(...wrap([{ text: printable(text) }], columns, indent));
  };
  // kubectl's own lines are never broken.
  const print = (text: string): void => {
    lines.push(printable(text));
  };
  const { events } = report;
  for (const { text } of events.filter(({ kind }) => kind === 'cordoned')) print(text);
  for (const { name, state, at, errors, pendingPods } of report.nodes) {
    const own = events.filter(({ node }) => node === name);
    for (const { text } of own.filter(({ kind }) => kind === 'warned')) print(text);
    const pods = report.pods.filter(({ node }) => node === name);
    const tries = refusedTries(own);
    for (const pod of pods.slice(0, longest)) {
      if (evicts) print(`evicting pod ${pod.pod}${suffix}`);
      // Who is deleted is asked no budget: what is printed is that it is gone.
      if (evicts) add(answerText(pod), '  ');
      if (pod.retry !== null) print(pod.retry);
      const refused = tries.get(pod.pod) ?? 0;
      if (refused > 1) add(triesText(refused, pod.goneAt !== null, state === 'hangs'), '  ');
      // kubectl does not see the end of those that go after it has given up.
      if (pod.goneAt === null || dryRun !== 'none' || (state === 'unfinished' && pod.goneAt > (at ?? 0))) continue;
      print(`pod/${pod.pod.slice(pod.pod.indexOf('/') + 1)} ${disableEviction ? 'deleted' : 'evicted'}`);
      if (!evicts) add(`gone after ${seconds(pod.goneAt)}`, '  ');
    }
    if (pods.length > longest) add(`and ${count(pods.length - longest, 'more pod', 'more pods')}`, '  ');
    if (pendingPods.length > 0) {
      print(`There are pending pods in node "${name}" when an error occurred: ${aggregateErrors(errors)}`);
      for (const pod of pendingPods.slice(0, longest)) print(`pod/${pod.slice(pod.indexOf('/') + 1)}`);
      if (pendingPods.length > longest) add(`and ${pendingPods.length - longest} more`, '  ');
    }
    if (state === 'stopped' || state === 'unfinished') {
      print(`error: unable to drain node "${name}" due to error: ${aggregateErrors(errors)}, continuing command...`);
      add(
        dryRun !== 'none'
          ? 'A dry run leaves everything as it is.'
          : state === 'stopped'
            ? 'Nothing on it is evicted, and it stays cordoned.'
            : `kubectl gives up after ${seconds(at)}. What it has evicted goes, and the node stays cordoned.`,
        '  ',
      );
    }
    if (state === 'drained') {
      lines.push(style.good(printable(`node/${name} drained${dryRun === 'none' ? ` after ${seconds(at)}` : suffix}`)));
    }
    if (state === 'waits') lines.push(style.warning(printable(`node/${name} is never reached`)));
    if (state !== 'hangs' && state !== 'unfinished') continue;
    if (state === 'hangs') lines.push(style.bad(printable(`node/${name} hangs`)));
    if (state === 'hangs' && disableEviction && dryRun === 'server') {
      add('kubectl waits for pods that a dry run does not delete: without --timeout it never ends.', '  ');
      continue;
    }
    const late =
      state === 'unfinished' && dryRun === 'none' ? pods.filter(({ goneAt }) => (goneAt ?? 0) > (at ?? 0)) : [];
    for (const pod of late.slice(0, longest)) {
      add(
        `${pod.pod} goes after ${seconds(pod.goneAt)}: give it so long with --timeout, or less with --grace-period.`,
        '  ',
      );
    }
    const stays = pods.filter(({ goneAt, answer }) => goneAt === null && (dryRun === 'none' || !answer.allowed));
    for (const pod of stays.slice(0, longest)) {
      const refusal = own.findLast(
        (event) =>
          event.pod === pod.pod && ['refused', 'failed', 'held', 'hangs'].includes(event.kind) && event.text !== '',
      );
      add(
        [`${pod.pod} is still there.`, sentence(refusal?.text ?? ''), remedyText(pod)]
          .filter((each) => each !== '')
          .join(' '),
        '  ',
      );
    }
  }
  for (const line of endOf(report)) print(line);
  if (unblockers.found.length > 0) {
    const isAlone = unblockers.found.every(({ whatIf }) => whatIf.length === 1);
    const several = unblockers.found.length > 1 ? 'Each of these lines' : 'This';
    lines.push(
      style.strong(isAlone ? 'Any of these alone would unblock it' : `${several} as a whole would unblock it`),
    );
    for (const { whatIf, drainedAt } of unblockers.found) {
      add(`${whatIf.join(' and ')}: drained after ${seconds(drainedAt)}`, '  ');
    }
  } else if (unblockers.tried.length > 0) {
    add(`Nothing that was tried unblocks it: ${unblockers.tried.map((whatIf) => whatIf.join(' and ')).join('; ')}.`);
  }
  for (const { budget, pods, evicted } of report.races.slice(0, longest)) {
    add(`Race: ${pods.join(', ')} compete for ${evicted} of PodDisruptionBudget ${budget}; which pod wins is chance.`);
  }
  const landed = report.pods.filter(({ landedOn }) => landedOn !== null);
  if (landed.length > 0) {
    lines.push(style.strong('Where the evicted land'));
    for (const { pod, replacement, landedOn } of landed.slice(0, longest)) {
      add(`${pod}: ${replacement === pod ? '' : `${replacement ?? ''} `}on ${landedOn ?? ''}`, '  ');
    }
    if (landed.length > longest) add(`and ${landed.length - longest} more`, '  ');
  }
  const lost = report.pods.filter(
    ({ replacement, goneAt, isOver }) => replacement === null && goneAt !== null && !isOver,
  );
  if (lost.length > 0) add(`Lost, for nothing makes them anew: ${names(lost.map(({ pod }) => pod))}`);
  if (report.preempted.length > 0) {
    lines.push(style.bad('Evicted by preemption for replacements'));
    for (const { clock, pod, for: preemptor } of report.preempted.slice(0, longest)) {
      add(`${seconds(clock)}  ${pod} for ${preemptor}`, '  ');
    }
  }
  if (report.pending.length > 0) {
    lines.push(style.warning(`Pending in the end: ${report.pending.length}`));
    for (const { pod, message } of report.pending.slice(0, longest)) add(`${pod}: ${message}`, '  ');
  }
  const first = beforeText(report.before);
  if (first !== '') add(first);
  return `${lines.join('\n')}\n`;
}

/** What the drain finds in place although nobody has said that it is there. */
function beforeText({ placed, waiting, evicted }: DrainReport['before']): string {
  if (placed + waiting === 0) return '';
  const told = [
    ...(placed === 0 ? [] : [`${count(placed, 'pod')} placed that waited or had only been written down`]),
    ...(evicted === 0 ? [] : [`${evicted} evicted for them`]),
    ...(waiting === 0 ? [] : [`${waiting} without a node`]),
  ];
  return `Assumed: the cluster has settled before, with ${told.join(', ')}.`;
}

/** How often the eviction of each pod was refused. */
function refusedTries(events: DrainReport['events']): ReadonlyMap<string, number> {
  const tries = new Map<string, number>();
  for (const { kind, pod } of events) {
    if (kind === 'refused' && pod !== null) tries.set(pod, (tries.get(pod) ?? 0) + 1);
  }
  return tries;
}

/** kubectl prints what it tries each time, and the refusal. */
function triesText(refused: number, passes: boolean, hangs: boolean): string {
  if (passes) return `kubectl prints both ${refused} times, then the first once more.`;
  return hangs ? 'kubectl prints both at each try, without end.' : `kubectl prints both ${refused} times.`;
}

/** What kubectl prints last, when it comes to its end and some nodes are not drained. */
function endOf({ nodes }: DrainReport): readonly string[] {
  const failed = nodes.filter(({ state }) => state === 'stopped' || state === 'unfinished');
  if (failed.length === 0 || nodes.some(({ state }) => state === 'hangs')) return [];
  const errors = failed.length === 1 ? failed[0]!.errors : failed.map((node) => aggregateErrors(node.errors));
  return [
    'There are pending nodes to be drained:',
    ...failed.map(({ name }) => ` ${name}`),
    ...(errors.length === 1 ? [`error: ${errors[0]!}`] : errors),
  ];
}

function names(all: readonly string[]): string {
  const rest = all.length - longest;
  return `${all.slice(0, longest).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function seconds(at: number | null): string {
  return at === null ? '' : `${Math.round(at)} s`;
}

/** With a large letter and a full stop. */
function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? upperFirst(text) : `${upperFirst(text)}.`;
}

function answerText({ answer, races, goneAt }: DrainedPodReport): string {
  if (answer.allowed) {
    return `200${races ? ', if it wins its race' : ''}${goneAt === null ? '' : `, gone after ${seconds(goneAt)}`}`;
  }
  const reason = answer.reason === undefined ? '' : ` ${answer.reason}`;
  const later = goneAt === null ? '' : ` Later it goes, after ${seconds(goneAt)}.`;
  return `${answer.code}${reason}. ${answer.cause ?? answer.message}${later}`;
}

function remedyText({ remedy }: DrainedPodReport): string {
  if (remedy === null) return '';
  const { stuck, text } = describeRemedy(remedy);
  return stuck ? `Stuck. ${text}` : text;
}

export function renderDrainJson(report: DrainReport, unblockers: Unblockers): string {
  const pods = report.pods.map(({ answer, remedy, ...pod }) => ({
    ...pod,
    answer: answer.allowed
      ? { allowed: true, code: 200 }
      : {
          allowed: false,
          code: answer.code,
          message: answer.message,
          reason: answer.reason,
          cause: answer.cause,
          retryAfterSeconds: answer.retryAfterSeconds,
        },
    ...(remedy === null ? {} : { remedy: describeRemedy(remedy) }),
  }));
  return `${jsonText({ ...report, pods, unblockers })}\n`;
}
