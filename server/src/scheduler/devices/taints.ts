import type { Device } from '../../kubernetes/objects.ts';

type DeviceTaint = NonNullable<Device['taints']>[number];

/** A toleration of a request for devices. */
export interface DeviceToleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
}

/** The first taint of a device that keeps a request off; undefined when there is none. */
export function untolerated(device: Device, tolerations: readonly DeviceToleration[]): DeviceTaint | undefined {
  return device.taints?.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** Source: resourceclaim/devicetoleration.go (ToleratesTaint) */
function tolerates(
  { effect = '', key = '', operator = '', value = '' }: DeviceToleration,
  taint: DeviceTaint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === '' || operator === 'Equal') return value === (taint.value ?? '');
  return operator === 'Exists';
}
