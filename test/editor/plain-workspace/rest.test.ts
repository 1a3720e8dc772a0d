import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, podium } from '../support/extension.ts';

const manifest =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers: [{ name: web, image: nginx }]\n';

describe('a workspace without Kubernetes', () => {
  it('activates for YAML and starts no server', async () => {
    await vscode.window.showTextDocument(fileUri('compose.yaml'));
    const api = await podium().activate();
    await api.searched;
    assert.equal(api.serverStarted, false);
  });

  it('leaves JSON alone that has only a kind', async () => {
    await vscode.window.showTextDocument(fileUri('package.json'));
    assert.equal(podium().exports.serverStarted, false);
  });

  it('starts the server when text becomes a manifest', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'yaml', content: 'apiVersion: v1\n' });
    const editor = await vscode.window.showTextDocument(document);
    assert.equal(podium().exports.serverStarted, false);
    const started = new Promise<void>((resolve) => {
      podium().exports.onDidStartServer(resolve);
    });
    await editor.edit((edit) => {
      edit.replace(new vscode.Range(0, 0, document.lineCount, 0), manifest);
    });
    await started;
    assert.equal(podium().exports.serverStarted, true);
  });
});
