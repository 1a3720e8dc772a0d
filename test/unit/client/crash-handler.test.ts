import assert from 'node:assert/strict';
import type { CloseHandlerResult, ErrorHandler, ErrorHandlerResult } from 'vscode-languageclient/node';
import { crashHandler } from '../../../client/src/crash-handler.ts';

// The library, whose numbers these are, can only be loaded inside VS Code.
const doNotRestart = { action: 1, message: 'It crashed 5 times.' } as unknown as CloseHandlerResult;
const restart = { action: 2 } as unknown as CloseHandlerResult;
const goOn = { action: 1 } as unknown as ErrorHandlerResult;

/** Counts as the language client does. */
function counting(): ErrorHandler {
  let crashes = 0;
  return { error: () => goOn, closed: () => ((crashes += 1) < 5 ? restart : doNotRestart) };
}

describe('a server that crashes', () => {
  it('is started again four times; after the fifth the user is asked, and a start by hand counts anew', async () => {
    const told: string[] = [];
    const handler = crashHandler(
      counting,
      ({ action }) => action === doNotRestart.action,
      (message) => told.push(message),
    );
    for (let round = 1; round <= 2; round += 1) {
      for (let crash = 1; crash < 5; crash += 1) assert.deepEqual(await handler.closed(), restart);
      assert.equal(told.length, round - 1);
      // Handled: the language client would show a message of its own as well.
      assert.deepEqual(await handler.closed(), { ...doNotRestart, handled: true });
      assert.deepEqual(told, Array<string>(round).fill('It crashed 5 times.'));
    }
  });
});
