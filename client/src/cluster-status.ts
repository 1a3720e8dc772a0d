import * as vscode from 'vscode';
import type { ClusterStatus } from '../../server/src/protocol.ts';
import { manifestSelector } from './manifest-selector.ts';

const sources: Readonly<Record<ClusterStatus['source'], string>> = {
  snapshot: 'Cluster: snapshot',
  workspace: 'Cluster: workspace',
  assumed: 'Cluster: assumed nodes',
};

/** The language status item that says which cluster the answers are about. */
export class ClusterStatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor() {
    this.#item = vscode.languages.createLanguageStatusItem('podium.cluster', manifestSelector());
    this.#item.name = 'Podium: Cluster';
    this.#item.text = 'Podium';
    this.#item.command = { command: 'podium.simulate', title: 'Simulate' };
  }

  show({ source, detail, indexing }: ClusterStatus): void {
    this.#item.text = sources[source];
    this.#item.detail = detail;
    this.#item.busy = indexing;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
