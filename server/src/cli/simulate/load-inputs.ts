import { UsageError, type CommandContext } from '../command.ts';
import { clusterSettings, type ClusterValues, inCluster } from '../applied-input.ts';
import { oneOf } from '../arguments.ts';
import { type LoadedScenario, snapshotFault } from '../events.ts';
import { snapshotFor } from '../found-snapshot.ts';
import { loadApplied, loadChangedManifests, loadSnapshot } from '../load-manifests.ts';
import { namesOf, readFile } from '../read-files.ts';
import { growthFor } from '../../language/session/growth.ts';
import { isScenarioName } from '../../manifests/file-provider.ts';
import {
  KnownPods,
  loadDevicesFor,
  notComparedFiles,
  notComparedSources,
  parseSeconds,
  readSavedReport,
  type SavedReport,
  type Scenario,
  type ScenarioFile,
  type SimulationInput,
  withAutoscaled,
} from '../../simulation/index.ts';

/** The cluster that is simulated, and what it was before. */
export interface LoadedInputs {
  /** As it was committed; null where that is not compared. */
  readonly earlier: SimulationInput | null;
  readonly input: SimulationInput;
  /** Objects that are removed when they are written no longer, by `workloadKey`. */
  readonly pruned?: ReadonlySet<string>;
  /** What arrives, where an editor says it. */
  readonly scenario?: Scenario;
}

/** Options of the command line that say what is simulated. */
type Values = ClusterValues & {
  readonly since?: string | undefined;
  readonly autoscaled?: string | undefined;
  readonly autoscale?: string | undefined;
  readonly 'no-autoscale'?: boolean | undefined;
  readonly 'ready-after'?: string | undefined;
};

/** The command line wins over the scenario. */
export async function loadInputs(
  paths: readonly string[],
  values: Values,
  scenario: LoadedScenario | null,
  context: CommandContext,
): Promise<LoadedInputs> {
  if (context.open !== undefined) return context.open.input(paths, values.since);
  const cluster: ScenarioFile['cluster'] = scenario?.file.cluster ?? {};
  const merged = {
    ...values,
    snapshot: values.snapshot ?? scenario?.snapshot,
    'assume-nodes': values['assume-nodes'] ?? cluster.assumeNodes,
    kubernetes: values.kubernetes === 'auto' ? (cluster.kubernetes ?? 'auto') : values.kubernetes,
  };
  const size = values.autoscaled ?? cluster.autoscaled;
  const autoscaled = size === undefined ? null : oneOf('--autoscaled', size, ['minimum', 'maximum', 'present']);
  const settings = clusterSettings(merged);
  const snapshot = await loadSnapshot(snapshotFor(paths, merged, context), context).catch((error: unknown) => {
    const isOfScenario = scenario !== null && values.snapshot === undefined && error instanceof UsageError;
    throw isOfScenario ? snapshotFault(scenario, error) : error;
  });
  const {
    now: workspace,
    earlier,
    notCompared,
    notRendered,
    pruned,
    edits,
    unrendered,
    seesAllEdits,
  } = values.since === undefined
    ? {
        now: await loadApplied(paths, context, merged, snapshot),
        earlier: null,
        notCompared: 0,
        notRendered: [],
        pruned: undefined,
        edits: undefined,
        unrendered: undefined,
        seesAllEdits: undefined,
      }
    : await loadChangedManifests(paths, context, merged, values.since, snapshot);
  const loaded: SimulationInput = {
    ...inCluster(workspace, snapshot, settings, context),
    missing: [...notComparedFiles(notCompared), ...notComparedSources(notRendered)],
    known: new KnownPods(),
    calendar: scenario?.file.calendar,
    readyAfter: readyAfter(values['ready-after']) ?? scenario?.file.readyAfter,
  };
  if (workspace.objects.length + (earlier?.objects.length ?? 0) + workspace.unseen.length === 0) {
    throw new UsageError(`no Kubernetes manifests in ${namesOf(paths)}`, true);
  }
  await loadDevicesFor(loaded.workspace, loaded.snapshot, earlier?.objects ?? []);
  const seconds = values.autoscale === undefined ? undefined : Number(values.autoscale);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 0)) {
    throw new UsageError(`--autoscale must be a number of seconds, not '${values.autoscale ?? ''}'`);
  }
  const growth =
    values['no-autoscale'] === true ? undefined : await growthFor([loaded.workspace, loaded.snapshot], seconds);
  const sized = (input: SimulationInput): SimulationInput =>
    autoscaled === null ? input : withAutoscaled(input, autoscaled);
  return {
    earlier: earlier === null ? null : sized({ ...loaded, growth, workspace: earlier.objects }),
    input: sized({ ...loaded, growth, edits, unrendered, seesAllEdits }),
    ...(pruned === undefined ? {} : { pruned }),
  };
}

function readyAfter(text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : parseSeconds(text);
  if (seconds === null) throw new UsageError(`--ready-after must be a time as 30s or 5m, not '${text ?? ''}'`);
  return seconds;
}

/** By its name: scenarios are YAML, or have names of their own. */
export function isSavedReport(path: string | undefined): path is string {
  return path !== undefined && !/\.ya?ml$/i.test(path) && !isScenarioName(path);
}

export async function loadReport(path: string, context: CommandContext): Promise<SavedReport> {
  const saved = readSavedReport(await readFile(path, context));
  if ('problem' in saved) throw new UsageError(`${namesOf([path])} ${saved.problem}`, true);
  return saved;
}
