import { join } from 'node:path';
import { execPath } from 'node:process';
import * as vscode from 'vscode';
import type { AssistantsAccess } from './access.ts';
import { mcpArguments } from './mcp-arguments.ts';

/** Source: microsoft/vscode, src/vscode-dts/vscode.d.ts (1.101) */
type StdioServer = new (
  label: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  version: string,
) => object;

/**
 * `podium mcp` over the folders of the workspace, run by the Node that VS Code is. Nothing is started in a workspace that
 * is not trusted, and nothing is rendered where the user has not allowed it.
 */
export function serverDefinitions(
  { extensionPath, packageJSON }: vscode.Extension<unknown>,
  access: AssistantsAccess,
): readonly object[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const given = mcpArguments({
    isTrusted: vscode.workspace.isTrusted,
    mayRender: access.mayRender(),
    folders: folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
  });
  if (given === undefined) return [];
  const { McpStdioServerDefinition } = vscode as unknown as { readonly McpStdioServerDefinition: StdioServer };
  const { version } = packageJSON as { readonly version: string };
  const args = [join(extensionPath, 'dist', 'podium.mjs'), ...given];
  return [new McpStdioServerDefinition('Podium', execPath, args, { ELECTRON_RUN_AS_NODE: '1' }, version)];
}
