import { type ShortNames, shortNames } from '../../report-model/short-names.ts';
import type { PlanLink } from '../../report-model/plan.ts';
import type { ComparedReport, ReportCause, ReportComparison, ReportStep } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { compareText, list, qualifiedName } from '../../util/words.ts';
import { type ChangedOutcome, HappeningLinks, type Source } from './changed-outcomes.ts';
import { nodeName, objectName, workloadOf } from './object-names.ts';
import type { Pair } from './pairs.ts';

/** A link names no more than these that it may follow from. */
const most = 100;

interface Parts extends Pick<ReportComparison, 'causes' | 'priorities'> {
  readonly before: ComparedReport;
  readonly after: ComparedReport;
  readonly pairs: readonly Pair[];
  readonly happens: readonly ChangedOutcome[];
}

/** What happens and the steps that only the later run takes, each behind what it follows from. */
export function chainOf({ before, after, pairs, causes, priorities, happens }: Parts): readonly PlanLink[] {
  const names = shortNames(after);
  const earlier = new Map(pairs.flatMap((pair) => (pair.after === null ? [] : [[pair.after, pair.before] as const])));
  const known = new Map<string, number>();
  for (const step of before.steps) {
    const key = keyOf(before, step, (pod) => `b${pod}`);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const links = priorityLinks(after, priorities, causes, names);
  const byWorkload = new Map(
    links.flatMap(({ workloads, id }) => workloads.map((workload) => [workload, id] as const)),
  );
  const happening = new HappeningLinks(happens, causes, links);
  /** What a step comes to: its link, or what it only leads on from. */
  const sourceOf = new Map<number, Source>();
  /** The link that says that a pod waits, until it is tried with another end. */
  const waits = new Map<number, Source>();
  /** Where a pod was to go, and who has taken the room since: both by the step. */
  const meant = new Map<number, { readonly node: number | null; readonly step: number }>();
  const taken = new Map<number | null, { readonly by: Source; readonly step: number }>();
  const roomTaken = (pod: number): Source | undefined => {
    const place = meant.get(pod);
    const taker = place === undefined ? undefined : taken.get(place.node);
    return place !== undefined && taker !== undefined && taker.step > place.step ? taker.by : undefined;
  };
  /** Tried once more than before, with the end that it had without anything. */
  const waitsAnyway = ({ kind, pod }: ReportStep): boolean =>
    kind === 'pending' && before.pods[earlier.get(pod) ?? -1]?.after.state === 'pending';
  for (const [index, step] of after.steps.entries()) {
    happening.reach(step.clock);
    const follows = step.by === null ? undefined : sourceOf.get(step.by);
    // Room that is there for long is taken when the node is open again: what happens last brings it about.
    const parent = follows && (happening.about(objectsOf(after, step), follows) ?? follows);
    const key = keyOf(after, step, (pod) => (earlier.get(pod) == null ? `a${pod}` : `b${earlier.get(pod)!}`));
    const same = known.get(key) ?? 0;
    if (same > 0) known.set(key, same - 1);
    const linked = same > 0 || waitsAnyway(step) ? null : linkText(after, step, names);
    const loser = linked === null ? undefined : roomTaken(step.pod);
    if (step.kind === 'nominated') meant.set(step.pod, { node: step.node, step: index });
    if (linked === null) {
      // What only leads from one to the next stands for the one.
      const leads = parent ?? (same > 0 ? undefined : happening.about(objectsOf(after, step)));
      if (leads !== undefined) sourceOf.set(index, leads);
      continue;
    }
    // A pod that is tried again in vain waits as before.
    const waiting = waits.get(step.pod);
    if (linked.kind === 'waits' && waiting !== undefined) {
      sourceOf.set(index, waiting);
      continue;
    }
    const workloads = [step.pod, ...step.victims].map((pod) => workloadOf(after, pod));
    const id = `k${links.length + 1}`;
    const raised = byWorkload.get(workloads[0]!);
    const written =
      raised === undefined ? ownCauses(causes, [workloads[0]!, `Node/${nodeName(after, step.node)}`]) : [raised];
    const { ids: by, happening: last } = parent ??
      loser ??
      happening.about(objectsOf(after, step)) ?? { ids: written, happening: -1 };
    links.push({
      id,
      by: by.length > 0 ? by : [...happening.last(most), ...causes.map(({ id }) => id)].slice(0, most),
      clock: step.clock,
      ...linked,
      workloads: [...new Set(workloads)],
      pod: qualifiedName(after.pods[step.pod]!),
      node: nodeName(after, step.node),
      victims: step.victims.map((pod) => qualifiedName(after.pods[pod]!)),
    });
    const source = { ids: [id], happening: last };
    sourceOf.set(index, source);
    if (linked.kind === 'waits') waits.set(step.pod, source);
    else waits.delete(step.pod);
    if (step.kind === 'scheduled') taken.set(step.node, { by: source, step: index });
  }
  happening.reach(Infinity);
  return links;
}

/** What a step is about, in the order in which something that happens may have brought it about. */
function objectsOf(after: ComparedReport, { pod, node, victims }: ReportStep): readonly string[] {
  const concerned = [pod, ...victims];
  const className = after.pods[pod]!.className;
  return [
    ...concerned.map((each) => objectName({ kind: 'Pod', ...after.pods[each]! })),
    ...concerned.map((each) => workloadOf(after, each)),
    ...(node === null ? [] : [`Node/${nodeName(after, node)}`]),
    ...(className === null ? [] : [`PriorityClass/${className}`]),
    ...victims.flatMap((each) => after.pods[each]!.budgets.map((name) => `PodDisruptionBudget/${name}`)),
  ];
}

/** What makes two steps of two runs the same one. */
function keyOf(
  report: ComparedReport,
  { kind, pod, node, victims }: ReportStep,
  name: (pod: number) => string,
): string {
  return [kind, name(pod), nodeName(report, node), ...victims.map(name).sort(compareText)].join(' ');
}

function linkText(
  { pods }: ComparedReport,
  { kind, pod, node, victims }: ReportStep,
  names: ShortNames,
): Pick<PlanLink, 'kind' | 'text'> | null {
  const on = node === null ? '' : say` on ${names.node(node)}`;
  if (kind === 'scheduled') return { kind: 'scheduled', text: say`${names.pod(pod)} is scheduled${on}` };
  if (kind === 'nominated') {
    // Who only waits for pods that end anyway takes nothing before it is scheduled.
    if (victims.length === 0) return null;
    const victimNames = list(
      victims.map((each) => names.pod(each)),
      5,
    );
    return {
      kind: 'evicts',
      text: say`${names.pod(pod)} evicts ${victimNames}${on}`,
    };
  }
  const waits = kind === 'pending' && pods[pod]?.after.state === 'pending';
  return waits ? { kind: 'waits', text: say`${names.pod(pod)} stays pending` } : null;
}

/** Workloads that another priority has been given together are one link. */
function priorityLinks(
  { workloads }: ComparedReport,
  priorities: Parts['priorities'],
  causes: readonly ReportCause[],
  names: ShortNames,
): PlanLink[] {
  const groups = new Map<string, Parts['priorities'][number][]>();
  for (const change of priorities) {
    const key = `${change.before} ${change.after} ${workloads[change.workload]?.className ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].map((group, index) => {
    const [{ before, after, workload: first }] = group as [Parts['priorities'][number]];
    const titles = group.map(({ workload }) => objectName(workloads[workload]!));
    const sentence = list(
      group.map(({ workload }) => names.workload(workload)),
      4,
    );
    return {
      id: `k${index + 1}`,
      by: ownOrAll(causes, [`PriorityClass/${workloads[first]?.className ?? ''}`, ...titles]),
      clock: 0,
      kind: 'priority',
      text: say`${sentence} ${group.length === 1 ? 'has' : 'have'} priority ${after} instead of ${before}`,
      workloads: titles,
      pod: '',
      node: '',
      victims: [],
    };
  });
}

/** The causes in these objects; all of them where it is none of these. */
function ownOrAll(causes: readonly ReportCause[], objects: readonly string[]): readonly string[] {
  const own = ownCauses(causes, objects);
  return own.length > 0 ? own : causes.map(({ id }) => id);
}

function ownCauses(causes: readonly ReportCause[], objects: readonly string[]): readonly string[] {
  return causes.flatMap(({ id, object }) => (objects.includes(object) ? [id] : []));
}
