/** Where `podium mcp` would be started. */
export interface McpPlace {
  readonly isTrusted: boolean;
  /** Whether the user has let kubectl and helm run here. */
  readonly mayRender: boolean;
  /** The folders of the workspace that are on this machine. */
  readonly folders: readonly string[];
}

/** What `podium` is started with; undefined where it is not. Apart from its user, which needs VS Code, for its test. */
export function mcpArguments({ isTrusted, mayRender, folders }: McpPlace): readonly string[] | undefined {
  if (!isTrusted || folders.length === 0) return undefined;
  return ['mcp', ...(mayRender ? [] : ['--no-render']), '--', ...folders];
}
