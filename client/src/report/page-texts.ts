import * as vscode from 'vscode';
import type { PageTexts } from '../../../server/src/report-model/page-texts.ts';
import { languageOf } from '../../../server/src/util/locale.ts';
import { speak } from '../../../server/src/util/say.ts';
import { Translation, type Translations } from '../../../server/src/util/translation.ts';

let loaded: Promise<PageTexts | undefined> | undefined;

/**
 * What the page says in the language of the editor; undefined for English. From then on Markdown, which is made here, is in
 * that language too.
 */
export function pageTexts(extensionUri: vscode.Uri): Promise<PageTexts | undefined> {
  loaded ??= load(extensionUri);
  return loaded;
}

async function load(extensionUri: vscode.Uri): Promise<PageTexts | undefined> {
  const language = languageOf(vscode.env.language);
  if (language === undefined) return undefined;
  const parts = ['shared', 'page'].map(async (part) => {
    const uri = vscode.Uri.joinPath(extensionUri, 'l10n', `${part}.${language}.json`);
    return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as Translations;
  });
  const texts: Translations = Object.fromEntries((await Promise.all(parts)).flatMap((part) => Object.entries(part)));
  speak(new Translation(language, new Map(Object.entries(texts))));
  return { language, texts };
}
