import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri } from '../support/extension.ts';
import { diagnostic, hoverText, hoverThat, openFile, rangeOf, replace, revertAll } from '../support/manifests.ts';

/** The committed version of a file, as the left side of a comparison shows it. */
function atHead(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: 'git', query: JSON.stringify({ path: uri.fsPath, ref: 'HEAD' }) });
}

describe('a comparison with the committed version', () => {
  afterEach(revertAll);

  it('does not count the committed version beside the file', async () => {
    const classes = fileUri('priority-classes.yaml');
    await vscode.commands.executeCommand('vscode.diff', atHead(classes), classes, 'classes');
    const left = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'git');
    assert.equal(left?.languageId, 'yaml');
    const { document } = await openFile('apps', 'checkout.yaml');
    const text = await hoverThat(document, 'shop-critical', /100000/);
    assert.doesNotMatch(text, /declared 2 times/);
    assert.equal(await hoverText(left, rangeOf(left, 'shop-critical').start), '');
  });
});

describe('a manifest that is not saved yet', () => {
  afterEach(revertAll);

  it('is judged with the files of the workspace, and counts for them', async () => {
    const content = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: brand-new }\nvalue: 77\n';
    const untitled = await vscode.workspace.openTextDocument({ language: 'yaml', content });
    assert.equal(untitled.uri.scheme, 'untitled');
    await vscode.window.showTextDocument(untitled);
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'brand-new');
    await hoverThat(editor.document, 'brand-new', /Priority 77/);
    await replace(editor, 'brand-new', 'brand-old');
    await diagnostic(editor.document.uri, 'unknown-priority-class');
  });
});
