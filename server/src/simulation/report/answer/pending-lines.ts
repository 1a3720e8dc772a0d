import { marked } from '../../../report-model/assumed.ts';
import { joined, say } from '../../../util/say.ts';
import type { AnswerLine } from '../../../report-model/answer.ts';
import { count, grouped, list } from '../../../util/words.ts';
import { answersText } from '../../growth/pool-answers.ts';
import { causeText, mayRunElsewhere } from '../../causes/cause-text.ts';
import { causeNames, type Reason, reasonOf, saidByPools } from './reasons.ts';
import { byWorkload, type AnswerContext, workloadName } from './answer-context.ts';

/** Names of workloads before they are counted. */
const namesInLine = 4;

/** Reasons that are named in a line, where pods have one each. */
const answersInLine = 3;

/** Lines and headline ask for them. */
const known = new WeakMap<AnswerContext, readonly AnswerLine[]>();

/** One line per reason: pods that wait for the same thing wait together. */
export function pendingLines(context: AnswerContext): readonly AnswerLine[] {
  const lines = known.get(context) ?? findPendingLines(context);
  known.set(context, lines);
  return lines;
}

function findPendingLines(context: AnswerContext): AnswerLine[] {
  const groups = new Map<string, { reason: Reason; pods: number[] }>();
  for (const pod of waitingPods(context)) {
    const reason = reasonOf(context, pod);
    const group = groups.get(reason.key);
    if (group === undefined) groups.set(reason.key, { reason, pods: [pod] });
    else group.pods.push(pod);
  }
  return [...groups.values()]
    .sort((a, b) => b.pods.length - a.pods.length || (a.reason.name < b.reason.name ? -1 : 1))
    .map(({ reason, pods }) => ({
      sign: '○',
      name: reason.name,
      count: marked(mayRunElsewhere(reason.cause) ? '?' : context.mark, count(pods.length, 'pod')),
      marks: [],
      details: [whoWaits(context, pods)],
      then: joined(
        [consequence(context, pods, reason), ofPools(context, pods)].filter((each) => each !== ''),
        '; ',
      ),
      workloads: [...new Set(pods.flatMap((pod) => context.pod(pod).workload ?? []))],
      pods,
    }));
}

/** That no device is free is `UnschedulableAndUnresolvable`. Source: plugins/dynamicresources (Filter, PreFilter) */
function consequence(context: AnswerContext, pods: readonly number[], reason: Reason): string {
  const { name, cause, resource } = reason;
  // What each of several asks for is another amount.
  const each = new Set(pods.map((pod) => reasonOf(context, pod).words));
  const alike = each.size === 1;
  // Each of them lacks another claim.
  if (!alike && cause?.parts.every(({ kind }) => kind === 'claim') === true) return list([...each], answersInLine);
  if (resource !== null && !alike) return ofEachWorkload(context, pods);
  const isOfEach = alike && pods.length > 1 && cause?.group === null;
  const words = isOfEach ? causeText(cause, { ...causeNames(context), ofEach: true }) : reason.words;
  return name === 'devices' ? say`${words}; priority never preempts for devices` : words;
}

/** What is short on the nearest node: of few workloads, of each. */
function ofEachWorkload(context: AnswerContext, pods: readonly number[]): string {
  const first = new Map(pods.map((pod) => [workloadName(context, pod), reasonOf(context, pod).own]));
  if (first.size > answersInLine) return '';
  return joined(
    [...first].map(([name, text]) => say`${name}: ${text}`),
    '; ',
  );
}

/** What autoscalers say of the pods of a line: of different ones, by workload. */
function ofPools(context: AnswerContext, pods: readonly number[]): string {
  const byText = new Map<string, number>();
  let isOfAll = true;
  for (const pod of pods) {
    if (saidByPools(context, pod) !== '') continue;
    const { namespace, name } = context.pod(pod);
    const answers = context.parts.poolAnswers.get(`${namespace}/${name}`);
    isOfAll &&= answers !== undefined;
    if (answers === undefined) continue;
    const text = answersText(answers);
    if (!byText.has(text)) byText.set(text, pod);
  }
  const shown = [...byText].slice(0, answersInLine);
  if (byText.size <= 1 && isOfAll) return shown.map(([text]) => text).join('');
  return joined(
    shown.map(([text, pod]) => say`${workloadName(context, pod)}: ${text}`),
    '; ',
  );
}

/** Arrivals and replacements that have no node at the end; not those that waited before. */
export function waitingPods(context: AnswerContext): number[] {
  return [...context.arriving, ...context.replacements].filter((pod) => context.waiting.stateOf(pod) === 'pending');
}

function whoWaits(context: AnswerContext, pods: readonly number[]): string {
  const own = pods.filter((pod) => !context.replacements.has(pod));
  const workloads = [...byWorkload(context, own).values()];
  const names = workloads.map((each) => {
    const name = workloadName(context, each[0]!);
    const never = context.pod(each[0]!).preemptionPolicy === 'Never' ? say` (never preempts)` : '';
    return say`${name}${each.length > 1 ? ` ×${each.length}` : ''}${never}`;
  });
  const replaced = replacementsOf(
    context,
    pods.filter((pod) => context.replacements.has(pod)),
    own.length === 0,
  );
  if (names.length > namesInLine) {
    return joined([...replaced, say`${count(names.length, 'workload')}: ${list(names, 3)}`], '; ');
  }
  return joined([...replaced, ...(names.length === 0 ? [] : [list(names, namesInLine)])], '; ');
}

/** `the replacements of cart and web`; of many workloads, how many, unless the line has counted them: `areAll`. */
function replacementsOf(context: AnswerContext, pods: readonly number[], areAll: boolean): readonly string[] {
  if (pods.length === 0) return [];
  const workloads = [...byWorkload(context, pods).values()];
  const whose =
    workloads.length > namesInLine
      ? count(workloads.length, 'workload')
      : list(workloads.map((own) => workloadName(context, own[0]!)));
  if (pods.length === 1) return [say`the replacement of ${whose}`];
  if (pods.length === workloads.length && workloads.length <= namesInLine) {
    return [say`the replacements of ${whose}`];
  }
  return [areAll ? say`replacements of ${whose}` : say`${grouped(pods.length)} replacements of ${whose}`];
}
