import type { Report } from '../../../../server/src/contract/report.ts';
import { shortNames, type ShortNames } from '../../../../server/src/contract/short-names.ts';

const known = new WeakMap<Report['pods'], ShortNames>();

/** The short names of a report, worked out once. */
export function namesOf(report: Report): ShortNames {
  let names = known.get(report.pods);
  if (names === undefined) {
    names = shortNames(report);
    known.set(report.pods, names);
  }
  return names;
}
