import { titleOf } from '../../kit/words.ts';
import { buildAssumptions } from '../report/assumptions.ts';
import { buildScene } from '../scene/build-scene.ts';
import { buildReport } from '../report/build-report.ts';
import { compareReports } from '../compare/compare-reports.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../scene/input.ts';
import { prepareScenario } from '../scene/prepare-scenario.ts';
import { Recorder } from './recorder.ts';
import type { Report, ReportScenario } from '../../contract/report.ts';
import { fileName, type Scene } from '../scene/scene.ts';
import { findThreats } from '../report/threats.ts';
import { findHelp } from '../report/would-help.ts';

/**
 * Simulates a scenario. The generator yields after each decision, so that a server can pause, answer others and cancel;
 * it returns the report. Input is not changed; the same input gives the same report.
 *
 * Throws `UnknownScenarioError` when the scenario names a workload or file that is not there.
 */
export function* simulate(
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
): Generator<void, Report> {
  return yield* simulateScene(yield* buildScene(input), scenario, options);
}

/**
 * Simulates the whole workspace as it is, and tells what differs from what it was. Costs two simulations.
 * @param since what the earlier manifests are, to be read after "compared with": `git HEAD`.
 */
export function* simulateChange(
  earlier: SimulationInput,
  input: SimulationInput,
  since: string,
  options: SimulationOptions = {},
): Generator<void, Report> {
  // Who could evict whom is not compared.
  const before = yield* simulate(earlier, { kind: 'workspace' }, { ...options, threatLimit: 0 });
  const after = yield* simulate(input, { kind: 'workspace' }, options);
  return { ...after, scenario: { kind: 'change', since }, comparison: compareReports(before, after, since) };
}

/** As `simulate`, in a scene that was built before; it is left as it is. */
export function* simulateScene(
  scene: Scene,
  scenario: Scenario,
  options: SimulationOptions = {},
): Generator<void, Report> {
  const prepared = yield* prepareScenario(scene, scenario, options);
  const { run, controllers, waitedBefore } = prepared;
  const recorder = new Recorder(
    run,
    scene.nodes.map(({ name }) => name),
  );
  for (const [pod, decision] of prepared.earlierDecisions) {
    if (run.place(pod).state !== 'running' && run.place(pod).state !== 'evicted') recorder.recordEarlier(pod, decision);
  }
  const nodes = scene.nodes.map((node) => ({ ...node, requested: run.cluster.requested(node.name) }));
  const waited = new Set([...waitedBefore].map((pod) => recorder.indexOf(pod)));
  yield* run.settle((event) => {
    recorder.record(event);
  });
  const wouldHelp = yield* findHelp(recorder, run, scene);
  const threats = yield* findThreats(recorder, run, scene, options.threatLimit);
  return buildReport({
    scenario: reportScenario(scene, scenario),
    kubernetes: scene.inventory.kubernetes.release.minor,
    workloads: scene.reportWorkloads,
    nodes,
    recorder,
    wouldHelp,
    threats,
    waitedBefore: waited,
    budgetKeeps: (name) => {
      const kept = scene.budgets.keeps(name);
      return kept === undefined ? undefined : { desired: kept.desiredHealthy, expected: kept.expectedPods };
    },
    budgetsOf: (pod) => run.cluster.budgetsOf(pod),
    replacementOf: (pod) => controllers.replacementOf(pod),
    unseen: scene.inventory.unseen,
    assumptions: (report) => buildAssumptions(report, scene, prepared.placedFirst, run.isSettled),
  });
}

function reportScenario(scene: Scene, scenario: Scenario): ReportScenario {
  switch (scenario.kind) {
    case 'workspace':
      return { kind: 'workspace' };
    case 'file':
      return { kind: 'file', uri: scenario.uri, label: fileName(scenario.uri) };
    case 'workload': {
      const workload = scene.arrivals(scenario)[0] ?? 0;
      const { kind, namespace, name } = scene.workloads[workload]!;
      return { kind: 'workload', workload, label: titleOf({ kind, namespace, name }) };
    }
  }
}
