import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { modelChangedNotification, type ScenarioRequest, type SimulateParams, simulateRequest } from '../protocol.ts';
import { UnknownScenarioError } from '../simulation/scene/input.ts';
import type { Report } from '../contract/report.ts';
import type { Feature } from './feature.ts';
import { GitError } from '../processes/git-error.ts';
import { cancelled } from './session.ts';
import { AbandonedError } from './simulations.ts';

/** How long changes are gathered before a report is called out of date, in milliseconds. */
const pause = 200;

/** Runs simulations for the report, and says when a report is out of date. */
export const simulateFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    /** The version of the model that the last report was made from; undefined before the first. */
    let reported: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    connection.onRequest(
      simulateRequest,
      async ({ scenario }: SimulateParams, token: CancellationToken): Promise<Report | ResponseError> => {
        try {
          await session.whenApplied(token);
          const version = session.modelVersion;
          const report =
            scenario.kind === 'change'
              ? await session.simulationsOf().simulateChange(await session.earlierFiles(token), token)
              : await session.simulationsOf(targetOf(scenario)).simulate(scenario, token);
          reported = version;
          return report;
        } catch (error) {
          if (error instanceof AbandonedError) return cancelled();
          if (error instanceof GitError) return failed(`${sentence(error.message)} There is nothing to compare with.`);
          if (error instanceof UnknownScenarioError) return failed(sentence(error.message));
          session.logError('simulation', error);
          return failed('The simulation failed; the log says why.');
        }
      },
    );

    session.onChanged(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (reported === undefined || reported === session.modelVersion) return;
        reported = undefined;
        void connection.sendNotification(modelChangedNotification);
      }, pause);
    });
  },
};

function targetOf(scenario: ScenarioRequest): string | undefined {
  return scenario.kind === 'workload' ? scenario.target : undefined;
}

function failed(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
