import { marked, markOf } from '../../contract/assumed.ts';
import { evictedPods } from '../../contract/evicted-pods.ts';
import { say } from '../../kit/say.ts';
import { count, list, qualifiedName, titleOf } from '../../kit/words.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { SimulationInput } from '../scene/input.ts';
import { buildPlan, straight, type Way } from './build-plan.ts';
import { causesOf } from './causes-of.ts';
import { causesOfReports } from './report-causes.ts';
import { movedGroup } from './moved-group.ts';
import { closes, type Happening } from './happenings.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { figuresOf } from '../report/answer/figures.ts';
import type {
  PodChange,
  PodChangeKind,
  ComparedReport,
  WholeReport,
  ReportCause,
  ReportComparison,
  ReportPod,
  SentencePart,
  Tone,
} from '../../contract/report.ts';

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
  readonly happens?: readonly Happening[];
  /** Whether the second is the first with a change applied: then its answer begins with the change. */
  readonly isApplied?: boolean;
  /** Objects that are not written any more, and stay. */
  readonly left?: readonly string[];
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
  const { subject, ...comparison } = yield* comparisonOf(before, after, since, inputs, way, pairs);
  const headline =
    inputs.isApplied === true ? changeFirst(after, comparison, subject, inputs.left) : after.answer.headline;
  const answer = { ...after.answer, headline, groups: moved === undefined ? others : [...others, moved] };
  return { ...after, answer, comparison };
}

/** A headline of which the first words are the change. */
function changeFirst(
  { answer, events, unseen }: WholeReport,
  { pods, since }: ReportComparison,
  subject?: string,
  left: readonly string[] = [],
): string {
  const isSame = pods.length === 0 && events.length === Number(left.length > 0);
  // What could not be seen may have changed.
  if (isSame && unseen.length > 0) {
    return subject === undefined
      ? say`Nothing that is seen has changed since ${since}: ${answer.headline}`
      : say`${subject}: ${answer.headline}`;
  }
  if (subject === undefined && isSame && left.length > 0) {
    const stay = left.length === 1 ? say`is not written any more, and stays` : say`are not written any more, and stay`;
    return say`${list(
      left.map((key) => key.replace('//', '/')),
      4,
    )} ${stay}.`;
  }
  if (subject === undefined) return isSame ? say`Nothing has changed since ${since}.` : answer.headline;
  if (isSame) return say`${subject} moves, evicts and blocks no pod.`;
  const later = events.find(({ text }) => text === say`classes of priority are others`);
  // Of classes only what comes later is told.
  if (pods.length === 0 && later !== undefined && events.every((each) => each === later || each.told.length === 0)) {
    return say`${subject} moves, evicts and blocks no pod now: ${later.told[0] ?? ''}.`;
  }
  return say`${subject}: ${answer.headline}`;
}

function* comparisonOf(
  before: ComparedReport,
  after: ComparedReport,
  since: string,
  inputs: Compared,
  way: Way,
  pairs: readonly Pair[],
): Generator<void, ReportComparison & { readonly subject: string | undefined }> {
  const evicted = { before: evictedPods(before), after: evictedPods(after) };
  const pods = pairs
    .flatMap((pair) => changeOf(before, after, pair, evicted) ?? [])
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  yield;
  const priorities = changedPriorities(before, after);
  yield;
  const budgets = after.totals.budgetsViolated - before.totals.budgetsViolated;
  const { causes, more } =
    inputs.earlier === null ? causesOfReports(before, after) : causesOf(inputs.earlier, inputs.now);
  yield;
  const drainedBefore = new Set(drainedIn(before));
  const drained = [...new Set(drainedIn(after))].filter((name) => !drainedBefore.has(name));
  const happens = inputs.happens ?? [];
  const subject = subjectOf(
    causes,
    drained,
    happens.filter(({ isChange, endsDrain }) => !isChange && !endsDrain),
  );
  const sentence = sentenceOf(since, subject, { after, pods, budgets, priorities: priorities.length });
  const plan = yield* buildPlan({ before, after, since, pairs, causes, priorities, way, happens });
  const figures = figuresOf(before.answer);
  return { since, sentence, causes, moreCauses: more, priorities, pods, before: figures, plan, subject };
}

/** What becomes of a pod in the end. */
type Fate = 'runs' | 'evicted' | 'ended' | 'waits';

function fateOf({ after }: ReportPod, isEvicted: boolean): Fate {
  if (after.state === 'running') return 'runs';
  if (after.state !== 'evicted' && after.state !== 'terminating') return 'waits';
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
  const told = {
    before: pair.before === null ? '' : fateText(before, pair.before),
    after: pair.after === null ? '' : fateText(after, pair.after),
  };
  const earlier = was === undefined ? undefined : fateOf(was, evicted.before.has(pair.before!));
  const fate = is === undefined ? undefined : fateOf(is, evicted.after.has(pair.after!));
  const toldApart = was?.after.state !== is?.after.state && told.before !== told.after;
  const kind = kindOf(earlier, fate, nodeOf(before, was) !== nodeOf(after, is), toldApart);
  return kind === null ? null : { kind, pod: pair.after, namespace: named.namespace, name: named.name, ...told };
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
    case 'terminating': {
      const victim = report.victims.find((one) => one.pod === index);
      if (report.drains.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`drained from ${node}`;
      }
      if (report.pressures.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`evicted by the kubelet of ${node}, short of memory`;
      }
      if (report.taints?.some(({ evicted }) => evicted.some((one) => one.pod === index))) {
        return say`evicted by the taint of ${node}`;
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
    return was === undefined || was === workload.priority
      ? []
      : [{ workload: index, before: was, after: workload.priority }];
  });
}

interface Differences extends Pick<ReportComparison, 'pods'> {
  readonly after: ComparedReport;
  readonly budgets: number;
  readonly priorities: number;
}

function sentenceOf(
  since: string,
  subject: string | undefined,
  { after, pods, budgets, priorities }: Differences,
): SentencePart[] {
  const of = (kind: PodChangeKind): number => pods.filter((change) => change.kind === kind).length;
  const names = (kind: PodChangeKind): string => {
    const changes = pods.filter((change) => change.kind === kind);
    return changes.length === 0 ? '' : namesOf(after, changes);
  };
  const mark = markOf(after.nodes);
  const clauses: readonly SentencePart[] = [
    ...clause('bad', of('evicted'), (n) => say`evicts ${marked(mark, count(n, 'more pod'))}`, names('evicted')),
    ...clause('bad', budgets, (n) => say`violates ${marked(mark, count(n, 'more budget'))}`),
    ...clause(
      'warning',
      of('pending'),
      (n) => say`keeps ${marked(mark, count(n, 'more pod'))} from running`,
      names('pending'),
    ),
    ...clause('plain', of('ended'), (n) => say`ends ${marked(mark, count(n, 'pod'))}`, names('ended')),
    ...clause('good', of('spared'), (n) => say`spares ${marked(mark, count(n, 'pod'))} the eviction`, names('spared')),
    ...clause('plain', of('kept'), (n) => say`lets ${marked(mark, count(n, 'pod'))} run on`, names('kept')),
    ...clause('good', -budgets, (n) => say`violates ${marked(mark, count(n, 'budget'))} less`),
    ...clause(
      'good',
      of('placed'),
      (n) => say`finds a place for ${marked(mark, count(n, 'more pod'))}`,
      names('placed'),
    ),
    ...clause('plain', of('moved'), (n) => say`moves ${marked(mark, count(n, 'pod'))} to another node`),
    ...clause('plain', of('added'), (n) => say`finds a place for ${marked(mark, count(n, 'new pod'))}`),
    ...clause('plain', of('removed'), (n) => say`leaves ${count(n, 'pod')} out`),
  ];
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
  happens: readonly Happening[],
): string | undefined {
  const change = changeText(causes, drained);
  const cordons = causes.every(({ object, field }) => closes(field) && drained.includes(ownName(object)));
  if (happens.length === 0 || (cordons && happens.every((each) => each.drained !== null))) return change;
  const what = list(
    happens.map(({ label }) => label),
    3,
  );
  return causes.length === 0 ? say`What happens (${what})` : say`${change ?? ''} together with what happens (${what})`;
}

function ownName(object: string): string {
  return object.slice(object.lastIndexOf('/') + 1);
}

function changeText(causes: readonly ReportCause[], drained: readonly string[]): string | undefined {
  const objects = new Set(causes.map(({ object }) => object));
  const [first] = causes;
  if (first === undefined) {
    if (drained.length === 0) return undefined;
    return say`Draining ${drained.length === 1 ? drained[0]! : count(drained.length, 'node')}`;
  }
  const name = first.object.replace('/', ' ');
  if (objects.size > 1) return say`Changing ${count(objects.size, 'object')}, ${name} among them,`;
  if (first.field === '') return first.new === null ? say`Removing ${name}` : say`Adding ${name}`;
  if (causes.length > 1) return say`Changing ${count(causes.length, 'field')} of ${name}`;
  const { field, old, new: now } = first;
  const own = ownName(first.object);
  if (first.object.startsWith('PriorityClass/') && field === 'value') {
    return Number(now) > Number(old) ? say`Raising ${own} to ${String(now)}` : say`Lowering ${own} to ${String(now)}`;
  }
  if (/(?:^|\.)replicas$/.test(field) && now !== null) return say`Scaling ${own} to ${String(now)}`;
  const [resource = '', list, resources] = field.split('.').reverse();
  if (resources === 'resources' && list === 'requests' && now !== null && old !== null) {
    const amounts = [parseQuantity(String(old)), parseQuantity(String(now))] as const;
    if (!isQuantityError(amounts[0]) && !isQuantityError(amounts[1])) {
      return compareQuantities(amounts[0], amounts[1]) < 0
        ? say`Raising ${own} to ${String(now)} ${resource}`
        : say`Lowering ${own} to ${String(now)} ${resource}`;
    }
  }
  if (resource === 'priorityClassName' && now !== null) return say`Giving ${own} class ${String(now)}`;
  if (closes(field)) {
    if (now !== true) return say`Uncordoning ${own}`;
    return drained.includes(own) ? say`Draining ${own}` : say`Cordoning ${own}`;
  }
  return now === null ? say`Taking ${field} from ${name}` : say`Setting ${field} of ${name} to ${String(now)}`;
}

/** Of the workloads whose pods these are, each with how many, where they are not one each. */
function namesOf({ pods, workloads }: ComparedReport, changes: readonly PodChange[]): string {
  const names = changes.map(({ pod, name }) => workloads[pods[pod ?? -1]?.workload ?? -1]?.name ?? name);
  const own = [...new Set(names)];
  return own.length > 1 && own.length === names.length ? say`, one each of ${list(own)}` : say` (${list(own)})`;
}

/** `evicts 2 more pods, one each of cart and web`; nothing of none. */
function clause(tone: Tone, amount: number, told: (amount: number) => string, names = ''): SentencePart[] {
  return amount <= 0 ? [] : [{ tone, text: say`${told(amount)}${names}` }];
}

function plain(text: string): SentencePart {
  return { tone: 'plain', text };
}
