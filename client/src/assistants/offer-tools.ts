import * as vscode from 'vscode';
import type { AssistantsAccess, ContributedTool } from './access.ts';

/** VS Code 1.101 and newer take the definitions of servers from extensions. */
type NewerLm = typeof vscode.lm & {
  readonly registerMcpServerDefinitionProvider?: (id: string, provider: object) => vscode.Disposable;
};

/** What is only loaded when an assistant asks. */
const parts = () => import('./index.ts');

/**
 * Offers assistants the tools of `podium mcp`: as tools of VS Code's language models, which see what is typed; or, where
 * the user wants it and VS Code can, as a server of the Model Context Protocol. Never both, so that no tool is there twice.
 */
export function offerTools({ extension, subscriptions }: vscode.ExtensionContext, access: AssistantsAccess): void {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly ContributedTool[] };
  };
  let offered: vscode.Disposable | undefined;
  const offer = (): void => {
    offered?.dispose();
    const isWanted = vscode.workspace.getConfiguration('podium').get('mcp.enabled') === true;
    const served = isWanted ? serve() : undefined;
    // The tools are there while it is not set.
    void vscode.commands.executeCommand('setContext', 'podium.mcpServed', served !== undefined);
    offered =
      served ??
      vscode.Disposable.from(
        ...contributes.languageModelTools.map((tool) =>
          vscode.lm.registerTool<object>(tool.name, {
            prepareInvocation: async ({ input }) => (await parts()).prepare(tool, input),
            invoke: async ({ input }, token) => (await parts()).answer(tool, input, token, access),
          }),
        ),
      );
  };
  const serve = (): vscode.Disposable | undefined => {
    const lm: NewerLm = vscode.lm;
    try {
      return lm.registerMcpServerDefinitionProvider?.('podium.mcp', {
        provideMcpServerDefinitions: async () => (await parts()).serverDefinitions(extension, access),
      });
    } catch {
      // VS Code 1.100 has it, and lets nobody use it.
      return undefined;
    }
  };
  offer();
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('podium.mcp')) offer();
    }),
    new vscode.Disposable(() => {
      offered?.dispose();
    }),
  );
}
