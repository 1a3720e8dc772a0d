import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { fileUri } from '../support/extension.ts';
import { diagnostic, hoverThat, noDiagnostic, openFile, quickFixes, replace, revertAll } from '../support/manifests.ts';

describe('quick fixes', () => {
  afterEach(revertAll);

  it('[PRI-4] choose an existing class', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'shop-critica');
    const { range } = await diagnostic(editor.document.uri, 'unknown-priority-class');
    await apply(editor.document, range, /^Use PriorityClass shop-critical/);
    await noDiagnostic(editor.document.uri, 'unknown-priority-class');
    assert.match(editor.document.getText(), /priorityClassName: shop-critical$/m);
  });

  it('[PRI-4] create the missing class', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'shop-vital');
    const { range } = await diagnostic(editor.document.uri, 'unknown-priority-class');
    await apply(editor.document, range, /^Create PriorityClass shop-vital/);
    await noDiagnostic(editor.document.uri, 'unknown-priority-class');
  });

  it('[ED-2] rename a reserved name in every file', async () => {
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'name: batch-low', 'name: system-low');
    const { range } = await diagnostic(classes.document.uri, 'reserved-class-name');
    await apply(classes.document, range, /^Rename to low everywhere/);
    await noDiagnostic(classes.document.uri, 'reserved-class-name');
    assert.match(classes.document.getText(), /name: low$/m);
  });

  it('[#38] that are safe are one action', async () => {
    const editor = await openFile('priority-classes.yaml');
    const { document } = editor;
    const before = document.getText();
    await replace(editor, 'name: batch-low', 'name: batch-low\n  namespace: shop');
    await diagnostic(document.uri, 'namespace-on-cluster-object');
    const [fixAll, ...others] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(0, 0, document.lineCount, 0),
      'source.fixAll.podium',
    );
    assert.deepEqual(others, []);
    assert(fixAll?.edit !== undefined);
    assert(await vscode.workspace.applyEdit(fixAll.edit));
    assert.equal(document.getText(), before);
  });

  it('[#38] that are safe are applied on save, where the user wants it', async () => {
    const editor = await openFile('priority-classes.yaml');
    const { document } = editor;
    const before = document.getText();
    const settings = vscode.workspace.getConfiguration('editor', document.uri);
    const onSave = { 'source.fixAll.podium': 'explicit' };
    await settings.update('codeActionsOnSave', onSave, vscode.ConfigurationTarget.Workspace);
    try {
      await replace(editor, 'name: batch-low', 'name: batch-low\n  namespace: shop');
      await diagnostic(document.uri, 'namespace-on-cluster-object');
      // VS Code leaves out what takes long on a busy machine, and does it at the next save.
      await eventually('the fix on save', async () => {
        await replace(editor, 'name: batch-low', 'name: batch-low');
        assert(await document.save());
        return document.getText() === before ? true : undefined;
      });
    } finally {
      await settings.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('open the page of the rule', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'nobody');
    const { range } = await diagnostic(editor.document.uri, 'unknown-priority-class');
    const page = (await quickFixes(editor.document, range)).find(
      ({ command }) => command?.command === 'podium.openRuleDocs',
    );
    assert.deepEqual(page?.command?.arguments, ['unknown-priority-class']);
  });

  it('are not offered where nothing is wrong', async () => {
    const { document } = await openFile('apps', 'cart.yaml');
    // Somebody answers about this file.
    await hoverThat(document, 'template:', /\d/);
    assert.deepEqual(await quickFixes(document, new vscode.Range(0, 0, document.lineCount, 0)), []);
    assert.equal(document.uri.path, fileUri('apps', 'cart.yaml').path);
  });
});

/** Does what the one quick fix with such a title says. */
async function apply(document: vscode.TextDocument, range: vscode.Range, title: RegExp): Promise<void> {
  const actions = (await quickFixes(document, range)).filter((action) => title.test(action.title));
  assert.equal(actions.length, 1, `quick fixes like ${title}`);
  assert(actions[0]?.edit !== undefined);
  assert(await vscode.workspace.applyEdit(actions[0].edit));
}
