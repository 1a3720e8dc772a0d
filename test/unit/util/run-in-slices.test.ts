import assert from 'node:assert/strict';
import { eachInSlices, messageCame, others } from '../../../server/src/util/run-in-slices.ts';

describe('work in slices', () => {
  it('lets messages through after one slice, however much work is under way', async () => {
    let turn = 0;
    let isDone = false;
    const count = (): void => {
      turn++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const turns: number[] = [];
    const work = async (): Promise<void> => {
      for (let slice = 0; slice < 20; slice++) {
        await others();
        turns.push(turn);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    isDone = true;
    assert.equal(turns.length, 160);
    assert.equal(new Set(turns).size, 160, 'two slices ran in one turn of the event loop');
  });

  it('lets a message go first that came in the turn of the next slice', async () => {
    const order: string[] = [];
    const slice = others().then(() => order.push('slice'));
    await new Promise<void>((resolve) => {
      // Behind the first of the two turns: the slice is due in the next, and what is queued here comes behind it.
      setImmediate(() => {
        messageCame();
        setImmediate(() => {
          order.push('message');
          resolve();
        });
      });
    });
    await slice;
    assert.deepEqual(order, ['message', 'slice']);
  });

  it('goes on although messages never end', async () => {
    let isDone = false;
    const ask = (): void => {
      messageCame();
      if (!isDone) setImmediate(ask);
    };
    ask();
    for (let slice = 0; slice < 3; slice++) await others();
    isDone = true;
  });

  it('has work that nobody waits for pause now and then while somebody asks', async () => {
    let turn = 0;
    let isDone = false;
    const count = (): void => {
      turn++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    // A slice comes in every second turn, but behind a pause. Without pauses this has no end.
    for (let waited = 0, round = 0; waited < 6; round++) {
      if (round % 100 === 0) {
        messageCame();
        await others();
      }
      const before = turn;
      await others(true);
      waited = turn - before;
    }
    isDone = true;
    assert.ok(turn >= 6);
  });

  it('does all of it, in order, and what goes wrong ends it', async () => {
    const seen: number[] = [];
    await eachInSlices([1, 2, 3], (item) => seen.push(item));
    assert.deepEqual(seen, [1, 2, 3]);
    const failing = eachInSlices([1, 2], () => {
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
  });
});
