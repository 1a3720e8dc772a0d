import type * as vscode from 'vscode';
import type { Answer, AskParams } from '../../../server/src/protocol.ts';

/** What assistants need of the rest of the extension. */
export interface AssistantsAccess {
  ask(params: AskParams, token: vscode.CancellationToken): Promise<Answer>;
  /** Whether the user lets kubectl and helm run in this workspace. */
  mayRender(): boolean;
}

/** As `contributes.languageModelTools` of package.json has it. */
export interface ContributedTool {
  readonly name: string;
  readonly displayName: string;
}
