import { gitName } from '../../../util/words.ts';
import { say } from '../../../util/say.ts';
import { own } from '../../../util/own.ts';
import { isObject, valueAt } from '../../../util/values.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { Release } from '../../../kubernetes/release.ts';
import type { Fact } from '../../index/fact.ts';
import type { EarlierVersion, Finding, ObjectSubject, Severity } from './rule.ts';
import { fieldErrorFinding } from './narrow.ts';

/**
 * What is wrong with the change of an object since an earlier version. The first version that shows anything counts:
 * seen from another one, the same change says nothing new.
 *
 * @param inCluster the severity where the cluster has the earlier version, so that the change is sure to be refused
 */
export function* changes(
  { fact, earlier, release }: ObjectSubject,
  errorsSince: (fact: Fact, earlier: EarlierVersion, release: Release) => readonly FieldError[],
  inCluster?: Severity,
): Iterable<Finding> {
  for (const version of earlier) {
    const { source, commit = 'HEAD' } = version;
    const name = source === 'git' ? gitName(commit) : say`the cluster snapshot`;
    const errors = errorsSince(fact, version, release);
    for (const error of errors) {
      // Where something is made, who has changed what is written elsewhere looks for just that.
      const isMade = fact.manifest.rendering !== undefined && error.within === undefined;
      const within = isMade
        ? onlyDifference(valueAt(fact.object, error.at.path), valueAt(version.object, error.at.path))
        : [];
      const finding = fieldErrorFinding(fact, within.length === 0 ? error : { ...error, within });
      const severity = source === 'snapshot' && inCluster !== undefined ? { severity: inCluster } : {};
      yield { ...finding, message: say`${finding.message} (compared with ${name})`, ...severity };
    }
    if (errors.length > 0) return;
  }
}

/** The way to what alone differs in two values; empty where it is the whole, or more than one thing. */
function onlyDifference(now: unknown, before: unknown): Path {
  if (!isObject(now) || !isObject(before)) return [];
  const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
  const different = [...keys].filter((key) => JSON.stringify(own(now, key)) !== JSON.stringify(own(before, key)));
  const [key] = different;
  if (key === undefined || different.length > 1 || !Object.hasOwn(now, key)) return [];
  return [key, ...onlyDifference(own(now, key), own(before, key))];
}
