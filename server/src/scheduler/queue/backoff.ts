/** Seconds. Source: pkg/scheduler/apis/config/v1/defaults.go */
export interface BackoffLimits {
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
}

export const defaultBackoff: BackoffLimits = { podInitialBackoffSeconds: 1, podMaxBackoffSeconds: 10 };

/** What a pod's back-off depends on. */
export interface Failures {
  /** When the last attempt failed, in seconds. */
  readonly timestamp: number;
  /** Attempts that found no node. */
  readonly unschedulableCount: number;
  /** Attempts since then that failed with an error; they count instead when there are any. */
  readonly consecutiveErrors: number;
}

/**
 * When the pod's back-off ends, in whole seconds so that pods of one second are tried by priority; null without
 * failures. Source: pkg/scheduler/backend/queue/backoff_queue.go (getBackoffTime, calculateBackoffDuration, alignToWindow)
 */
export function backoffExpiry(
  { timestamp, unschedulableCount, consecutiveErrors }: Failures,
  { podInitialBackoffSeconds, podMaxBackoffSeconds }: BackoffLimits,
): number | null {
  const count = consecutiveErrors > 0 ? consecutiveErrors : unschedulableCount;
  if (count === 0) return null;
  const duration = Math.min(podMaxBackoffSeconds, podInitialBackoffSeconds * 2 ** (count - 1));
  return Math.floor(timestamp + duration);
}

/** The second in which the back-off ends still belongs to it. Source: isPodBackingoff */
export function isBackingOff(expiry: number | null, now: number): boolean {
  return expiry !== null && expiry >= Math.floor(now);
}
