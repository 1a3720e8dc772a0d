import assert from 'node:assert/strict';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { startRun } from '../../../server/src/simulation/run/start-run.ts';
import { ReplacingControllers } from '../../../server/src/simulation/run/replacements.ts';
import { buildCluster } from '../../../server/src/simulation/cluster/build-cluster.ts';
import { loadSample } from './load-sample.ts';

describe('what budgets allow while pods come and go', () => {
  it('is counted for those that are concerned as it would be for all', () => {
    const simulated = runToEnd(buildCluster(loadSample()));
    const run = runToEnd(startRun(simulated, new ReplacingControllers(simulated.workloads, simulated.factory), {}));
    for (const pod of simulated.arriving.flat()) run.addArriving(pod);
    for (const [index, pod] of simulated.running.entries()) {
      run.callAt(index * 7, () => {
        if (run.place(pod).state === 'running') run.delete(pod);
      });
    }
    const allowed = new Set<string>();
    let counted = 0;
    const events = run.settle(({ kind }) => {
      if (kind !== 'gone') return;
      const { state } = run.cluster;
      const now = state.disruptionsAllowed;
      run.cluster.refreshBudgets();
      assert.deepEqual(state.disruptionsAllowed, now);
      allowed.add(now.join());
      counted += 1;
    });
    runToEnd(events);
    assert.ok(counted > 5);
    assert.ok(allowed.size > 1);
  });
});
