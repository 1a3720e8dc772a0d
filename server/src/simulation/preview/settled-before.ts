import type { Declared } from '../../kubernetes/objects.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { KnownPods } from '../cluster/known-pods.ts';
import { type SettledCluster, settledCluster } from '../scenario/settled-cluster.ts';

interface Settled {
  readonly input: SimulationInput;
  readonly since: string;
  readonly cluster: SettledCluster;
}

/** The last of each workspace. */
const last = new WeakMap<KnownPods, Settled>();

/**
 * The cluster in which what was written earlier runs, kept for the next edit of the same workload: what runs before it is
 * the same.
 */
export function* settledBefore(input: SimulationInput, since: string): Generator<void, SettledCluster> {
  const { known } = input;
  const settled = known === undefined ? undefined : last.get(known);
  if (settled?.since === since && isSame(settled.input, input)) return settled.cluster;
  const cluster = yield* settledCluster(input, since);
  if (known !== undefined) last.set(known, { input, since, cluster });
  return cluster;
}

/** Whether the same runs in two inputs of one workspace, whatever time it is and whatever is said besides. */
function isSame(one: SimulationInput, other: SimulationInput): boolean {
  return (
    one.growth === other.growth &&
    areSame(one.snapshot, other.snapshot) &&
    areSame(one.workspace, other.workspace) &&
    JSON.stringify(settingsOf(one)) === JSON.stringify(settingsOf(other))
  );
}

/** An object that is rendered or read again is another that says the same. */
function areSame(some: readonly Declared[], others: readonly Declared[]): boolean {
  return (
    some === others ||
    (some.length === others.length &&
      some.every(({ object }, at) => {
        const other = others[at]!.object;
        return object === other || JSON.stringify(object) === JSON.stringify(other);
      }))
  );
}

function settingsOf(input: SimulationInput): readonly unknown[] {
  const { assumedNodes, kubernetes, featureGates, serverVersion, admissionPlugins, target, unseen } = input;
  return [assumedNodes, kubernetes, [...(featureGates ?? [])], serverVersion, admissionPlugins, target, unseen];
}
