import { say } from '../../../util/say.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
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
    const name = source === 'git' ? `git ${commit}` : say`the cluster snapshot`;
    const errors = errorsSince(fact, version, release);
    for (const error of errors) {
      const finding = fieldErrorFinding(fact, error);
      const severity = source === 'snapshot' && inCluster !== undefined ? { severity: inCluster } : {};
      yield { ...finding, message: say`${finding.message} (compared with ${name})`, ...severity };
    }
    if (errors.length > 0) return;
  }
}
