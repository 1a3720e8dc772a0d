import { evictedPods } from '../../report-model/evicted-pods.ts';
import { refusedIn } from '../../report-model/plan-rows.ts';
import type {
  ComparedReport,
  PodChange,
  PodChangeKind,
  ReportComparison,
  SentencePart,
  WholeReport,
} from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { count, grouped, titleOf } from '../../util/words.ts';
import { buildPlan, straight, type Way } from './build-plan.ts';
import { causesOf } from './causes-of.ts';
import { clausesOf, workloadOf } from './change-clauses.ts';
import { changeFirst, type Compared, type ToldChange } from './change-headline.ts';
import { subjectOf, triedText } from './change-subject.ts';
import { withoutGiven } from './change-text.ts';
import { movedGroup } from './moved-group.ts';
import { figuresAtEnd, outcomeOf } from './outcome.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { fateOf, podChanges } from './pod-changes.ts';
import { causesOfReports } from './report-causes.ts';

/**
 * A report with what differs from another run of its scenario: on the manifests as they were, without operations, or of
 * another cluster. Pods that run elsewhere are a group of its answer. Yields now and then.
 */
export function* compared(
  before: ComparedReport,
  after: WholeReport,
  since: string,
  inputs: Compared,
  way: Way = straight(),
): Generator<void, WholeReport> {
  const pairs = pairsOf(before, after, inputs.isApplied);
  yield;
  const moved = movedGroup(before, after, pairs);
  const others = after.answer.groups.filter(({ kind }) => kind !== 'moved');
  const { subject, clauses, ...comparison } = yield* comparisonOf(before, after, since, inputs, way, pairs);
  const events = eventsOfOne(before, after);
  const isSame = isWithoutEffect(events, comparison, inputs.left ?? []);
  const headline = changeFirst(
    after,
    {
      ...comparison,
      subject,
      clauses,
      isSame,
      idle: events.length === 1 ? events[0] : undefined,
      leaves: leaving(after) > leaving(before),
      tried: triedText(comparison.causes),
      follows: followingOf(before, after, pairs, comparison),
      rolled: rolledAlone(after, comparison, inputs.happens),
    },
    inputs,
  );
  // The scarce thing is of the change only where it is scarce for that.
  const cause = before.answer.cause === after.answer.cause ? '' : after.answer.cause;
  // Who evicts others may be told of as who is evicted.
  const lost = new Set(comparison.pods.flatMap((each) => (each.kind === 'evicted' ? workloadOf(after, each) : [])));
  const blocked = after.answer.groups.flatMap(({ kind, lines }) => (kind === 'blocked' ? lines : []));
  const stuck = blocked.map(({ name }) => name);
  // Who fares better in the end is no loss, whatever came between.
  const better = comparison.plan.effects.flatMap(({ name, change }) => (change === 'better' ? name : []));
  const worse = new Set([...lost].filter((name) => !better.includes(name)).concat(stuck));
  const emphasis = [
    ...after.answer.emphasis.filter(
      ({ text, tone }) => !worse.has(text) && !(tone === 'gain' ? lost : new Set(better)).has(text),
    ),
    ...[...worse].map((text) => ({ text, tone: 'bad' }) as const),
  ];
  const answer = {
    ...after.answer,
    headline,
    emphasis,
    cause,
    groups: moved === undefined ? others : [...others, moved],
  };
  // What could not be seen may have changed.
  const isKnown = inputs.seesAllEdits === true || after.assumptions.every(({ mark }) => mark !== '!');
  const outcome = isSame && isKnown ? '' : outcomeOf(before, after);
  return {
    ...after,
    answer,
    comparison: {
      ...comparison,
      outcome,
      whole: after.answer.headline,
    },
  };
}

/** Where one workload that runs is all that was changed. */
function rolledAlone(
  after: WholeReport,
  { pods, causes }: Pick<ReportComparison, 'pods' | 'causes'>,
  happens: Compared['happens'] = [],
): ToldChange['rolled'] {
  const [rolled, ...more] = after.answer.rollOuts ?? [];
  const changed = [...withoutGiven(causes), ...happens].flatMap((each) =>
    'objects' in each ? each.objects : each.object,
  );
  if (
    rolled === undefined ||
    more.length > 0 ||
    changed.length === 0 ||
    changed.some((object) => object !== rolled.object)
  ) {
    return undefined;
  }
  const isOwn = ({ pod }: PodChange): boolean => {
    const workload = after.workloads[after.pods[pod ?? -1]?.workload ?? -1];
    return workload !== undefined && `${workload.kind}/${workload.namespace}/${workload.name}` === rolled.object;
  };
  const isFurther = pods.filter(({ kind }) => kind === 'evicted').length > rolled.evicted;
  const others = pods.filter(
    (each) =>
      ((each.kind === 'pending' || each.kind === 'placed') && !isOwn(each)) || (each.kind === 'evicted' && isFurther),
  );
  return { text: rolled.text, others: clausesOf({ after, pods: others, budgets: 0 }) };
}

/** What a change does beside those who leave their nodes for it; a replacement fares instead of the pod it replaces. */
function followingOf(
  before: ComparedReport,
  after: WholeReport,
  pairs: readonly Pair[],
  { pods, before: figures }: Pick<ReportComparison, 'pods' | 'before'>,
): readonly string[] {
  const left = evictedPods({ ...after, victims: [] });
  const evicted = new Set(pods.flatMap(({ kind, pod }) => (kind === 'evicted' && pod !== null ? [pod] : [])));
  const others = new Map<string, PodChange[]>();
  const listOf = (kind: PodChangeKind, pod: number | null): PodChange[] => {
    const key = `${kind} ${after.pods[pod ?? -1]?.workload ?? `of ${pod}`}`;
    const known = others.get(key) ?? [];
    others.set(key, known);
    return known;
  };
  for (const each of pods) {
    if (each.kind !== 'evicted' || !left.has(each.pod ?? -1)) listOf(each.kind, each.pod).push(each);
  }
  let anyway = 0;
  for (const pod of left) if (!evicted.has(pod) && listOf('evicted', pod).pop() === undefined) anyway += 1;
  for (const { before: was, after: is } of pairs) {
    const isReplaced = was !== null && is !== null && evicted.has(is) && fateOf(before.pods[was]!, false) === 'waits';
    if (!isReplaced || listOf('pending', is).pop() !== undefined) continue;
    const added = listOf('added', is).pop();
    if (added !== undefined) listOf('placed', is).push({ ...added, kind: 'placed' });
  }
  const budgets = after.totals.budgetsViolated - figures.budgetsBroken;
  const [first, ...more] = clausesOf({ after, pods: [...others.values()].flat(), budgets })
    .filter(({ tone }) => tone !== 'plain')
    .map(({ text }) => text);
  return [
    ...(anyway === 0 ? [] : [say`${grouped(anyway)} of them would be evicted without it, too`]),
    ...(first === undefined ? [] : [say`what follows ${first}`, ...more]),
  ];
}

/** What happened in the second run only, or otherwise than in the first. */
function eventsOfOne(before: ComparedReport & Partial<Pick<WholeReport, 'events'>>, after: WholeReport) {
  const known = new Set((before.events ?? []).map((each) => JSON.stringify(each)));
  return after.events.filter((each) => !known.has(JSON.stringify(each)));
}

/** Whether every pod fares as before, and nothing else has happened that would have to be told. */
function isWithoutEffect(
  events: WholeReport['events'],
  { pods, plan }: Pick<ReportComparison, 'pods' | 'plan'>,
  left: readonly string[],
): boolean {
  const isSilent = ({ told }: WholeReport['events'][number]): boolean => told.every((line) => line === say`no effect`);
  return pods.length + plan.effects.length === 0 && events.filter((each) => !isSilent(each)).length <= left.length;
}

function* comparisonOf(
  before: ComparedReport,
  after: WholeReport,
  since: string,
  inputs: Compared,
  way: Way,
  pairs: readonly Pair[],
): Generator<void, Omit<ReportComparison, 'outcome' | 'whole'> & Pick<ToldChange, 'subject' | 'clauses'>> {
  const pods = podChanges(before, after, pairs);
  yield;
  const priorities = changedPriorities(before, after);
  yield;
  const budgets = after.totals.budgetsViolated - before.totals.budgetsViolated;
  const { causes, more, objects } =
    inputs.earlier === null
      ? causesOfReports(before, after)
      : causesOf(inputs.earlier, inputs.now, refusedIn(after.events));
  yield;
  const drained = newlyDrained(before, after);
  const happens = inputs.happens ?? [];
  const subject = subjectOf(
    causes,
    drained,
    way,
    happens.filter(({ isChange, endsDrain }) => !isChange && !endsDrain),
    objects,
  );
  const clauses = clausesOf({ after, pods, budgets });
  const sentence = sentenceOf(since, subject, clauses, priorities.length);
  const plan = yield* buildPlan({ before, after, since, pairs, causes, priorities, way, happens });
  return {
    since,
    sentence,
    causes,
    moreCauses: more,
    priorities,
    pods,
    before: figuresAtEnd(before),
    plan,
    subject,
    clauses,
  };
}

function changedPriorities(before: ComparedReport, after: ComparedReport): ReportComparison['priorities'] {
  const earlier = new Map(before.workloads.map((workload) => [titleOf(workload), workload.priority]));
  return after.workloads.flatMap((workload, index) => {
    const was = earlier.get(titleOf(workload));
    const { className } = workload;
    // Without its class its pods are refused, and have none.
    const isThere = className === null || after.ladder.some(({ classes }) => classes.includes(className));
    return was === undefined || was === workload.priority || !isThere
      ? []
      : [{ workload: index, before: was, after: workload.priority }];
  });
}

function sentenceOf(
  since: string,
  subject: string | undefined,
  clauses: readonly SentencePart[],
  priorities: number,
): SentencePart[] {
  if (clauses.length === 0) {
    const though = priorities === 0 ? '' : say`, though the priority of ${count(priorities, 'workload')} is another`;
    return [
      plain(
        subject === undefined
          ? say`Compared with ${since}, no pod fares differently${though}.`
          : say`${subject} changes nothing for any pod${though}, compared with ${since}.`,
      ),
    ];
  }
  return [
    plain(say`${subject ?? say`What is there now`} `),
    ...clauses.flatMap((part, index) => (index === 0 ? [part] : [plain('; '), part])),
    plain(say`, compared with ${since}.`),
  ];
}

function leaving({ drains, pressures, taints = [] }: ComparedReport): number {
  return drains.length + pressures.length + taints.length;
}

function newlyDrained(before: ComparedReport, after: ComparedReport): readonly string[] {
  const earlier = new Set(drainedIn(before));
  return [...new Set(drainedIn(after))].filter((name) => !earlier.has(name));
}

function drainedIn({ drains, nodes }: ComparedReport): readonly string[] {
  return drains.map(({ node }) => nodes[node]!.name);
}

function plain(text: string): SentencePart {
  return { tone: 'plain', text };
}
