import { addTo, groupBy } from '../../../util/maps.ts';
import { compareText, qualifiedName } from '../../../util/words.ts';
import type { Fact } from '../../index/fact.ts';

/** An object that something is to be said of because of another one. */
export interface Case {
  readonly of: Fact;
  readonly cause: Fact;
}

/** Cases with one cause, one at least. */
export type CasesOfOne<Each extends Case> = readonly [Each, ...Each[]];

/**
 * Where it is said: cases with one cause are said once, at the cause. A single case is said of the object itself, and
 * where the cause is not in the workspace, the first by name stands for all.
 */
export function toldOnce<Each extends Case>(cases: readonly Each[]): ReadonlyMap<Fact, readonly CasesOfOne<Each>[]> {
  const byCause = groupBy(cases, (each) => each.cause);
  const byKey = new Map<Fact, CasesOfOne<Each>[]>();
  for (const [cause, list] of byCause) {
    list.sort((a, b) => compareText(qualifiedName(a.of), qualifiedName(b.of)));
    const place = list.length > 1 && cause.source === 'workspace' ? cause : list[0].of;
    addTo(byKey, place, list);
  }
  return byKey;
}
