import type { Report, ReportDrain } from '../../report-model/report.ts';
import { remedyFor } from '../../disruption/eviction-remedy.ts';
import { budgetsOfPod, type EvictionRefused } from '../../disruption/eviction.ts';
import { type UnreadyPod, unreadyPods } from '../../disruption/unready-pods.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { describeRemedy } from './describe-remedy.ts';
import type { VictimContext } from './build-victims.ts';

/** A node that was drained in a run. */
export interface DrainedNode {
  readonly node: string;
  readonly asksBudgets: boolean;
  readonly evicted: readonly { readonly pod: SimulatedPod; readonly clock: number }[];
  /** Who is still there when nothing moves any more, with the last answer. */
  readonly blocked: ReadonlyMap<SimulatedPod, EvictionRefused>;
  readonly failed: readonly { readonly pod: SimulatedPod; readonly why: string }[];
  readonly refusals: readonly { readonly why: string; readonly pods: readonly SimulatedPod[] }[];
  /** Who competes for what a budget, `namespace/name`, has left. */
  readonly races: readonly {
    readonly budget: string;
    readonly pods: readonly SimulatedPod[];
    readonly evicted: number;
  }[];
  readonly drainedAt: number | null;
}

/** A node whose kubelet, or whose taint, evicted pods in a run. */
export type PressedNode = Pick<DrainedNode, 'node' | 'evicted'>;

/** A pod that finds no node, as its status tells of it. */
export function nodeless(pod: Pod): Pod {
  return { ...pod, status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] } };
}

/** Drains in the indexes of the report. */
export function buildDrains(drains: readonly DrainedNode[], context: VictimContext): Report['drains'] {
  const { recorder } = context;
  const unreadyOf = (budget: PodDisruptionBudget): readonly UnreadyPod[] =>
    unreadyPods(
      recorder.pods
        .map(({ pod }) => (recorder.placeOf(pod).state === 'pending' ? nodeless(pod.pod) : pod.pod))
        .filter((pod) => budgetsOfPod(pod, [budget]).length > 0),
      0,
    );
  return drains.map(({ node, asksBudgets, evicted, blocked, failed, refusals, races, drainedAt }): ReportDrain => ({
    node: recorder.node(node),
    asksBudgets,
    evicted: leaving(evicted, context),
    blocked: [...blocked].map(([pod, answer]) => ({
      pod: recorder.indexOf(pod),
      why: `${answer.code} ${answer.reason ?? ''}`.trimEnd(),
      help: describeRemedy(remedyFor(answer, { pod: pod.pod, unreadyOf })).text,
    })),
    failed: failed.map(({ pod, why }) => ({ pod: recorder.indexOf(pod), why })),
    refusals: refusals.map(({ why, pods }) => ({ why, pods: pods.map((pod) => recorder.indexOf(pod)) })),
    races: races.map((race) => ({ ...race, pods: race.pods.map((pod) => recorder.indexOf(pod)) })),
    drainedAt,
  }));
}

export function buildPressures(pressures: readonly PressedNode[], context: VictimContext): Report['pressures'] {
  return pressures.map(({ node, evicted }) => ({
    node: context.recorder.node(node),
    evicted: leaving(evicted, context),
  }));
}

export function buildTaints(
  tainted: readonly (PressedNode & { readonly byDevices?: boolean })[],
  context: VictimContext,
): NonNullable<Report['taints']> {
  return buildPressures(tainted, context).map((node, index) =>
    tainted[index]?.byDevices === true ? { ...node, byDevices: true } : node,
  );
}

function leaving(evicted: DrainedNode['evicted'], context: VictimContext): ReportDrain['evicted'] {
  const { recorder } = context;
  return evicted.map(({ pod, clock }) => {
    const replacement = context.replacementOf(pod);
    const replacedBy = replacement === undefined ? null : recorder.indexOf(replacement);
    return { pod: recorder.indexOf(pod), clock, replacement: replacedBy };
  });
}
