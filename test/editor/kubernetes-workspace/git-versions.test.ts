import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri } from '../support/extension.ts';
import {
  diagnostic,
  diagnosticsOf,
  noDiagnostic,
  openFile,
  quickFixes,
  replace,
  revertAll,
} from '../support/manifests.ts';

describe('the committed version of a file', () => {
  afterEach(revertAll);

  it('[GATE-2] [ED-3] makes a gate that is added an error, until it is committed', async () => {
    const editor = await openFile('batch', 'loyalty-migration.yaml');
    const { document } = editor;
    await replace(editor, '    - name: shop.example', '    - name: shop.example/second\n    - name: shop.example');
    await diagnostic(document.uri, 'gate-added', 'shop.example/second');
    await document.save();
    await diagnostic(document.uri, 'gate-added', 'shop.example/second');
    commit('Add a gate');
    await noDiagnostic(document.uri, 'gate-added');
  });

  it('[GATE-2] has a quick fix that takes the gate back', async () => {
    const editor = await openFile('batch', 'loyalty-migration.yaml');
    const { document } = editor;
    const before = document.getText();
    await replace(editor, '    - name: shop.example', '    - name: shop.example/third\n    - name: shop.example');
    const { range } = await diagnostic(document.uri, 'gate-added');
    const fix = (await quickFixes(document, range)).find(({ title }) => title.startsWith('Take back'));
    assert(fix?.edit !== undefined);
    await vscode.workspace.applyEdit(fix.edit);
    await noDiagnostic(document.uri, 'gate-added');
    assert.equal(document.getText(), before);
  });

  it('is not asked of a file that is new', async () => {
    const uri = fileUri('batch', 'new-pod.yaml');
    const gated =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: fresh, namespace: shop-batch }\nspec:\n  schedulingGates: [{ name: a.example/b }]\n  priorityClassName: nobody\n  containers: [{ name: main, image: nginx }]\n';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(gated));
    await openFile('batch', 'new-pod.yaml');
    await diagnostic(uri, 'unknown-priority-class', 'nobody');
    // The version of another file, which is asked for later, has come.
    const known = await openFile('batch', 'loyalty-migration.yaml');
    await replace(known, '    - name: shop.example', '    - name: shop.example/fourth\n    - name: shop.example');
    await diagnostic(known.document.uri, 'gate-added', 'shop.example/fourth');
    assert.deepEqual(
      diagnosticsOf(uri).map(({ message }) => message.includes('gate')),
      [false],
    );
    // VS Code keeps a document for a while, also when its file and its editor are gone.
    const editor = await openFile('batch', 'new-pod.yaml');
    await replace(editor, 'nobody', 'shop-standard');
    await noDiagnostic(uri, 'unknown-priority-class');
    await editor.document.save();
    await vscode.workspace.fs.delete(uri);
  });
});

function commit(message: string): void {
  const cwd = fileUri().fsPath;
  execFileSync(
    'git',
    [
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@podium.example',
      'commit',
      '--quiet',
      '--all',
      `--message=${message}`,
    ],
    { cwd },
  );
}
