import { sortInSteps } from '../../util/steps.ts';
import { compareText } from '../../util/words.ts';
import { derived, replaceItem, type Replacement } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { type ClassLadder, classLadder, podPriority } from './priority-classes.ts';

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
  return rankingIn(facts).ranked;
}

interface Ranking {
  readonly ranked: readonly RankedWorkload[];
  /** Those that preempt, in the same order, so that everybody above a priority is a first part of the list. */
  readonly preempting: readonly RankedWorkload[];
  /** Those of them that are no DaemonSets. */
  readonly placed: readonly RankedWorkload[];
}

function rankingIn(facts: FactsReader): Ranking {
  return ranking(facts).of(facts);
}

interface LastRanking {
  /** The classes by which it was ranked. */
  readonly ladder: ClassLadder | null;
  /** Of which it is the ranking. */
  readonly workloads: readonly Fact[];
  readonly ranked: readonly RankedWorkload[];
}

/**
 * The ranking of some workloads. It is made when somebody asks, as the priorities of workloads need a reader. While a
 * workspace is read, thousands of workloads come at a time: those that were ranked before stay where they stood.
 */
class RankedWorkloads {
  readonly #workloads: Fact[];
  readonly #replaced: Replacement[] = [];
  #ranking: Record<keyof Ranking, RankedWorkload[]> | undefined;

  constructor(workloads: readonly Fact[]) {
    this.#workloads = [...workloads];
  }

  of(facts: FactsReader): Ranking {
    if (
      this.#ranking === undefined ||
      !this.#replaced.every((replacement) => this.#replaceRanked(replacement, facts))
    ) {
      const ladder = classLadder(facts);
      const workloads = [...this.#workloads];
      const last = lastRankings.get(facts.owner);
      const ranked = rank(workloads, last?.ladder === ladder ? last : unranked, facts);
      lastRankings.set(facts.owner, { ladder, workloads, ranked });
      const preempting = ranked.filter(({ preempts }) => preempts);
      this.#ranking = { ranked, preempting, placed: preempting.filter(({ fact }) => fact.kind !== 'DaemonSet') };
    }
    this.#replaced.length = 0;
    return this.#ranking;
  }

  replace(replacement: Replacement): boolean {
    const { before, after } = replacement;
    // Another class may be another priority for anybody.
    if (before.kind === 'PriorityClass') return false;
    replaceItem(this.#workloads, before, after);
    if (this.#ranking !== undefined) this.#replaced.push(replacement);
    return true;
  }

  /** False when the new one has another place in the ranking. */
  #replaceRanked({ before, after }: Replacement, facts: FactsReader): boolean {
    const { ranked, preempting, placed } = this.#ranking!;
    const at = ranked.findIndex(({ fact }) => fact === before);
    const now = rankOf(after, facts);
    if (at === -1 || now === undefined) return at === -1 && now === undefined;
    const was = ranked[at]!;
    if (was.preempts !== now.preempts || inOrder(was, now) !== 0) return false;
    ranked[at] = now;
    replaceItem(preempting, was, now);
    replaceItem(placed, was, now);
    return true;
  }
}

const unranked: LastRanking = { ladder: null, workloads: [], ranked: [] };

/** By the owner of the workloads, as it was when somebody last asked. */
const lastRankings = new WeakMap<object, LastRanking>();

const ranking = derived(
  [...workloadKinds, 'PriorityClass'],
  (...lists) => new RankedWorkloads(lists.slice(0, -1).flat()),
  (result, replacement) => result.replace(replacement),
);

/**
 * Ranks all workloads in steps, so that a ranking that is asked for next finds nearly everything in its place: of
 * those of a large workspace it takes a second.
 */
export function* rankInSteps(facts: FactsReader): Generator<void, void> {
  const workloads: Fact[] = [];
  for (const kind of workloadKinds) {
    for (const fact of facts.ofKind(kind)) workloads.push(fact);
    yield;
  }
  const ladder = classLadder(facts);
  const ranked: RankedWorkload[] = [];
  for (const fact of workloads) {
    const each = rankOf(fact, facts);
    if (each !== undefined) ranked.push(each);
    yield;
  }
  // They come in the order in which they are declared, which a stable sort keeps among equals.
  lastRankings.set(facts.owner, { ladder, workloads, ranked: yield* sortInSteps(ranked, inOrder) });
}

/** @param last some of them, and perhaps others, as they were ranked by the same classes */
function rank(workloads: readonly Fact[], last: LastRanking, facts: FactsReader): RankedWorkload[] {
  const { ranked: before } = last;
  const isSame =
    workloads.length === last.workloads.length && workloads.every((fact, at) => fact === last.workloads[at]);
  if (isSame) return [...before];
  const places = new Map(workloads.map((fact, place) => [fact, place]));
  // Of equals the first that is declared, wherever it stood before.
  const inPlace = (a: RankedWorkload, b: RankedWorkload): number =>
    inOrder(a, b) || places.get(a.fact)! - places.get(b.fact)!;
  const known = before.filter(({ fact }) => places.has(fact));
  const isKnown = new Set(known.map(({ fact }) => fact));
  const added = workloads.flatMap((fact) => (isKnown.has(fact) ? [] : (rankOf(fact, facts) ?? [])));
  if (added.length === 0) return known;
  // Two parts that are sorted, but for very little, which a sort makes use of.
  return [...known, ...added.sort(inPlace)].sort(inPlace);
}

function rankOf(fact: Fact, facts: FactsReader): RankedWorkload | undefined {
  if (isMadeByController(fact)) return undefined;
  const resolved = podPriority(facts, fact);
  if (resolved?.admitted !== true) return undefined;
  const { priority, className, preemptionPolicy } = resolved;
  return { fact, priority, className, preempts: preemptionPolicy !== 'Never' };
}

function inOrder(a: RankedWorkload, b: RankedWorkload): number {
  return (
    b.priority - a.priority || compareText(a.fact.namespace, b.fact.namespace) || compareText(a.fact.name, b.fact.name)
  );
}

/** Whether a controller made the object, which is then no workload of its own. */
export function isMadeByController(fact: Fact): boolean {
  return (fact.object.metadata?.ownerReferences?.length ?? 0) > 0;
}

/** Who outranks a priority and preempts. */
export interface Outranking {
  readonly count: number;
  /** The one with the highest priority. */
  readonly highest: RankedWorkload | undefined;
}

/** From here on are the classes of the system, which are meant to evict anybody: no advice is given about them. */
export const systemPriority = 2_000_000_000;

/**
 * Workloads that may evict pods of a priority, except some.
 *
 * @param below the priority from which on others do not count
 */
export function preemptors(
  facts: FactsReader,
  priority: number,
  excepted: readonly Fact[],
  below = Number.POSITIVE_INFINITY,
): Outranking {
  const { preempting } = rankingIn(facts);
  const isExcepted = new Set(excepted);
  const others = excepted.filter((fact) => {
    const ranked = rankOf(fact, facts);
    return ranked?.preempts === true && ranked.priority > priority && ranked.priority < below;
  });
  const first = countWhere(preempting, (each) => each >= below);
  const count = countAbove(preempting, priority) - first - others.length;
  const isCause = ({ fact }: RankedWorkload, at: number): boolean => at >= first && !isExcepted.has(fact);
  return { count, highest: count > 0 ? preempting.find(isCause) : undefined };
}

/** Workloads that may evict pods of a DaemonSet of some priority; other DaemonSets and those of the system do not count. */
export function outrankingDaemons(facts: FactsReader, priority: number): Outranking {
  const { placed } = rankingIn(facts);
  const first = countWhere(placed, (each) => each >= systemPriority);
  const count = countAbove(placed, priority) - first;
  return { count, highest: count > 0 ? placed[first] : undefined };
}

/** How many of a list with the highest first are above a priority. */
function countAbove(list: readonly RankedWorkload[], priority: number): number {
  return countWhere(list, (each) => each > priority);
}

/** How many of a list with the highest first it begins with whose priority is as asked for. */
function countWhere(list: readonly RankedWorkload[], isAsked: (priority: number) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAsked(list[middle]!.priority)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface PriorityRanking {
  /** Workloads whose pods it may evict, the highest first. */
  readonly below: readonly RankedWorkload[];
  /** Workloads that may evict it, the highest first. */
  readonly above: readonly RankedWorkload[];
}

/** Who may preempt whom, seen from a priority. `self` is left out. */
export function priorityRanking(
  facts: FactsReader,
  priority: number,
  preempts: boolean,
  self: Fact | null,
): PriorityRanking {
  const { ranked, preempting } = rankingIn(facts);
  const own = self === null ? undefined : rankOf(self, facts);
  const withoutSelf = (list: readonly RankedWorkload[]): readonly RankedWorkload[] =>
    own === undefined || own.priority === priority ? list : list.filter(({ fact }) => fact !== self);
  return {
    below: preempts ? withoutSelf(ranked.slice(countWhere(ranked, (each) => each >= priority))) : [],
    above: withoutSelf(preempting.slice(0, countAbove(preempting, priority))),
  };
}
