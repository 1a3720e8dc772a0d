import * as vscode from 'vscode';
import { ClusterStatusItem } from './cluster-status.ts';
import { registerOpenRuleDocs } from './commands/open-rule-docs.ts';
import { registerRestart } from './commands/restart.ts';
import { registerShowLogs } from './commands/show-logs.ts';
import { registerSimulate } from './commands/simulate.ts';
import { onFirstManifest } from './first-manifest.ts';
import { keepManifestContext } from './manifest-context.ts';
import { ReportPanel } from './report/report-panel.ts';
import { reveal } from './reveal.ts';
import type { Server } from './server.ts';

/** What tests, and other extensions, may ask of this one. */
export interface PodiumApi {
  /** True once the language server has been started. */
  readonly serverStarted: boolean;
}

/** Registers what is cheap. The language server starts with the first Kubernetes document, or when somebody asks. */
export function activate(context: vscode.ExtensionContext): PodiumApi {
  const { extensionUri, subscriptions } = context;
  const log = vscode.window.createOutputChannel('Podium', { log: true });
  let server: Promise<Server> | undefined;

  const startServer = async (): Promise<Server> => {
    try {
      return await start();
    } catch (error) {
      // The next one who asks tries again.
      server = undefined;
      log.error('The language server did not start:', error);
      void offerLogs();
      throw error;
    }
  };
  const start = async () => {
    // Loaded only now: the language client is most of this bundle.
    const { Server } = await import('./server.ts');
    const status = new ClusterStatusItem();
    const started = new Server(extensionUri, log, {
      clusterStatus: (now) => {
        status.show(now);
      },
      modelChanged: () => {
        reports.modelChanged();
      },
    });
    subscriptions.push(started, status, keepManifestContext());
    await started.start();
    void vscode.commands.executeCommand('setContext', 'podium.running', true);
    return started;
  };
  const running = () => {
    firstManifest.dispose();
    return (server ??= startServer());
  };
  const offerLogs = async () => {
    const showLogs = 'Show Logs';
    const chosen = await vscode.window.showErrorMessage('The Podium language server did not start.', showLogs);
    if (chosen === showLogs) log.show();
  };

  const reports = new ReportPanel(extensionUri, {
    simulate: async (scenario, token) => (await running()).simulate(scenario, token),
    reveal: (origin, options) => void reveal(origin, options),
  });
  subscriptions.push(
    log,
    reports,
    registerSimulate((scenario) => {
      reports.open(scenario);
    }),
    registerRestart(async () => {
      if (server === undefined) await running();
      else await (await server).restart();
    }),
    registerShowLogs(log),
    registerOpenRuleDocs(extensionUri),
  );
  const firstManifest = onFirstManifest(() => {
    // A failure has been shown; nobody waits for this start.
    running().catch(() => undefined);
  });
  subscriptions.push(firstManifest);
  return {
    get serverStarted() {
      return server !== undefined;
    },
  };
}
