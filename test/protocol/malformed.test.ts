import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { ErrorCodes, type Hover, type ResponseError } from 'vscode-languageserver/node';
import { serverUnderTest, TestClient } from './test-client.ts';

const textDocument = { uri: 'file:///pod.yaml' };
const position = { line: 0, character: 0 };
const range = { start: position, end: position };

/** Request → parameters that are nearly right. */
const requests: Readonly<Record<string, readonly unknown[]>> = {
  'textDocument/hover': [{ textDocument }, { textDocument, position: { line: -1, character: 0 } }, { position }],
  'textDocument/completion': [{ textDocument: { uri: 5 }, position }],
  'textDocument/definition': [{ textDocument, position: { line: '0', character: 0 } }],
  'textDocument/references': [
    { textDocument, position },
    { textDocument, position, context: {} },
  ],
  'textDocument/documentHighlight': [{ textDocument }],
  'textDocument/prepareRename': [{ textDocument }],
  'textDocument/rename': [
    { textDocument, position },
    { textDocument, position, newName: 5 },
  ],
  'textDocument/inlayHint': [{ textDocument }, { textDocument, range: { start: position } }],
  'textDocument/documentSymbol': [{ textDocument: 5 }],
  'workspace/symbol': [{ query: 5 }],
  'textDocument/codeAction': [
    { textDocument, range },
    { textDocument, range, context: { only: [5] } },
    { textDocument, range: { start: position }, context: {} },
  ],
  'textDocument/codeLens': [{ textDocument: null }],
  'codeLens/resolve': [{ range: null }, { data: {} }],
  'podium/simulate': [{ scenario: {} }],
  'podium/capacity': [{ workloads: 5 }, { workloads: [-1] }, {}],
  'podium/decisions': [{ indexes: 5 }, { indexes: [-1] }],
  'podium/malformedRequest': [{ fault: 5 }],
};

function message(content: unknown): string {
  const body = JSON.stringify(content);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('malformed parameters', () => {
  it('are answered with InvalidParams, and the server goes on', async () => {
    const client = await TestClient.start();
    for (const [method, nearly] of Object.entries(requests)) {
      for (const params of [undefined, null, 5, 'x', true, {}, [[]], [5, 5], ...nearly]) {
        const asked = `${method} with ${JSON.stringify(params)}`;
        const answer = client.request(method, params).then(
          (result) => assert.fail(`${asked} was answered: ${JSON.stringify(result)}`),
          (error: unknown) => (error as ResponseError).code,
        );
        assert.equal(await answer, ErrorCodes.InvalidParams, asked);
      }
    }
    assert.equal(await client.request('textDocument/hover', { textDocument, position }), null);
    assert.equal(await client.stop(), 0);
  });

  it('are so in the first request, after which the server can still be initialized', async () => {
    const params = [null, 5, 'x', {}, [], { capabilities: 5 }, { capabilities: {}, workspaceFolders: [5] }];
    const asked = params.map((params, id) => message({ jsonrpc: '2.0', id, method: 'initialize', params }));
    const last = { jsonrpc: '2.0', id: 'good', method: 'initialize', params: { processId: null, capabilities: {} } };
    const { output } = await talk([...asked, message(last)].join(''), (text) => text.includes('"id":"good"'));
    const codes = [...output.matchAll(/"code":(-?\d+)/g)].map(([, code]) => Number(code));
    assert.deepEqual(codes, Array<number>(params.length).fill(ErrorCodes.InvalidParams), output);
    assert.match(output, /"hoverProvider":true/);
  });
});

/** Notification → parameters that are nearly right. */
const notifications: Readonly<Record<string, readonly unknown[]>> = {
  'textDocument/didOpen': [
    { textDocument },
    { textDocument: { ...textDocument, text: 5, version: 'x', languageId: [] } },
  ],
  'textDocument/didChange': [
    { textDocument, contentChanges: 5 },
    { textDocument: { ...textDocument, version: 2 }, contentChanges: [{ range: { start: position }, text: 'x' }] },
    { textDocument: { ...textDocument, version: 2 }, contentChanges: [{ range, text: null }] },
  ],
  'podium/caret': [{ uri: textDocument.uri, line: -1, character: 0 }, { uri: textDocument.uri }],
  'textDocument/didSave': [{ textDocument: { uri: 5 } }],
  'textDocument/didClose': [{ textDocument: { uri: [] } }],
  'workspace/didChangeWatchedFiles': [
    { changes: 5 },
    { changes: [5, { uri: 5, type: 1 }, { uri: 'no uri', type: 9 }] },
  ],
  'workspace/didChangeConfiguration': [{ settings: 'x' }],
  'workspace/didChangeWorkspaceFolders': [{ event: 5 }, { event: { added: [5], removed: [{ uri: 5 }] } }],
  '$/cancelRequest': [{ id: {} }, { id: 12345 }],
  '$/setTrace': [{ value: 5 }],
  'podium/yamlServerChanged': [{ yamlServer: 5 }],
  'podium/toldBySchema': [
    { uri: 5, told: [] },
    { uri: 'file:///a.yaml', told: [{ line: 5 }] },
  ],
  'podium/noSuchNotification': [{ x: 1 }],
};

describe('malformed notifications', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { priorityClassName: nobody }\n';

  it('change nothing: the server says what it said before, and goes on following edits', async () => {
    const client = await TestClient.start();
    const uri = await client.open('pod.yaml', pod);
    const isTold = (shown: readonly { readonly code?: unknown }[]): boolean =>
      shown.some(({ code }) => code === 'unknown-priority-class');
    const before = await client.diagnostics(uri, isTold);
    for (const [method, nearly] of Object.entries(notifications)) {
      for (const params of [undefined, null, 5, 'x', true, {}, [[]], [5, 5], ...nearly]) {
        const named = JSON.stringify(params ?? null).replaceAll(textDocument.uri, uri);
        await client.connection.sendNotification(method, JSON.parse(named));
      }
    }
    assert.deepEqual(await client.diagnostics(uri, isTold), before);
    await client.change(uri, pod.replace('{ priorityClassName: nobody }', '{}'));
    const after = await client.diagnostics(uri);
    assert.ok(!isTold(after));
    const hover = await client.request<Hover>('textDocument/hover', { textDocument: { uri }, position });
    assert.match(JSON.stringify(hover.contents), /The group and version of the API/);
    assert.equal(await client.stop(), 0);
  });
});

describe('broken framing', () => {
  const good = message({ jsonrpc: '2.0', method: 'initialized', params: {} });
  const broken: Readonly<Record<string, string>> = {
    'a line that is no header': 'what is this?\r\n\r\n',
    'a line that never ends as one': 'GET / HTTP/1.1\n',
    'a header without an end': 'x: '.padEnd(5000, 'x'),
    'a header without a length': 'Content-Type: text/plain\r\n\r\n{}',
    'a length that is no number': 'Content-Length: abc\r\n\r\n{}',
    'a length below zero': 'Content-Length: -5\r\n\r\n{}',
    'a length that no message has': 'Content-Length: 999999999999\r\n\r\n{}',
    'two lengths': 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
    'a body that is no JSON': 'Content-Length: 5\r\n\r\n{"a":',
    'no body': 'Content-Length: 0\r\n\r\n',
  };
  for (const [what, text] of Object.entries(broken)) {
    it(`ends the process with a line on standard error: ${what}`, async () => {
      for (const input of [text, good + text]) {
        const { code, errors } = await talk(input);
        assert.equal(code, 1);
        assert.match(errors, /^podium: the input is not the language server protocol: .+\n$/);
      }
    });
  }

  it('is not what comes in pieces, with fields besides the length', async () => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: null, capabilities: { é: 1 } },
    };
    const type = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
    const pieces = [...Buffer.from(type + message(request) + message({ jsonrpc: '2.0', id: 2, method: 'shutdown' }))];
    const { code, output, errors } = await talk(
      pieces.map((byte) => Buffer.from([byte])),
      (text) => text.includes('"id":2'),
    );
    assert.equal(errors, '');
    assert.match(output, /"hoverProvider":true/);
    assert.equal(code, 0, 'the input ended after the server was told to shut down');
  });
});

/** What the shipped server does with bytes. Its input stays open until it has ended, or said what was waited for. */
async function talk(
  input: string | readonly Buffer[],
  hasAnswered: (output: string) => boolean = () => false,
): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
  const child = spawn(process.execPath, await serverUnderTest());
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (hasAnswered(output)) child.stdin.end();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // The server may be gone before it has read everything.
  child.stdin.on('error', () => undefined);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const piece of typeof input === 'string' ? [input] : input) child.stdin.write(piece);
  return { code: await code, output, errors };
}
