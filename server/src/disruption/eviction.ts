import { compileLabelSelector } from '../kubernetes/labels.ts';
import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { type DeletedPod, type DeleteOptions, deletePod, invalidDeleteOptions } from './pod-deletion.ts';
import { namespaceOf } from '../kubernetes/names.ts';
import type { Release } from '../kubernetes/release.ts';
import { latestRelease } from '../kubernetes/releases/index.ts';
import { isPodReady } from './pods.ts';

/** Source for this file: pkg/registry/core/pod/storage/eviction.go */

/** What a client may send along. */
export interface EvictionRequest extends DeleteOptions {
  /** The pod that is meant; that of the stored pod by default. */
  readonly name?: string;
  readonly namespace?: string;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  /** The namespace of the pod is being deleted. */
  readonly namespaceTerminates?: boolean;
  /** Conditions on the stored pod. */
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What the request left behind: also when the pod was not deleted in the end. */
interface Effects {
  readonly charged: readonly ChargedBudget[];
  readonly pod: DeletedPod;
  /** The pod has the condition `DisruptionTarget` now, with reason `EvictionByEvictionAPI`. */
  readonly disruptionTarget: boolean;
}

/** The new status of a budget from which an eviction was taken. */
interface ChargedBudget {
  readonly budget: PodDisruptionBudget;
  readonly disruptionsAllowed: number;
  /** Names, the evicted pod's among them. */
  readonly disruptedPods: readonly string[];
}

interface EvictionGranted extends Effects {
  readonly allowed: true;
  /** Why no budget was charged, if none was. */
  readonly exempt?: 'finished-or-pending' | 'no-budget' | 'unready' | 'dry-run';
}

export interface EvictionRefused extends Effects {
  readonly allowed: false;
  /** HTTP status code. */
  readonly code: 403 | 404 | 409 | 422 | 429 | 500;
  readonly message: string;
  /** Machine-readable, as in `Status.reason`. */
  readonly reason?: 'Forbidden' | 'NotFound' | 'Conflict' | 'Invalid' | 'TooManyRequests';
  /** The message of the `DisruptionBudget` cause. */
  readonly cause?: string;
  readonly retryAfterSeconds?: number;
  /** Of the cause NamespaceTerminating. */
  readonly namespaceTerminates?: true;
  /** The budgets that stand in the way. */
  readonly blocking: readonly PodDisruptionBudget[];
}

export type EvictionAnswer = EvictionGranted | EvictionRefused;

/** Beyond so many unconfirmed evictions no further one is granted (MaxDisruptedPodSize). */
const maxDisruptedPods = 2000;

/** How long a client waits for the controller to catch up. */
const retryAfterSeconds = 10;

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Answers the eviction of `pod`, the only pod stored, by the status that the budgets have now. */
export function evict(
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
  request: EvictionRequest = {},
  release: Release = latestRelease,
): EvictionAnswer {
  const podName = pod.metadata?.name ?? '';
  const name = request.name ?? podName;
  // Admission comes before the pod is read. Source: plugin/pkg/admission/namespace/lifecycle/admission.go
  if (request.namespaceTerminates === true) return namespaceTerminates(name, request.namespace ?? namespaceOf(pod));
  if (request.ignoreStoreReadErrorWithClusterBreakingPotential === true) return ignoringReadErrors(name);
  if (name !== podName || (request.namespace ?? namespaceOf(pod)) !== namespaceOf(pod)) {
    return refused({ code: 404, reason: 'NotFound', message: `pods "${name}" not found` });
  }
  if (bypassesBudgets(pod)) return remove(pod, request, { exempt: 'finished-or-pending' });

  const matching = budgetsOfPod(pod, budgets);
  const [budget, second] = matching;
  if (budget === undefined) return remove(pod, request, { exempt: 'no-budget' });
  if (second !== undefined) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return refused({ code: 500, message, blocking: matching });
  }
  if (!isPodReady(pod) && mayLoseUnready(budget)) {
    // Conditional on the version just read, so that the pod cannot become ready meanwhile. That replaces a version
    // the client asked for; a conflict in spite of it is a reason to try again.
    const { resourceVersion, ...others } = request;
    const answer = remove(pod, others, { exempt: 'unready' });
    const isConflict = !answer.allowed && answer.code === 409;
    return isConflict && resourceVersion === undefined ? beingProcessed(budget) : answer;
  }
  const refusal = refusalOf(budget, release);
  if (refusal !== undefined) return refusal;
  if (isDryRun(request)) return remove(pod, request, { exempt: 'dry-run' });
  return remove(pod, request, { charged: charge(budget, podName) });
}

/**
 * The budgets that the eviction API finds for a pod. An empty selector matches every pod of its namespace, unlike in
 * the scheduler's preemption, which ignores such budgets.
 */
export function budgetsOfPod(pod: Pod, budgets: readonly PodDisruptionBudget[]): readonly PodDisruptionBudget[] {
  return budgets.filter(
    (budget) =>
      namespaceOf(budget) === namespaceOf(pod) &&
      compileLabelSelector(budget.spec?.selector).matches(pod.metadata?.labels),
  );
}

/** Pods whose eviction disrupts nothing: done, not yet running, or on their way out (canIgnorePDB). */
function bypassesBudgets(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return (
    phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata?.deletionTimestamp !== undefined
  );
}

/** Whether an unready pod may go without being charged to its budget. */
function mayLoseUnready(budget: PodDisruptionBudget): boolean {
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const currentHealthy = budget.status?.currentHealthy ?? 0;
  const desiredHealthy = budget.status?.desiredHealthy ?? 0;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** checkAndDecrement, up to the point where the budget is charged. */
function refusalOf(budget: PodDisruptionBudget, release: Release): EvictionRefused | undefined {
  const status = budget.status;
  const name = budget.metadata?.name ?? '';
  if ((status?.observedGeneration ?? 0) < (budget.metadata?.generation ?? 0)) return beingProcessed(budget);
  const disruptionsAllowed = status?.disruptionsAllowed ?? 0;
  if (disruptionsAllowed < 0) return forbidden(budget, 'pdb disruptions allowed is negative');
  if (Object.keys(status?.disruptedPods ?? {}).length > maxDisruptedPods) {
    const detail = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    return forbidden(budget, detail);
  }
  if (disruptionsAllowed > 0) return undefined;
  return refused({
    code: 429,
    reason: 'TooManyRequests',
    message: violation,
    cause: causeOf(name, status, release),
    blocking: [budget],
  });
}

/** Why the budget allows no disruption now. Older releases always give the numbers, even where they explain nothing. */
function causeOf(name: string, status: PodDisruptionBudget['status'], { behaviours }: Release): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = status ?? {};
  const numbers = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  if (!behaviours.explainsRefusedEvictions) return numbers;
  const general = `The disruption budget ${name} does not allow evicting pods currently`;
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const refusal = condition?.status === 'False' && condition.message !== '' ? condition : undefined;
  if (refusal?.reason === 'SyncFailed') return `${general} because it failed sync: ${refusal.message}`;
  if (currentHealthy <= desiredHealthy) return numbers;
  return refusal === undefined ? general : `${general} (${refusal.reason}): ${refusal.message}`;
}

function beingProcessed(budget: PodDisruptionBudget): EvictionRefused {
  const cause = `The disruption budget ${budget.metadata?.name ?? ''} is still being processed by the server.`;
  return refused({
    code: 429,
    reason: 'TooManyRequests',
    message: violation,
    cause,
    retryAfterSeconds,
    blocking: [budget],
  });
}

function forbidden(budget: PodDisruptionBudget, detail: string): EvictionRefused {
  const message = `poddisruptionbudget.policy "${budget.metadata?.name ?? ''}" is forbidden: ${detail}`;
  return refused({ code: 403, reason: 'Forbidden', message, blocking: [budget] });
}

function charge(budget: PodDisruptionBudget, podName: string): readonly ChargedBudget[] {
  const names = new Set(Object.keys(budget.status?.disruptedPods ?? {}));
  names.add(podName);
  const disruptionsAllowed = (budget.status?.disruptionsAllowed ?? 0) - 1;
  return [{ budget, disruptionsAllowed, disruptedPods: [...names] }];
}

function isDryRun({ dryRun = [] }: EvictionRequest): boolean {
  return dryRun.length > 0;
}

function namespaceTerminates(name: string, namespace: string): EvictionRefused {
  const message = `pods "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
  return refused({ code: 403, reason: 'Forbidden', message, namespaceTerminates: true });
}

function ignoringReadErrors(name: string): EvictionRefused {
  const detail =
    'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: can not be set for pod eviction, try after removing the option';
  return refused({ code: 422, reason: 'Invalid', message: `Eviction.policy "${name}" is invalid: ${detail}` });
}

/**
 * Marks and deletes the pod if the client's conditions hold. The budget stays charged if they do not, and the pod marked
 * if the options are refused then.
 * Sources: addConditionAndDeletePod; BeforeDelete in staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go
 */
function remove(pod: Pod, request: EvictionRequest, granted: Partial<EvictionGranted>): EvictionAnswer {
  const charged = granted.charged ?? [];
  const dryRun = isDryRun(request);
  const conflicting = (conflict: string, disruptionTarget: boolean): EvictionRefused => {
    const message = `Operation cannot be fulfilled on Pod "${pod.metadata?.name ?? ''}": ${conflict}`;
    return refused({ code: 409, reason: 'Conflict', message, charged, disruptionTarget });
  };
  // The pod is marked on conditions of which an empty one is none.
  const { uid, ...others } = request;
  const early = dryRun ? null : conflictOf(pod, uid === '' ? others : request);
  if (early !== null) return conflicting(early, false);
  const invalid = invalidDeleteOptions(request);
  if (invalid !== null) {
    return refused({ code: 422, reason: 'Invalid', message: invalid, charged, disruptionTarget: !dryRun });
  }
  const late = conflictOf(pod, request);
  if (late !== null) return conflicting(late, !dryRun);
  const deleted: DeletedPod = dryRun ? { state: 'kept' } : deletePod(pod, request);
  return { charged, ...granted, allowed: true, pod: deleted, disruptionTarget: !dryRun && deleted.state !== 'gone' };
}

function conflictOf(pod: Pod, request: EvictionRequest): string | null {
  const { uid, resourceVersion } = request;
  const storedUid = pod.metadata?.uid ?? '';
  const storedVersion = pod.metadata?.resourceVersion ?? '';
  if (uid !== undefined && uid !== storedUid) {
    return `the UID in the precondition (${uid}) does not match the UID in record (${storedUid}). The object might have been deleted and then recreated`;
  }
  // Except in a dry run, an empty version is no condition: marking the pod as a disruption's target overwrites it.
  const isFree = resourceVersion === undefined || (resourceVersion === '' && !isDryRun(request));
  if (isFree || resourceVersion === storedVersion) return null;
  return `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${storedVersion}). The object might have been modified`;
}

function refused(answer: Pick<EvictionRefused, 'code' | 'message'> & Partial<EvictionRefused>): EvictionRefused {
  return { charged: [], blocking: [], pod: { state: 'kept' }, disruptionTarget: false, ...answer, allowed: false };
}
