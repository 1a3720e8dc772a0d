import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod/mini';
import type { callTool, Surroundings, Tool } from './tools.ts';

/** What is served: the tools, and how each is called. They are handed in, as they are part of another bundle. */
export interface Served {
  readonly tools: readonly Tool[];
  readonly callTool: typeof callTool;
}

/** Serves tools on standard input and output until the input ends. */
export async function serveTools(served: Served, around: Surroundings, version: string): Promise<void> {
  // `McpServer` around it would check the input a second time, in its own words, and weighs half as much again.
  // oxlint-disable-next-line typescript/no-deprecated -- It is for uses such as this.
  const server = new Server({ name: 'podium', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: served.tools.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: { type: 'object' as const, ...z.toJSONSchema(input) },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })),
  }));
  const calls = new Set<Promise<unknown>>();
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const answer = call(served, params.name, params.arguments, around);
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

async function call({ callTool: answerOf }: Served, name: string, input: unknown, around: Surroundings) {
  try {
    const { text, failed, structured } = await answerOf(name, input, around);
    return { ...textResult(text, failed), ...(structured === undefined ? {} : { structuredContent: structured }) };
  } catch (error) {
    return textResult(error instanceof Error ? error.message : String(error), true);
  }
}

function textResult(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}
