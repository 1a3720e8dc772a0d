import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

const main = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));

describe('podium lsp', function () {
  this.timeout(60_000);

  it('speaks the protocol over standard input and output, and ends when it is told to', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', main, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    const answer = await connection.sendRequest<{ capabilities: { hoverProvider?: unknown } }>('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    assert.ok(answer.capabilities.hoverProvider);
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    assert.deepEqual(await ended, [0, null]);
    connection.dispose();
  });
});
