import type { Deployment, DaemonSet, StatefulSet } from './objects.ts';

type IntOrPercent = number | string;

/** A number, or a share of a total. Source: GetScaledValueFromIntOrPercent in apimachinery/pkg/util/intstr/intstr.go */
function scaled(value: IntOrPercent, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const share = /^(\d+)%$/.exec(value)?.[1];
  if (share === undefined) return 0;
  const exact = (Number(share) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

/** The bounds of a roll-out, in pods. */
export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * The surge rounds up, what may be unavailable rounds down; of two that come out 0 the latter is 1.
 * Source: ResolveFenceposts and MaxUnavailable in pkg/controller/deployment/util/deployment_util.go
 */
export function deploymentFenceposts(spec: Deployment['spec'], replicas: number): Fenceposts {
  const { strategy } = spec ?? {};
  if (strategy?.type === 'Recreate') return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, replicas, 'up');
  const unavailable = scaled(maxUnavailable, replicas, 'down');
  const most = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: Math.min(most, replicas) };
}

/** Both round up. Source: UnavailableCount and SurgeCount in pkg/controller/daemon/util/daemonset_util.go */
export function daemonSetFenceposts(spec: DaemonSet['spec'], nodes: number): Fenceposts {
  const { maxSurge = 0, maxUnavailable = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, nodes, 'up');
  const unavailable = scaled(maxUnavailable, nodes, 'up');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Source: getStatefulSetMaxUnavailable in pkg/controller/statefulset/stateful_set_utils.go */
export function statefulSetMaxUnavailable(spec: StatefulSet['spec'], replicas: number): number {
  const { maxUnavailable = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  return Math.max(1, scaled(maxUnavailable, replicas, 'down'));
}
