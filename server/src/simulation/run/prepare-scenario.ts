import type { StatefulSet } from '../../kubernetes/objects.ts';
import { whyStuck } from '../../disruption/unready-pods.ts';
import type { Decision } from '../../scheduler/decision.ts';
import { compareBytewise, type PodInfo } from '../../scheduler/index.ts';
import { addTo } from '../../util/maps.ts';
import type { Scenario, SimulationOptions } from '../cluster/input.ts';
import { ReplacingControllers } from './replacements.ts';
import type { Run } from './run.ts';
import { startRun } from './start-run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { SimulatedWorkload } from '../cluster/workload-set.ts';

/** A run that stands right before the arrival. */
export interface PreparedScenario {
  readonly run: Run;
  readonly controllers: ReplacingControllers;
  /** Pods that wait although they came first. */
  readonly waitedBefore: ReadonlySet<SimulatedPod>;
  /** The last answer that pods got which came first. */
  readonly earlierDecisions: ReadonlyMap<SimulatedPod, Decision>;
  /** How many pods were placed before the arrival. */
  readonly placedFirst: number;
}

/** What of a cluster comes later, and is not there yet. */
export interface Later {
  readonly nodes: readonly string[];
  readonly pods: ReadonlySet<SimulatedPod>;
}

const noneLater: Later = { nodes: [], pods: new Set() };

/**
 * Puts everything else in place: running pods where they are, the other workloads scheduled in queue order until
 * nothing changes. The pods that the scenario is about come next.
 */
export function* prepareScenario(
  simulated: SimulatedCluster,
  scenario: Scenario,
  options: SimulationOptions,
  later: Later = noneLater,
): Generator<void, PreparedScenario> {
  const arrivals = new Set(simulated.arrivals(scenario));
  const controllers = new ReplacingControllers(simulated.workloads, simulated.factory);
  const run = yield* startRun(simulated, controllers, options);
  for (const node of later.nodes) run.cluster.state.removeNode(node);

  const earlierDecisions = new Map<SimulatedPod, Decision>();
  let placedFirst = 0;
  const others = simulated.arriving
    .flatMap((pods, index) => (arrivals.has(index) ? [] : pods))
    .filter((pod) => !later.pods.has(pod));
  if (others.length > 0) {
    letArrive(others, run, simulated);
    yield* run.settle(({ kind, pod, decision }) => {
      if (decision !== null) earlierDecisions.set(pod, decision);
      if (kind === 'scheduled') placedFirst += 1;
    });
    run.restartClock();
    run.cluster.refreshBudgets();
  }
  const waitedBefore = new Set(
    [...run.pods.touched()].filter((pod) =>
      ['pending', 'nominated', 'gated', 'rejected'].includes(run.place(pod).state),
    ),
  );
  const arriving = [...arrivals]
    .flatMap((index) => simulated.arriving[index] ?? [])
    .filter((pod) => !later.pods.has(pod));
  letArrive(arriving, run, simulated);
  if (simulated.inventory.earlierCluster !== undefined) {
    for (const pod of arriving) if (!isNew(pod.info)) waitedBefore.add(pod);
  }
  return { run, controllers, waitedBefore, earlierDecisions, placedFirst };
}

/**
 * Makes pods, as their controllers do: a StatefulSet the next once the one before runs, unless it is `Parallel`, and
 * none behind one that does not get ready; others all at once.
 * @param there of those that are there already, who does not run
 */
export function letArrive(
  pods: readonly SimulatedPod[],
  run: Run,
  { workloads }: { readonly workloads: readonly (SimulatedWorkload | undefined)[] },
  there: readonly SimulatedPod[] = [],
): void {
  const sets = new Map<number, SimulatedPod[]>();
  for (const pod of pods) {
    const { declared, kind } = workloads[pod.workload] ?? {};
    if (kind !== 'StatefulSet' || declared === undefined) continue;
    if ((declared.object as StatefulSet).spec?.podManagementPolicy === 'Parallel') continue;
    addTo(sets, pod.workload, pod);
  }
  const isHolding = (pod: SimulatedPod): boolean =>
    sets.has(pod.workload) && run.place(pod).state === 'running' && whyStuck(pod.pod) !== '';
  const holding = sets.size === 0 ? [] : [...there, ...[...run.pods.all()].filter(isHolding)];
  const before = new Map<SimulatedPod, SimulatedPod>();
  for (const own of sets.values()) {
    own.sort(byOrdinal);
    const first = holding.filter(({ workload }) => workload === own[0]!.workload);
    for (const [at, pod] of own.entries()) {
      const others = [...own.slice(Math.max(at - 1, 0), at), ...first.filter((each) => byOrdinal(each, pod) < 0)];
      const other = others.sort(byOrdinal).at(-1);
      if (other?.refusal === '' && !pod.isStored) before.set(pod, other);
    }
  }
  for (const pod of inOrderOfArrival(pods)) {
    const other = before.get(pod);
    if (other === undefined) run.addArriving(pod);
    else run.toCome.follow(other, pod);
  }
}

function byOrdinal(a: SimulatedPod, b: SimulatedPod): number {
  return ordinalOf(a) - ordinalOf(b);
}

function ordinalOf({ info }: SimulatedPod): number {
  return Number(info.name.slice(info.name.lastIndexOf('-') + 1));
}

/** Pods that wait in the cluster came before those that are only written down. Each as the API server lists them. */
function inOrderOfArrival(pods: readonly SimulatedPod[]): readonly SimulatedPod[] {
  return pods.toSorted(
    ({ info: a }, { info: b }) => Number(isNew(a)) - Number(isNew(b)) || compareBytewise(a.key, b.key),
  );
}

function isNew({ pod }: PodInfo): boolean {
  return pod.metadata?.creationTimestamp === undefined;
}
