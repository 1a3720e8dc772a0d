/**
 * Fields of pods, by name, that concern nothing but the pod itself: neither scheduling nor any other object is decided
 * by them. A change of nothing but these, such as a new image, leaves what was found elsewhere as it is.
 */
export const ownPodFields: ReadonlySet<string> = new Set([
  'annotations',
  'args',
  'command',
  'env',
  'envFrom',
  'image',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'volumeMounts',
  'volumes',
]);
