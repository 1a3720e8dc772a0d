import { nameOf, namespaceOf } from '../kubernetes/names.ts';
import type { Node, Pod } from '../kubernetes/objects.ts';
import type { EvictionRefused } from './eviction.ts';

/** `--dry-run` of `kubectl drain`. */
export const dryRuns = ['none', 'client', 'server'] as const;
export type DryRun = (typeof dryRuns)[number];

/** What kubectl adds to its lines. Source for this file: kubectl pkg/drain/drain.go, pkg/cmd/drain/drain.go */
export const dryRunSuffixes: Readonly<Record<DryRun, string>> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};

export function cordonText(node: Node, dryRun: DryRun): string {
  const already = node.spec?.unschedulable === true ? 'already ' : '';
  return `node/${nameOf(node)} ${already}cordoned${dryRunSuffixes[dryRun]}`;
}

/** The line about an eviction that is asked for again. */
export function retryText(pod: Pod, { namespaceTerminates, message }: EvictionRefused): string {
  const what =
    namespaceTerminates === true
      ? `pod "${nameOf(pod)}" from terminating namespace "${namespaceOf(pod)}"`
      : podsText(pod);
  return `error when evicting ${what} (will retry after 5s): ${message}`;
}

export function evictErrorText(pod: Pod, why: string): string {
  return `error when evicting ${podsText(pod)}: ${why}`;
}

/** @param timeout as Go prints it */
export function timeoutText(pod: Pod, timeout: string): string {
  return evictErrorText(pod, `global timeout reached: ${timeout}`);
}

/** What ends the common wait with `--disable-eviction`. */
export const deadlineText = 'context deadline exceeded';

export function waitText(pod: Pod): string {
  return `error when waiting for pod "${nameOf(pod)}" in namespace "${namespaceOf(pod)}" to terminate: ${deadlineText}`;
}

function podsText(pod: Pod): string {
  return `pods/"${nameOf(pod)}" -n "${namespaceOf(pod)}"`;
}
