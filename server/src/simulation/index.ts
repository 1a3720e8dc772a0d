/** The simulation: scenarios on declared objects, told as a report. */
export {
  notComparedFiles,
  notComparedObjects,
  notComparedSources,
  UnknownScenarioError,
  type AssumedNodes,
  type Progress,
  type RunSize,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
  type Watch,
} from './cluster/input.ts';
export { loadDevicesFor } from './cluster/load-devices-for.ts';
export { KnownPods } from './cluster/known-pods.ts';
export { ArrivalPreviews, type ArrivalPreview, type LookInCluster } from './preview/preview.ts';
export { isLarge, sizeText } from './run/run-size.ts';
export { simulate } from './scenario/simulate.ts';
export { WorkspaceRuns } from './preview/workspace-runs.ts';
export { findRemedies } from './remedies/find-remedies.ts';
export { whatWouldHelp } from './remedies/what-would-help.ts';
export { applyOperation, UnknownObjectError } from './operations/apply-operation.ts';
export type { Operation, ScenarioEvent } from './operations/operation.ts';
export { parseEvent, parseOperation, parseSeconds, workloadScenario } from './operations/parse-operation.ts';
export { withAutoscaled } from './operations/autoscaled-size.ts';
export type { ScenarioFile } from './scenario/scenario-file.ts';
export { capacityOf } from './scenario/capacity.ts';
export { endOfRun, simulateEvents, startOf } from './scenario/simulate-scenario.ts';
export { happeningsOf } from './compare/stages-of.ts';
export { compareRuns, runsCompared, type Played } from './compare/compare-runs.ts';
export { manifestsOf, type SavedManifests, savedRun } from './compare/saved-manifests.ts';
export { readSavedReport, savedEvents, type SavedReport, sinceSaved } from './compare/saved-report.ts';
export { branchOf, eventsOf } from './scenario/branch-of.ts';
export { figuresAtEnd } from './compare/outcome.ts';
export { figuresOf } from './report/answer/figures.ts';
