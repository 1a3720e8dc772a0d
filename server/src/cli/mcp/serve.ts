import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod/mini';
import { cut } from './answers.ts';
import { type Surroundings, tools } from './tools.ts';

/** Serves the tools on standard input and output until the input ends. */
export async function serveTools(around: Surroundings): Promise<void> {
  // Its own way to register tools would check the input a second time, in its own words.
  const { server } = new McpServer({ name: 'podium', version: around.version() }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: { type: 'object' as const, ...z.toJSONSchema(input) },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })),
  }));
  const calls = new Set<Promise<unknown>>();
  const call = async (params: { readonly name: string; readonly arguments?: unknown }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return told(`There is no tool ${params.name}.`, true);
    const input = tool.input.safeParse(params.arguments ?? {});
    if (!input.success) return told(z.prettifyError(input.error), true);
    try {
      const { text, failed } = await tool.answer(input.data, around);
      return told(text, failed);
    } catch (error) {
      return told(error instanceof Error ? error.message : String(error), true);
    }
  };
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const answer = call(params);
    calls.add(answer);
    return answer.finally(() => calls.delete(answer));
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // Whoever asked and will say no more still gets the answers.
  process.stdin.once('end', () => void Promise.allSettled(calls).then(() => setImmediate(() => void server.close())));
  await closed;
}

function told(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text: cut(text) }], isError };
}
