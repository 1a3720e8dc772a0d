import { count, grouped, list } from '../util/words.ts';
import { say } from '../util/say.ts';
import { type Checked, index, listOf, prose, shape, text } from './check.ts';

/**
 * What a run has decided while it goes on: a part of the answer, and shown as one. In pods; `arriving` is the sum of
 * `scheduled`, `pending`, `gated`, `refused` and `undecided`.
 */
export const soFar = shape({
  arriving: index,
  scheduled: index,
  pending: index,
  gated: index,
  refused: index,
  undecided: index,
  evicted: index,
  /** `checkout evicts cart and web so far.` */
  headline: prose,
  /** Workloads that lose pods, those that lose most first. */
  victims: listOf(shape({ name: text, count: prose, for: prose })),
  /** How many more there are. */
  moreVictims: index,
});
export type SoFar = Checked<typeof soFar>;

/** What is told while a simulation runs. */
export interface SimulationProgress {
  /** `Deciding 120 of 253 pods · 4 evicted so far`. */
  readonly text: string;
  readonly soFar?: SoFar | undefined;
}

export function decidedOf({ arriving, undecided }: SoFar): number {
  return arriving - undecided;
}

/** `Decided 120 of 253 pods`. */
export function decidedText(part: SoFar): string {
  return say`Decided ${decidedOf(part)} of ${count(part.arriving, 'pod')}`;
}

/** `5 pending`, `1 gated`, `2 refused`: of those that are none nothing is said. */
export function waitsText(pending: number, gated: number, refused: number): readonly string[] {
  return [
    ...(pending === 0 ? [] : [say`${grouped(pending)} pending`]),
    ...(gated === 0 ? [] : [say`${grouped(gated)} gated`]),
    ...(refused === 0 ? [] : [say`${grouped(refused)} refused`]),
  ];
}

/** `120 decided = 116 scheduled + 4 pending`. */
export function balanceSoFar(part: SoFar): string {
  const { scheduled, pending, gated, refused } = part;
  const parts = [say`${scheduled} scheduled`, ...waitsText(pending, gated, refused)];
  return say`${decidedOf(part)} decided = ${parts.join(' + ')}`;
}

/** Who wins and who loses, until now. */
export function headlineSoFar(winners: readonly string[], losers: readonly string[], evicted: number): string {
  if (losers.length === 0) return say`No pod is evicted so far.`;
  const among = (pods: string): string =>
    evicted === losers.length ? pods : say`${pods} of ${count(losers.length, 'workload')}`;
  const names = losers.length > 3 ? among(count(evicted, 'pod')) : list(losers);
  if (winners.length === 1) return say`${winners[0]!} evicts ${names} so far.`;
  const who = winners.length > 3 ? count(winners.length, 'workload') : list(winners);
  return say`${who} evict ${names} so far.`;
}
