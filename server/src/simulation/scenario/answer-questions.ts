import { say } from '../../util/say.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { count, grouped, qualifiedName, titleOf, momentText } from '../../util/words.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { Removal } from '../growth/removal.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { UnknownObjectError } from '../operations/apply-operation.ts';
import { causeText } from '../causes/cause-text.ts';
import { fitAsItIs, type FitRoom, NoReplicasError } from '../capacity/fit.ts';
import type { Target } from '../operations/operation.ts';
import { isMet, type Question } from './question.ts';
import type { EvictedBy } from '../capacity/settled-workspace.ts';
import { isThreatened, threatsIn } from './threats-to-pod.ts';

type Answer = WholeReport['questions'][number];
type Evicted = ReadonlyMap<SimulatedPod, EvictedBy>;

/** More names are counted. */
const longest = 10;

/** Answers that rest on where everything stands at the end; the others are in the report. Throws `UnknownObjectError`. */
export function* answerAtEnd(
  questions: readonly Question[],
  simulated: SimulatedCluster,
  run: Run,
  evicted: Evicted,
  removalOf: (node: string) => Removal | undefined | 'no autoscaler',
): Generator<void, Map<Question, Answer>> {
  const answers = new Map<Question, Answer>();
  for (const question of questions) {
    const answer =
      question.verb === 'removable'
        ? answerRemovable(question, question.target.name, simulated, removalOf)
        : atItsEnd(question, simulated, run, evicted);
    if (answer !== null) answers.set(question, answer);
    yield;
  }
  return answers;
}

function answerRemovable(
  question: Question,
  name: string,
  { nodes }: SimulatedCluster,
  removalOf: (node: string) => Removal | undefined | 'no autoscaler',
): Answer {
  const { text } = question;
  const removal = removalOf(name);
  if (removal === 'no autoscaler') {
    return { text, answer: say`nothing says how this cluster grows`, isMet: isMet(question, 0), details: [] };
  }
  if (removal === undefined) {
    const known = nodes.map((each) => each.name);
    throw new UnknownObjectError(`Node ${name}`, nearestNames(name, known).slice(0, 3)).of(text);
  }
  const { tool, isRemovable, lines } = removal;
  const answer = isRemovable ? say`yes, ${tool} would remove it` : say`no, ${tool} keeps it`;
  return { text, answer, isMet: isMet(question, Number(isRemovable)), details: shortened(lines) };
}

function atItsEnd(question: Question, simulated: SimulatedCluster, run: Run, evicted: Evicted): Answer | null {
  try {
    if (question.verb === 'fit') return answerFit(question, question.target, simulated, run);
    return question.verb === 'threats' ? answerThreats(question, question.target, simulated, run, evicted) : null;
  } catch (error) {
    if (error instanceof NoReplicasError) {
      return { text: question.text, answer: error.message, isMet: isMet(question, 0), details: [] };
    }
    throw error instanceof UnknownObjectError ? error.of(question.text) : error;
  }
}

/** The answers in the order of the questions. Throws `UnknownObjectError`. */
export function answersOf(
  questions: readonly Question[],
  report: WholeReport,
  atEnd: ReadonlyMap<Question, Answer>,
): readonly Answer[] {
  return questions.map((question) => {
    const known = atEnd.get(question);
    if (known !== undefined) return known;
    try {
      return question.verb === 'drained'
        ? answerDrained(question, question.target.name, report)
        : answerPods(question, report);
    } catch (error) {
      throw error instanceof UnknownObjectError ? error.of(question.text) : error;
    }
  });
}

function answerPods(question: Question, report: WholeReport): Answer {
  const { verb, target, text } = question;
  const { pods, workloads, victims, drains, steps } = report;
  const left = new Set([
    ...victims.map(({ pod }) => pod),
    ...drains.flatMap(({ evicted }) => evicted.map(({ pod }) => pod)),
    ...steps.flatMap(({ kind, pod }) => (kind === 'deleted' ? [pod] : [])),
  ]);
  const isMeant = target === null ? () => true : meant(target, report);
  const found = pods.flatMap((pod, index) => {
    if (!isMeant(index)) return [];
    const { state } = pod.after;
    const has =
      verb === 'evicted'
        ? left.has(index)
        : verb === 'running'
          ? state === 'running'
          : ['pending', 'nominated', 'gated', 'rejected'].includes(state);
    return has ? [index] : [];
  });
  const placeOf = (index: number): string => {
    const { node } = pods[index]!.after;
    return verb === 'running' && node !== null ? say` on ${report.nodes[node]!.name}` : '';
  };
  const names = { node: (index: number) => report.nodes[index]?.name ?? '', nodes: report.nodes.length };
  const whyOf = (index: number): string => {
    const decision = pods[index]!.decision;
    if (verb !== 'pending') return '';
    const cause = report.causes[report.pending.find(({ pod }) => pod === index)?.cause ?? -1];
    const why = cause === undefined || cause.parts.length === 0 ? undefined : causeText(cause, names);
    const said = why ?? (decision === null ? '' : report.decisions[decision]!.message);
    return said === '' ? '' : `: ${said}`;
  };
  const word = verb === 'evicted' ? say`evicted or ended` : verb === 'pending' ? say`pending` : say`running`;
  const about = target === null ? '' : say` of ${titleOf(workloads.find((each) => isTarget(target, each)) ?? target)}`;
  const answer =
    found.length === 0
      ? say`no pod${about} is ${word}`
      : say`${count(found.length, 'pod')}${about} ${found.length === 1 ? 'is' : 'are'} ${word}${verb === 'pending' ? ofThem(found.map((index) => pods[index]!.after.state)) : ''}`;
  return {
    text,
    answer,
    isMet: isMet(question, found.length),
    details: shortened(found.map((index) => say`${qualifiedName(pods[index]!)}${placeOf(index)}${whyOf(index)}`)),
  };
}

/** What headlines count apart: pods that find no node, have gates, or are refused. Nothing where all are of one kind. */
function ofThem(states: readonly string[]): string {
  const gated = states.filter((state) => state === 'gated').length;
  const refused = states.filter((state) => state === 'rejected').length;
  const parts = [
    [states.length - gated - refused, say`without a node`],
    [gated, say`gated`],
    [refused, say`refused`],
  ] as const;
  const kinds = parts.filter(([pods]) => pods > 0);
  return kinds.length < 2 ? '' : say` (${kinds.map(([pods, what]) => `${grouped(pods)} ${what}`).join(', ')})`;
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= longest
    ? lines
    : [...lines.slice(0, longest), say`and ${grouped(lines.length - longest)} more`];
}

function isTarget(
  target: Target,
  each: { readonly kind: string; readonly namespace: string; readonly name: string },
): boolean {
  return each.kind === target.kind && each.namespace === target.namespace && each.name === target.name;
}

/** Which pods a question is about, by index. */
function meant(target: Target, { pods, workloads }: WholeReport): (pod: number) => boolean {
  const workload = workloads.findIndex((each) => isTarget(target, each));
  const isOwn = (pod: number): boolean =>
    pods[pod]!.workload === workload ||
    (target.kind === 'Pod' && pods[pod]!.namespace === target.namespace && pods[pod]!.name === target.name);
  if (workload < 0 && !pods.some((_, pod) => isOwn(pod))) {
    const known = workloads.filter(({ kind }) => kind === target.kind).map(qualifiedName);
    throw new UnknownObjectError(
      `${target.kind} ${qualifiedName(target)}`,
      nearestNames(qualifiedName(target), known).slice(0, 3),
    );
  }
  return isOwn;
}

function answerDrained(question: Question, name: string, report: WholeReport): Answer {
  const { nodes, drains, pods } = report;
  const { text } = question;
  const node = nodes.findIndex((each) => each.name === name);
  if (node < 0) {
    throw new UnknownObjectError(
      `Node ${name}`,
      nearestNames(
        name,
        nodes.map((each) => each.name),
      ).slice(0, 3),
    );
  }
  const drain = drains.findLast((each) => each.node === node);
  if (drain === undefined) return { text, answer: say`${name} is not drained`, isMet: isMet(question, 0), details: [] };
  if (drain.drainedAt !== null) {
    return {
      text,
      answer: say`yes, at ${momentText(report, drain.drainedAt)}, ${count(drain.evicted.length, 'pod')} evicted`,
      isMet: isMet(question, 1),
      details: [],
    };
  }
  const stuck = [...drain.blocked, ...drain.failed].map(({ pod, why }) => `${qualifiedName(pods[pod]!)}: ${why}`);
  const refused = drain.refusals.map(({ why }) => why);
  return { text, answer: say`no`, isMet: isMet(question, 0), details: shortened([...refused, ...stuck]) };
}

function answerFit(question: Question, target: Target, simulated: SimulatedCluster, run: Run): Answer {
  const { text } = question;
  const { free, withinBudgets, evicting, quotas } = fitAsItIs(
    simulated,
    run,
    `${target.kind}/${qualifiedName(target)}`,
  );
  const amount = ({ count: fits, isExact }: FitRoom): string =>
    isExact ? grouped(fits) : say`at least ${grouped(fits)}`;
  const details = free.why === '' ? [] : [say`the next one: ${free.why}`];
  if (free.evicts !== null) {
    details.push(say`${amount(withinBudgets)} if lower priorities are evicted and no budget is broken`);
    if (evicting.count !== withinBudgets.count) details.push(say`${amount(evicting)} if budgets are broken too`);
  }
  for (const { quota, more, resource, message } of quotas) {
    const why = message === '' ? resource : message;
    details.push(say`ResourceQuota ${quota} lets in ${grouped(more)} more: ${why}`);
  }
  return {
    text,
    answer: say`${amount(free)} more ${free.count === 1 ? 'fits' : 'fit'} without evicting a pod`,
    isMet: isMet(question, free.count),
    details,
  };
}

function answerThreats(
  question: Question,
  target: Target,
  simulated: SimulatedCluster,
  run: Run,
  evicted: Evicted,
): Answer {
  const { text } = question;
  const named = qualifiedName(target);
  const reports = threatsIn(simulated, run, target.kind === 'Pod' ? named : `${target.kind}/${named}`, evicted);
  const threatened = reports.filter(isThreatened).length;
  const lines = reports.flatMap(({ pod, state, workloads, taintOf }) => [
    ...(taintOf === null ? [] : [say`${pod}: the taint of ${taintOf} evicts it`]),
    ...workloads.map(
      (each) =>
        say`${pod}: ${titleOf(each)} (priority ${each.priority})${state !== 'running' ? say`, evicts it in the run` : each.isNext ? say`, its next pod would` : ''}`,
    ),
  ]);
  return {
    text,
    answer: reports.some((report) => report.state !== 'running' && isThreatened(report))
      ? say`${threatened} of ${count(reports.length, 'pod')} are evicted in the run, or could be by one more pod of a declared workload`
      : say`${threatened} of ${count(reports.length, 'pod')} could be evicted by one more pod of a declared workload`,
    isMet: isMet(question, threatened),
    details: shortened(lines),
  };
}
