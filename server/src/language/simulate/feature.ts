import { type CancellationToken, ResponseError } from 'vscode-languageserver';
import type { Report } from '../../report-model/report.ts';
import {
  type CapacityParams,
  capacityRequest,
  type DecisionsParams,
  decisionsRequest,
  type Confirmation,
  effectsProgressNotification,
  effectsRequest,
  modelChangedNotification,
  nodesRequest,
  type QuestionsParams,
  questionsRequest,
  remediesRequest,
  type ScenarioQuestions,
  type SimulateParams,
  simulateRequest,
  simulationProgressNotification,
  type WhatIfEdit,
  type WhatIfEditParams,
  whatIfEditRequest,
} from '../../protocol.ts';
import { withoutMadeWordsIn } from '../../sources/rendering/made-words.ts';
import type { AnsweredRuns } from './answered-runs.ts';
import type { Feature } from '../session/feature.ts';
import { Outdated } from '../session/outdated.ts';
import type { ReportedRun } from './reported-run.ts';

/** Runs simulations for the report, and says when a report is out of date. */
export const simulateFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    /** The report that was answered last; decisions of it are explained when they are asked for. */
    let runs: AnsweredRuns | undefined;
    let answered: ReportedRun | undefined;
    const reportedBy = (run: number | undefined) => (answered?.asked.run === run ? answered : undefined);
    const reported = new Outdated(session, () => {
      void connection.sendNotification(modelChangedNotification);
    });
    // Loaded when somebody asks.
    const requests = async () => (await import('./simulation-requests.ts')).simulationRequests;

    connection.onRequest<Report | Confirmation, unknown>(
      simulateRequest,
      async (params: SimulateParams, token: CancellationToken) => {
        let version: number | undefined;
        const answering = await requests();
        const answer = await answering.report(
          params,
          session,
          token,
          {
            begun: () => {
              version = session.modelVersion;
            },
            progress: (text, soFar) => {
              void connection.sendNotification(simulationProgressNotification, { text, soFar });
            },
          },
          runs,
        );
        if (answer instanceof ResponseError || 'doubt' in answer) return answer;
        reported.restsOn(version);
        runs = answer.runs;
        answered = { asked: params, version, report: answer.report, end: undefined };
        // It may be exported.
        return withoutMadeWordsIn(answering.atAGlance(answer.report));
      },
    );
    connection.onRequest(decisionsRequest, async ({ run, indexes }: DecisionsParams, token: CancellationToken) =>
      withoutMadeWordsIn(await (await requests()).decisions(reportedBy(run)?.report, indexes, token)),
    );
    connection.onRequest(capacityRequest, async (params: CapacityParams, token: CancellationToken) =>
      withoutMadeWordsIn(await (await requests()).capacity(params, reportedBy(params.run), session, token)),
    );
    connection.onRequest(effectsRequest, async (params: SimulateParams, token: CancellationToken) => {
      const answering = await requests();
      const effects = await answering.effects(params, session, token, (soFar) => {
        void connection.sendNotification(effectsProgressNotification, {
          run: params.run,
          effects: withoutMadeWordsIn(soFar),
        });
      });
      return withoutMadeWordsIn(effects);
    });
    connection.onRequest(remediesRequest, async (params: SimulateParams, token: CancellationToken) =>
      withoutMadeWordsIn(await (await requests()).remedies(params, session, token)),
    );
    connection.onRequest<ScenarioQuestions, unknown>(
      questionsRequest,
      async (params: QuestionsParams, token: CancellationToken) =>
        withoutMadeWordsIn(await (await requests()).questions(params, session, token)),
    );
    connection.onRequest(nodesRequest, async (_params: unknown, token: CancellationToken) =>
      (await requests()).nodes(session, token),
    );
    connection.onRequest<WhatIfEdit, unknown>(
      whatIfEditRequest,
      async (params: WhatIfEditParams, token: CancellationToken) => (await requests()).edit(params, session, token),
    );
  },
};
