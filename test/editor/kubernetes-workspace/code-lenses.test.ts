import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { lensesOf, openFile, rangeOf, replace, revertAll } from '../support/manifests.ts';
import { reportTab } from '../support/report-tab.ts';

describe('code lenses', () => {
  afterEach(revertAll);

  it('[ED-4] say above a workload what its arrival would do', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    const lenses = await settled(document, /^priority 100000.* · preempts \d+ pods/);
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [rangeOf(document, 'apiVersion: apps/v1').start.line],
    );
  });

  it('say above a class who uses it and whom it can evict, and above a budget what it allows', async () => {
    const { document } = await openFile('priority-classes.yaml');
    const lenses = await settled(
      document,
      /^(?:used by \d+|unused) · (?:can evict (?:nobody|\d+ pods?)|never evicts)$/,
    );
    assert.equal(lenses.length, 5);
    const budgets = await settled((await openFile('budgets.yaml')).document, /^(?:allows \d|selects nothing)/);
    assert.ok(budgets.every(({ command }) => command!.title.length <= 60));
  });

  it('stay where the workload is while somebody types above it', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    const { range: before } = (await settled(editor.document, workedOut))[0]!;
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), '# one more line\n');
    });
    await eventually('a lens one line below', async () => {
      const lines = (await lensesOf(editor.document)).map(({ range }) => range.start.line);
      return lines.length === 1 && lines[0] === before.start.line + 1 ? true : undefined;
    });
  });

  it('follow a change of the class', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await settled(editor.document, workedOut);
    await replace(editor, 'shop-critical', 'batch-low');
    await settled(editor.document, /^priority 100 .*· /);
  });

  it('[ED-6] follow a change of the class in another file, unsaved', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    await settled(document, workedOut);
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'value: 100000\n', 'value: 99999\n');
    await settled(document, /^priority 99999.* · /);
  });

  it('[ED-5] open the report on their workload', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    const command = (await settled(document, workedOut))[0]?.command;
    assert.equal(command?.command, 'podium.simulateWorkload');
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    assert.match((await reportTab()).label, /checkout/);
  });
});

/** What a lens says of checkout as it is committed. */
const workedOut = /^priority 100000.* · preempts /;

/** The lenses of a document once there are some and each says what is expected. */
function settled(document: vscode.TextDocument, text: RegExp): Promise<vscode.CodeLens[]> {
  let last: readonly string[] = [];
  return eventually(
    () => `code lenses ${text} of ${document.uri.path}, and not ${JSON.stringify(last)}`,
    async () => {
      const lenses = await lensesOf(document);
      last = lenses.map(({ command }) => command?.title ?? '');
      return lenses.length > 0 && last.every((title) => text.test(title)) ? lenses : undefined;
    },
  );
}
