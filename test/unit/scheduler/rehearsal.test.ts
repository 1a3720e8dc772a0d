import { strict as assert } from 'node:assert';
import { runToEnd } from '../../../server/src/kit/steps.ts';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';
import { rehearse } from '../../../server/src/scheduler/index.ts';

describe('the rehearsal before a large cluster is read', () => {
  it('is left out for a small one, and comes once in a process', () => {
    assert.deepEqual([...rehearse(999, latestRelease)], []);
    runToEnd(rehearse(1000, latestRelease));
    assert.deepEqual([...rehearse(5000, latestRelease)], []);
  });
});
