import { type Connection, ErrorCodes, Message, type MessageStrategy, ResponseError } from 'vscode-languageserver';
import * as z from 'zod/mini';
import {
  askParamsSchema,
  askRequest,
  captureParamsSchema,
  captureRequest,
  capacityParamsSchema,
  capacityRequest,
  decisionsParamsSchema,
  decisionsRequest,
  effectsRequest,
  fetchParamsSchema,
  fetchRequest,
  nodesRequest,
  overviewRequest,
  questionsParamsSchema,
  questionsRequest,
  remediesRequest,
  simulateParamsSchema,
  simulateRequest,
  targetsRequest,
  whatIfEditParamsSchema,
  whatIfEditRequest,
} from '../../protocol.ts';

/** The method that a request with malformed parameters is turned into; its parameter says what is wrong. */
const malformedRequest = 'podium/malformedRequest';

const position = z.object({ line: z.int().check(z.minimum(0)), character: z.int().check(z.minimum(0)) });
const range = z.object({ start: position, end: position });
const inFile = { textDocument: z.object({ uri: z.string() }) };
const hierarchyItem = z.object({ selectionRange: range });
const atPosition = { ...inFile, position };

/** By method, the fields of its parameters that its handler reads. */
const schemas: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  [
    'initialize',
    z.object({
      capabilities: z.object({}),
      workspaceFolders: z.nullish(z.array(z.object({ uri: z.string() }))),
    }),
  ],
  ['textDocument/hover', z.object(atPosition)],
  ['textDocument/completion', z.object(atPosition)],
  ['textDocument/definition', z.object(atPosition)],
  ['textDocument/references', z.object({ ...atPosition, context: z.object({ includeDeclaration: z.boolean() }) })],
  ['textDocument/documentHighlight', z.object(atPosition)],
  ['textDocument/prepareRename', z.object(atPosition)],
  ['textDocument/rename', z.object({ ...atPosition, newName: z.string() })],
  ['textDocument/linkedEditingRange', z.object(atPosition)],
  ['textDocument/prepareCallHierarchy', z.object(atPosition)],
  ['callHierarchy/incomingCalls', z.object({ item: hierarchyItem })],
  ['callHierarchy/outgoingCalls', z.object({ item: hierarchyItem })],
  ['textDocument/inlayHint', z.object({ ...inFile, range })],
  ['textDocument/diagnostic', z.object({ ...inFile, previousResultId: z.optional(z.string()) })],
  ['workspace/diagnostic', z.object({ previousResultIds: z.array(z.object({ uri: z.string(), value: z.string() })) })],
  ['textDocument/documentSymbol', z.object(inFile)],
  ['workspace/symbol', z.object({ query: z.string() })],
  [
    'textDocument/codeAction',
    z.object({ ...inFile, range, context: z.object({ only: z.optional(z.array(z.string())) }) }),
  ],
  ['textDocument/codeLens', z.object(inFile)],
  ['codeLens/resolve', z.object({ range })],
  [simulateRequest, simulateParamsSchema],
  [targetsRequest, z.object({})],
  [nodesRequest, z.object({})],
  [questionsRequest, questionsParamsSchema],
  [overviewRequest, z.object({})],
  [capacityRequest, capacityParamsSchema],
  [decisionsRequest, decisionsParamsSchema],
  [fetchRequest, fetchParamsSchema],
  [captureRequest, captureParamsSchema],
  [askRequest, askParamsSchema],
  [effectsRequest, simulateParamsSchema],
  [remediesRequest, simulateParamsSchema],
  [whatIfEditRequest, whatIfEditParamsSchema],
  // Meant for our own use below, but a client may send it too.
  [malformedRequest, z.object({ fault: z.string() })],
]);

/** Checks the parameters of every request before its handler is called. */
export const checkedParams: MessageStrategy = {
  handleMessage(message, next) {
    const fault = Message.isRequest(message) ? faultOf(message.method, message.params) : undefined;
    return next(
      fault === undefined ? message : ({ ...message, method: malformedRequest, params: { fault } } as Message),
    );
  },
};

/** Answers the requests that `checkedParams` has found malformed. */
export function refuseMalformed(connection: Connection): void {
  connection.onRequest(
    malformedRequest,
    ({ fault }: { readonly fault: string }) => new ResponseError(ErrorCodes.InvalidParams, fault),
  );
}

function faultOf(method: string, params: unknown): string | undefined {
  const issue = schemas.get(method)?.safeParse(params).error?.issues[0];
  if (issue === undefined) return undefined;
  const place = issue.path.length === 0 ? '' : `, at ${issue.path.join('.')}`;
  return `The parameters of ${method} are not understood${place}.`;
}
