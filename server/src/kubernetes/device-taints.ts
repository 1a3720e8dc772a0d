import type { Device } from './objects.ts';

export type DeviceTaint = NonNullable<Device['taints']>[number];

/** A toleration of a request for devices. */
export interface DeviceToleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
}

/** Source: resourceclaim/devicetoleration.go (ToleratesTaint) of kubernetes/dynamic-resource-allocation */
export function toleratesDeviceTaint(
  { effect = '', key = '', operator = '', value = '' }: DeviceToleration,
  taint: DeviceTaint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === '' || operator === 'Equal') return value === (taint.value ?? '');
  return operator === 'Exists';
}
