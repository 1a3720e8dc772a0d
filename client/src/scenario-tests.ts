import * as vscode from 'vscode';
import { type QuestionsParams, questionsRequest, type ScenarioQuestions } from '../../server/src/protocol.ts';
import { addTo } from '../../server/src/util/maps.ts';
import type { Ask } from './on-request/asking.ts';
import { scenarioFiles } from './scenario-files.ts';

/** Files that are looked at for questions. */
const mostFiles = 1_000;

/**
 * The questions of scenarios that say what is expected, as tests. Nothing is looked for, and no server started, before
 * somebody opens the view of tests or a scenario.
 */
export function offerScenarioTests(ask: Ask): vscode.Disposable {
  const controller = vscode.tests.createTestController('podium', 'Podium');
  const questionsOf = (params: QuestionsParams): Promise<ScenarioQuestions> =>
    ask<ScenarioQuestions>(questionsRequest, params);

  async function show(uri: vscode.Uri): Promise<void> {
    const id = uri.toString();
    // Why a server does not answer is in its log.
    const questions = await questionsOf({ uri: id, run: false }).catch(() => []);
    if (questions.length === 0) {
      controller.items.delete(id);
      return;
    }
    const item = controller.items.get(id) ?? controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    item.children.replace(
      questions.map(({ text, line }) => {
        const child = controller.createTestItem(`${id}#${text}`, text, uri);
        child.range = new vscode.Range(line, 0, line, 0);
        return child;
      }),
    );
    controller.items.add(item);
  }

  controller.resolveHandler = async (item) => {
    if (item !== undefined) return;
    const files = await vscode.workspace.findFiles(scenarioFiles, undefined, mostFiles);
    await Promise.all(files.map(show));
  };
  controller.refreshHandler = () => controller.resolveHandler?.(undefined);

  async function runFile(
    file: vscode.TestItem,
    wanted: readonly vscode.TestItem[],
    run: vscode.TestRun,
  ): Promise<void> {
    for (const item of wanted) run.started(item);
    try {
      const answers = await questionsOf({ uri: file.id, run: true });
      for (const item of wanted) {
        const answer = answers.find(({ text }) => text === item.label);
        if (answer !== undefined) run.appendOutput(`${textOf(answer)}\r\n`, undefined, item);
        if (answer === undefined) run.skipped(item);
        else if (answer.isMet === true) run.passed(item);
        else run.failed(item, messageOf(item, answer));
      }
    } catch (error) {
      const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
      for (const item of wanted) run.errored(item, message);
    }
  }

  const profile = controller.createRunProfile(
    vscode.l10n.t('Simulate'),
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      const { include, exclude = [] } = request;
      const run = controller.createTestRun(request);
      const asked = include ?? listOf(controller.items);
      const byFile = new Map<vscode.TestItem, vscode.TestItem[]>();
      for (const item of asked.flatMap((each) => (each.parent === undefined ? listOf(each.children) : [each]))) {
        const file = item.parent!;
        if (!exclude.includes(item) && !exclude.includes(file)) addTo(byFile, file, item);
      }
      for (const [file, wanted] of byFile) if (!token.isCancellationRequested) await runFile(file, wanted, run);
      run.end();
    },
    true,
  );

  const watcher = vscode.workspace.createFileSystemWatcher(scenarioFiles);
  /** Where there is no server yet, there is nothing that would have to be shown anew. */
  const shown = (uri: vscode.Uri): void => {
    if (controller.items.size > 0) void show(uri);
  };
  return vscode.Disposable.from(
    controller,
    profile,
    watcher,
    watcher.onDidChange(shown),
    watcher.onDidCreate(shown),
    watcher.onDidDelete((uri) => {
      controller.items.delete(uri.toString());
    }),
    vscode.workspace.onDidOpenTextDocument(({ uri, fileName }) => {
      if (/\.podium\.(?:ya?ml|json)$/.test(fileName) && uri.scheme !== 'git') void show(uri);
    }),
  );
}

function listOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

function textOf({ text, answer, details }: ScenarioQuestions[number]): string {
  return [`${text}: ${answer}`, ...details.map((line) => `  ${line}`)].join('\r\n');
}

function messageOf(item: vscode.TestItem, { answer, details }: ScenarioQuestions[number]): vscode.TestMessage {
  const message = new vscode.TestMessage([answer, ...details].join('\n'));
  if (item.uri !== undefined && item.range !== undefined) message.location = new vscode.Location(item.uri, item.range);
  return message;
}
