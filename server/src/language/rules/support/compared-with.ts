import type { EarlierVersion, Finding } from '../rule.ts';

/** Says which earlier version a finding rests on. */
export function comparedWith({ source }: EarlierVersion, finding: Finding): Finding {
  return { ...finding, message: `${finding.message} (compared with ${earlierVersionNames[source]})` };
}

/** As messages call them. */
const earlierVersionNames = { git: 'git HEAD', snapshot: 'the cluster snapshot' } as const;

/** The object is known to exist as it was: a change that may not be made to it will be refused. */
export function certainWhenInCluster({ source }: EarlierVersion, finding: Finding): Finding {
  return source === 'snapshot' ? { ...finding, severity: 'error' } : finding;
}
