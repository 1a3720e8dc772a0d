import type { Cause, CausePart } from '../../report-model/cause.ts';

type Amount = CausePart & { readonly kind: 'amount' };

/** The amounts that are short, the one with the least of what is needed first. */
export function amountsOf({ parts }: Pick<Cause, 'parts'>): readonly Amount[] {
  const amounts = parts.filter((part): part is Amount => part.kind === 'amount');
  return amounts.toSorted(
    (a, b) =>
      Number(b.need > b.capacity) - Number(a.need > a.capacity) || a.free / (a.need || 1) - b.free / (b.need || 1),
  );
}

/** Whether a node has any of it at all; every node has cpu, memory and room for pods, or is too small. */
export function isOffered({ resource, capacity }: Pick<Amount, 'resource' | 'capacity'>): boolean {
  return (
    capacity > 0 ||
    resource === 'cpu' ||
    resource === 'memory' ||
    resource === 'pods' ||
    resource === 'ephemeral-storage'
  );
}

/** The resource that a reason of NodeResourcesFit says is short, as a list of at most one. */
export function shortResource(reason: string): readonly string[] {
  return reason === 'Too many pods' ? ['pods'] : (insufficient.exec(reason)?.slice(1) ?? []);
}

const insufficient = /^Insufficient (.+)$/;
