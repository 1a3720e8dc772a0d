import { podRequests, type ResourceAmounts } from '../../../kubernetes/pod-resources.ts';
import { addQuantities, type Quantity } from '../../../kubernetes/quantity.ts';
import type { Fact } from '../../index/fact.ts';
import type { Facts } from '../../index/facts.ts';
import { isStoredPod } from '../../index/priority-classes.ts';
import { madePod } from './made-pods.ts';
import { podsOn } from '../../index/running-pods.ts';

const onePod = ['pods', { text: '1', nanos: 1_000_000_000n, format: 'DecimalSI' }] as const;

/** What the pods on a node request; pods count as a resource. */
export function requestedOn(node: string, facts: Facts): ResourceAmounts {
  const requested = new Map<string, Quantity>();
  for (const pod of podsOn(facts, node)) {
    for (const [resource, amount] of [...requestsOf(pod, facts), onePod]) {
      const sum = requested.get(resource);
      requested.set(resource, sum === undefined ? amount : addQuantities(sum, amount));
    }
  }
  return requested;
}

/** Of pods that exist already: nothing but the pod itself decides what it requests. */
const storedRequests = new WeakMap<Fact, ResourceAmounts>();

export function requestsOf(pod: Fact, facts: Facts): ResourceAmounts {
  const known = storedRequests.get(pod);
  if (known !== undefined) return known;
  const made = madePod(pod, facts);
  const requests: ResourceAmounts =
    made?.spec === undefined ? new Map<string, Quantity>() : podRequests(made.spec, { status: made.status });
  if (isStoredPod(pod)) storedRequests.set(pod, requests);
  return requests;
}
