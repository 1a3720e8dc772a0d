import type { Fact, FactsReader } from './facts.ts';
import { workloadKinds } from '../kubernetes/pod-template.ts';
import { classLadder, type ClassLadder, podPriority } from './priority-classes.ts';

/** A workload and the priority of its pods. */
export interface RankedWorkload {
  readonly fact: Fact;
  readonly priority: number;
  /** The class the priority comes from; empty when none. */
  readonly className: string;
  readonly preempts: boolean;
}

interface Ranking {
  readonly ladder: ClassLadder;
  readonly lists: readonly (readonly Fact[])[];
  readonly workloads: readonly RankedWorkload[];
}

/** Keyed by the ladder: it changes least, and a new one makes everything new. */
const rankings = new WeakMap<ClassLadder, Ranking>();

/**
 * Every workload whose priority is known, highest first. A Pod that a controller made stands for its controller only
 * when that one is not declared itself; workloads that the API server would refuse are left out.
 */
export function rankedWorkloads(facts: FactsReader): readonly RankedWorkload[] {
  const ladder = classLadder(facts);
  const lists = workloadKinds.map((kind) => facts.ofKind(kind));
  const known = rankings.get(ladder);
  if (known?.lists.every((list, index) => list === lists[index]) === true) return known.workloads;
  const workloads: RankedWorkload[] = [];
  for (const fact of lists.flat()) {
    if (fact.kind === 'Pod' && (fact.object.metadata?.ownerReferences?.length ?? 0) > 0) continue;
    const resolved = podPriority(facts, fact);
    if (resolved?.admitted !== true) continue;
    const { priority, className, preemptionPolicy } = resolved;
    workloads.push({ fact, priority, className, preempts: preemptionPolicy !== 'Never' });
  }
  workloads.sort((a, b) => b.priority - a.priority || compareText(a.fact.namespace, b.fact.namespace) || compareText(a.fact.name, b.fact.name));
  rankings.set(ladder, { ladder, lists, workloads });
  return workloads;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface Standing {
  /** Workloads whose pods it may evict, the highest first. */
  readonly below: readonly RankedWorkload[];
  /** Workloads that may evict it, the highest first. */
  readonly above: readonly RankedWorkload[];
}

/** Who may preempt whom, seen from a priority. `self` is left out. */
export function standing(facts: FactsReader, priority: number, preempts: boolean, self: Fact | null): Standing {
  const others = rankedWorkloads(facts).filter((workload) => workload.fact !== self);
  return {
    below: preempts ? others.filter((workload) => workload.priority < priority) : [],
    above: others.filter((workload) => workload.preempts && workload.priority > priority),
  };
}
