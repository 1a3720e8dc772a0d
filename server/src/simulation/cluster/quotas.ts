import { reviewQuotas, unusedQuota } from '../../admission/quota/quota.ts';
import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Pod, ResourceQuota } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { addQuantities, formatQuantity, type Quantity, subtractQuantities } from '../../kubernetes/quantity.ts';

interface Counted {
  readonly quota: ResourceQuota;
  /** As if nothing were used. */
  readonly unused: ResourceQuota;
  readonly used: Map<string, Quantity>;
}

/** The quotas of a cluster, charged as pods are made and end. */
export class Quotas {
  /** By namespace. */
  #counted = new Map<string, Counted[]>();

  /** @param pods those that count already, where a quota does not say how much is used */
  constructor(quotas: readonly ResourceQuota[], pods: Iterable<Pod>) {
    this.change(quotas, pods);
  }

  /** The same, to be charged by itself. */
  branch(): Quotas {
    const branch = new Quotas([], []);
    for (const [namespace, counted] of this.#counted) {
      branch.#counted.set(
        namespace,
        counted.map((each) => ({ ...each, used: new Map(each.used) })),
      );
    }
    return branch;
  }

  /** Others from now on. What is used of one that stays goes on counting. */
  change(quotas: readonly ResourceQuota[], pods: Iterable<Pod>): void {
    const before = new Map([...this.#counted.values()].flat().map((each) => [keyOf(each.quota), each]));
    this.#counted = new Map();
    const uncounted = new Map<string, Counted[]>();
    for (const quota of quotas) {
      const unused = unusedQuota(quota);
      const said = quota.status?.used;
      const same = before.get(keyOf(quota));
      const used = same?.used ?? new Map(readResourceList(said ?? unused.status?.used));
      const counted = { quota, unused, used };
      if (same === undefined && said === undefined) add(uncounted, counted);
      add(this.#counted, counted);
    }
    if (uncounted.size === 0) return;
    for (const pod of pods) charge(uncounted.get(namespaceOf(pod)) ?? [], pod, addQuantities);
  }

  /** What the API server answers to a new pod; null where it takes it. */
  refusalOf(pod: Pod): string | null {
    const own = this.#of(pod);
    return own.length === 0 ? null : (reviewQuotas(pod, own.map(asStored)).refusal ?? null);
  }

  /** As `refusalOf`; where the server takes the pod it counts from now on. */
  admit(pod: Pod): string | null {
    const refusal = this.refusalOf(pod);
    if (refusal === null) charge(this.#of(pod), pod, addQuantities);
    return refusal;
  }

  /** A pod has ended: its containers have, which is a little before it is gone. */
  release(pod: Pod): void {
    charge(this.#of(pod), pod, subtractQuantities);
  }

  /** What is used of each. */
  *used(): Generator<readonly [ResourceQuota, ReadonlyMap<string, Quantity>]> {
    for (const counted of this.#counted.values()) for (const { quota, used } of counted) yield [quota, used];
  }

  #of(pod: Pod): readonly Counted[] {
    return this.#counted.get(namespaceOf(pod)) ?? [];
  }
}

function add(byNamespace: Map<string, Counted[]>, counted: Counted): void {
  const namespace = namespaceOf(counted.quota);
  const own = byNamespace.get(namespace);
  if (own === undefined) byNamespace.set(namespace, [counted]);
  else own.push(counted);
}

function charge(counted: readonly Counted[], pod: Pod, by: typeof addQuantities): void {
  if (counted.length === 0) return;
  const { verdicts } = reviewQuotas(
    pod,
    counted.map(({ unused }) => unused),
  );
  for (const [index, { charged }] of verdicts.entries()) {
    const { used } = counted[index]!;
    for (const [name, amount] of charged) {
      const before = used.get(name);
      if (before !== undefined) used.set(name, by(before, amount));
    }
  }
}

/** With a status as its controller would have written it: only what the quota limits. */
function asStored({ quota, used }: Counted): ResourceQuota {
  const text = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  return { ...quota, status: { hard: quota.spec?.hard ?? {}, used: text } };
}
