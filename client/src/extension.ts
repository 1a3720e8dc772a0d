import * as vscode from 'vscode';
import { ClusterStatusItem } from './cluster-status.ts';
import { registerChooseSources } from './commands/choose-sources.ts';
import { registerOpenRuleDocs } from './commands/open-rule-docs.ts';
import { registerRestart } from './commands/restart.ts';
import { registerShowLogs } from './commands/show-logs.ts';
import { registerSimulate } from './commands/simulate.ts';
import { FirstManifest } from './first-manifest.ts';
import { keepManifestContext } from './manifest-context.ts';
import { ReportPanel } from './report/report-panel.ts';
import { reveal } from './reveal.ts';
import type { Server } from './server.ts';
import { RenderConsent } from './sources/render-consent.ts';
import { SourcesStatusItem } from './sources/sources-status.ts';

/** What tests, and other extensions, may ask of this one. */
export interface PodiumApi {
  /** How long `activate()` took, in milliseconds. */
  readonly activatedIn: number;
  /** Resolves when the files of the workspace have been looked into for a first manifest. */
  readonly searched: Promise<void>;
  /** True once the language server has been started or is about to be. */
  readonly serverStarted: boolean;
  /** Fires when the language server answers. */
  readonly onDidStartServer: vscode.Event<void>;
}

/** Registers what is cheap. The language server starts with the first Kubernetes document, or when somebody asks. */
export function activate(context: vscode.ExtensionContext): PodiumApi {
  const began = performance.now();
  const { extensionUri, subscriptions } = context;
  const didStartServer = new vscode.EventEmitter<void>();
  const log = vscode.window.createOutputChannel('Podium', { log: true });
  const consent = new RenderConsent(context.workspaceState);
  let server: Promise<Server> | undefined;

  const startServer = async (): Promise<Server> => {
    try {
      return await start();
    } catch (error) {
      // The language client has told the user. The next call tries again.
      server = undefined;
      log.error('The language server did not start:', error);
      throw error;
    }
  };
  const start = async () => {
    // Loaded only now: the language client is most of this bundle.
    const { Server } = await import('./server.ts');
    const status = new ClusterStatusItem();
    const sources = new SourcesStatusItem();
    const started = new Server(extensionUri, log, {
      clusterStatus: (now) => {
        status.show(now);
        sources.show(now.applied);
      },
      mayRender: (params) => consent.mayRender(params),
      modelChanged: () => {
        reports.modelChanged();
      },
    });
    subscriptions.push(started, status, sources, keepManifestContext());
    await started.start();
    void vscode.commands.executeCommand('setContext', 'podium.running', true);
    didStartServer.fire();
    return started;
  };
  const running = () => {
    firstManifest.dispose();
    return (server ??= startServer());
  };

  const reports = new ReportPanel(extensionUri, {
    simulate: async (scenario, token) => (await running()).simulate(scenario, token),
    reveal: (origin, column) => void reveal(origin, column),
  });
  subscriptions.push(
    log,
    didStartServer,
    reports,
    registerSimulate((scenario) => {
      reports.open(scenario);
    }),
    registerRestart(async () => {
      if (server === undefined) await running();
      else await (await server).restart();
    }),
    registerChooseSources({
      targets: async (token) => (await running()).targets(token),
      askAgain: async () => {
        await consent.forget();
        await (await running()).renderingChanged();
      },
    }),
    registerShowLogs(log),
    registerOpenRuleDocs(extensionUri),
  );
  const firstManifest = new FirstManifest(() => {
    // Nothing waits for this start, and a failure is logged above.
    running().catch(() => undefined);
  });
  subscriptions.push(firstManifest);
  return {
    activatedIn: performance.now() - began,
    searched: firstManifest.searched,
    get serverStarted() {
      return server !== undefined;
    },
    onDidStartServer: didStartServer.event,
  };
}
