import { say } from '../util/say.ts';
import { compileLabelSelector } from '../kubernetes/labels.ts';
import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { type ControllerIndex, controllerOf, type ScaleLookup } from './controllers.ts';
import { nameOf, namespaceOf } from '../kubernetes/names.ts';
import { isPodReady } from './pods.ts';

/** Source for this file: pkg/controller/disruption/disruption.go */

/** How long an eviction that was granted keeps its pod from counting as healthy (DeletionTimeout), in ms. */
const deletionTimeout = 2 * 60 * 1000;

/** The numbers that decide how many pods of a budget may be evicted. */
export interface BudgetArithmetic {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

export interface BudgetStatus extends BudgetArithmetic {
  readonly currentHealthy: number;
  readonly disruptionsAllowed: number;
  readonly observedGeneration: number;
  /** Names of pods whose eviction was granted and is still awaited. */
  readonly disruptedPods: readonly string[];
  /** The condition `DisruptionAllowed`; `SyncFailed` when the controller could not work out a number. */
  readonly condition: {
    readonly status: 'True' | 'False';
    readonly reason: 'SufficientPods' | 'InsufficientPods' | 'SyncFailed';
    /** With `SyncFailed` only. */
    readonly message?: string;
  };
  /** Names of selected pods without a controller: they add nothing to `expectedPods`. Empty where nobody looked. */
  readonly unmanagedPods: readonly string[];
}

/**
 * What the disruption controller writes into a budget at `now` (ms since the epoch). `pods` may be of all namespaces;
 * they are looked at in order of their names, which decides whose problem is told first.
 */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  controllers: ControllerIndex,
  now: number,
): BudgetStatus {
  const selector = compileLabelSelector(budget.spec?.selector);
  if (selector.invalid !== undefined) return failedStatus(budget, selector.invalid);
  const namespace = namespaceOf(budget);
  const selected = pods
    .filter((pod) => namespaceOf(pod) === namespace && selector.matches(pod.metadata?.labels))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));

  const expected = expectedPods(budget, selected, controllers);
  if ('failure' in expected) return failedStatus(budget, expected.failure);

  const disrupted = awaitedEvictions(budget, selected, now);
  const currentHealthy = selected.filter(
    (pod) => pod.metadata?.deletionTimestamp === undefined && !isAwaited(disrupted, pod, now) && isPodReady(pod),
  ).length;
  const disruptionsAllowed = allowedDisruptions(expected, currentHealthy);
  return {
    expectedPods: expected.expectedPods,
    desiredHealthy: expected.desiredHealthy,
    currentHealthy,
    disruptionsAllowed,
    observedGeneration: budget.metadata?.generation ?? 0,
    disruptedPods: [...disrupted.keys()],
    condition:
      disruptionsAllowed > 0
        ? { status: 'True', reason: 'SufficientPods' }
        : { status: 'False', reason: 'InsufficientPods' },
    unmanagedPods: expected.unmanagedPods,
  };
}

/**
 * How many pods may go while `currentHealthy` are healthy. A budget that expects no pods allows nothing: its first pods
 * are then safe before the controller has counted them.
 */
export function allowedDisruptions({ expectedPods, desiredHealthy }: BudgetArithmetic, currentHealthy: number): number {
  return expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
}

/**
 * The bounds of a budget as numbers, from the scale of the controllers behind its pods and from the number of pods it
 * selects. A whole number in `minAvailable` is compared with the pods themselves; percentages are rounded up.
 */
export function budgetArithmetic(
  spec: PodDisruptionBudget['spec'],
  scale: number,
  podCount: number,
): BudgetArithmetic | { readonly failure: string } {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const unavailable = scaledValue(maxUnavailable, scale);
    if (typeof unavailable === 'string') return { failure: unavailable };
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - unavailable) };
  }
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  if (typeof minAvailable === 'number') return { expectedPods: podCount, desiredHealthy: minAvailable };
  const available = scaledValue(minAvailable, scale);
  return typeof available === 'string' ? { failure: available } : { expectedPods: scale, desiredHealthy: available };
}

/** Whether the controllers behind the pods matter to a budget: not for a whole number in `minAvailable`. */
export function countsControllers(spec: PodDisruptionBudget['spec']): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

/** Source: getExpectedPodCount. */
function expectedPods(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  controllers: ControllerIndex,
): (BudgetArithmetic & { readonly unmanagedPods: readonly string[] }) | { readonly failure: string } {
  const sum = countsControllers(budget.spec) ? sumOfScales(pods, controllers) : { scale: 0, unmanagedPods: [] };
  if ('failure' in sum) return sum;
  const arithmetic = budgetArithmetic(budget.spec, sum.scale, pods.length);
  return 'failure' in arithmetic ? arithmetic : { ...arithmetic, unmanagedPods: sum.unmanagedPods };
}

/** The scales of the distinct controllers behind the pods, added up. Source: getExpectedScale. */
function sumOfScales(
  pods: readonly Pod[],
  controllers: ControllerIndex,
): { readonly scale: number; readonly unmanagedPods: readonly string[] } | { readonly failure: string } {
  const scales = new Map<string, number>();
  const unmanagedPods: string[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) {
      unmanagedPods.push(nameOf(pod));
      continue;
    }
    if (scales.has(owner.uid)) continue;
    const found: ScaleLookup = controllers.scaleOf(owner, namespaceOf(pod));
    if (found.outcome === 'error') return { failure: found.message };
    if (found.outcome === 'missing') return { failure: `found no controllers for pod "${nameOf(pod)}"` };
    scales.set(found.uid, found.replicas);
  }
  return { scale: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanagedPods };
}

/** A number, or a percentage of `total` rounded up; a text is the reason why it is neither. */
function scaledValue(bound: number | string, total: number): number | string {
  if (typeof bound === 'number') return bound;
  // Source: GetScaledValueFromIntOrPercent in apimachinery/pkg/util/intstr/intstr.go
  if (!bound.endsWith('%')) return 'invalid value for IntOrString: invalid type: string is not a percentage';
  const digits = bound.slice(0, -1);
  if (!/^[-+]?[0-9]+$/.test(digits)) {
    return `invalid value for IntOrString: invalid value ${JSON.stringify(bound)}: strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`;
  }
  return Math.ceil((Number(digits) * total) / 100);
}

/** The entries of `status.disruptedPods` that still mean something. Source: buildDisruptedPodMap. */
function awaitedEvictions(budget: PodDisruptionBudget, pods: readonly Pod[], now: number): ReadonlyMap<string, number> {
  const granted = new Map(Object.entries(budget.status?.disruptedPods ?? {}));
  const awaited = new Map<string, number>();
  for (const pod of pods) {
    const time = granted.get(nameOf(pod));
    if (time === undefined || pod.metadata?.deletionTimestamp !== undefined) continue;
    const since = Date.parse(time);
    if (since + deletionTimeout >= now) awaited.set(nameOf(pod), since);
  }
  return awaited;
}

/** At the very end of its time an entry is kept, but its pod counts again. Source: countHealthyPods. */
function isAwaited(disrupted: ReadonlyMap<string, number>, pod: Pod, now: number): boolean {
  const since = disrupted.get(nameOf(pod));
  return since !== undefined && since + deletionTimeout > now;
}

/** Nothing may be evicted, all else stays as it was. Source: failSafe. */
function failedStatus(budget: PodDisruptionBudget, message: string): BudgetStatus {
  const status = budget.status;
  return {
    expectedPods: status?.expectedPods ?? 0,
    desiredHealthy: status?.desiredHealthy ?? 0,
    currentHealthy: status?.currentHealthy ?? 0,
    disruptionsAllowed: 0,
    observedGeneration: status?.observedGeneration ?? 0,
    disruptedPods: Object.keys(status?.disruptedPods ?? {}),
    condition: { status: 'False', reason: 'SyncFailed', message },
    unmanagedPods: [],
  };
}

/** A percentage that gives no whole number of pods. Source: GetScaledValueFromIntOrPercent, which rounds both bounds up */
export function roundedText(spec: PodDisruptionBudget['spec'], pods: number): string {
  const bound = spec?.minAvailable ?? spec?.maxUnavailable;
  return typeof bound === 'string' && (Number.parseInt(bound, 10) * pods) % 100 > 0 ? say` (${bound}, rounded up)` : '';
}
