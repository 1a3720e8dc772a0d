import type { PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { EvictionRefused } from './eviction.ts';

/** What would let a refused eviction through. */
export type EvictionRemedy =
  /** The controller has yet to look at the budget: try again. */
  | { readonly kind: 'retry'; readonly afterSeconds: number }
  /** More pods of the budget must become ready: so many. */
  | { readonly kind: 'ready-pods'; readonly missing: number }
  /** Not even with every expected pod ready: the bounds leave no room, or expect no pods at all. */
  | { readonly kind: 'wider-budget'; readonly budget: PodDisruptionBudget }
  /** The controller cannot work the budget out: `message` is its reason. */
  | { readonly kind: 'working-budget'; readonly budget: PodDisruptionBudget; readonly message: string }
  /** One budget must select the pod, not several. */
  | { readonly kind: 'single-budget'; readonly budgets: readonly PodDisruptionBudget[] }
  /** Unconfirmed evictions pile up, or the status is broken: the controller is not running. */
  | { readonly kind: 'running-controller' }
  /** The request was about another pod, or another version of it. */
  | { readonly kind: 'current-request' };

/**
 * Tells evictions that pass by themselves from those that are stuck: `retry` and `ready-pods` end when pods become
 * ready, everything else stays as it is until somebody changes something.
 */
export function remedyFor(refusal: EvictionRefused): EvictionRemedy {
  const [budget] = refusal.blocking;
  if (refusal.code === 500) return { kind: 'single-budget', budgets: refusal.blocking };
  if (refusal.code === 403) return { kind: 'running-controller' };
  if (refusal.code !== 429 || budget === undefined) return { kind: 'current-request' };
  if (refusal.retryAfterSeconds !== undefined) return { kind: 'retry', afterSeconds: refusal.retryAfterSeconds };

  const failure = budget.status?.conditions?.find(
    ({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed',
  );
  if (failure !== undefined) return { kind: 'working-budget', budget, message: failure.message };
  const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  if (expectedPods <= desiredHealthy) return { kind: 'wider-budget', budget };
  return { kind: 'ready-pods', missing: Math.max(1, desiredHealthy + 1 - currentHealthy) };
}
