import { isObject, valueAt } from '../util/values.ts';
import type { JsonObject } from './json.ts';

/** Annotations with which nothing is scaled. Source: keda apis/keda/v1alpha1/scaledobject_types.go (HasPausedAnnotation) */
const pausing = ['autoscaling.keda.sh/paused', 'autoscaling.keda.sh/paused-replicas'];

export function isScaledObject(apiVersion: string, kind: string): boolean {
  return kind === 'ScaledObject' && apiVersion.startsWith('keda.sh/');
}

/**
 * The HorizontalPodAutoscaler that KEDA makes of a ScaledObject; undefined of one that is paused. KEDA itself scales to and
 * from zero. Source: keda controllers/keda/hpa.go (newHPAForScaledObject, getHPAName)
 */
export function autoscalerOf(scaled: JsonObject): JsonObject | undefined {
  const metadata = isObject(scaled['metadata']) ? scaled['metadata'] : {};
  const { name, namespace, uid, annotations } = metadata;
  if (pausing.some((key) => valueAt(annotations, [key]) !== undefined)) return undefined;
  const own = valueAt(scaled, ['spec', 'advanced', 'horizontalPodAutoscalerConfig', 'name']);
  const target = valueAt(scaled, ['spec', 'scaleTargetRef']);
  const number = (field: string, otherwise: number): number => {
    const value = valueAt(scaled, ['spec', field]);
    return typeof value === 'number' ? value : otherwise;
  };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: {
      name: typeof own === 'string' ? own : `keda-hpa-${typeof name === 'string' ? name : ''}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', ...(isObject(target) ? target : {}) },
      minReplicas: Math.max(1, number('minReplicaCount', 1)),
      maxReplicas: number('maxReplicaCount', 100),
    },
  };
}
