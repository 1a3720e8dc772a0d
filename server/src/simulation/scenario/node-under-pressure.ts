import { say } from '../../util/say.ts';
import { isCriticalPod, memoryRequest, rankForMemoryPressure } from '../../disruption/node-pressure.ts';
import { list } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantityError,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import { compareBytewise } from '../../scheduler/index.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

export interface PressureEvictions {
  /** Whether less memory is available than the kubelet wants to keep. */
  readonly isShort: boolean;
  /** In the order in which they go. */
  readonly evicted: readonly SimulatedPod[];
  readonly lines: readonly string[];
}

/** Source: pkg/kubelet/eviction/defaults_linux.go (DefaultEvictionHard, memory.available) */
const kept = quantityOf('100Mi');

/** More pods are counted. */
const longest = 10;

/**
 * Whom the kubelet of a node evicts for its memory, first to go first, until enough is available again.
 * @param memoryOf what a pod uses; what it requests where nobody says
 */
export function evictionsUnderPressure(
  { status }: Node,
  pods: readonly SimulatedPod[],
  memoryOf: (pod: SimulatedPod) => string | undefined,
): PressureEvictions {
  const byPod = new Map<Pod, SimulatedPod>();
  const usage = new Map<Pod, Quantity>();
  for (const simulated of pods.toSorted((a, b) => compareBytewise(a.key, b.key))) {
    const pod = { ...simulated.pod, spec: { ...simulated.pod.spec!, priority: simulated.priority } };
    const written = memoryOf(simulated);
    byPod.set(pod, simulated);
    usage.set(pod, written === undefined ? memoryRequest(pod) : quantityOf(written));
  }
  const capacity = quantityOf(status?.capacity?.['memory'] ?? status?.allocatable?.['memory'] ?? '0');
  let available = [...usage.values()].reduce((left, used) => subtractQuantities(left, used), capacity);
  const isShort = (): boolean => compareQuantities(available, kept) < 0;
  const wasShort = isShort();
  const text = formatQuantity;
  const lines = [
    say`${text(available)} of ${text(capacity)} available: ${wasShort ? say`short of the 100Mi that the kubelet keeps` : say`enough, no pod is evicted`}`,
  ];
  const evicted: SimulatedPod[] = [];
  const spared: string[] = [];
  for (const { pod, request, exceedsRequest } of rankForMemoryPressure([...byPod.keys()], (each) =>
    usage.get(each),
  ).flat()) {
    const used = usage.get(pod)!;
    if (isShort() && isCriticalPod(pod)) {
      lines.push(say`${keyOf(pod)} is critical, and passed over`);
    } else if (isShort()) {
      evicted.push(byPod.get(pod)!);
      available = addQuantities(available, used);
      const why = exceedsRequest ? say`over its request` : say`within its request, but no pod is over its own any more`;
      lines.push(say`${keyOf(pod)} is evicted: uses ${text(used)}, requests ${text(request)}, ${why}`);
    } else if (!exceedsRequest) {
      spared.push(keyOf(pod));
    }
  }
  if (wasShort && spared.length > 0) {
    lines.push(say`not evicted, for they stay within their requests: ${list(spared, longest)}`);
  }
  if (isShort()) lines.push(say`still short, with no pod left to evict: ${text(available)} available`);
  return { isShort: wasShort, evicted, lines };
}

function quantityOf(written: string): Quantity {
  const quantity = parseQuantity(written);
  return isQuantityError(quantity) ? quantityOf('0') : quantity;
}
