import { addTo, getOrInsert } from '../../util/maps.ts';
import type { RecordedEviction, Recorder } from '../run/recorder.ts';
import type { ReportVictim } from '../../report-model/report.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** What the victims need to know about the cluster around them. */
export interface VictimContext {
  readonly recorder: Recorder;
  /** Budgets that select a pod, `namespace/name`. */
  budgetsOf(pod: SimulatedPod): readonly string[];
  /** The pod that its controller made in its place, if it did. */
  replacementOf(pod: SimulatedPod): SimulatedPod | undefined;
}

/** Question 2: who is hurt. */
export function buildVictims(context: VictimContext): ReportVictim[] {
  const { recorder } = context;
  const evicted = new Set(recorder.evictions.map(({ victim }) => victim));
  const before = new Map<number, SimulatedPod[]>();
  for (const { pod, before: place } of recorder.pods) {
    if (place.state !== 'running') continue;
    addTo(before, pod.workload, pod);
  }
  const violating = violatingVictims(context);
  return recorder.evictions.map((eviction) => {
    const { victim, node, preemptor } = eviction;
    const budgets = context.budgetsOf(victim);
    const violated = violating.get(victim) ?? [];
    const replicas = before.get(victim.workload) ?? [];
    const fate = fateOf(victim, context);
    return {
      pod: recorder.indexOf(victim),
      workload: victim.workload,
      preemptor: recorder.indexOf(preemptor),
      node: recorder.node(node),
      budget:
        budgets.length === 0
          ? { state: 'none', names: [] }
          : violated.length === 0
            ? { state: 'kept', names: budgets }
            : { state: 'violated', names: violated },
      gracePeriodSeconds: victim.gracePeriodSeconds,
      remaining: { running: replicas.filter((pod) => !evicted.has(pod)).length, before: replicas.length },
      ...fate,
      // Source: pkg/scheduler/framework/preemption/preemption.go, which names the pod by its UID.
      event: `Preempted by pod ${preemptor.key} on node ${node}`,
    };
  });
}

type Fate = Pick<ReportVictim, 'fate' | 'newNode' | 'replacement'>;

/** Follows the chain of replacements to the last one: a replacement may be evicted in turn. */
function fateOf(victim: SimulatedPod, context: VictimContext): Fate {
  const { recorder } = context;
  const first = context.replacementOf(victim);
  if (first === undefined) return { fate: 'gone', newNode: null, replacement: null };
  let last = first;
  for (let next = context.replacementOf(last); next !== undefined; next = context.replacementOf(last)) last = next;
  const place = recorder.placeOf(last);
  const replacement = recorder.indexOf(first);
  if (place.state === 'running') return { fate: 'moves', newNode: place.node, replacement };
  return { fate: place.state === 'rejected' ? 'gone' : 'pending', newNode: null, replacement };
}

/**
 * Which victims the scheduler counts as violating: budgets are spent on the most important pods first, so of the
 * victims of one preemption the least important ones under a violated budget.
 */
function violatingVictims(context: VictimContext): Map<SimulatedPod, readonly string[]> {
  const byPreemption = new Map<SimulatedPod, Map<string, RecordedEviction[]>>();
  for (const eviction of context.recorder.evictions) {
    const nodes = getOrInsert(byPreemption, eviction.preemptor, () => new Map());
    addTo(nodes, eviction.node, eviction);
  }
  const violating = new Map<SimulatedPod, readonly string[]>();
  for (const nodes of byPreemption.values()) {
    for (const evictions of nodes.values()) {
      let left = evictions[0]?.pdbViolations ?? 0;
      for (const { victim, violatedBudgets } of evictions.toReversed()) {
        if (left === 0) break;
        const names = context.budgetsOf(victim).filter((name) => violatedBudgets.includes(name));
        if (names.length === 0) continue;
        violating.set(victim, names);
        left -= 1;
      }
    }
  }
  return violating;
}
