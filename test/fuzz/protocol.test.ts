import assert from 'node:assert/strict';
import { fuzzProtocol } from './protocol-fuzzing.ts';

describe('the server after random edits, requests, cancellations and watched-file storms', function () {
  for (const seed of [8, 80]) {
    it(`says what a fresh server says, from seed ${seed}`, async () => {
      const { rounds, edits, requests } = await fuzzProtocol({ seed, goesOn: (round) => round < 4 });
      assert.ok(rounds === 4 && edits > 20 && requests > 20);
    });

    it(`answers what a fresh server answers an editor that asks for problems, from seed ${seed}`, async () => {
      const { rounds, edits } = await fuzzProtocol({ seed, asks: true, goesOn: (round) => round < 4 });
      assert.ok(rounds === 4 && edits > 20);
    });
  }
});
