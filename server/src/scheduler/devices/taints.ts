import { type DeviceTaint, type DeviceToleration, toleratesDeviceTaint } from '../../kubernetes/device-taints.ts';
import type { Device } from '../../kubernetes/objects.ts';

/** The first taint of a device that keeps a request off; undefined when there is none. */
export function untolerated(device: Device, tolerations: readonly DeviceToleration[]): DeviceTaint | undefined {
  return device.taints?.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => toleratesDeviceTaint(toleration, taint)),
  );
}
