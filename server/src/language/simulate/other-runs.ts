import type { CancellationToken } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { decompressed } from '../../report-model/compressed.ts';
import type { ComparedReport, WholeReport } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { isScenarioName } from '../../manifests/file-provider.ts';
import type { Against, ScenarioRequest } from '../../protocol.ts';
import { straight, type Way } from '../../simulation/compare/build-plan.ts';
import { compared } from '../../simulation/compare/compare-reports.ts';
import { compareRuns } from '../../simulation/compare/compare-runs.ts';
import { type SavedManifests, savedRun } from '../../simulation/compare/saved-manifests.ts';
import { readSavedReport, savedEvents, type SavedReport, sinceSaved } from '../../simulation/compare/saved-report.ts';
import { attributed } from '../../simulation/compare/attribute-effects.ts';
import { branchOf, eventsOf } from '../../simulation/scenario/branch-of.ts';
import { happeningsOf } from '../../simulation/compare/stages-of.ts';
import { type SimulationInput, UnknownScenarioError, type Watch } from '../../simulation/cluster/input.ts';
import { type AnsweredRun, type AnsweredRuns, previousOf } from './answered-runs.ts';
import { scenarioRuns } from './scenario-runs.ts';
import type { Session } from '../session/session.ts';
import type { Simulations } from '../session/simulations.ts';

/** Who asks for a run, and what about. */
export interface Asked {
  readonly scenario: Exclude<ScenarioRequest, { readonly kind: 'change' }>;
  readonly session: Session;
  readonly token: CancellationToken;
}

/** The run that another is compared with. */
interface OtherRun {
  readonly since: string;
  readonly report: ComparedReport;
  /** Null where it is not known. */
  readonly input: SimulationInput | null;
  /** What a saved report says of that. */
  readonly manifests: SavedManifests | null;
  /** What happened in it, as it was written. */
  readonly events: ReadonlySet<string>;
}

/** A run, and what is on the way to it. */
interface RunAfter {
  readonly run: AnsweredRun;
  readonly way: Way;
}

/** Runs what is asked about, after operations. */
export async function runAfter(
  operations: readonly string[],
  { scenario, session, token }: Asked,
  watch: Watch,
): Promise<RunAfter> {
  const question = JSON.stringify(scenario);
  const file = scenarioFileOf(scenario);
  if (file !== null) {
    const { text, ...run } = await scenarioRuns.run(file, operations, session, token, watch);
    const state = JSON.stringify([session.modelVersion, operations, text]);
    return { run: { question, state, ...run }, way: straight() };
  }
  const state = JSON.stringify([session.modelVersion, operations]);
  return simulationsFor(scenario, session).ask(function* (of): Generator<void, RunAfter> {
    const report = yield* of.report(scenario, operations, watch);
    const { start: input, later } = yield* of.startAfter(scenario, operations);
    const way = yield* of.wayAfter(scenario, operations);
    return { run: { question, state, report, scenario, input, later }, way };
  }, token);
}

/** The run that the answer is to be compared with. Rejects with `UnknownScenarioError` where there is none. */
export async function otherRun(
  against: Against,
  asked: Asked,
  runs: AnsweredRuns | undefined,
  watch: Watch,
): Promise<OtherRun> {
  const { scenario, session, token } = asked;
  switch (against.kind) {
    case 'previous': {
      const since = say`the previous run`;
      const previous = previousOf(runs, JSON.stringify(scenario));
      if (previous !== undefined) return ofAnswered(previous, since);
      const text = against.kept === undefined ? null : await session.savedText(against.kept);
      const saved = text === null ? null : readSavedReport(await decompressed(text).catch(() => ''));
      if (saved === null || 'problem' in saved) {
        throw new UnknownScenarioError(say`there is no run before this one to compare with`);
      }
      return ofSaved(saved, since);
    }
    case 'kept':
      return ofAnswered((await runAfter(against.operations, asked, watch)).run, against.name);
    case 'file': {
      const { uri } = against;
      const since = fileName(uri);
      if (isScenarioName(uri)) return ofAnswered(await scenarioRuns.run(uri, [], session, token, watch), since);
      const text = await session.savedText(uri);
      if (text === null) throw new UnknownScenarioError(say`${since} cannot be read`);
      const saved = readSavedReport(text);
      if ('problem' in saved) throw new UnknownScenarioError(say`${since} ${saved.problem}`);
      return ofSaved(saved, since);
    }
  }
}

function ofAnswered(
  { report, input, later }: Pick<AnsweredRun, 'report' | 'input' | 'later'>,
  since: string,
): OtherRun {
  return { since, report, input, manifests: null, events: new Set(later.map(({ text }) => text)) };
}

function ofSaved({ report, manifests }: SavedReport, since: string): OtherRun {
  return { since, report, input: null, manifests, events: savedEvents(report) };
}

/** A run with what differs from another one. */
export async function sinceOther(
  { since, report: before, input: earlier, manifests, events }: OtherRun,
  { run: { report: after, scenario, input: now, later }, way }: RunAfter,
  operations: readonly string[],
  { scenario: asked, session, token }: Asked,
): Promise<WholeReport> {
  const simulations = simulationsFor(asked, session);
  if (manifests !== null && scenarioFileOf(asked) === null) {
    const { input } = await simulations.input(token);
    const played = savedRun(manifests, input);
    if (played !== null) {
      const other = { input, events: eventsOf(branchOf(input, operations)) };
      const report = await simulations.work(compareRuns(played, other, scenario, since), token, false);
      return { ...report, scenario: after.scenario };
    }
  }
  const happens = happeningsOf(
    later.filter(({ text }) => !events.has(text)),
    after,
  );
  const steps = function* (): Generator<void, WholeReport> {
    if (earlier === null) return yield* sinceSaved(before, after, since, happens, way);
    const report = yield* compared(before, after, since, { earlier, now, happens }, way);
    return yield* attributed(report, { earlier, now, later, happens, scenario }, {});
  };
  return session.simulationsOf().work(steps(), token, false);
}

/** The scenario file that is asked for; null where it is something else. */
export function scenarioFileOf(scenario: ScenarioRequest): string | null {
  return scenario.kind === 'file' && isScenarioName(scenario.uri) ? scenario.uri : null;
}

export function simulationsFor(scenario: ScenarioRequest, session: Session): Simulations {
  const target = scenario.kind === 'workload' ? scenario.target : undefined;
  return session.simulationsOf(target, 'uri' in scenario ? scenario.uri : undefined);
}

function fileName(uri: string): string {
  const { path } = URI.parse(uri);
  return path.slice(path.lastIndexOf('/') + 1);
}
