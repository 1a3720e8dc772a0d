import { reviewQuotas, unusedQuota } from '../../../admission/quota/quota.ts';
import { namespaceOf } from '../../../kubernetes/names.ts';
import type { Pod, ResourceQuota } from '../../../kubernetes/objects.ts';
import { readResourceList } from '../../../kubernetes/pod-resources.ts';
import { addQuantities, formatQuantity, type Quantity, subtractQuantities } from '../../../kubernetes/quantity.ts';

interface Counted {
  readonly quota: ResourceQuota;
  readonly used: Map<string, Quantity>;
}

/** The quotas of a cluster, charged as pods are made and end. */
export class Quotas {
  #counted: Counted[] = [];

  /** @param pods those that count already, where a quota does not say how much is used */
  constructor(quotas: readonly ResourceQuota[], pods: readonly Pod[]) {
    this.change(quotas, pods);
  }

  /** Others from now on. What is used of one that stays goes on counting. */
  change(quotas: readonly ResourceQuota[], pods: readonly Pod[]): void {
    const before = this.#counted;
    this.#counted = quotas.map((quota) => {
      const same = before.find((each) => keyOf(each.quota) === keyOf(quota));
      if (same !== undefined) return { quota, used: same.used };
      const said = quota.status?.used;
      const counted = { quota, used: new Map(readResourceList(said ?? unusedQuota(quota).status?.used)) };
      if (said === undefined) for (const pod of pods) this.#charge([counted], pod, addQuantities);
      return counted;
    });
  }

  get isEmpty(): boolean {
    return this.#counted.length === 0;
  }

  /** What the API server answers to a new pod; null where it takes it, and then the pod counts. */
  admit(pod: Pod): string | null {
    const own = this.#counted.filter(({ quota }) => namespaceOf(quota) === namespaceOf(pod));
    if (own.length === 0) return null;
    const { refusal } = reviewQuotas(pod, own.map(asStored));
    if (refusal !== undefined) return refusal;
    this.#charge(own, pod, addQuantities);
    return null;
  }

  /** A pod has ended: its containers have, which is a little before it is gone. */
  release(pod: Pod): void {
    this.#charge(this.#counted, pod, subtractQuantities);
  }

  /** What is used, by `namespace/name`. */
  *used(): Generator<readonly [ResourceQuota, ReadonlyMap<string, Quantity>]> {
    for (const { quota, used } of this.#counted) yield [quota, used];
  }

  #charge(counted: readonly Counted[], pod: Pod, by: typeof addQuantities): void {
    const { verdicts } = reviewQuotas(
      pod,
      counted.map(({ quota }) => unusedQuota(quota)),
    );
    for (const [index, { charged }] of verdicts.entries()) {
      const { used } = counted[index]!;
      for (const [name, amount] of charged) {
        const before = used.get(name);
        if (before !== undefined) used.set(name, by(before, amount));
      }
    }
  }
}

function keyOf({ metadata }: ResourceQuota): string {
  return `${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
}

/** With a status as its controller would have written it: only what the quota limits. */
function asStored({ quota, used }: Counted): ResourceQuota {
  const text = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  return { ...quota, status: { hard: quota.spec?.hard ?? {}, used: text } };
}
