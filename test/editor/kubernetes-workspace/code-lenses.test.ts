import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { lensesOf, openFile, rangeOf, replace, revertAll } from '../support/manifests.ts';
import { reportTab } from '../support/report-tab.ts';

describe('code lenses', () => {
  afterEach(revertAll);

  it('[ED-4] say above a workload what its arrival would do', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    const lenses = await settled(document);
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [rangeOf(document, 'apiVersion: apps/v1').start.line],
    );
    const title = lenses[0]?.command?.title ?? '';
    assert.match(title, /100000/);
    assert.match(title, /preempts/);
  });

  it('stand above every workload of a file, and only there', async () => {
    const { document } = await openFile('priority-classes.yaml');
    assert.deepEqual(await lensesOf(document), []);
  });

  it('stay where the workload is while somebody types above it', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    const { range: before } = (await settled(editor.document))[0]!;
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), '# one more line\n');
    });
    const lenses = await lensesOf(editor.document);
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [before.start.line + 1],
    );
  });

  it('follow a change of the class', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await settled(editor.document);
    await replace(editor, 'shop-critical', 'batch-low');
    await eventually('a lens with the other priority', async () => {
      const title = (await lensesOf(editor.document))[0]?.command?.title ?? '';
      return /\b100\b/.test(title) ? title : undefined;
    });
  });

  it('[ED-6] follow a change of the class in another file, unsaved', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    await settled(document);
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'value: 100000\n', 'value: 99999\n');
    await eventually('a lens with the other value', async () => {
      const title = (await lensesOf(document))[0]?.command?.title ?? '';
      return title.includes('99999') ? title : undefined;
    });
  });

  it('[ED-5] open the report on their workload', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    const command = (await settled(document))[0]?.command;
    assert.equal(command?.command, 'podium.simulateWorkload');
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    assert.match((await reportTab()).label, /checkout/);
  });
});

/** The lenses of a document once their text is there. */
function settled(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  return eventually(`code lenses of ${document.uri.path}`, async () => {
    const lenses = await lensesOf(document);
    const ready = lenses.length > 0 && lenses.every(({ command }) => /\d/.test(command?.title ?? ''));
    return ready ? lenses : undefined;
  });
}
