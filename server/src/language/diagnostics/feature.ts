import type { ClientCapabilities } from 'vscode-languageserver';
import * as z from 'zod/mini';
import { caretNotification, caretParamsSchema } from '../../protocol.ts';
import type * as loadedDiagnostics from './index.ts';
import type { Feature } from '../session/feature.ts';

/**
 * What is wrong with files, open or not: answered where the client says that it asks, and told it otherwise, whenever
 * it changes: after an edit there, or in a file that it depends on.
 */
export const diagnosticsFeature: Feature = {
  capabilities: (client) =>
    isAsking(client)
      ? { diagnosticProvider: { identifier: 'podium', interFileDependencies: true, workspaceDiagnostics: true } }
      : {},
  register(connection, session) {
    const isAsked = isAsking(session.client);
    let loading: Promise<loadedDiagnostics.Problems> | undefined;
    let answers: loadedDiagnostics.PulledProblems | undefined;
    const load = async (): Promise<loadedDiagnostics.Problems> => {
      const { Problems, publish, PulledProblems } = await import('./index.ts');
      const problems = new Problems(session);
      if (isAsked) answers = new PulledProblems(connection, session, problems);
      else publish(connection, problems);
      return problems;
    };
    const loaded = (): Promise<loadedDiagnostics.Problems> => (loading ??= load());
    const report = (
      problems: Promise<loadedDiagnostics.Problems> | undefined,
      what: (to: loadedDiagnostics.Problems) => void,
    ): void => {
      problems?.then(what).catch((error: unknown) => {
        session.log.error('diagnostics', error);
      });
    };
    session.onChanged(() => {
      report(session.isEmpty ? loading : loaded(), (problems) => {
        problems.changed();
      });
    });
    session.onClosed((uri) => {
      report(loading, (problems) => {
        answers?.closed(uri);
        problems.closed(uri);
        problems.changed();
      });
    });
    session.onSaved((uri) => {
      report(loading, (problems) => {
        problems.saved(uri);
      });
    });
    session.onStopped(() => {
      report(loading, (problems) => {
        problems.stop();
      });
    });
    connection.onNotification(caretNotification, (params: unknown) => {
      const caret = z.parse(caretParamsSchema, params);
      report(loading, (problems) => {
        problems.caretMoved(caret);
      });
    });
    if (!isAsked) return;
    connection.languages.diagnostics.on(async (params, token) => {
      const isOpen = session.openFiles.has(params.textDocument.uri);
      await loaded();
      return answers!.ofDocument(params, isOpen, token);
    });
    connection.languages.diagnostics.onWorkspace(async (params, token, _progress, parts) => {
      await loaded();
      return answers!.ofWorkspace(params, token, parts);
    });
  },
};

function isAsking({ textDocument }: ClientCapabilities): boolean {
  return textDocument?.diagnostic !== undefined;
}
