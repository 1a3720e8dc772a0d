import * as vscode from 'vscode';
import type { ClusterStatus } from '../../server/src/protocol.ts';
import type { AssistantsAccess } from './assistants/access.ts';
import { ClusterStatusItem } from './cluster-status.ts';
import { registerDrainNode } from './commands/drain-node.ts';
import { registerExclude } from './commands/exclude.ts';
import { registerOpenRuleDocs } from './commands/open-rule-docs.ts';
import { registerOpenSample } from './commands/open-sample.ts';
import { registerRestart } from './commands/restart.ts';
import { registerShowLogs } from './commands/show-logs.ts';
import { registerSimulate } from './commands/simulate.ts';
import { FirstManifest } from './first-manifest.ts';
import { KeptServer } from './server-supervisor.ts';
import { keepManifestContext } from './manifest-context.ts';
import { OverviewView } from './overview-view.ts';
import { ReportPanel } from './report/report-panel.ts';
import { reveal } from './reveal.ts';
import type { Ask } from './on-request/asking.ts';
import type { Server, ServerListener } from './server.ts';
import { RenderConsent } from './sources/render-consent.ts';
import { offerScenarioTests } from './scenario-tests.ts';
import { StatusBar } from './status-bar.ts';
import { configureYaml } from './yaml-configuration.ts';
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

/** What differs between a VS Code that runs extensions in Node and one in a browser. */
export interface Kind {
  /** Starts a language server. Rejects when it does not come up. */
  startServer(
    context: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    listener: ServerListener,
  ): Promise<Server>;
  /** Commands that reach beyond the editor. */
  registerOnRequest(ask: Ask): vscode.Disposable[];
  /** Asks which Nodes are the cluster, where that is known to be a question. */
  readonly askAboutNodes?: (places: ClusterStatus['nodePlaces'], kept: vscode.Memento) => void;
  /** What is to be known of every answer; empty for nothing. */
  readonly note: string;
  readonly offerTools?: (context: vscode.ExtensionContext, access: AssistantsAccess) => void;
}

/** Registers what is cheap. The language server starts with the first Kubernetes document, or when somebody asks. */
export function activatePodium(context: vscode.ExtensionContext, kind: Kind): PodiumApi {
  const began = performance.now();
  const { extensionUri, subscriptions } = context;
  const didStartServer = new vscode.EventEmitter<void>();
  const log = vscode.window.createOutputChannel('Podium', { log: true });
  const { version } = context.extension.packageJSON as { readonly version: string };
  log.info(`Podium ${version} in ${vscode.env.appName} ${vscode.version}`);
  const consent = new RenderConsent(context.workspaceState);
  let items: { readonly cluster: ClusterStatusItem; readonly sources: SourcesStatusItem } | undefined;

  const server = new KeptServer<Server>({
    async start(ended) {
      if (items === undefined) {
        items = { cluster: new ClusterStatusItem(kind.note), sources: new SourcesStatusItem() };
        subscriptions.push(items.cluster, items.sources, keepManifestContext());
      }
      const { cluster, sources } = items;
      const started = await kind
        .startServer(context, log, {
          clusterStatus: (now) => {
            cluster.show(now);
            sources.show(now.applied);
            statusBar.show(now);
            overview.applied(now.applied);
            if (now.nodePlaces.length > 1) kind.askAboutNodes?.(now.nodePlaces, context.workspaceState);
          },
          mayRender: async (params) => {
            const mayRender = await consent.mayRender(params);
            if (!mayRender) overview.changed();
            return mayRender;
          },
          modelChanged: () => {
            reports.modelChanged();
          },
          overviewChanged: () => {
            overview.changed();
            statusBar.changed();
          },
          progress: (progress) => {
            reports.progress(progress);
          },
          effects: (progress) => {
            reports.effects(progress);
          },
          ended,
        })
        .catch((error: unknown) => {
          log.error('The language server did not start:', error);
          throw error;
        });
      void vscode.commands.executeCommand('setContext', 'podium.running', true);
      didStartServer.fire();
      overview.started();
      return started;
    },
    giveUp: (ends, minutes) => {
      statusBar.stopped();
      void offerRestart(ends, minutes);
    },
    now: () => performance.now(),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  const running = () => {
    firstManifest.dispose();
    return server.running();
  };

  const reports = new ReportPanel(extensionUri, {
    server: running,
    kept: context.workspaceState,
    storage: context.storageUri,
    reveal: (origin, column) => void reveal(origin, column),
  });
  const askOverview = async (token: vscode.CancellationToken) => (await running()).overview(token);
  const statusBar = new StatusBar(askOverview);
  const overview = new OverviewView({
    overview: askOverview,
    question: () => consent.question,
    isStarted: () => server.isStarted,
    counted: (waiting) => {
      statusBar.waiting(waiting);
    },
  });
  subscriptions.push(
    log,
    didStartServer,
    server,
    reports,
    overview,
    statusBar,
    vscode.commands.registerCommand('podium.allowRendering', async () => {
      await consent.allow();
      await (await running()).renderingChanged();
    }),
    registerSimulate((scenario, accepted) => {
      reports.open(scenario, [], accepted);
    }),
    vscode.commands.registerCommand('podium.compareWith', () => reports.compare()),
    registerDrainNode(
      async (token) => (await running()).nodes(token),
      (operation) => {
        reports.open({ kind: 'workspace' }, [operation]);
      },
    ),
    registerRestart(async () => {
      firstManifest.dispose();
      await server.restart();
    }),
    vscode.commands.registerCommand('podium.chooseSources', async () =>
      (await import('./on-request/choose-sources.ts')).chooseSources({
        targets: async (token) => (await running()).targets(token),
        question: () => consent.question,
      }),
    ),
    registerShowLogs(log),
    ...kind.registerOnRequest(async (method, params) => (await running()).ask(method, params)),
    offerScenarioTests(async (method, params) => (await running()).ask(method, params)),
    registerOpenRuleDocs(extensionUri),
    registerExclude(),
    registerOpenSample(context),
    configureYaml(context.globalState),
  );
  kind.offerTools?.(context, {
    ask: async (params, token) => (await running()).answer(params, token),
    mayRender: () => consent.isGiven,
  });
  const firstManifest = new FirstManifest(() => {
    // Nothing waits for this start, and a failure is logged above.
    running().catch(() => undefined);
  });
  subscriptions.push(firstManifest);
  return {
    activatedIn: performance.now() - began,
    searched: firstManifest.searched,
    get serverStarted() {
      return server.isStarted;
    },
    onDidStartServer: didStartServer.event,
  };
}

/** The server ends again and again; only the user can say whether to try once more. */
async function offerRestart(ends: number, minutes: number): Promise<void> {
  const message = vscode.l10n.t(
    'The Podium language server ended {0} times within {1} minutes and is not started again.',
    ends,
    minutes,
  );
  const restart = vscode.l10n.t('Restart Language Server');
  const showLogs = vscode.l10n.t('Show Logs');
  const chosen = await vscode.window.showErrorMessage(message, restart, showLogs);
  if (chosen === restart) await vscode.commands.executeCommand('podium.restart');
  if (chosen === showLogs) await vscode.commands.executeCommand('podium.showLogs');
}
