import { say } from '../util/say.ts';
import { keyOf } from '../kubernetes/names.ts';
import type { Pod } from '../kubernetes/objects.ts';
import { isHealthy } from './pods.ts';

/** A pod that its budget does not count as healthy. */
export interface UnreadyPod {
  /** `namespace/name` */
  readonly key: string;
  /** With its name, and why it is not ready. */
  readonly text: string;
  /** Whether it becomes ready, or makes room for one that does, without somebody who does something about it. */
  readonly passes: boolean;
}

/**
 * Waits that end when somebody mends the image, the configuration or the program.
 * Sources: pkg/kubelet/images/types.go, pkg/kubelet/container/sync_result.go, pkg/kubelet/kuberuntime
 */
const stuckReasons: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RegistryUnavailable',
  'RunContainerError',
  'SignatureValidationFailed',
]);

/** Those of some pods that are not healthy, with what their status says. Pods that have ended are no longer counted. */
export function unreadyPods(pods: readonly Pod[], now: number): readonly UnreadyPod[] {
  return pods
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .filter((pod) => pod.metadata?.deletionTimestamp !== undefined || !isHealthy(pod) || isPending(pod))
    .map((pod) => ({ key: keyOf(pod), ...unreadyPod(pod, now) }));
}

/** Why a pod that runs does not get ready without somebody who does something about it; empty where it does. */
export function whyStuck(pod: Pod): string {
  if (pod.status?.phase !== 'Running' || pod.metadata?.deletionTimestamp !== undefined) return '';
  return unreadyPods([pod], 0).find(({ passes }) => !passes)?.text ?? '';
}

function isPending({ status }: Pod): boolean {
  return status?.phase === 'Pending';
}

function unreadyPod(pod: Pod, now: number): Omit<UnreadyPod, 'key'> {
  const name = keyOf(pod);
  const { metadata, status } = pod;
  if (metadata?.deletionTimestamp !== undefined) {
    const end = Date.parse(metadata.deletionTimestamp);
    return end > now
      ? { text: say`${name} may take until ${metadata.deletionTimestamp} to end`, passes: true }
      : { text: say`${name} was to end by ${metadata.deletionTimestamp}, and is still there`, passes: false };
  }
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name: container, state } of containers) {
    const reason = state?.waiting?.reason ?? '';
    if (stuckReasons.has(reason)) return { text: say`${name} is in ${reason} (container ${container})`, passes: false };
  }
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (isPending(pod) && scheduled?.status === 'False') {
    const { message = '' } = scheduled;
    return {
      text: message === '' ? say`${name} is pending` : say`${name} is pending (${message.replace(/\.$/, '')})`,
      passes: false,
    };
  }
  return { text: isPending(pod) ? say`${name} has not started` : say`${name} is not ready`, passes: true };
}
