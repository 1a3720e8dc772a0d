import { reviewQuotas, unusedQuota } from '../../admission/quota/quota.ts';
import { ephemeralClaimsOf } from '../../kubernetes/ephemeral-claims.ts';
import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { addQuantities, formatQuantity, type Quantity, subtractQuantities } from '../../kubernetes/quantity.ts';
import { addTo } from '../../util/maps.ts';

interface Counted {
  readonly quota: ResourceQuota;
  /** As if nothing were used. */
  readonly unused: ResourceQuota;
  readonly used: Map<string, Quantity>;
}

/** What quotas count. */
export type Charged = Pod | PersistentVolumeClaim;

/** The quotas of a cluster, charged as pods and their claims are made and pods end. */
export class Quotas {
  /** By namespace. */
  #counted = new Map<string, Counted[]>();
  /** Claims that StatefulSets make before their pods, and those of ephemeral volumes, by `namespace/name`. */
  readonly #toMake: Map<string, PersistentVolumeClaim>;
  /** What the server answers to claims of ephemeral volumes, whose pods it has taken, by `namespace/name`. */
  readonly refused: Map<string, string>;

  /**
   * @param there what counts already, where a quota does not say how much is used
   * @param toMake claims that controllers make for pods
   */
  constructor(
    quotas: readonly ResourceQuota[],
    there: Iterable<Charged>,
    toMake: Iterable<PersistentVolumeClaim> = [],
    refused: Iterable<readonly [string, string]> = [],
  ) {
    this.#toMake = new Map([...toMake].map((claim) => [keyOf(claim), claim]));
    this.refused = new Map(refused);
    this.change(quotas, there);
  }

  /** The same, to be charged by itself. */
  branch(): Quotas {
    const branch = new Quotas([], [], this.#toMake.values(), this.refused);
    for (const [namespace, counted] of this.#counted) branch.#counted.set(namespace, counted.map(toCharge));
    return branch;
  }

  /** Others from now on. What is used of one that stays goes on counting. */
  change(quotas: readonly ResourceQuota[], there: Iterable<Charged>): void {
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
    for (const each of there) charge(uncounted.get(namespaceOf(each)) ?? [], each, addQuantities);
  }

  /** What the API server answers to a new pod, or to the claims that are made before it; null where it takes them. */
  refusalOf(pod: Pod): string | null {
    return this.#take(pod, this.#of(pod).map(toCharge)).refusal;
  }

  /** As `refusalOf`; what the server takes counts from now on, with the claims of ephemeral volumes. */
  admit(pod: Pod): string | null {
    const own = this.#of(pod);
    const { refusal, made } = this.#take(pod, own);
    for (const claim of made) this.#toMake.delete(keyOf(claim));
    if (refusal !== null || own.length === 0) return refusal;
    this.createClaimsOf(pod);
    return null;
  }

  /** The controller of ephemeral volumes makes claims for a pod that is there. */
  createClaimsOf(pod: Pod): void {
    const own = this.#of(pod);
    if (own.length === 0) return;
    for (const { key, claim } of this.#ephemeralClaimsOf(pod)) {
      const answer = claim === undefined ? null : take(own, claim);
      if (answer !== null) this.refused.set(key, answer);
    }
  }

  #take(pod: Pod, own: readonly Counted[]): { refusal: string | null; made: readonly PersistentVolumeClaim[] } {
    if (own.length === 0) return { refusal: null, made: [] };
    const made: PersistentVolumeClaim[] = [];
    const failed = this.#claimsOf(pod).flatMap((claim) => {
      const refusal = take(own, claim);
      if (refusal === null) made.push(claim);
      return refusal === null ? [] : [`failed to create PVC ${nameOf(claim)}: ${refusal}`];
    });
    if (failed.length === 0) return { refusal: take(own, pod), made };
    return { refusal: failed.length === 1 ? failed[0]! : `[${failed.join(', ')}]`, made };
  }

  /**
   * A pod is gone, and with it the claims that it owned.
   * @returns the claims of others that are made then
   */
  leave(pod: Pod): readonly PersistentVolumeClaim[] {
    const own = this.#of(pod);
    const claims = own.length === 0 ? [] : this.#ephemeralClaimsOf(pod);
    for (const { key, claim, template } of claims) {
      if (!this.refused.delete(key)) charge(own, claim ?? template, subtractQuantities);
    }
    if (claims.length === 0) return [];
    return [...this.refused.keys()].flatMap((key) => {
      const claim = this.#toMake.get(key);
      if (claim === undefined || take(this.#of(claim), claim) !== null) return [];
      this.refused.delete(key);
      return [claim];
    });
  }

  #ephemeralClaimsOf(pod: Pod): readonly {
    readonly key: string;
    readonly template: PersistentVolumeClaim;
    /** With its class; undefined where the cluster has it already. */
    readonly claim: PersistentVolumeClaim | undefined;
  }[] {
    return ephemeralClaimsOf(pod).map((template) => {
      const key = keyOf(template);
      return { key, template, claim: this.#toMake.get(key) };
    });
  }

  /** What the API server answers to a new claim; one that it takes counts from now on. */
  create(claim: PersistentVolumeClaim): string | null {
    return take(this.#of(claim), claim);
  }

  /** Claims that controllers make for pods later. */
  expect(claims: readonly PersistentVolumeClaim[]): void {
    for (const claim of claims) this.#toMake.set(keyOf(claim), claim);
  }

  /** Source: CreateStatefulPod, createPersistentVolumeClaims in pkg/controller/statefulset/stateful_pod_control.go */
  #claimsOf(pod: Pod): readonly PersistentVolumeClaim[] {
    if (this.#toMake.size === 0 || pod.metadata?.ownerReferences?.[0]?.kind !== 'StatefulSet') return [];
    return (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
      const claim = this.#toMake.get(`${namespaceOf(pod)}/${persistentVolumeClaim?.claimName ?? ''}`);
      return claim === undefined ? [] : [claim];
    });
  }

  /** A pod has ended: its containers have, which is a little before it is gone. */
  release(pod: Pod): void {
    charge(this.#of(pod), pod, subtractQuantities);
  }

  /** What is used of each. */
  *used(): Generator<readonly [ResourceQuota, ReadonlyMap<string, Quantity>]> {
    for (const counted of this.#counted.values()) for (const { quota, used } of counted) yield [quota, used];
  }

  #of(object: Charged): readonly Counted[] {
    return this.#counted.get(namespaceOf(object)) ?? [];
  }
}

function toCharge(counted: Counted): Counted {
  return { ...counted, used: new Map(counted.used) };
}

function add(byNamespace: Map<string, Counted[]>, counted: Counted): void {
  const namespace = namespaceOf(counted.quota);
  addTo(byNamespace, namespace, counted);
}

/** What the API server answers; what it takes counts. */
function take(counted: readonly Counted[], object: Charged): string | null {
  const { refusal = null } = reviewQuotas(object, counted.map(asStored));
  if (refusal === null) charge(counted, object, addQuantities);
  return refusal;
}

function charge(counted: readonly Counted[], object: Charged, by: typeof addQuantities): void {
  if (counted.length === 0) return;
  const { verdicts } = reviewQuotas(
    object,
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
