import { say } from '../../kit/say.ts';
import { count, list, qualifiedName, titleOf } from '../../kit/words.ts';
import type { SimulationInput } from '../scene/input.ts';
import { buildPlan, straight, type Way } from './build-plan.ts';
import { causesOf } from './causes-of.ts';
import { causesOfReports } from './report-causes.ts';
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
const kinds: readonly PodChangeKind[] = ['evicted', 'pending', 'removed', 'moved', 'added', 'placed', 'spared'];

/** What the runs of a comparison were made from. */
interface Compared {
  readonly earlier: SimulationInput;
  readonly now: SimulationInput;
}

/** A report with what differs from an earlier one. */
export function compared(
  before: ComparedReport,
  after: WholeReport,
  since: string,
  inputs: Compared,
  way: Way = straight(),
): WholeReport {
  const comparison = compareReports(before, after, since, inputs, way);
  return { ...after, scenario: { kind: 'change', since }, comparison };
}

/**
 * What differs between two runs of one scenario: on the manifests as they were, and as they are.
 * @param inputs null where those of the first are not known
 */
export function compareReports(
  before: ComparedReport,
  after: ComparedReport,
  since: string,
  inputs: Compared | null,
  way: Way = straight(),
): ReportComparison {
  const pairs = pairsOf(before, after);
  const pods = pairs
    .flatMap((pair) => changeOf(before, after, pair) ?? [])
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const priorities = changedPriorities(before, after);
  const budgets = after.totals.budgetsViolated - before.totals.budgetsViolated;
  const { causes, more } = inputs === null ? causesOfReports(before, after) : causesOf(inputs.earlier, inputs.now);
  const sentence = sentenceOf(since, { after, pods, budgets, causes, priorities: priorities.length });
  const plan = buildPlan({ before, after, since, pairs, causes, priorities, way });
  return { since, sentence, causes, moreCauses: more, priorities, pods, before: figuresOf(before.answer), plan };
}

/** What becomes of a pod in the end. */
type Fate = 'runs' | 'evicted' | 'waits';

function fateOf({ after }: ReportPod): Fate {
  if (after.state === 'running') return 'runs';
  return after.state === 'evicted' || after.state === 'terminating' ? 'evicted' : 'waits';
}

function changeOf(before: ComparedReport, after: ComparedReport, pair: Pair): PodChange | null {
  const was = pair.before === null ? undefined : before.pods[pair.before];
  const is = pair.after === null ? undefined : after.pods[pair.after];
  const named = is ?? was;
  if (named === undefined) return null;
  const told = {
    before: pair.before === null ? '' : fateText(before, pair.before),
    after: pair.after === null ? '' : fateText(after, pair.after),
  };
  const kind = kindOf(was, is, nodeOf(before, was) !== nodeOf(after, is), told.before !== told.after);
  return kind === null ? null : { kind, pod: pair.after, namespace: named.namespace, name: named.name, ...told };
}

function kindOf(
  was: ReportPod | undefined,
  is: ReportPod | undefined,
  moved: boolean,
  toldApart: boolean,
): PodChangeKind | null {
  if (is === undefined) return 'removed';
  const fate = fateOf(is);
  if (was === undefined) return fate === 'runs' ? 'added' : fate === 'waits' ? 'pending' : 'evicted';
  const earlier = fateOf(was);
  if (fate === earlier) {
    if (fate === 'runs') return moved ? 'moved' : null;
    // Waiting for another reason, say refused instead of pending.
    return fate === 'waits' && is.after.state !== was.after.state && toldApart ? 'pending' : null;
  }
  if (fate === 'evicted') return 'evicted';
  if (fate === 'waits') return 'pending';
  return earlier === 'evicted' ? 'spared' : 'placed';
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

interface Differences extends Pick<ReportComparison, 'pods' | 'causes'> {
  readonly after: ComparedReport;
  readonly budgets: number;
  readonly priorities: number;
}

function sentenceOf(since: string, { after, pods, budgets, causes, priorities }: Differences): SentencePart[] {
  const of = (kind: PodChangeKind): number => pods.filter((change) => change.kind === kind).length;
  const names = (kind: PodChangeKind): string =>
    namesOf(
      after,
      pods.filter((change) => change.kind === kind),
    );
  const clauses: readonly SentencePart[] = [
    ...clause('bad', of('evicted'), (n) => count(n, 'more pod is evicted', 'more pods are evicted'), names('evicted')),
    ...clause('bad', budgets, (n) => count(n, 'more budget is violated', 'more budgets are violated')),
    ...clause(
      'warning',
      of('pending'),
      (n) => count(n, 'more pod does not run', 'more pods do not run'),
      names('pending'),
    ),
    ...clause(
      'good',
      of('spared'),
      (n) => count(n, 'pod is evicted no longer', 'pods are evicted no longer'),
      names('spared'),
    ),
    ...clause('good', -budgets, (n) => count(n, 'budget is violated no longer', 'budgets are violated no longer')),
    ...clause(
      'good',
      of('placed'),
      (n) => count(n, 'more pod finds a place', 'more pods find a place'),
      names('placed'),
    ),
    ...clause('plain', of('moved'), (n) => count(n, 'pod runs on another node', 'pods run on another node')),
    ...clause('plain', of('added'), (n) => count(n, 'new pod finds a place', 'new pods find a place')),
    ...clause('plain', of('removed'), (n) => count(n, 'pod is not there any more', 'pods are not there any more')),
  ];
  const what = causeText(causes);
  if (clauses.length === 0) {
    const though = priorities === 0 ? '' : say`, though the priority of ${count(priorities, 'workload')} is another`;
    const same = say`Compared with ${since}, no pod fares differently${though}.`;
    return [plain(what === '' ? same : say`${what}. ${same}`)];
  }
  return [
    plain(what === '' ? say`Compared with ${since}: ` : say`${what}. Compared with ${since}: `),
    ...clauses.flatMap((part, index) => (index === 0 ? [part] : [plain('; '), part])),
    plain('.'),
  ];
}

/** What was changed, where it is one thing: `PriorityClass batch-standard has the value 150000 instead of 1000`. */
function causeText(causes: readonly ReportCause[]): string {
  const objects = new Set(causes.map(({ object }) => object));
  const [first] = causes;
  if (first === undefined) return '';
  const name = first.object.replace('/', ' ');
  if (objects.size > 1) return say`${count(objects.size, 'object')} changed, ${name} among them`;
  if (first.field === '') return first.new === null ? say`${name} is removed` : say`${name} is new`;
  if (causes.length > 1) return say`${count(causes.length, 'field')} of ${name} changed`;
  const [old, now] = [first.old, first.new].map((value) => (value === null ? say`nothing` : String(value)));
  return say`${name}: ${first.field} ${old!} → ${now!}`;
}

/** Of the workloads whose pods these are. */
function namesOf({ pods, workloads }: ComparedReport, changes: readonly PodChange[]): string {
  const names = changes.map(({ pod, name }) => workloads[pods[pod ?? -1]?.workload ?? -1]?.name ?? name);
  return list([...new Set(names)]);
}

/** `2 more pods are evicted (cart and web)`; nothing of none. */
function clause(tone: Tone, amount: number, told: (amount: number) => string, names = ''): SentencePart[] {
  if (amount <= 0) return [];
  const whose = names === '' ? '' : say` (${names})`;
  return [{ tone, text: say`${told(amount)}${whose}` }];
}

function plain(text: string): SentencePart {
  return { tone: 'plain', text };
}
