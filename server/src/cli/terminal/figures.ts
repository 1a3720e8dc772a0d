/** Numbers as people who run clusters write them. */

const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** An amount of a resource without its unit for cpu (`3.65`), with a binary one for bytes (`6.4 Gi`). */
export function formatAmount(resource: string, amount: number): string {
  if (resource === 'cpu') return trimZeros((amount / 1000).toFixed(2));
  return isBytes(resource) ? formatBytes(amount) : String(amount);
}

export function isBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

export function formatBytes(bytes: number): string {
  const { value, unit } = scaleBytes(bytes);
  return unit === '' ? value : `${value} ${unit}`;
}

/** `6.4 of 14 Gi`: both in the unit of the larger, which is the second. */
export function formatUsage(resource: string, used: number, available: number): string {
  if (!isBytes(resource)) return `${formatAmount(resource, used)} of ${formatAmount(resource, available)}`;
  const { value, unit, divisor } = scaleBytes(available);
  return `${trimZeros((used / divisor).toFixed(1))} of ${value}${unit === '' ? '' : ` ${unit}`}`;
}

function scaleBytes(bytes: number): { readonly value: string; readonly unit: string; readonly divisor: number } {
  let divisor = 1;
  let index = 0;
  while (Math.abs(bytes) / divisor >= 1024 && index < binaryUnits.length - 1) {
    divisor *= 1024;
    index += 1;
  }
  return { value: trimZeros((bytes / divisor).toFixed(1)), unit: binaryUnits[index] ?? '', divisor };
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** `1 pod`, `3 pods`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
