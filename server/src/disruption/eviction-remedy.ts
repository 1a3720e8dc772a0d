import { keyOf } from '../kubernetes/names.ts';
import type { OwnerReference, Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { controllerOf } from './controllers.ts';
import type { EvictionRefused } from './eviction.ts';
import { isHealthy } from './pods.ts';
import type { UnreadyPod } from './unready-pods.ts';

/** What would let a refused eviction through. */
export type EvictionRemedy =
  /** The controller has yet to look at the budget: try again. */
  | { readonly kind: 'retry'; readonly afterSeconds: number }
  /** More pods of the budget must become ready: so many. `unready`: those that are known not to be. */
  | {
      readonly kind: 'ready-pods';
      readonly missing: number;
      readonly unready: readonly UnreadyPod[];
      /** Whether enough become ready by themselves, as far as it is known. */
      readonly passes: boolean;
      readonly keepsUnready: boolean;
    }
  /**
   * Not even with every expected pod ready: the bounds leave no room, or expect no pods at all. `keepsUnready`: the pod is
   * not ready, and its budget keeps such pods too. `maker`: what makes the pod.
   */
  | {
      readonly kind: 'wider-budget';
      readonly budget: PodDisruptionBudget;
      readonly keepsUnready: boolean;
      readonly maker: OwnerReference | undefined;
    }
  /** The pod does not work, and will not by itself: its budget is to let such pods go. */
  | {
      readonly kind: 'unready-allowed';
      readonly budget: PodDisruptionBudget;
      readonly unready: readonly UnreadyPod[];
    }
  /** The controller cannot work the budget out: `message` is its reason. */
  | { readonly kind: 'working-budget'; readonly budget: PodDisruptionBudget; readonly message: string }
  /** One budget must select the pod, not several. */
  | { readonly kind: 'single-budget'; readonly budgets: readonly PodDisruptionBudget[] }
  /** Unconfirmed evictions pile up, or the status is broken: the controller is not running. */
  | { readonly kind: 'running-controller' }
  /** The request was about another pod, or another version of it. */
  | { readonly kind: 'current-request' }
  /** The namespace is being deleted, and its pods with it. */
  | { readonly kind: 'end-of-namespace' };

/** What is known besides the answer. */
export interface EvictionSurroundings {
  /** The pod whose eviction is refused. */
  readonly pod: Pod;
  /** The pods of a budget that are not healthy. */
  readonly unreadyOf: (budget: PodDisruptionBudget) => readonly UnreadyPod[];
}

/**
 * Tells evictions that pass by themselves from those that are stuck: `retry` and `ready-pods` end when pods become
 * ready, everything else stays as it is until somebody changes something.
 */
export function remedyFor(refusal: EvictionRefused, { pod, unreadyOf }: EvictionSurroundings): EvictionRemedy {
  const [budget] = refusal.blocking;
  if (refusal.code === 500) return { kind: 'single-budget', budgets: refusal.blocking };
  if (refusal.namespaceTerminates === true) return { kind: 'end-of-namespace' };
  if (refusal.code === 403) return { kind: 'running-controller' };
  if (refusal.code !== 429 || budget === undefined) return { kind: 'current-request' };
  if (refusal.retryAfterSeconds !== undefined) return { kind: 'retry', afterSeconds: refusal.retryAfterSeconds };

  const failure = budget.status?.conditions?.find(
    ({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed',
  );
  if (failure !== undefined) return { kind: 'working-budget', budget, message: failure.message };
  const keepsUnready = !isHealthy(pod) && budget.spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow';
  const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  if (keepsUnready && unreadyOf(budget).every(({ passes }) => !passes) && unreadyOf(budget).length > 0) {
    return { kind: 'unready-allowed', budget, unready: unreadyOf(budget) };
  }
  if (expectedPods <= desiredHealthy) return { kind: 'wider-budget', budget, keepsUnready, maker: controllerOf(pod) };
  const unready = unreadyOf(budget);
  const mayBeReady = expectedPods - unready.filter(({ passes }) => !passes).length;
  // Of a pod that is not ready the budget loses none. Source: EvictionREST.Create
  const needed = isHealthy(pod) ? desiredHealthy + 1 : desiredHealthy;
  const itself = unready.some(({ key, passes: mends }) => key === keyOf(pod) && mends) ? 1 : 0;
  const passes = mayBeReady > desiredHealthy || (!isHealthy(pod) && mayBeReady - itself >= needed);
  return { kind: 'ready-pods', missing: Math.max(1, needed - currentHealthy), unready, passes, keepsUnready };
}
