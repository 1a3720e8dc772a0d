import * as vscode from 'vscode';
import { manifestSelector } from './manifest-selector.ts';

const { Indent, None } = vscode.IndentAction;

/** A key without a value, as what a mapping or a list belongs to, or with the mark of a text of several lines. */
const keyWithChildren = /^\s*(?:["']?[\w./$-]+["']?):(?: +[|>][-+]?\d?)? *$/;
const keyInItem = /^\s*- +(?:["']?[\w./$-]+["']?):(?: +[|>][-+]?\d?)? *$/;

/** The first entry of an item, which most often has others. */
const entryOfItem = /^\s*- +(?:"[^"]*"|'[^']*'|[\w./$-]+): +[^\s|>].*$/;

/**
 * `general-a` is one word. Were it two, VS Code would ask all extensions again behind the dash, and keep the list open until
 * the slowest has answered: an Enter before that takes what was selected.
 * Source: redhat-developer/vscode-yaml, language-configuration.json
 */
const wordPattern = /("(?:[^\\"]*(?:\\.)?)*"?)|[^\s{}[\],:]+/;

/**
 * Enter behind a key with children goes one step in, and behind the first entry of an item to where its others begin.
 * VS Code has rules for that, which its own setting for YAML (`editor.autoIndent`: `advanced`) leaves unused. That of the
 * extension of Red Hat, `keep`, follows no rules at all: who types with it is asked once.
 */
export function configureYaml(kept: vscode.Memento): vscode.Disposable {
  let configured = setRules();
  const followed = vscode.workspace.onDidChangeConfiguration((change) => {
    if (!change.affectsConfiguration('editor.autoIndent', { languageId: 'yaml' })) return;
    // An editor that is open takes another `autoIndent` with other rules only.
    // Source: microsoft/vscode, src/vs/editor/common/cursorCommon.ts (CursorConfiguration.shouldRecreate)
    configured.dispose();
    configured = setRules();
  });
  const last = new vscode.Disposable(() => void configured.dispose());
  return vscode.Disposable.from(last, followed, offerIndent(kept));
}

function setRules(): vscode.Disposable {
  return vscode.languages.setLanguageConfiguration('yaml', {
    wordPattern,
    onEnterRules: [
      // Between a key and what it already has, the line is as it was.
      { beforeText: keyWithChildren, afterText: /\S/, action: { indentAction: None } },
      { beforeText: keyWithChildren, action: { indentAction: Indent } },
      { beforeText: keyInItem, action: { indentAction: Indent, appendText: '  ' } },
      { beforeText: entryOfItem, afterText: /^\s*$/, action: { indentAction: None, appendText: '  ' } },
    ],
  });
}

/** Where it is kept that the user was asked. */
const offered = 'podium.offeredIndent';

/** Asks when Enter behind a key has not indented in a manifest, as an extension says `keep` and the user nothing. */
function offerIndent(kept: vscode.Memento): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change] }) => {
    if (change === undefined || !/^\r?\n *$/.test(change.text) || document.languageId !== 'yaml') return;
    if (kept.get(offered) === true || vscode.languages.match(manifestSelector(), document) === 0) return;
    const line = document.lineAt(change.range.start.line).text;
    if (![keyWithChildren, keyInItem].some((rule) => rule.test(line))) return;
    const settings = vscode.workspace.getConfiguration('editor', document);
    const { defaultLanguageValue } = settings.inspect('autoIndent') ?? {};
    if (defaultLanguageValue === 'keep' && settings.get('autoIndent') === 'keep') void askToIndent(settings, kept);
  });
}

async function askToIndent(settings: vscode.WorkspaceConfiguration, kept: vscode.Memento): Promise<void> {
  // Before the answer: the next Enter comes sooner.
  await kept.update(offered, true);
  const indent = vscode.l10n.t('Indent');
  const question = vscode.l10n.t(
    'Enter does not indent in YAML, as the YAML extension sets “editor.autoIndent” to “keep”. Set it to “advanced” in your settings?',
  );
  const answer = await vscode.window.showInformationMessage(question, indent, vscode.l10n.t('Leave It'));
  if (answer === indent) await settings.update('autoIndent', 'advanced', vscode.ConfigurationTarget.Global, true);
}
