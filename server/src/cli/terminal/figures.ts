/** Numbers as people who run clusters write them. */

const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** `3.65 of 3.8` cores, `6.4 of 14 Gi` (both in the unit of the second), `1 of 2` devices. */
export function formatUsage(resource: string, used: number, available: number): string {
  if (resource === 'cpu') return `${decimal(used / 1000, 2)} of ${decimal(available / 1000, 2)}`;
  if (!isBytes(resource)) return `${used} of ${available}`;
  const { divisor, unit } = binaryScale(available);
  return `${decimal(used / divisor, 1)} of ${decimal(available / divisor, 1)} ${unit}`.trimEnd();
}

function binaryScale(bytes: number): { readonly divisor: number; readonly unit: string } {
  let divisor = 1;
  let index = 0;
  while (Math.abs(bytes) / divisor >= 1024 && index < binaryUnits.length - 1) {
    divisor *= 1024;
    index += 1;
  }
  return { divisor, unit: binaryUnits[index] ?? '' };
}

function isBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

/** At most so many digits after the point, and no zeros at the end. */
function decimal(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** `1 pod`, `3 pods`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
