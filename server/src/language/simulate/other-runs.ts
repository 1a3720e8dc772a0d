import type { CancellationToken } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { decompressed } from '../../report-model/compressed.ts';
import type { ComparedReport, WholeReport } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { isScenarioName } from '../../manifests/file-provider.ts';
import type { Against, ScenarioRequest } from '../../protocol.ts';
import { straight, type Way } from '../../simulation/compare/build-plan.ts';
import { compareRuns, type Played } from '../../simulation/compare/compare-runs.ts';
import { savedRun } from '../../simulation/compare/saved-manifests.ts';
import { readSavedReport, savedEvents, type SavedReport, sinceSaved } from '../../simulation/compare/saved-report.ts';
import { happeningsOf } from '../../simulation/compare/stages-of.ts';
import { startOf } from '../../simulation/scenario/simulate-scenario.ts';
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
  /** What it is a run of, beside what another is of; null where it is not known. */
  readonly playedBeside: (now: SimulationInput) => Played | null;
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
    const way = yield* of.wayAfter(scenario, operations);
    return { run: { question, state, report, scenario, played: of.played(operations) }, way };
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

function ofAnswered({ report, played }: Pick<AnsweredRun, 'report' | 'played'>, since: string): OtherRun {
  return { since, report, playedBeside: () => played };
}

function ofSaved({ report, manifests }: SavedReport, since: string): OtherRun {
  return { since, report, playedBeside: (now) => (manifests === null ? null : savedRun(manifests, now)) };
}

/** A run with what differs from another one. */
export function sinceOther(
  { since, report: before, playedBeside }: OtherRun,
  { run: { report: after, scenario, played }, way }: RunAfter,
  { session, token }: Asked,
): Promise<WholeReport> {
  const steps = function* (): Generator<void, WholeReport> {
    const earlier = playedBeside(played.input);
    if (earlier !== null) {
      const report = yield* compareRuns(earlier, played, scenario, since);
      return { ...report, scenario: after.scenario };
    }
    const known = savedEvents(before);
    const { start, later } = startOf(played.input, played.events);
    const own = later.filter(({ text }) => !known.has(text));
    return yield* sinceSaved(before, after, since, happeningsOf(own, after, start), way);
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
