import * as vscode from 'vscode';
import type { AppliedStatus } from '../../../server/src/protocol.ts';
import { manifestSelector } from '../manifest-selector.ts';

const whyNothing: Readonly<Record<AppliedStatus['rendering'], () => string>> = {
  on: () => '',
  'no-tool': () => '',
  'not-trusted': () =>
    vscode.l10n.t('The workspace is not trusted: kubectl and helm are not run, and nothing is rendered.'),
  'not-allowed': () => vscode.l10n.t('Rendering needs your permission.'),
};

/** The language status item that says which target answers are about, and what of it they do not see. */
export class SourcesStatusItem implements vscode.Disposable {
  #item: vscode.LanguageStatusItem | undefined;

  show(status: AppliedStatus | null): void {
    if (status === null) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const item = (this.#item ??= create());
    const { rendering, targets, unseen, unseenCount, lesserMode } = status;
    const [first = '', ...others] = targets;
    const name = first === '' ? vscode.l10n.t('all manifests') : first;
    const all = `${name}${others.length === 0 ? '' : ` + ${others.length}`}`;
    item.text =
      unseenCount === 0
        ? vscode.l10n.t('Applied: {0}', all)
        : vscode.l10n.t('Applied: {0}; {1} not seen', all, String(unseenCount));
    item.detail = [whyNothing[rendering](), ...unseen.map(({ text }) => text), lesserMode]
      .filter((text) => text !== '')
      .join(' ');
    item.severity =
      rendering === 'on' && unseen.length === 0
        ? vscode.LanguageStatusSeverity.Information
        : vscode.LanguageStatusSeverity.Warning;
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

function create(): vscode.LanguageStatusItem {
  const item = vscode.languages.createLanguageStatusItem('podium.sources', manifestSelector());
  item.name = vscode.l10n.t('Podium: Targets');
  item.command = { command: 'podium.chooseSources', title: vscode.l10n.t('Choose') };
  return item;
}
