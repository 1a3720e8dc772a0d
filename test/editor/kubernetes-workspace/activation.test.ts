import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { podium } from '../support/extension.ts';

describe('activation in a workspace with manifests', () => {
  it('happens by itself, with no file open', async () => {
    assert.equal(vscode.window.activeTextEditor, undefined);
    await eventually('the extension is active', () => (podium().isActive ? true : undefined));
  });

  it('starts the language server because a file of the workspace is a manifest', async () => {
    await eventually('the server is started', () => (podium().exports.serverStarted ? true : undefined));
  });
});
