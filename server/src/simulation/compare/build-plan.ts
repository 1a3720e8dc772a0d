import { joined, say } from '../../kit/say.ts';
import { evictedPods } from '../../contract/evicted-pods.ts';
import type { Plan, PlanEffect, PlanLink } from '../../contract/plan.ts';
import type {
  ComparedReport,
  ReportCause,
  ReportComparison,
  ReportPod,
  ReportStep,
  ReportWorkload,
} from '../../contract/report.ts';
import { type ShortNames, shortNames } from '../../contract/short-names.ts';
import { compareText, count, list, outOf, qualifiedName } from '../../kit/words.ts';
import { changedLanes } from './changed-lanes.ts';
import { changedNodes } from './changed-nodes.ts';
import { storyOf } from './story.ts';
import { figuresOf } from '../report/answer/figures.ts';
import type { Pair } from './pairs.ts';

/** More links are counted. */
const most = 100;

/** A run on the way from the first to the last, and what it is called. */
export interface Stage {
  readonly report: ComparedReport;
  readonly label: string;
  /** The operation that leads to it; empty where none does. */
  readonly whatIf: string;
}

/** The runs on the way from the first to the last, and what that is called. */
export interface Way {
  readonly between: readonly Stage[];
  readonly end: Omit<Stage, 'report'>;
}

/** Straight to what is there now. */
export function straight(): Way {
  return { between: [], end: { label: say`now`, whatIf: '' } };
}

interface Parts extends Pick<ReportComparison, 'causes' | 'priorities'> {
  readonly before: ComparedReport;
  readonly after: ComparedReport;
  readonly since: string;
  readonly pairs: readonly Pair[];
  readonly way: Way;
}

/** Cause, chain and effect of two runs of one scenario. */
export function* buildPlan(parts: Parts): Generator<void, Plan> {
  const { before, after, since, way } = parts;
  const chain = chainOf(parts);
  yield;
  const effects = effectsOf(parts);
  yield;
  const stages: readonly Stage[] = [
    { label: since, whatIf: '', report: before },
    ...way.between,
    { ...way.end, report: after },
  ];
  const stage = ({ label, whatIf, report }: Stage, index: number): Plan['stages'][number] => ({
    id: `s${index}`,
    label,
    whatIf,
    figures: figuresOf(report.answer),
    settledSeconds: report.steps.at(-1)?.clock ?? 0,
  });
  const story = storyOf({ ...parts, chain, effects });
  yield;
  const reports = stages.map(({ report }) => report);
  const nodes = yield* changedNodes(reports);
  const lanes = yield* changedLanes(reports);
  return {
    stages: stages.map(stage),
    chain: chain.slice(0, most),
    story,
    moreLinks: Math.max(0, chain.length - most),
    effects,
    ...nodes,
    lanes,
  };
}

/** The steps that only the later run takes, behind what they follow from. */
function chainOf({ before, after, pairs, causes, priorities }: Parts): readonly PlanLink[] {
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
  const linkOfStep = new Map<number, string>();
  /** The link that says that a pod waits, until it is tried with another end. */
  const waits = new Map<number, string>();
  /** Where a pod was to go, and who has taken the room since: both by the step. */
  const meant = new Map<number, { readonly node: number | null; readonly step: number }>();
  const taken = new Map<number | null, { readonly link: string; readonly step: number }>();
  const roomTaken = (pod: number): string | undefined => {
    const place = meant.get(pod);
    const taker = place === undefined ? undefined : taken.get(place.node);
    return place !== undefined && taker !== undefined && taker.step > place.step ? taker.link : undefined;
  };
  for (const [index, step] of after.steps.entries()) {
    const parent = step.by === null ? undefined : linkOfStep.get(step.by);
    const key = keyOf(after, step, (pod) => (earlier.get(pod) == null ? `a${pod}` : `b${earlier.get(pod)!}`));
    const same = known.get(key) ?? 0;
    if (same > 0) known.set(key, same - 1);
    const told = same > 0 ? null : linkText(after, step, names);
    const loser = told === null ? undefined : roomTaken(step.pod);
    if (step.kind === 'nominated') meant.set(step.pod, { node: step.node, step: index });
    if (told === null) {
      // What only leads from one to the next stands for the one.
      if (parent !== undefined) linkOfStep.set(index, parent);
      continue;
    }
    // A pod that is tried again in vain waits as before.
    const waiting = waits.get(step.pod);
    if (told.kind === 'waits' && waiting !== undefined) {
      linkOfStep.set(index, waiting);
      continue;
    }
    const workloads = [step.pod, ...step.victims].map((pod) => workloadOf(after, pod));
    const id = `k${links.length + 1}`;
    const by = parent ?? loser ?? byWorkload.get(workloads[0]!);
    const causedBy = by === undefined ? ownCauses(causes, [workloads[0]!, `Node/${nodeName(after, step.node)}`]) : [by];
    links.push({
      id,
      by: causedBy,
      clock: step.clock,
      ...told,
      workloads: [...new Set(workloads)],
      pod: qualifiedName(after.pods[step.pod]!),
      node: nodeName(after, step.node),
      victims: step.victims.map((pod) => qualifiedName(after.pods[pod]!)),
    });
    linkOfStep.set(index, id);
    if (told.kind === 'waits') waits.set(step.pod, id);
    else waits.delete(step.pod);
    if (step.kind === 'scheduled') taken.set(step.node, { link: id, step: index });
  }
  return links;
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
    const titles = group.map(({ workload }) => titleOf(workloads[workload]));
    const told = list(
      group.map(({ workload }) => names.workload(workload)),
      4,
    );
    return {
      id: `k${index + 1}`,
      by: ownCauses(causes, [`PriorityClass/${workloads[first]?.className ?? ''}`, ...titles]),
      clock: 0,
      kind: 'priority',
      text: say`${told} ${group.length === 1 ? 'has' : 'have'} priority ${after} instead of ${before}`,
      workloads: titles,
      pod: '',
      node: '',
      victims: [],
    };
  });
}

/** The causes in these objects; all of them where it is none of these. */
function ownCauses(causes: readonly ReportCause[], objects: readonly string[]): readonly string[] {
  const own = causes.filter(({ object }) => objects.includes(object));
  return (own.length === 0 ? causes : own).map(({ id }) => id);
}

type State = PlanEffect['at'][number];

function effectsOf({ before, after, causes, pairs, way: { between } }: Parts): readonly PlanEffect[] {
  const moved = new Set<string>();
  for (const { before: was, after: is } of pairs) {
    if (was === null || is === null) continue;
    const from = nodeName(before, before.pods[was]?.after.node ?? null);
    const to = nodeName(after, after.pods[is]?.after.node ?? null);
    if (from !== to && from !== '' && to !== '') moved.add(workloadOf(after, is));
  }
  const [earlier, now] = [statesOf(before), statesOf(after)];
  const middle = between.map(({ report }) => statesOf(report));
  const none: State = { running: 0, of: 0, evicted: 0, ended: 0, pending: 0, text: say`not there` };
  const effects = [...new Set([...earlier.keys(), ...now.keys()])].flatMap((workload): PlanEffect[] => {
    const [was, is] = [earlier.get(workload) ?? none, now.get(workload) ?? none];
    const way = middle.map((states) => states.get(workload) ?? none);
    // What is made good in the end has happened on the way all the same.
    const onTheWay = (): PlanEffect['change'] | null =>
      way.reduce<PlanEffect['change'] | null>((found, on) => found ?? changeOf(was, on, false), null);
    const change = changeOf(was, is, moved.has(workload)) ?? onTheWay();
    if (change === null) return [];
    const by = causes.map(({ id }) => id);
    const together = new Set(causes.map(({ object }) => object)).size > 1;
    return [
      {
        workload,
        name: workload.slice(workload.lastIndexOf('/') + 1),
        change,
        by,
        together,
        at: [was, ...way, is],
      },
    ];
  });
  return effects.sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
}

const order: readonly PlanEffect['change'][] = ['worse', 'better', 'restarted', 'moved'];

function changeOf(was: State, is: State, moved: boolean): PlanEffect['change'] | null {
  if (was.of === 0 && is.pending === 0 && is.running > 0) return 'better';
  const lost = was.running - is.running || is.pending - was.pending;
  if (lost !== 0 && is.of >= was.of) return lost > 0 ? 'worse' : 'better';
  if (is.evicted !== was.evicted) return is.evicted > was.evicted ? 'restarted' : 'better';
  if (is.ended > was.ended && is.of >= was.of) return 'restarted';
  return moved || was.of !== is.of ? 'moved' : null;
}

/** How the pods of each workload fare in the end; of a pod without one, as of a workload of its own. */
export function statesOf(report: ComparedReport): ReadonlyMap<string, State> {
  const evicted = evictedPods(report);
  const all = new Map<string, Record<'running' | 'evicted' | 'ended' | 'pending' | 'of' | 'asked', number>>();
  for (const [index, pod] of report.pods.entries()) {
    const workload = workloadOf(report, index);
    const none = { running: 0, evicted: 0, ended: 0, pending: 0, of: 0 };
    const state = all.get(workload) ?? { ...none, asked: askedFor(report, pod) };
    all.set(workload, state);
    const is = pod.after.state;
    if (is === 'evicted' || is === 'terminating') {
      state[evicted.has(index) ? 'evicted' : 'ended'] += 1;
      continue;
    }
    state.of += 1;
    if (is === 'running') state.running += 1;
    else state.pending += 1;
  }
  return new Map(
    [...all].map(([workload, { asked, ...state }]) => {
      const of = Math.max(state.of, asked);
      return [workload, { ...state, of, text: stateText({ ...state, of }) }];
    }),
  );
}

function stateText({ running, of, evicted, ended, pending }: Omit<State, 'text'>): string {
  const lost = evicted === 0 ? [] : [say`${evicted} evicted`];
  const over = ended === 0 ? [] : [say`${ended} ended`];
  const waits = pending === 0 ? [] : [count(pending, 'pod waits', 'pods wait')];
  const runs = running === 0 && evicted > 0 ? say`0 of ${of}, down` : outOf(running, of);
  return joined([runs, ...lost, ...over, ...waits], ', ');
}

function askedFor({ workloads }: ComparedReport, { workload }: ReportPod): number {
  return workloads[workload ?? -1]?.replicas ?? 0;
}

function workloadOf({ pods, workloads }: ComparedReport, index: number): string {
  const pod = pods[index]!;
  const workload = workloads[pod.workload ?? -1];
  return workload === undefined ? titleOf({ kind: 'Pod', ...pod }) : titleOf(workload);
}

/** `Deployment/shop/cart`, as causes name objects. */
function titleOf(of: Pick<ReportWorkload, 'kind' | 'namespace' | 'name'> | undefined): string {
  return of === undefined ? '' : `${of.kind}/${of.namespace === '' ? '' : `${of.namespace}/`}${of.name}`;
}

function nodeName({ nodes }: ComparedReport, node: number | null): string {
  return node === null ? '' : (nodes[node]?.name ?? '');
}
