import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { fileUri, podium } from '../support/extension.ts';
import { hoverThat, openFile, rangeOf, revertAll } from '../support/manifests.ts';
import { reportTab, reportTabs } from '../support/report-tab.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('commands', () => {
  afterEach(revertAll);

  it('are all there', async () => {
    const { contributes } = podium().packageJSON as Manifest;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('[ED-5] simulate the workspace, a file and a workload in one panel', async () => {
    await vscode.commands.executeCommand('podium.simulate');
    assert.match((await reportTab()).label, /workspace/);
    await vscode.commands.executeCommand('podium.simulateFile', fileUri('apps', 'cart.yaml'));
    await labelled(/cart\.yaml/);
    const editor = await openFile('apps', 'checkout.yaml');
    const { start } = rangeOf(editor.document, 'containers:');
    editor.selection = new vscode.Selection(start, start);
    await vscode.commands.executeCommand('podium.simulateWorkload');
    await labelled(/checkout/);
    assert.equal(reportTabs().length, 1);
  });

  it('try a drain of a node in the report', async () => {
    await vscode.commands.executeCommand('podium.drainNode', 'general-c');
    await labelled(/workspace/);
  });

  it('[ED-5] compare with the last commit', async () => {
    await vscode.commands.executeCommand('podium.simulateChange');
    await labelled(/change/);
  });

  it('simulate the file of the active editor when none is named', async () => {
    await openFile('apps', 'cart.yaml');
    await vscode.commands.executeCommand('podium.simulateFile');
    await labelled(/cart\.yaml/);
  });

  it('[ED-8] [#38] exclude a folder in the settings of the workspace', async () => {
    const excluded = () => vscode.workspace.getConfiguration('podium').get('exclude');
    await vscode.commands.executeCommand('podium.exclude', ['none/**']);
    assert.deepEqual(excluded(), ['none/**']);
    await vscode.workspace
      .getConfiguration('podium')
      .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(excluded(), []);
  });

  it('do nothing with arguments that make no sense', async () => {
    await openFile('priority-classes.yaml');
    await vscode.commands.executeCommand('podium.simulateWorkload', { kind: 7 });
    await vscode.commands.executeCommand('podium.openRuleDocs', '../../package.json');
    await vscode.commands.executeCommand('podium.exclude', 'apps/**');
    assert.deepEqual(vscode.workspace.getConfiguration('podium').get('exclude'), []);
    assert.deepEqual(reportTabs(), []);
  });

  it('restart the language server', async () => {
    await vscode.commands.executeCommand('podium.restart');
    const { document } = await openFile('apps', 'checkout.yaml');
    await hoverThat(document, 'shop-critical', /100000/);
  });

  it('show the page of a rule', async () => {
    await vscode.commands.executeCommand('podium.openRuleDocs', 'unknown-priority-class');
    await eventually('the preview', () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ label }) => label.includes('unknown-priority-class')),
    );
  });

  it('show the log', async () => {
    await vscode.commands.executeCommand('podium.showLogs');
    await eventually('the log', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'output'),
    );
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});

function labelled(label: RegExp): Promise<vscode.Tab> {
  return eventually(`a report titled ${label}`, () => reportTabs().find((tab) => label.test(tab.label)));
}
