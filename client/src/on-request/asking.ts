import * as vscode from 'vscode';

/** Sends a request to the language server. */
export type Ask = <Result>(method: string, params: object) => Promise<Result>;

/** What the server answers; undefined where the user was told why there is no answer, or has stopped it. */
export async function answerOf<Result>(ask: Ask, method: string, params: object = {}): Promise<Result | undefined> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('In a workspace that is not trusted Podium asks neither a cluster nor a repository.'),
    );
    return undefined;
  }
  try {
    return await ask<Result>(method, params);
  } catch (error) {
    // Source: LSPErrorCodes.RequestCancelled
    if ((error as { readonly code?: unknown }).code !== -32_800) {
      void vscode.window.showErrorMessage(`Podium: ${error instanceof Error ? error.message : String(error)}`);
    }
    return undefined;
  }
}
