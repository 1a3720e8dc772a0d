/** `a`, `a and b`, `a, b and c`; long lists are cut: `a, b and 9 more`. */
export function list(names: readonly string[], atMost = 4): string {
  if (names.length > atMost) return `${names.slice(0, atMost - 1).join(', ')} and ${names.length - atMost + 1} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** `1 pod`, `3 pods`. */
export function plural(amount: number, singular: string, several = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : several}`;
}

/** An amount of a report as a quantity: `600m` cpu, `1.5Gi` memory, `2` devices. */
export function formatQuantity(resource: string, amount: number): string {
  if (resource === 'cpu') return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  if (!isBytes) return String(amount);
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
  let value = amount;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Math.round(value * 10) / 10}${units[unit]!}`;
}
