import { getOrInsert } from '../../util/maps.ts';
import { own, put } from '../../util/own.ts';
import type { RolledOut } from '../run/roll-outs.ts';
import { evictedPods } from '../../report-model/evicted-pods.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { answerInSteps } from './answer/build-answer.ts';
import type { AnswerParts } from './answer/answer-context.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { Causes } from '../causes/find-causes.ts';
import { buildDrains, buildPressures, buildTaints, type DrainedNode, type PressedNode } from './build-drains.ts';
import { buildVictims, type VictimContext } from './build-victims.ts';
import { buildTimeline } from './timeline.ts';
import {
  reportVersion,
  type Amounts,
  type Assumption,
  type WholeReport,
  type ReportNode,
  type ReportPod,
  type ReportScenario,
  type ReportWorkload,
  type ReportStep,
  type Rung,
  type PodPlace,
} from '../../report-model/report.ts';

export interface ReportParts
  extends
    VictimContext,
    Pick<
      AnswerParts,
      | 'without'
      | 'budgetKeeps'
      | 'doubtOf'
      | 'overQuota'
      | 'nodePlaces'
      | 'comes'
      | 'poolAnswers'
      | 'held'
      | 'unattached'
      | 'groups'
    > {
  readonly scenario: ReportScenario;
  readonly kubernetes: WholeReport['kubernetes'];
  readonly workloads: readonly ReportWorkload[];
  readonly nodes: readonly ReportNode[];
  /** Pods, by index, that waited before anything arrived. */
  readonly waitedBefore: ReadonlySet<number>;
  /** What would help the pod of a decision, by index of the decision. */
  readonly wouldHelp: ReadonlyMap<number, readonly string[]>;
  readonly causes: Causes;
  /** Question 5, by index of the pod. */
  readonly threats: ReadonlyMap<number, readonly number[]>;
  readonly snapshot: WholeReport['snapshot'];
  readonly unseen: readonly Unseen[];
  readonly events: WholeReport['events'];
  readonly drains: readonly DrainedNode[];
  readonly pressures: readonly PressedNode[];
  readonly taints: readonly PressedNode[];
  readonly rollOuts?: readonly RolledOut[];
  readonly refused?: AnswerParts['refused'];
  /** None where no ResourceSlice is. */
  readonly devices: NonNullable<WholeReport['devices']>;
  readonly clockStart?: number;
  /** Limits of pools that keep pods pending. */
  readonly limits: NonNullable<WholeReport['limits']>;
  readonly nearestPools: NonNullable<WholeReport['nearestPools']>;
  assumptions(report: Omit<WholeReport, 'answer' | 'assumptions'>): readonly Assumption[];
}

/** Puts the report together from what was recorded. Yields now and then. */
export function* buildReport(parts: ReportParts): Generator<void, WholeReport> {
  const report = yield* reportBody(parts);
  yield;
  const answer = yield* answerInSteps({
    ...report,
    waitedBefore: parts.waitedBefore,
    held: parts.held,
    without: parts.without,
    unattached: parts.unattached,
    groups: parts.groups,
    nodePlaces: parts.nodePlaces,
    comes: parts.comes,
    poolAnswers: parts.poolAnswers,
    budgetKeeps: parts.budgetKeeps,
    doubtOf: parts.doubtOf,
    overQuota: parts.overQuota,
    rollOuts: parts.rollOuts ?? [],
    refused: parts.refused ?? [],
  });
  yield;
  return { ...report, answer, assumptions: parts.assumptions(report) };
}

/** Pods between two yields. */
const podsAtOnce = 1_000;

/** The report without what is told from it; of a run that is not explained, as far as figures rest on it. */
export function* reportBody(
  parts: Omit<ReportParts, 'assumptions'>,
): Generator<void, Omit<WholeReport, 'answer' | 'assumptions'>> {
  const { recorder } = parts;
  const ladder = buildLadder(recorder.pods.map(({ pod }) => pod));
  const rungs = new Map(ladder.map(({ priority }, index) => [priority, index]));
  const average = averageAllocatable(parts.nodes);
  const templates = new Map((parts.rollOuts ?? []).flatMap((rolled) => [...rolled.templates]));
  const pods: ReportPod[] = [];
  for (const [index, { pod, before, decision }] of recorder.pods.entries()) {
    if (index % podsAtOnce === 0) yield;
    const template = templates.get(pod);
    const unattached = parts.unattached.get(index)?.why;
    pods.push({
      namespace: namespaceOf(pod.pod),
      name: pod.pod.metadata?.name ?? '',
      workload: pod.workload,
      priority: pod.priority,
      rung: rungs.get(pod.priority) ?? 0,
      className: pod.className,
      preemptionPolicy: pod.preemptionPolicy,
      requests: pod.requests,
      share: recorder.explains ? dominantShare(pod.requests, average) : 0,
      gracePeriodSeconds: pod.gracePeriodSeconds,
      before,
      after: recorder.placeOf(pod),
      budgets: recorder.explains ? parts.budgetsOf(pod) : [],
      origin: pod.origin,
      decision,
      threats: parts.threats.get(index) ?? [],
      ...(template === undefined ? {} : { template }),
      ...(unattached === undefined ? {} : { unattached }),
    });
  }
  yield;
  const victims = buildVictims(parts);
  const pending = pods.flatMap(({ after, decision }, pod) =>
    (after.state === 'pending' || after.state === 'nominated') && decision !== null
      ? [{ pod, decision, cause: parts.causes.of.get(pod) ?? null }]
      : [],
  );
  yield;
  const left = {
    drains: buildDrains(parts.drains, parts),
    pressures: buildPressures(parts.pressures, parts),
    ...(parts.taints.length === 0 ? {} : { taints: buildTaints(parts.taints, parts) }),
  };
  const evicted = evictedPods({ victims, ...left });
  const hasEnded = (pod: number, { state }: PodPlace): boolean => state === 'evicted' && !evicted.has(pod);
  for (const [index, pod] of pods.entries()) {
    if (hasEnded(index, pod.after)) pods[index] = { ...pod, after: { ...pod.after, state: 'ended' } };
  }
  const steps = recorder.steps.map((step): ReportStep => {
    if (!step.changes.some(({ pod, place }) => hasEnded(pod, place))) return step;
    const changes = step.changes.map(({ pod, place }) =>
      hasEnded(pod, place) ? { pod, place: { ...place, state: 'ended' as const } } : { pod, place },
    );
    return { ...step, changes };
  });
  const inState = (state: ReportPod['after']['state']) => pods.filter(({ after }) => after.state === state).length;
  return {
    version: reportVersion,
    kubernetes: parts.kubernetes,
    scenario: parts.scenario,
    ladder,
    workloads: parts.workloads,
    nodes: parts.nodes,
    pods,
    steps,
    events: parts.events,
    questions: [],
    ...left,
    ...(parts.devices.length === 0 ? {} : { devices: parts.devices }),
    ...(parts.clockStart === undefined ? {} : { clockStart: parts.clockStart }),
    ...(parts.limits.length === 0 ? {} : { limits: parts.limits }),
    ...(parts.nearestPools.length === 0 ? {} : { nearestPools: parts.nearestPools }),
    timeline: recorder.explains
      ? buildTimeline(
          pods,
          steps,
          (pod) => pod < recorder.firstPods,
          (pod) => evicted.has(pod),
        )
      : [],
    decisions: recorder.explained(parts.wouldHelp),
    victims,
    pending,
    causes: parts.causes.causes,
    totals: {
      nodes: parts.nodes.length,
      running: inState('running'),
      scheduled: recorder.steps.filter(({ kind }) => kind === 'scheduled').length,
      evicted: victims.length,
      pending: pending.length,
      gated: inState('gated'),
      budgetsViolated: new Set(victims.flatMap(({ budget }) => (budget.state === 'violated' ? budget.names : []))).size,
      preemptionAttempts: recorder.preemptionAttempts,
      preemptionVictims: victims.length,
    },
    comparison: null,
    remedies: null,
    capacity: null,
    snapshot: parts.snapshot,
    unseen: parts.unseen,
  };
}

function averageAllocatable(nodes: readonly ReportNode[]): Amounts {
  const sums = Object.create(null) as Record<string, number>;
  for (const { allocatable } of nodes) {
    for (const [resource, amount] of Object.entries(allocatable)) {
      put(sums, resource, (own(sums, resource) ?? 0) + amount);
    }
  }
  for (const resource of Object.keys(sums)) put(sums, resource, (sums[resource] ?? 0) / nodes.length);
  return sums;
}

function dominantShare(requests: Amounts, average: Amounts): number {
  let share = 0;
  for (const [resource, amount] of Object.entries(requests)) {
    const available = own(average, resource) ?? 0;
    if (available > 0) share = Math.max(share, amount / available);
  }
  return Math.min(1, share);
}

interface Ranked {
  readonly priority: number;
  readonly className: string | null;
}

/** The priorities that occur, highest first, spread evenly over the colour scale. */
function buildLadder(pods: Iterable<Ranked>): Rung[] {
  const classes = new Map<number, Set<string>>();
  for (const { priority, className } of pods) {
    const names = getOrInsert(classes, priority, () => new Set());
    if (className !== null) names.add(className);
  }
  const priorities = [...classes.keys()].sort((a, b) => b - a);
  return priorities.map((priority, index) => ({
    priority,
    classes: [...(classes.get(priority) ?? [])].sort(),
    position: priorities.length === 1 ? 1 : 1 - index / (priorities.length - 1),
  }));
}
