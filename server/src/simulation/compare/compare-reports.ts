import { refusedIn } from '../../report-model/plan-rows.ts';
import { marked, markOf } from '../../report-model/assumed.ts';
import { evictedPods } from '../../report-model/evicted-pods.ts';
import { joined, say, sayInside } from '../../util/say.ts';
import { count, grouped, list, qualifiedName, titleOf } from '../../util/words.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { buildPlan, straight, type Way } from './build-plan.ts';
import { changeText, ownName, withoutGiven } from './change-text.ts';
import { causesOf } from './causes-of.ts';
import type { UncountedChange } from './copies.ts';
import { causesOfReports } from './report-causes.ts';
import { movedGroup } from './moved-group.ts';
import { closes, type ChangedOutcome } from './changed-outcomes.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { unseenClause } from '../report/unseen.ts';
import { figuresAtEnd, outcomeOf } from './outcome.ts';
import {
  isGone,
  type PodChange,
  type PodChangeKind,
  type ComparedReport,
  type WholeReport,
  type ReportCause,
  type ReportComparison,
  type ReportPod,
  type SentencePart,
  type Tone,
} from '../../report-model/report.ts';

/** The order in which changes are told: what is lost comes first. */
const kinds: readonly PodChangeKind[] = [
  'evicted',
  'pending',
  'ended',
  'removed',
  'moved',
  'added',
  'placed',
  'spared',
  'kept',
];

/** What the runs of a comparison were made from; `earlier` is null where that is not known. */
type Compared = (Inputs | { readonly earlier: null }) & {
  /** What only the second run does to its cluster in motion. */
  readonly happens?: readonly ChangedOutcome[];
  /** Whether the second is the first with a change applied: then its answer begins with the change. */
  readonly isApplied?: boolean;
  /** Objects that are not written any more, and stay. */
  readonly left?: readonly string[];
  readonly uncounted?: readonly UncountedChange[];
  /** Names of sources that were edited, and are not rendered. */
  readonly unrendered?: readonly string[] | undefined;
};

interface Inputs {
  readonly earlier: SimulationInput;
  readonly now: SimulationInput;
}

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
  const emphasis = after.answer.emphasis.filter(({ text, tone }) => tone !== 'gain' || !lost.has(text));
  const answer = {
    ...after.answer,
    headline,
    emphasis,
    cause,
    groups: moved === undefined ? others : [...others, moved],
  };
  // What could not be seen may have changed.
  const outcome = isSame && after.unseen.length === 0 ? '' : outcomeOf(before, after);
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

interface ToldChange extends Pick<ReportComparison, 'since' | 'pods' | 'before'> {
  readonly subject: string | undefined;
  readonly clauses: readonly SentencePart[];
  readonly isSame: boolean;
  /** All that happened in the second run only. */
  readonly idle: WholeReport['events'][number] | undefined;
  /** What the roll-out of the only thing that was changed comes to, and what becomes of others. */
  readonly rolled: { readonly text: string; readonly others: readonly SentencePart[] } | undefined;
  /** Whether nodes are drained, tainted or short of memory that are not in the other run. */
  readonly leaves: boolean;
  /** What was changed beside that; undefined for nothing. */
  readonly tried: string | undefined;
  /** What follows where some leave, beside them. */
  readonly follows: readonly string[];
}

/** A headline of which the first words are the change; what the API server refuses comes before it. */
function changeFirst(
  { answer, assumptions, events, unseen }: WholeReport,
  { since, pods, before, subject, clauses, isSame, idle, leaves, tried, follows, rolled }: ToldChange,
  { isApplied = false, left = [], uncounted = [], unrendered = [] }: Compared,
): string {
  if (events.some(({ verdict }) => verdict === 'refused')) return answer.headline;
  if (isSame && subject === undefined && uncounted.length > 0) {
    const [one, ...others] = uncounted;
    const names = list(
      uncounted.map(({ key }) => written(key)),
      4,
    );
    if (others.length > 0) {
      return say`${names} have changed where they do not count: they are written more than once, and the first is used.`;
    }
    return one!.counts === ''
      ? say`${names} has changed where it does not count: it is written more than once, and the first is used.`
      : say`${names} has changed where it does not count: it is written more than once, and that of ${one!.counts} is used.`;
  }
  if (isSame && subject === undefined && unrendered.length > 0) {
    return unrendered.length === 1
      ? say`${unrendered[0]!} has changed since ${since} and is not rendered: what comes of it is not seen. Nothing else that scheduling depends on has changed.`
      : say`${list(unrendered, 4)} have changed since ${since} and are not rendered: what comes of them is not seen. Nothing else that scheduling depends on has changed.`;
  }
  // What could not be seen may have changed.
  if (isSame && unseen.length > 0) {
    return subject === undefined
      ? say`Nothing that is seen has changed since ${since}: ${sayInside(answer.headline)}`
      : say`${subject}: ${sayInside(answer.headline)}`;
  }
  if (isSame && subject === undefined) {
    if (left.length > 0) return say`${leftClause(left)}.`;
    if (idle !== undefined) return say`${idle.text}: no effect.`;
    return assumptions.some(({ mark }) => mark === '!')
      ? say`Nothing that is seen has changed since ${since}.`
      : say`Nothing that scheduling depends on has changed since ${since}.`;
  }
  if (isSame) return say`${subject ?? ''} moves, evicts and blocks no pod.`;
  const later = events.filter(({ verdict }) => verdict === 'later');
  // Of classes, budgets and quotas only what comes later is told.
  if (pods.length === 0 && later.length > 0 && events.every((each) => later.includes(each) || each.told.length === 0)) {
    const told = later.map(({ told: lines }) => lines[0] ?? '');
    return say`${subject ?? since} moves, evicts and blocks no pod now: ${joined(told, '; ')}.`;
  }
  const withTried = (text: string): string => (tried === undefined ? text : say`${tried}, then ${sayInside(text)}`);
  // That begins with them, and says where they hang.
  if (leaves && answer.rollOuts !== undefined) return answer.headline;
  if (leaves && before.evicted + before.pending + answer.balance.arriving === 0) return withTried(answer.headline);
  // What happens without them, too, is not of the change.
  if (leaves && answer.leaving !== undefined) {
    const unknown = unseenClause(unseen);
    return withTried(say`${joined([answer.leaving, ...follows, ...(unknown === '' ? [] : [unknown])], '; ')}.`);
  }
  if (isApplied && subject !== undefined && rolled !== undefined) {
    const unknown = unseenClause(unseen);
    const others = rolled.others.map(({ text }) => text);
    return say`${subject}: ${joined([rolled.text, ...others, ...(unknown === '' ? [] : [unknown])], '; ')}.`;
  }
  const telling = clauses.filter(({ tone }) => tone !== 'plain');
  const hurts = clauses.some(({ tone }) => tone === 'bad' || tone === 'warning');
  // How a roll-out ends says more than how many pods do not run for it.
  const verdicts = events.map(({ verdict }) => (verdict === 'later' ? undefined : verdict));
  const isRolled =
    isApplied &&
    (hurts
      ? verdicts.some((each) => each === 'stuck' || each === 'failed')
      : verdicts.some((each) => each !== undefined));
  if (clauses.length === 0 || isRolled) {
    if (subject === undefined) return answer.headline;
    return say`${subject}: ${sayInside(answer.headline)}`;
  }
  const unknown = unseenClause(unseen);
  const lines = (telling.length === 0 ? clauses : telling).map(({ text }) => text);
  const stays = left.length === 0 ? [] : [leftClause(left)];
  const what = joined([...lines, ...stays, ...(unknown === '' ? [] : [unknown])], '; ');
  return say`${subject ?? say`What is there now`} ${what}.`;
}

function leftClause(left: readonly string[]): string {
  const names = list(left.map(written), 4);
  return left.length === 1
    ? say`${names} is not written any more, and stays`
    : say`${names} are not written any more, and stay`;
}

function written(key: string): string {
  return key.replace('//', '/');
}

function* comparisonOf(
  before: ComparedReport,
  after: WholeReport,
  since: string,
  inputs: Compared,
  way: Way,
  pairs: readonly Pair[],
): Generator<void, Omit<ReportComparison, 'outcome' | 'whole'> & Pick<ToldChange, 'subject' | 'clauses'>> {
  const evicted = { before: evictedPods(before), after: evictedPods(after) };
  const pods = pairs
    .flatMap((pair) => changeOf(before, after, pair, evicted) ?? [])
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  yield;
  const priorities = changedPriorities(before, after);
  yield;
  const budgets = after.totals.budgetsViolated - before.totals.budgetsViolated;
  const { causes, more } =
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

/** What becomes of a pod in the end. */
type Fate = 'runs' | 'evicted' | 'ended' | 'waits';

function fateOf({ after }: ReportPod, isEvicted: boolean): Fate {
  if (after.state === 'running') return 'runs';
  if (!isGone(after.state) && after.state !== 'terminating') return 'waits';
  return isEvicted ? 'evicted' : 'ended';
}

function changeOf(
  before: ComparedReport,
  after: ComparedReport,
  pair: Pair,
  evicted: Readonly<Record<'before' | 'after', ReadonlySet<number>>>,
): PodChange | null {
  const was = pair.before === null ? undefined : before.pods[pair.before];
  const is = pair.after === null ? undefined : after.pods[pair.after];
  const named = is ?? was;
  if (named === undefined) return null;
  const sentences = {
    before: pair.before === null ? '' : fateText(before, pair.before),
    after: pair.after === null ? '' : fateText(after, pair.after),
  };
  const earlier = was === undefined ? undefined : fateOf(was, evicted.before.has(pair.before!));
  const fate = is === undefined ? undefined : fateOf(is, evicted.after.has(pair.after!));
  const toldApart = was?.after.state !== is?.after.state && sentences.before !== sentences.after;
  const kind = kindOf(earlier, fate, nodeOf(before, was) !== nodeOf(after, is), toldApart);
  return kind === null ? null : { kind, pod: pair.after, namespace: named.namespace, name: named.name, ...sentences };
}

function kindOf(
  earlier: Fate | undefined,
  fate: Fate | undefined,
  moved: boolean,
  toldApart: boolean,
): PodChangeKind | null {
  if (fate === undefined) return 'removed';
  if (fate === earlier) {
    if (fate === 'runs') return moved ? 'moved' : null;
    // Waiting for another reason, say refused instead of pending.
    return fate === 'waits' && toldApart ? 'pending' : null;
  }
  if (fate === 'evicted' || fate === 'ended') return fate;
  if (fate === 'waits') return 'pending';
  if (earlier === undefined) return 'added';
  return earlier === 'evicted' ? 'spared' : earlier === 'ended' ? 'kept' : 'placed';
}

/** Nodes are compared by name: their order in a report is that of the files. */
function nodeOf(report: ComparedReport, pod: ReportPod | undefined): string | undefined {
  return pod?.after.node == null ? undefined : report.nodes[pod.after.node]?.name;
}

function fateText(report: ComparedReport, index: number): string {
  const pod = report.pods[index]!;
  const node = nodeOf(report, pod) ?? '';
  switch (pod.after.state) {
    case 'running':
      return pod.before.node === null ? say`placed on ${node}` : say`runs on ${node}`;
    case 'evicted':
    case 'ended':
    case 'terminating': {
      const victim = report.victims.find((one) => one.pod === index);
      if (report.drains.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`drained from ${node}`;
      }
      if (report.pressures.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`evicted by the kubelet of ${node}, short of memory`;
      }
      const tainted = report.taints?.find(({ evicted }) => evicted.some((one) => one.pod === index));
      if (tainted !== undefined) {
        return tainted.byDevices === true
          ? say`evicted by the taint of its device on ${node}`
          : say`evicted by the taint of ${node}`;
      }
      const preemptor = victim === undefined ? undefined : report.pods[victim.preemptor];
      return preemptor === undefined ? say`ends on ${node}` : say`evicted from ${node} for ${qualifiedName(preemptor)}`;
    }
    case 'pending':
    case 'nominated':
      return say`stays pending`;
    case 'gated':
      return say`gated`;
    case 'rejected':
      return say`refused by the API server`;
  }
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

interface Differences extends Pick<ReportComparison, 'pods'> {
  readonly after: ComparedReport;
  readonly budgets: number;
}

/** What a change does, what is lost first. */
function clausesOf({ after, pods, budgets }: Differences): readonly SentencePart[] {
  const mark = markOf(after.nodes);
  const told = (tone: Tone, kind: ToldKind, words: (amount: number) => string, isNamed = true): SentencePart[] => {
    const changes = pods.filter((change) => toldKind(after, change) === kind);
    return clause(tone, changes.length, words, isNamed && changes.length > 0 ? namesOf(after, changes) : '');
  };
  return [
    ...told('bad', 'evicted', (n) => say`evicts ${marked(mark, count(n, 'more pod'))}`),
    ...clause('bad', budgets, (n) => say`breaks ${marked(mark, count(n, 'more budget'))}`),
    ...told('warning', 'pending', (n) => say`leaves ${marked(mark, count(n, 'more pod'))} pending`),
    ...told('warning', 'gated', (n) => say`leaves ${count(n, 'more pod')} gated`),
    ...told('warning', 'rejected', (n) => say`leaves ${count(n, 'more pod')} refused`),
    ...told('plain', 'ended', (n) => say`ends ${marked(mark, count(n, 'pod'))}`),
    ...told('good', 'spared', (n) => say`spares ${marked(mark, count(n, 'pod'))} the eviction`),
    ...told('plain', 'kept', (n) => say`lets ${marked(mark, count(n, 'pod'))} run on`),
    ...clause('good', -budgets, (n) => say`breaks ${marked(mark, count(n, 'budget'))} less`),
    ...told('good', 'placed', (n) => say`finds a place for ${marked(mark, count(n, 'more pod'))}`),
    ...told('plain', 'moved', (n) => say`moves ${marked(mark, count(n, 'pod'))} to another node`, false),
    ...told('plain', 'added', (n) => say`finds a place for ${marked(mark, count(n, 'new pod'))}`, false),
    ...told('plain', 'removed', (n) => say`removes ${count(n, 'pod')}`, false),
  ];
}

type ToldKind = PodChangeKind | 'gated' | 'rejected';

/** What a pod without a node waits for is told apart. */
function toldKind(after: ComparedReport, { kind, pod }: PodChange): ToldKind {
  const state = after.pods[pod ?? -1]?.after.state;
  return kind === 'pending' && (state === 'gated' || state === 'rejected') ? state : kind;
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

/**
 * What was changed, and what happens, as the subject of a sentence: `Raising batch-standard to 150000`; undefined where
 * there is neither.
 */
function subjectOf(
  causes: readonly ReportCause[],
  drained: readonly string[],
  { between, end }: Way,
  happens: readonly ChangedOutcome[],
): string | undefined {
  const tried = [...between, end].filter(({ whatIf }) => whatIf !== '');
  const labels = list(
    tried.map(({ label }) => label),
    3,
  );
  const written = causes.filter((each) => !isTriedNode(each));
  const change =
    tried.length === 0 || new Set(causes.map(({ object }) => object)).size < 2
      ? changeText(causes, drained)
      : between.every(({ whatIf }) => whatIf !== '')
        ? say`Trying ${labels}`
        : tried.every(({ whatIf }) => whatIf.startsWith('add ')) && written.length > 0
          ? say`${changeText(written, drained) ?? ''} with ${labels}`
          : changeText(causes, drained);
  const cordons = causes.every(({ object, field }) => closes(field) && drained.includes(ownName(object)));
  if (happens.length === 0 || (cordons && happens.every((each) => each.drained !== null))) return change;
  const happening = list(
    happens.map(({ label }) => label),
    3,
  );
  const [first, ...then] = happens;
  if (causes.length === 0 && first !== undefined) {
    return then.length === 0
      ? first.subject
      : say`${first.subject} (then ${list(
          then.map(({ label }) => label),
          3,
        )})`;
  }
  return say`${change ?? ''} together with what happens (${happening})`;
}

/** What is changed in a cluster from which somebody is made to leave as well. */
function triedText(causes: readonly ReportCause[]): string | undefined {
  return changeText(
    causes.filter((each) => !isTriedNode(each) && !closes(each.field)),
    [],
  );
}

/** Nodes that are tried nobody has written. */
function isTriedNode({ object, field }: ReportCause): boolean {
  return field === '' && /^Node\/.*\+\d+$/.test(object);
}

/** Of the workloads whose pods these are, each with how many, where they are not one each. */
function namesOf(report: ComparedReport, changes: readonly PodChange[]): string {
  const names = changes.map((each) => workloadOf(report, each));
  const own = [...new Set(names)];
  return own.length > 1 && own.length === names.length ? say`, one each of ${list(own)}` : say` (${list(own)})`;
}

/** The name of its workload; of a pod that is gone, its own. */
function workloadOf({ pods, workloads }: ComparedReport, { pod, name }: PodChange): string {
  return workloads[pods[pod ?? -1]?.workload ?? -1]?.name ?? name;
}

/** `evicts 2 more pods, one each of cart and web`; nothing of none. */
function clause(tone: Tone, amount: number, describe: (amount: number) => string, names = ''): SentencePart[] {
  return amount <= 0 ? [] : [{ tone, text: say`${describe(amount)}${names}` }];
}

function plain(text: string): SentencePart {
  return { tone: 'plain', text };
}
