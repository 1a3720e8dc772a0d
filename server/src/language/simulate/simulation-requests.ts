import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { GitError } from '../../processes/git-error.ts';
import { type Capacity, capacity } from '../../report-model/capacity.ts';
import { listOf } from '../../report-model/check.ts';
import { type Effect, effect } from '../../report-model/effect.ts';
import { remedy } from '../../report-model/remedy.ts';
import { isDecision, isReport, type Report, type ReportDecision, type WholeReport } from '../../report-model/report.ts';
import { soFar as partOfAnswer, type SoFar } from '../../report-model/so-far.ts';
import { verdictOf } from '../../report-model/verdict.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import { failureText } from '../../util/contain.ts';
import { inEnglish, say } from '../../util/say.ts';
import { gitName, upperFirst } from '../../util/words.ts';
import type {
  CapacityParams,
  Confirmation,
  QuestionsParams,
  ScenarioQuestions,
  SimulateParams,
  WhatIfEditParams,
} from '../../protocol.ts';
import { type Progress, UnknownScenarioError } from '../../simulation/cluster/input.ts';
import { UnknownObjectError } from '../../simulation/operations/apply-operation.ts';
import { branchOf, eventsOf } from '../../simulation/scenario/branch-of.ts';
import { capacityOf } from '../../simulation/scenario/capacity.ts';
import { endOfRun } from '../../simulation/scenario/simulate-scenario.ts';
import { afterRun, type AnsweredRuns } from './answered-runs.ts';
import { ConfirmationRequired, doubtful } from './confirmations.ts';
import { filesBefore } from './files-before.ts';
import { inWords } from '../connection/in-words.ts';
import { type Asked, otherRun, runAfter, scenarioFileOf, simulationsFor, sinceOther } from './other-runs.ts';
import type { ReportedRun } from './reported-run.ts';
import { scenarioRuns } from './scenario-runs.ts';
import { readScenarioText } from '../index/scenario-text.ts';
import { cancelled, outdated } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import { AbandonedError } from '../session/simulations.ts';
import { whatIfEdit } from './what-if-edit.ts';

/** How often somebody who waits hears what is being done, in milliseconds. */
const progressEvery = 100;

/** Answers the requests of the report, by what they ask for. What goes wrong is told in a sentence. */
export const simulationRequests = {
  /** The report, and the runs that later ones can be compared with. */
  report(
    params: SimulateParams,
    session: Session,
    token: CancellationToken,
    listener: Listener,
    runs: AnsweredRuns | undefined,
  ): Promise<{ readonly report: WholeReport; readonly runs: AnsweredRuns | undefined } | Confirmation | ResponseError> {
    const { scenario, whatIf = [], against } = params;
    const answer = async () => {
      listener.begun();
      const doubts = await doubtful(params, session);
      // The first word goes out at once: a cluster of a large cluster takes a while.
      let reported = -Infinity;
      const progress: Progress = (text, soFar) => {
        if (performance.now() - reported < progressEvery) return;
        reported = performance.now();
        listener.progress(text(), soFar === undefined ? undefined : inWords(partOfAnswer, soFar()));
      };
      const watch = { ...doubts, progress };
      if (scenario.kind === 'change') {
        const { commit = 'HEAD' } = scenario;
        const earlier = await filesBefore(session, commit, token);
        const report = await session.simulationsOf().simulateChange(earlier, gitName(commit), whatIf, watch, token);
        return { report, runs };
      }
      const asked: Asked = { scenario, session, token };
      const other = against === undefined ? null : await otherRun(against, asked, runs, doubts);
      const after = await runAfter(whatIf, asked, watch);
      const report = other === null ? after.run.report : await sinceOther(other, after, asked);
      return { report, runs: afterRun(runs, after.run, against?.kind === 'previous') };
    };
    return answered(session, token, () =>
      answer().catch((error: unknown) => {
        if (error instanceof ConfirmationRequired) return error.doubt;
        throw error;
      }),
    );
  },
  /** The report as it is sent: of each decision what is known at a glance. */
  atAGlance(report: WholeReport): Report {
    return inWords<Report, Report>(isReport, { ...report, decisions: report.decisions.map(verdictOf) });
  },
  /** The whole of some decisions of a report, or of all. */
  async decisions(
    report: WholeReport | undefined,
    indexes: readonly number[] | null,
    token: CancellationToken,
  ): Promise<readonly ReportDecision[] | ResponseError> {
    if (report === undefined) return unknownRun();
    const asked = indexes?.flatMap((index) => report.decisions[index] ?? []) ?? report.decisions;
    const explained = await runInSlices(explain(asked), () => !token.isCancellationRequested);
    return explained === undefined ? cancelled() : inWords(listOf(isDecision), explained);
  },
  /** How much room there is for workloads at the end of a run, which is kept for the next question. */
  async capacity(
    { workloads }: CapacityParams,
    reported: ReportedRun | undefined,
    session: Session,
    token: CancellationToken,
  ): Promise<readonly Capacity[] | ResponseError> {
    if (reported === undefined || reported.version !== session.modelVersion) return unknownRun();
    const { scenario, whatIf = [] } = reported.asked;
    const file = scenarioFileOf(scenario);
    return answered(session, token, async () => {
      const simulations = simulationsFor(scenario, session);
      if (reported.end === undefined) {
        if (file === null) {
          const { input } = await simulations.input(token);
          const steps = endOfRun(input, withoutChange(scenario), eventsOf(branchOf(input, whatIf)));
          reported.end = await simulations.work(steps, token, true);
        } else {
          reported.end = await scenarioRuns.end(file, whatIf, session, token);
        }
      }
      return inWords(listOf(capacity), await simulations.work(capacityOf(reported.end, workloads), token, true));
    });
  },
  /** The questions of a scenario that say what is expected of the answer, and with a run the answers. */
  async questions(
    { uri, run }: QuestionsParams,
    session: Session,
    token: CancellationToken,
  ): Promise<ScenarioQuestions | ResponseError> {
    const read = readScenarioText((await session.scenarioText(uri)) ?? '');
    const asked =
      read.scenario?.questions.map(({ text, expected }) => ({ text, isTest: expected !== undefined })) ?? [];
    const placed = (text: string) => ({ text, line: (read.lineOf(text) ?? 1) - 1 });
    if (!run) {
      return asked
        .filter(({ isTest }) => isTest)
        .map(({ text }) => ({ ...placed(text), answer: '', details: [], isMet: null }));
    }
    return answered(session, token, async () => {
      const { report } = await scenarioRuns.run(uri, [], session, token);
      const { questions } = inWords<Pick<Report, 'questions'>, WholeReport>(isReport, report);
      return questions.filter((each) => each.isMet !== null).map((each) => ({ ...each, ...placed(each.text) }));
    });
  },
  effects(
    params: SimulateParams,
    session: Session,
    token: CancellationToken,
    listener: (effects: readonly Effect[]) => void,
  ) {
    const { scenario, whatIf = [] } = params;
    let reported = -Infinity;
    const onEffects = (effects: readonly Effect[]): void => {
      if (token.isCancellationRequested || performance.now() - reported < progressEvery) return;
      reported = performance.now();
      listener(inWords(listOf(effect), effects));
    };
    const file = scenarioFileOf(scenario);
    return answered(session, token, async () => {
      const watch = await doubtful(params, session);
      return inWords(
        listOf(effect),
        file !== null
          ? await scenarioRuns.effects(file, whatIf, session, token, watch, onEffects)
          : await simulationsFor(scenario, session).ask(
              (runs) => runs.effects(withoutChange(scenario), whatIf, watch, onEffects),
              token,
            ),
      );
    });
  },
  remedies({ scenario, whatIf = [] }: SimulateParams, session: Session, token: CancellationToken) {
    const file = scenarioFileOf(scenario);
    return answered(session, token, async () =>
      inWords(
        listOf(remedy),
        file !== null
          ? await scenarioRuns.remedies(file, whatIf, session, token)
          : await simulationsFor(scenario, session).ask(
              (runs) => runs.remedies(withoutChange(scenario), whatIf),
              token,
            ),
      ),
    );
  },
  nodes(session: Session, token: CancellationToken) {
    return answered(session, token, () => session.simulationsOf().ask((runs) => runs.nodes(), token));
  },
  edit({ operation }: WhatIfEditParams, session: Session, token: CancellationToken) {
    return answered(session, token, () => Promise.resolve(whatIfEdit(operation, session.facts)));
  },
};

/** Decisions whose parts are worked out when they are read, read whole. */
function* explain(decisions: readonly ReportDecision[]): Generator<void, readonly ReportDecision[]> {
  const explained: ReportDecision[] = [];
  for (const decision of decisions) {
    explained.push({ ...decision });
    yield;
  }
  return explained;
}

/** Who asked for a report. */
interface Listener {
  /** The workspace is read, and what is there now is what the report will be about. */
  begun(): void;
  progress(text: string, soFar: SoFar | undefined): void;
}

/** A change is compared with what was; what comes on top of it begins with what is. */
function withoutChange(scenario: SimulateParams['scenario']): Exclude<typeof scenario, { readonly kind: 'change' }> {
  return scenario.kind === 'change' ? { kind: 'workspace' } : scenario;
}

/** Answers when everything is read and rendered that an answer rests on; what goes wrong is told in a sentence. */
export async function answered<Result>(
  session: Session,
  token: CancellationToken,
  answer: () => Promise<Result>,
): Promise<Result | ResponseError> {
  try {
    await session.whenApplied(token);
    return await answer();
  } catch (error) {
    // The answer to the request for the report asks.
    if (error instanceof ConfirmationRequired) return cancelled();
    if (error instanceof AbandonedError) return error.reason === 'outdated' ? outdated() : cancelled();
    if (error instanceof GitError) return failed(say`${sentence(error.message)} There is nothing to compare with.`);
    if (error instanceof UnknownScenarioError || error instanceof UnknownObjectError) {
      return failed(sentence(error.message));
    }
    return failed(failureText(say`this simulation`, error));
  }
}

function failed(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

function unknownRun(): ResponseError {
  return failed(say`The run that this belongs to is not known any more. Run it again.`);
}

function sentence(text: string): string {
  return inEnglish(text).endsWith('?') ? upperFirst(text) : say`${upperFirst(text)}.`;
}
