import { type CancellationToken, ResponseError } from 'vscode-languageserver';
import {
  effectsRequest,
  modelChangedNotification,
  nodesRequest,
  remediesRequest,
  type SimulateParams,
  simulateRequest,
  simulationProgressNotification,
  type WhatIfEditParams,
  whatIfEditRequest,
} from '../protocol.ts';
import type { Feature } from './feature.ts';

/** How long changes are gathered before a report is called out of date, in milliseconds. */
const pause = 200;

/** Runs simulations for the report, and says when a report is out of date. */
export const simulateFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    /** The version of the model that the last report was made from; undefined before the first. */
    let reported: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Loaded when somebody asks.
    const requests = async () => (await import('./simulation-requests.ts')).simulationRequests;

    connection.onRequest(simulateRequest, async (params: SimulateParams, token: CancellationToken) => {
      let version: number | undefined;
      const answering = await requests();
      const answer = await answering.report(params, session, token, {
        begun: () => {
          version = session.modelVersion;
        },
        progress: (text) => {
          void connection.sendNotification(simulationProgressNotification, { text });
        },
      });
      if (!(answer instanceof ResponseError)) reported = version;
      return answer;
    });
    connection.onRequest(effectsRequest, async (params: SimulateParams, token: CancellationToken) =>
      (await requests()).effects(params, session, token),
    );
    connection.onRequest(remediesRequest, async (params: SimulateParams, token: CancellationToken) =>
      (await requests()).remedies(params, session, token),
    );
    connection.onRequest(nodesRequest, async (_params: unknown, token: CancellationToken) =>
      (await requests()).nodes(session, token),
    );
    connection.onRequest(whatIfEditRequest, async (params: WhatIfEditParams, token: CancellationToken) =>
      (await requests()).edit(params, session, token),
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
