import { exceededIn } from '../../../admission/quota/exceeded.ts';
import { addQuantities, formatQuantity, type Quantity } from '../../../kubernetes/quantity.ts';
import { operations, type Proposal } from './proposal.ts';

/** Quotas so large that the API server takes what it refused. */
export function largerQuotas(
  answers: readonly { readonly namespace: string; readonly message: string }[],
): readonly Proposal[] {
  const wanted = new Map<string, Map<string, Quantity>>();
  for (const { namespace, message } of answers) {
    const exceeded = exceededIn(message);
    if (exceeded === null) continue;
    const key = `quota/${namespace}/${exceeded.quota}`;
    const sums = wanted.get(key) ?? new Map<string, Quantity>();
    wanted.set(key, sums);
    for (const [resource, { requested, used }] of exceeded.amounts) {
      sums.set(resource, addQuantities(sums.get(resource) ?? used, requested));
    }
  }
  if (wanted.size === 0) return [];
  return operations(
    ...[...wanted].map(([key, sums]) => {
      const amounts = [...sums].map(([resource, amount]) => `${resource}=${formatQuantity(amount)}`);
      return `quota ${key} ${amounts.join(' ')}`;
    }),
  );
}
