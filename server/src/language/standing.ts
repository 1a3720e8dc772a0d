import { derived } from './derived.ts';
import type { Fact, FactsReader } from './facts.ts';
import { workloadKinds } from '../kubernetes/pod-template.ts';
import { podPriority } from './priority-classes.ts';

/** A workload and the priority of its pods. */
export interface RankedWorkload {
  readonly fact: Fact;
  readonly priority: number;
  /** The class the priority comes from; empty when none. */
  readonly className: string;
  readonly preempts: boolean;
}

/**
 * Every workload whose priority is known, highest first. A Pod that a controller made is told of by its controller;
 * workloads that the API server would refuse are left out.
 */
export function rankedWorkloads(facts: FactsReader): readonly RankedWorkload[] {
  return ranking(facts)(facts);
}

/** Made anew with the workloads and the classes; the priorities of both need the reader. */
const ranking = derived([...workloadKinds, 'PriorityClass'], (...lists) => {
  let ranked: readonly RankedWorkload[] | undefined;
  return (facts: FactsReader) => (ranked ??= rank(lists.slice(0, -1).flat(), facts));
});

function rank(workloads: readonly Fact[], facts: FactsReader): RankedWorkload[] {
  const ranked: RankedWorkload[] = [];
  for (const fact of workloads) {
    if (isMadeByController(fact)) continue;
    const resolved = podPriority(facts, fact);
    if (resolved?.admitted !== true) continue;
    const { priority, className, preemptionPolicy } = resolved;
    ranked.push({ fact, priority, className, preempts: preemptionPolicy !== 'Never' });
  }
  return ranked.sort(
    (a, b) =>
      b.priority - a.priority || compareText(a.fact.namespace, b.fact.namespace) || compareText(a.fact.name, b.fact.name),
  );
}

/** Whether a controller made the object, which is then no workload of its own. */
export function isMadeByController(fact: Fact): boolean {
  return (fact.object.metadata?.ownerReferences?.length ?? 0) > 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Who outranks a priority and preempts. */
export interface Outranking {
  readonly count: number;
  /** The one with the highest priority. */
  readonly highest: RankedWorkload | undefined;
}

/** Those among the ranked that preempt, in order, so that everybody above a priority is a first part of the list. */
const preemptingOf = new WeakMap<readonly RankedWorkload[], readonly RankedWorkload[]>();

/** Workloads that may evict pods of a priority, except some. */
export function outranking(facts: FactsReader, priority: number, isExcepted: (workload: Fact) => boolean): Outranking {
  const ranked = rankedWorkloads(facts);
  let preempting = preemptingOf.get(ranked);
  if (preempting === undefined) {
    preempting = ranked.filter((workload) => workload.preempts);
    preemptingOf.set(ranked, preempting);
  }
  let count = 0;
  let highest: RankedWorkload | undefined;
  for (const workload of preempting) {
    if (workload.priority <= priority) break;
    if (isExcepted(workload.fact)) continue;
    highest ??= workload;
    count += 1;
  }
  return { count, highest };
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
