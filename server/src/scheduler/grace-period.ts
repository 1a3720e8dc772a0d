import type { Pod } from '../kubernetes/objects.ts';

/** Source: pkg/apis/core/v1/defaults.go (DefaultTerminationGracePeriodSeconds) */
const defaultSeconds = 30;

/** How long the pod may take to end. Negative periods count as 1. Source: pkg/registry/core/pod/strategy.go (CheckGracefulDelete) */
export function gracePeriodSeconds({ metadata, spec }: Pod): number {
  const seconds = metadata?.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? defaultSeconds;
  return seconds < 0 ? 1 : seconds;
}
