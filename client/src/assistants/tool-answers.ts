import * as vscode from 'vscode';
import type { AssistantsAccess, ContributedTool } from './access.ts';

/** Longer names are cut in what is shown while a tool is asked. */
const longestName = 80;

/** What the user sees while a tool is asked. Names come from an assistant, and are text. */
export function prepare({ displayName }: ContributedTool, input: object): vscode.PreparedToolInvocation {
  const about = Object.values(input).filter((value) => typeof value === 'string');
  const [named = '', ...more] = about.map((value) =>
    value.length > longestName ? `${value.slice(0, longestName)}…` : value,
  );
  const text = [displayName, ...(named === '' ? [] : [`${named}${more.length === 0 ? '' : `, ${more.join(', ')}`}`])];
  return { invocationMessage: new vscode.MarkdownString().appendText(text.join(': ')) };
}

/** Asks the language server. Rejects with what is wrong with the question. */
export async function answer(
  { name }: ContributedTool,
  input: object,
  token: vscode.CancellationToken,
  access: AssistantsAccess,
): Promise<vscode.LanguageModelToolResult> {
  const { text, failed } = await access.ask({ tool: name.replace(/^podium_/, ''), input }, token);
  if (failed) throw new Error(text);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
