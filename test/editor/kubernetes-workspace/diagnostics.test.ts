import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { fileUri } from '../support/extension.ts';
import {
  diagnostic,
  diagnosticsOf,
  noDiagnostic,
  openFile,
  rangeOf,
  replace,
  revertAll,
} from '../support/manifests.ts';

describe('diagnostics', () => {
  afterEach(revertAll);

  it('are absent from a workspace that is in order', async () => {
    const { document } = await openFile('priority-classes.yaml');
    const editor = await openFile('apps', 'checkout.yaml');
    // The answer to a problem proves that the file has been looked at.
    await replace(editor, 'shop-critical', 'shop-critica');
    await diagnostic(editor.document.uri, 'unknown-priority-class');
    await replace(editor, 'shop-critica', 'shop-critical');
    for (const { uri } of [editor.document, document]) {
      await eventually(
        () => `no diagnostics: ${JSON.stringify(diagnosticsOf(uri))}`,
        () => diagnosticsOf(uri).length === 0 || undefined,
      );
    }
  });

  it('[PRI-4] mark the name of a class that does not exist, and nothing else', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'shop-critica');
    const found = await diagnostic(editor.document.uri, 'unknown-priority-class', 'shop-critica');
    assert.match(found.message, /shop-critica/);
  });

  it('link to the page of their rule', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'shop-critica');
    const { code } = await diagnostic(editor.document.uri, 'unknown-priority-class');
    assert(typeof code === 'object');
    assert.match(code.target.path, /\/docs\/rules\/unknown-priority-class\.md$/);
    assert.match((await vscode.workspace.openTextDocument(code.target)).getText(), /unknown-priority-class/);
  });

  it('leave to another extension what that tells by a schema, until it does no more', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'priorityClassName', 'priorityClasName');
    const { range } = await diagnostic(editor.document.uri, 'unknown-field', 'priorityClasName');
    const others = vscode.languages.createDiagnosticCollection('yaml');
    try {
      const told = new vscode.Diagnostic(range, 'Property priorityClasName is not allowed.');
      told.source = 'yaml-schema: Kubernetes';
      others.set(editor.document.uri, [told]);
      await noDiagnostic(editor.document.uri, 'unknown-field');
    } finally {
      others.dispose();
    }
    await diagnostic(editor.document.uri, 'unknown-field', 'priorityClasName');
  });

  it('[ED-2] refuse a reserved name', async () => {
    const editor = await openFile('priority-classes.yaml');
    await replace(editor, 'name: shop-critical', 'name: system-shop');
    const found = await diagnostic(editor.document.uri, 'reserved-class-name', 'system-shop');
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
  });

  it('[ED-6] appear in a file when another one changes, unsaved', async () => {
    await openFile('apps', 'checkout.yaml');
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'name: shop-critical', 'name: shop-vital');
    await diagnostic(fileUri('apps', 'checkout.yaml'), 'unknown-priority-class');
  });

  it('[ED-6] appear in a file that is not open, and stay there until the text on disk is right', async () => {
    const classes = await openFile('priority-classes.yaml');
    await replace(classes, 'name: shop-critical', 'name: shop-vital');
    await diagnostic(fileUri('apps', 'checkout.yaml'), 'unknown-priority-class');
    const { document } = await openFile('apps', 'checkout.yaml');
    await diagnostic(document.uri, 'unknown-priority-class', 'shop-critical');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await diagnostic(fileUri('apps', 'checkout.yaml'), 'unknown-priority-class');
    await openFile('priority-classes.yaml');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await noDiagnostic(fileUri('apps', 'checkout.yaml'), 'unknown-priority-class');
  });

  it('[PRI-6] tell of two global defaults, with the place of the other', async () => {
    const editor = await openFile('priority-classes.yaml');
    await replace(editor, 'value: 100000\n', 'value: 100000\nglobalDefault: true\n');
    const found = await diagnostic(editor.document.uri, 'several-global-defaults');
    assert.equal(found.relatedInformation?.length, 1);
  });

  it('stand at the right place behind emoji and CRLF', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await editor.edit((edit) => {
      edit.setEndOfLine(vscode.EndOfLine.CRLF);
    });
    await replace(editor, 'kind: Deployment', '# 🛒🛒\r\nkind: Deployment');
    await replace(editor, 'shop-critical', 'nobody # 🛒');
    const found = await diagnostic(editor.document.uri, 'unknown-priority-class', 'nobody');
    assert.deepEqual(found.range, rangeOf(editor.document, 'nobody'));
  });
});
