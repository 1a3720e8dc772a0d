import { parseDuration } from '../../kubernetes/go-duration.ts';
import { compileLabelSelector, labelValue } from '../../kubernetes/labels.ts';
import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { doNotDisruptKey } from './labels.ts';
import { tolerates } from '../../kubernetes/taints.ts';

/** What Karpenter calls a pod. Source: karpenter pkg/utils/pod/scheduling.go at v1.13.0 */
export function isProvisionable(pod: Pod): boolean {
  const { conditions = [], nominatedNodeName = '' } = pod.status ?? {};
  const isUnschedulable = conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable');
  return isUnschedulable && !isScheduled(pod) && nominatedNodeName === '' && !isOfDaemonSet(pod) && !isStatic(pod);
}

export function isScheduled({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

export function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

export function isTerminating({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

export function isOfDaemonSet(pod: Pod): boolean {
  return isOwnedBy(pod, 'apps/v1', 'DaemonSet');
}

function isStatic(pod: Pod): boolean {
  return isOwnedBy(pod, 'v1', 'Node');
}

function isOwnedBy({ metadata }: Pod, apiVersion: string, kind: string): boolean {
  return (metadata?.ownerReferences ?? []).some((owner) => owner.apiVersion === apiVersion && owner.kind === kind);
}

/** Pods that would be made anew elsewhere. Source: IsReschedulable */
export function isReschedulable(pod: Pod): boolean {
  const comesBack = isActive(pod) || (isOwnedBy(pod, 'apps/v1', 'StatefulSet') && isTerminating(pod));
  return comesBack && !isOfDaemonSet(pod) && !isStatic(pod);
}

/** What Go's time.Duration holds, in milliseconds; it refuses to read more. */
const longestDuration = 2 ** 63 / 1e6;

/** Whether the annotation still protects the pod. Source: IsDoNotDisruptActive */
function isProtected({ metadata, status }: Pod, now: number): boolean {
  const value = labelValue(metadata?.annotations, doNotDisruptKey);
  if (value === undefined) return false;
  if (value === 'true') return true;
  const lasts = parseDuration(value);
  if (typeof lasts !== 'number' || lasts <= 0 || lasts > longestDuration) return false;
  if (status?.startTime === undefined) return true;
  return now - Date.parse(status.startTime) < lasts;
}

export function isDisruptable(pod: Pod, now: number): boolean {
  return !isActive(pod) || !isProtected(pod, now);
}

/** Whether a container uses a claim for devices; a claim that no container uses does not count. */
export function usesResourceClaims({ spec }: Pod): boolean {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(
    ({ resources }) => (resources?.claims ?? []).length > 0,
  );
}

function isEvictable(pod: Pod, now: number): boolean {
  const disrupted = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };
  const stays = (pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, disrupted));
  return isActive(pod) && !stays && !isStatic(pod) && !isProtected(pod, now);
}

/** What blocks an eviction: a budget with nothing left now, or one that never allows any. */
type Blocks = (budget: PodDisruptionBudget) => boolean;

/** Budgets that keep a pod from being evicted; empty when it can be. Source: karpenter pkg/utils/pdb/pdb.go isEvictable */
function blockingBudgets(
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
  now: number,
  blocks: Blocks,
): readonly string[] {
  if (!isEvictable(pod, now)) return [];
  const matching = budgets.filter(
    (budget) =>
      namespaceOf(budget) === namespaceOf(pod) &&
      compileLabelSelector(budget.spec?.selector).matches(pod.metadata?.labels),
  );
  if (matching.length > 1) return matching.map(keyOf);
  const [budget] = matching;
  if (budget === undefined) return [];
  const isUnready = (pod.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'False');
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' && isUnready) return [];
  return blocks(budget) ? [keyOf(budget)] : [];
}

export function budgetsBlockingNow(pod: Pod, budgets: readonly PodDisruptionBudget[], now: number): readonly string[] {
  return blockingBudgets(pod, budgets, now, ({ status }) => (status?.disruptionsAllowed ?? 0) === 0);
}

/** Whether a pod on a node that goes would be made anew now. Source: IsCurrentlyReschedulable */
export function isCurrentlyReschedulable(pod: Pod, budgets: readonly PodDisruptionBudget[], now: number): boolean {
  if (!isReschedulable(pod) || !isDisruptable(pod, now)) return false;
  return blockingBudgets(pod, budgets, now, neverAllows).length === 0;
}

/** Source: newPdb (isFullyBlocking) */
function neverAllows({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable === 0 || spec?.maxUnavailable === '0%' || spec?.minAvailable === '100%';
}
