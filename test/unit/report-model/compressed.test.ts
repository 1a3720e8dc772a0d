import assert from 'node:assert/strict';
import { compressed, decompressed } from '../../../server/src/report-model/compressed.ts';

describe('[ED-5] text that is kept in a file', () => {
  it('is the same when it is read again, and smaller', async () => {
    for (const text of ['', '{"name":"</script>\u2028 ё 😀"}', '{"state":"running"},'.repeat(100_000)]) {
      const packed = await compressed(text);
      assert.match(packed, /^[A-Za-z0-9+/=]*$/);
      assert.equal(await decompressed(packed), text);
    }
    assert.ok((await compressed('{"state":"running"},'.repeat(100_000))).length < 50_000);
  });

  it('is refused where it was damaged', async () => {
    for (const text of ['{', 'AAAA', (await compressed('report'.repeat(1000))).slice(0, 20)]) {
      await assert.rejects(decompressed(text));
    }
  });
});
