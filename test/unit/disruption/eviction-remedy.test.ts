import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { evict } from '../../../server/src/disruption/eviction.ts';
import { type EvictionRemedy, remedyFor } from '../../../server/src/disruption/eviction-remedy.ts';
import type { Pod, PodDisruptionBudget } from '../../../server/src/kubernetes/objects.ts';

const pod: Pod = {
  metadata: { name: 'web-0', labels: { app: 'web' } },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};

/** Nothing is known of the other pods. */
const known = { pod, unreadyOf: () => [] };
const unknown = { kind: 'ready-pods', unready: [], passes: true, keepsUnready: false } as const;

function budget(status: Partial<NonNullable<PodDisruptionBudget['status']>>): PodDisruptionBudget {
  const numbers = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 };
  return {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { ...numbers, ...status },
  };
}

function remedy(...budgets: PodDisruptionBudget[]): EvictionRemedy {
  const answer = evict(pod, budgets);
  assert.ok(!answer.allowed);
  return remedyFor(answer, known);
}

describe('remedyFor', () => {
  it('[EVI-5] says how many pods must become ready', () => {
    assert.deepEqual(remedy(budget({})), { ...unknown, missing: 1 });
    assert.deepEqual(remedy(budget({ currentHealthy: 0 })), { ...unknown, missing: 3 });
  });

  it('[EVI-5] recognises a budget that never allows anything', () => {
    assert.equal(remedy(budget({ expectedPods: 2 })).kind, 'wider-budget');
    assert.equal(remedy(budget({ expectedPods: 0, desiredHealthy: 0 })).kind, 'wider-budget');
  });

  it('[EVI-5] recognises a budget that the controller cannot work out', () => {
    const failure = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message: 'found no controllers',
      lastTransitionTime: '',
    };
    const failed = budget({ conditions: [failure] });
    assert.deepEqual(remedy(failed), { kind: 'working-budget', budget: failed, message: 'found no controllers' });
  });

  it('[EVI-5] tells what passes by itself from what does not', () => {
    const behind = { ...budget({}), metadata: { name: 'web', generation: 1 } };
    assert.deepEqual(remedy(behind), { kind: 'retry', afterSeconds: 10 });
    assert.equal(remedy(budget({}), budget({})).kind, 'single-budget');
    assert.equal(remedy(budget({ disruptionsAllowed: -1 })).kind, 'running-controller');
    const answer = evict(pod, [], { uid: 'another' });
    assert.ok(!answer.allowed);
    assert.deepEqual(remedyFor(answer, known), { kind: 'current-request' });
  });
});
