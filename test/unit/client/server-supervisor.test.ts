import assert from 'node:assert/strict';
import { KeptServer } from '../../../client/src/server-supervisor.ts';

/** A server whose lives are in the hands of the test. */
function start() {
  const lines: string[] = [];
  const lives: { readonly ended: () => void; readonly up: () => void; readonly fail: () => void; disposed: boolean }[] =
    [];
  let time = 0;
  /** Pauses that were made before a start, each with what ends it. */
  const pauses: { readonly milliseconds: number; readonly end: () => void }[] = [];
  const server = new KeptServer({
    start: (ended) =>
      new Promise<{ dispose(): void }>((resolve, reject) => {
        const life = {
          ended,
          disposed: false,
          up: () => {
            resolve({ dispose: () => (life.disposed = true) });
          },
          fail: () => {
            reject(new Error('it does not come up'));
          },
        };
        lives.push(life);
      }),
    giveUp: (ends, minutes) => lines.push(`${ends} ends within ${minutes} minutes`),
    now: () => time,
    wait: (milliseconds) => new Promise((end) => pauses.push({ milliseconds, end })),
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    server,
    told: lines,
    lives,
    pauses,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    /** The last life does something, and the pause that follows is over. */
    does: async (what: 'up' | 'ended' | 'fail'): Promise<void> => {
      const paused = pauses.length;
      lives.at(-1)![what]();
      await settled();
      if (pauses.length > paused) pauses.at(-1)!.end();
      await settled();
    },
    settled,
  };
}

const message = '5 ends within 3 minutes';

describe('a server that ends', () => {
  it('is started when it is first asked for, and once', async () => {
    const { server, lives, does } = start();
    assert.equal(server.isStarted, false);
    const asked = [server.running(), server.running()];
    await does('up');
    assert.deepEqual([lives.length, (await asked[0]) === (await asked[1]), server.isStarted], [1, true, true]);
  });

  it('is started again four times; after the fifth the user is asked, and a start by hand counts anew', async () => {
    const { server, told: lines, lives, does } = start();
    void server.running();
    for (let round = 1; round <= 2; round++) {
      for (let end = 1; end <= 5; end++) {
        await does('up');
        assert.equal(lines.length, round - 1);
        await does('ended');
      }
      assert.deepEqual([lives.length, lines, server.isStarted], [5 * round, Array<string>(round).fill(message), false]);
      void server.restart();
    }
    await does('up');
    assert.deepEqual([lives.length, server.isStarted], [11, true]);
  });

  it('is started again at once, and then after a pause that is twice as long each time', async () => {
    const { server, pauses, does } = start();
    void server.running();
    for (const what of ['ended', 'fail', 'ended', 'fail'] as const) {
      if (what === 'ended') await does('up');
      await does(what);
    }
    assert.deepEqual(
      pauses.map(({ milliseconds }) => milliseconds),
      [1_000, 2_000, 4_000],
    );
  });

  it('is not started after the pause where it is not wanted any more, and at once where the user asks', async () => {
    const { server, pauses, lives, does, settled } = start();
    void server.running();
    await does('up');
    await does('ended');
    await does('up');
    lives.at(-1)!.ended();
    await settled();
    assert.deepEqual([lives.length, pauses.length, server.isStarted], [2, 1, true]);
    void server.restart();
    await does('up');
    pauses[0]!.end();
    await settled();
    assert.deepEqual([lives.length, lives[2]!.disposed, server.isStarted], [3, false, true]);
    lives[2]!.ended();
    await settled();
    lives[3]!.up();
    await settled();
    lives[3]!.ended();
    await settled();
    server.dispose();
    pauses[1]!.end();
    await settled();
    assert.deepEqual([lives.length, server.isStarted], [4, false]);
  });

  it('counts what does not come up, and tells who asked for it', async () => {
    const { server, told: lines, lives, does } = start();
    const asked = server.running();
    const failed = assert.rejects(asked, /does not come up/);
    for (let end = 1; end <= 4; end++) await does('fail');
    assert.deepEqual([lives.length, lines], [5, []]);
    await does('fail');
    await failed;
    assert.deepEqual([lives.length, lines, server.isStarted], [5, [message], false]);
    // Who asks again may have better luck.
    const again = server.running();
    await does('up');
    await again;
    assert.equal(lives.length, 6);
  });

  it('may end now and then for ever', async () => {
    const { server, told: lines, lives, does, wait } = start();
    void server.running();
    for (let end = 1; end <= 20; end++) {
      await does('up');
      await does('ended');
      wait(46_000);
    }
    assert.deepEqual([lives.length, lines], [21, []]);
  });

  it('is not started again when it was to end, nor when an earlier one of its lives ends late', async () => {
    const { server, lives, does } = start();
    void server.running();
    await does('up');
    void server.restart();
    await does('up');
    assert.deepEqual(
      lives.map(({ disposed }) => disposed),
      [true, false],
    );
    lives[0]!.ended();
    server.dispose();
    await does('ended');
    assert.equal(lives.length, 2);
    assert.equal(lives[1]!.disposed, true);
  });
});
