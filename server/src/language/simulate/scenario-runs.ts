import type { CancellationToken } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import type { Effect } from '../../report-model/effect.ts';
import type { Remedy } from '../../report-model/remedy.ts';
import { say } from '../../util/say.ts';
import { declaredObjects } from '../../manifests/declared-objects.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import { canonicalUri } from '../../manifests/workspace-index.ts';
import { effectsOf } from '../../simulation/remedies/effects.ts';
import {
  branchOf,
  compareRuns,
  runsCompared,
  eventsOf,
  type Scenario,
  type ScenarioFile,
  simulateEvents,
  type SimulationInput,
  UnknownScenarioError,
  whatWouldHelp,
  workloadScenario,
} from '../../simulation/index.ts';
import type { Watch } from '../../simulation/cluster/input.ts';
import type { EndOfRun } from '../../simulation/capacity/fit.ts';
import { endOfRun } from '../../simulation/scenario/simulate-scenario.ts';
import { assumedNodesOf } from '../../simulation/cluster/assumed-nodes.ts';
import { withAutoscaled } from '../../simulation/operations/autoscaled-size.ts';
import type { AnsweredRun } from './answered-runs.ts';
import { below, isAt, narrowed } from './narrowed-input.ts';
import { isElsewhere, readScenarioText } from '../index/scenario-text.ts';
import type { Session } from '../session/session.ts';

/** A scenario of a file, and the cluster that it names. */
interface Loaded {
  readonly file: ScenarioFile;
  readonly input: SimulationInput;
  readonly scenario: Scenario;
  readonly text: string;
}

/**
 * Runs of files `*.podium.yaml`, as `podium simulate --scenario` makes them, over the files that the editor knows. A
 * snapshot that a scenario names is one of them. All reject with `UnknownScenarioError` where the file cannot be run.
 */
export const scenarioRuns = {
  /**
   * The run, compared with that without events, and the text that says what it is.
   */
  async run(
    uri: string,
    operations: readonly string[],
    session: Session,
    token: CancellationToken,
    watch: Watch = {},
  ): Promise<Omit<AnsweredRun, 'question' | 'state'> & { readonly text: string }> {
    const { file, input, scenario, text } = await load(uri, session, token);
    const tried = eventsOf(branchOf(input, operations));
    const events = [...file.events, ...tried];
    const played = { input, events, questions: file.questions };
    const since = tried.length === events.length ? say`the run without the what-if` : say`the run without the events`;
    const run =
      events.length > 0
        ? compareRuns({ input, events: [] }, played, scenario, since, watch)
        : simulateEvents(input, scenario, [], watch, file.questions);
    return { report: await session.simulationsOf().work(run, token, false), scenario, played, text };
  },
  /** Whether its cluster is a snapshot that it names itself. */
  async namesSnapshot(uri: string, session: Session): Promise<boolean> {
    const { scenario } = readScenarioText((await session.scenarioText(uri)) ?? '');
    return scenario?.cluster.snapshot !== undefined;
  },
  /** Where everything stands at its end. */
  async end(uri: string, operations: readonly string[], session: Session, token: CancellationToken): Promise<EndOfRun> {
    const { file, input, scenario } = await load(uri, session, token);
    const events = [...file.events, ...eventsOf(branchOf(input, operations))];
    return session.simulationsOf().work(endOfRun(input, scenario, events), token, true);
  },
  async effects(
    uri: string,
    operations: readonly string[],
    session: Session,
    token: CancellationToken,
    options: Watch,
    onEffects: (effects: readonly Effect[]) => void,
  ): Promise<readonly Effect[]> {
    const { file, input, scenario } = await load(uri, session, token);
    const steps = effectsOf(input, scenario, operations, { events: file.events, options, onEffects });
    return session.simulationsOf().work(steps, token, false);
  },
  /** What would help, beside the events of the file. */
  async remedies(
    uri: string,
    operations: readonly string[],
    session: Session,
    token: CancellationToken,
  ): Promise<readonly Remedy[]> {
    const { file, input, scenario } = await load(uri, session, token);
    const events = [...file.events, ...eventsOf(branchOf(input, operations))];
    const steps = function* (): Generator<void, readonly Remedy[]> {
      const since = say`the run without the events`;
      const { report, input: applied } =
        events.length === 0
          ? { report: yield* simulateEvents(input, scenario, []), input }
          : yield* runsCompared({ input, events: [] }, { input, events }, scenario, since);
      return yield* whatWouldHelp(report, applied, scenario, events, {}, file.events.length);
    };
    return session.simulationsOf().work(steps(), token, false);
  },
};

async function load(uri: string, session: Session, token: CancellationToken): Promise<Loaded> {
  const text = await session.scenarioText(uri);
  if (text === null) throw new UnknownScenarioError(say`the file cannot be read`);
  const { scenario: file, faults } = readScenarioText(text);
  if (file === null) {
    const [{ line, text: fault } = { line: undefined, text: '' }] = faults;
    throw new UnknownScenarioError(line === undefined ? fault : say`line ${line}: ${fault}`);
  }
  const { input } = await session.simulationsOf().input(token);
  const { workload = '' } = file;
  const scenario: Scenario | null = workload === '' ? { kind: 'workspace' } : workloadScenario(workload);
  if (scenario === null) {
    throw new UnknownScenarioError(say`\`workload\` must be KIND/NAMESPACE/NAME, not '${workload}'`);
  }
  return { file, input: inputOf(uri, file, input, session), scenario, text };
}

/** The cluster that a scenario names, of what the editor knows. */
function inputOf(
  uri: string,
  { cluster, calendar, readyAfter }: ScenarioFile,
  known: SimulationInput,
  session: Session,
): SimulationInput {
  const { paths = ['.'], snapshot, assumeNodes, kubernetes, autoscaled } = cluster;
  const home = Utils.dirname(URI.parse(uri));
  const at = (path: string): string => {
    if (isElsewhere(path)) throw new UnknownScenarioError(say`${path} is on another computer`);
    return canonicalUri(Utils.resolvePath(home, path).toString()).replace(/\/$/, '');
  };
  const places = paths.map(at);
  // What is rendered may be written elsewhere: a scenario of the whole workspace leaves nothing out.
  const isWhole = session.folders.uris.every((folder) => places.some((place) => isAt(place, canonicalUri(folder))));
  let input: SimulationInput = { ...(isWhole ? known : narrowed(known, below(places))), calendar, readyAfter };
  if (snapshot !== undefined) {
    const file = session.index.file(at(snapshot));
    if (file === undefined) throw new UnknownScenarioError(say`the snapshot ${snapshot} is no file of the workspace`);
    const workspace = input.workspace.filter(({ origin }) => origin?.uri !== file.uri);
    // What the settings name and cannot be used was not asked for.
    const missing = (input.missing ?? []).filter(({ about }) => about !== 'snapshot');
    input = { ...input, workspace, snapshot: declaredObjects(file), serverVersion: serverVersionIn(file), missing };
  }
  if (kubernetes !== undefined) input = { ...input, kubernetes };
  if (assumeNodes !== undefined) {
    const assumed = assumedNodesOf(assumeNodes);
    if (typeof assumed === 'string') throw new UnknownScenarioError(`\`assumeNodes\`: ${assumed}`);
    input = { ...input, assumedNodes: assumed };
  }
  return autoscaled === undefined ? input : withAutoscaled(input, autoscaled);
}
