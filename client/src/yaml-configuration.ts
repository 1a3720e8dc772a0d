import * as vscode from 'vscode';

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
 * extension of Red Hat, `keep`, follows no rules at all.
 */
export function configureYaml(): vscode.Disposable {
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
