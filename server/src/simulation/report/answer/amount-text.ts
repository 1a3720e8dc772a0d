/** An amount as people say it: `1.6 cpu`, `16 Gi`, `0.75 cpu`, `2 nvidia.com/gpu`, `1 pod`. */
export function amountText(resource: string, amount: number): string {
  if (resource === 'cpu') return `${decimal(amount / 1000)} cpu`;
  if (resource === 'pods') return `${amount} pod${amount === 1 ? '' : 's'}`;
  if (!isBytes(resource)) return `${amount} ${resource}`;
  const units = ['bytes', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
  let value = amount;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${decimal(value)} ${units[unit]!}${resource === 'memory' ? '' : ` ${resource}`}`;
}

function isBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

/** At most two digits after the point. */
function decimal(value: number): string {
  return String(Number(value.toFixed(2)));
}
