import type { Decision } from '../../scheduler/decision.ts';
import { ReplacingControllers } from '../run/replacements.ts';
import type { Run } from '../run/run.ts';
import { inOrderOfArrival } from '../scene/prepare-scenario.ts';
import type { Scene } from '../scene/scene.ts';
import type { SimulatedPod } from '../scene/simulated-pod.ts';

/** A cluster after everything that is declared has arrived and nothing changes any more. */
export interface SettledScene {
  readonly run: Run;
  /** Pods that wait for a node, and the last answer that they got. */
  readonly waiting: ReadonlyMap<SimulatedPod, Decision | null>;
}

/** @param held pods that do not arrive */
export function* settleScene(scene: Scene, held: ReadonlySet<SimulatedPod> = new Set()): Generator<void, SettledScene> {
  const run = yield* scene.run(new ReplacingControllers(scene.workloads, scene.factory), {});
  const arriving = scene.arriving.flat().filter((pod) => !held.has(pod));
  for (const pod of inOrderOfArrival(arriving)) run.addArriving(pod);
  const decisions = new Map<SimulatedPod, Decision>();
  yield* run.settle(({ pod, decision }) => {
    if (decision !== null) decisions.set(pod, decision);
  });
  run.cluster.refreshBudgets();
  const waiting = [...run.pods()].filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state));
  return { run, waiting: new Map(waiting.map((pod) => [pod, decisions.get(pod) ?? null])) };
}
