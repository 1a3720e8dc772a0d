import assert from 'node:assert/strict';
import { failuresOfCommands, failuresOfServer, prototypeDocuments, randomDocuments } from './documents.ts';

/** A part of what `npm run fuzz -- --documents N` takes all of. */
describe('documents that nobody writes', () => {
  it('with names of prototypes as keys and values fail no command', async () => {
    assert.deepEqual(await failuresOfCommands(prototypeDocuments(8), 200), []);
  });

  it('with names of prototypes as keys and values fail no answer of the server', async () => {
    assert.deepEqual(await failuresOfServer(prototypeDocuments(60, 7)), []);
  });

  it('at random fail no command', async () => {
    assert.deepEqual(await failuresOfCommands(randomDocuments(600, 31), 200), []);
  });

  it('at random fail no answer of the server', async () => {
    assert.deepEqual(await failuresOfServer(randomDocuments(60, 131)), []);
  });
});
