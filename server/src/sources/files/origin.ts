import type { JsonObject } from '../../kubernetes/json.ts';

/** Annotations that Podium asked for and nobody applies. */
export const originAnnotation = 'config.kubernetes.io/origin';
export const transformationsAnnotation = 'alpha.config.kubernetes.io/transformations';

export function withoutOwnAnnotations(value: JsonObject): JsonObject {
  const metadata = value['metadata'] as JsonObject | undefined;
  const annotations = metadata?.['annotations'] as JsonObject | undefined;
  if (metadata === undefined || annotations === undefined) return value;
  const kept = Object.entries(annotations).filter(
    ([key]) => key !== originAnnotation && key !== transformationsAnnotation,
  );
  const rest = Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'annotations'));
  return {
    ...value,
    metadata: kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) },
  };
}
