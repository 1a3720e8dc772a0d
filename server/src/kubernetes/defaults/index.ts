export { defaultNode } from './node.ts';
export { defaultNamespace } from './namespace.ts';
export { defaultPersistentVolume, defaultPersistentVolumeClaim, defaultStorageClass } from './storage.ts';
export { addDefaultTolerations } from './default-tolerations.ts';
export { defaultPod, defaultPodResources } from './pod.ts';
export { defaultPriorityClass } from './priority-class.ts';
export { mergeMatchLabelKeys } from './match-label-keys.ts';
