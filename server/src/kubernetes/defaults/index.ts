export { addDefaultTolerations } from './default-tolerations.ts';
export { mergeMatchLabelKeys } from './match-label-keys.ts';
export {
  defaultNamespace,
  defaultNode,
  defaultPersistentVolume,
  defaultPersistentVolumeClaim,
  defaultPriorityClass,
  defaultStorageClass,
} from './objects.ts';
export { defaultPod, defaultPodResources } from './pod.ts';
