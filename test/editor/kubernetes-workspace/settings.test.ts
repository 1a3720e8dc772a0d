import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { diagnostic, lensesOf, noDiagnostic, openFile, replace, revertAll } from '../support/manifests.ts';

describe('settings', () => {
  afterEach(revertAll);

  it('change the severity of a rule, and switch it off', async () => {
    const editor = await openFile('apps', 'checkout.yaml');
    await replace(editor, 'shop-critical', 'nobody');
    await diagnostic(editor.document.uri, 'unknown-priority-class');
    await withSetting('rules.unknown-priority-class', 'hint', () =>
      eventually('the severity of a hint', async () => {
        const { severity } = await diagnostic(editor.document.uri, 'unknown-priority-class');
        return severity === vscode.DiagnosticSeverity.Hint ? true : undefined;
      }),
    );
    await withSetting('rules.unknown-priority-class', 'off', () =>
      noDiagnostic(editor.document.uri, 'unknown-priority-class'),
    );
    await diagnostic(editor.document.uri, 'unknown-priority-class');
  });

  it('switch code lenses off', async () => {
    const { document } = await openFile('apps', 'checkout.yaml');
    await eventually('a lens', async () => (await lensesOf(document)).length === 1 || undefined);
    await withSetting('codeLens.enabled', false, () =>
      eventually('no lens', async () => (await lensesOf(document)).length === 0 || undefined),
    );
  });

  it('have a default for every rule that the server knows', () => {
    const rules = vscode.workspace.getConfiguration('podium').get<Record<string, string>>('rules') ?? {};
    assert.equal(rules['unknown-priority-class'], 'default');
  });
});

async function withSetting(name: string, value: unknown, then: () => Promise<unknown>): Promise<void> {
  const podium = vscode.workspace.getConfiguration('podium');
  await podium.update(name, value, vscode.ConfigurationTarget.Workspace);
  try {
    await then();
  } finally {
    await podium.update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
}
