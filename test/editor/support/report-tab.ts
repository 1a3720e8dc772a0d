import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

/** Waits for the tab of the simulation report. */
export function reportTab(): Promise<vscode.Tab> {
  return eventually('the report', () => reportTabs()[0]);
}

export function reportTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('podium.report'));
}
