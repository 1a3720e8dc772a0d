import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  budgetsOfPod,
  evict,
  type EvictionAnswer,
  type EvictionRequest,
} from '../../../server/src/disruption/eviction.ts';
import type { Pod, PodDisruptionBudget } from '../../../server/src/kubernetes/objects.ts';

function pod(ready = true, more: Pod['status'] = {}): Pod {
  return {
    metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'web' }, uid: 'u1', resourceVersion: '7' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], ...more },
  };
}

function budget(
  status: Partial<NonNullable<PodDisruptionBudget['status']>>,
  spec: PodDisruptionBudget['spec'] = {},
): PodDisruptionBudget {
  return {
    metadata: { name: 'web', namespace: 'shop', generation: 2 },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    status: {
      disruptionsAllowed: 0,
      currentHealthy: 2,
      desiredHealthy: 2,
      expectedPods: 2,
      observedGeneration: 2,
      ...status,
    },
  };
}

function codeOf(answer: EvictionAnswer): number {
  return answer.allowed ? 201 : answer.code;
}

describe('evict', () => {
  it('[EVI-3] grants the eviction of a pod without a budget', () => {
    assert.deepEqual(evict(pod(), []), {
      allowed: true,
      charged: [],
      exempt: 'no-budget',
      pod: { state: 'gone' },
      disruptionTarget: false,
    });
    const elsewhere = { ...budget({}), metadata: { name: 'web', namespace: 'other' } };
    assert.ok(evict(pod(), [elsewhere]).allowed);
  });

  it('[EVI-2] takes a granted eviction from the budget', () => {
    const charged = budget({ disruptionsAllowed: 1, disruptedPods: { 'web-9': '2026-03-02T10:29:00Z' } });
    const answer = evict(pod(), [charged]);
    assert.ok(answer.allowed);
    assert.deepEqual(answer.charged, [{ budget: charged, disruptionsAllowed: 0, disruptedPods: ['web-9', 'web-0'] }]);
  });

  it('[EVI-2] answers 429 while the budget is spent', () => {
    const spent = budget({});
    assert.deepEqual(evict(pod(), [spent]), {
      allowed: false,
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      cause: 'The disruption budget web needs 2 healthy pods and has 2 currently',
      blocking: [spent],
      charged: [],
      pod: { state: 'kept' },
      disruptionTarget: false,
    });
  });

  it('[EVI-2] asks to try again while the controller is behind', () => {
    const answer = evict(pod(), [budget({ disruptionsAllowed: 1, observedGeneration: 1 })]);
    assert.ok(!answer.allowed);
    assert.deepEqual([answer.code, answer.retryAfterSeconds], [429, 10]);
    assert.equal(answer.cause, 'The disruption budget web is still being processed by the server.');
  });

  it('[EVI-2] answers 500 for several budgets, and names them', () => {
    const budgets = [budget({ disruptionsAllowed: 1 }), budget({ disruptionsAllowed: 1 })];
    const answer = evict(pod(), budgets);
    assert.ok(!answer.allowed);
    assert.equal(answer.code, 500);
    assert.deepEqual(answer.blocking, budgets);
  });

  it('answers 403 for budgets in disorder', () => {
    const tooMany = Object.fromEntries(
      Array.from({ length: 2001 }, (_, index) => [`p${index}`, '2026-03-02T10:29:00Z']),
    );
    assert.equal(codeOf(evict(pod(), [budget({ disruptionsAllowed: -1 })])), 403);
    assert.equal(codeOf(evict(pod(), [budget({ disruptionsAllowed: 1, disruptedPods: tooMany })])), 403);
  });

  it('asks no budget about pods that are pending, done or on their way out', () => {
    for (const phase of ['Pending', 'Succeeded', 'Failed']) {
      const answer = evict(pod(true, { phase }), [budget({}), budget({})]);
      assert.ok(answer.allowed, phase);
    }
    const leaving = { ...pod(), metadata: { ...pod().metadata, deletionTimestamp: '2026-03-02T10:29:00Z' } };
    assert.ok(evict(leaving, [budget({})]).allowed);
  });

  it('lets unready pods go when the budget is met, or never minds them', () => {
    assert.ok(evict(pod(false), [budget({})]).allowed);
    assert.equal(codeOf(evict(pod(false), [budget({ currentHealthy: 1 })])), 429);
    assert.equal(codeOf(evict(pod(false), [budget({ desiredHealthy: 0 })])), 429);
    const never = { unhealthyPodEvictionPolicy: 'AlwaysAllow' };
    assert.deepEqual(evict(pod(false), [budget({ currentHealthy: 0 }, never)]), {
      allowed: true,
      charged: [],
      exempt: 'unready',
      pod: { state: 'gone' },
      disruptionTarget: false,
    });
  });

  it('lets an empty selector match every pod of the namespace, and none match nothing', () => {
    const everything = budget({}, { selector: {} });
    assert.deepEqual(budgetsOfPod(pod(), [everything]), [everything]);
    assert.deepEqual(budgetsOfPod(pod(), [{ ...budget({}), spec: {} }]), []);
  });

  it('finds no other pod than the one stored', () => {
    const answer = evict(pod(), [], { name: 'web-1' });
    assert.ok(!answer.allowed);
    assert.deepEqual([answer.code, answer.message], [404, 'pods "web-1" not found']);
    assert.equal(codeOf(evict(pod(), [], { namespace: 'default' })), 404);
  });

  it('checks preconditions after the budget is charged', () => {
    const open = [budget({ disruptionsAllowed: 1 })];
    const conflict = (request: EvictionRequest): string => {
      const answer = evict(pod(), open, request);
      assert.ok(!answer.allowed);
      assert.equal(answer.code, 409);
      assert.equal(answer.charged.length, request.dryRun !== undefined ? 0 : 1);
      return answer.message;
    };
    assert.equal(
      conflict({ uid: 'u2' }),
      'Operation cannot be fulfilled on Pod "web-0": the UID in the precondition (u2) does not match the UID in record (u1). The object might have been deleted and then recreated',
    );
    assert.match(conflict({ resourceVersion: '6' }), /the ResourceVersion in the precondition \(6\)/);
    assert.match(conflict({ resourceVersion: '', dryRun: ['All'] }), /the ResourceVersion in the precondition \(\)/);
    assert.ok(evict(pod(), open, { uid: 'u1', resourceVersion: '7' }).allowed);
  });

  it('replaces the version that a client asked for when the pod is unready', () => {
    assert.ok(evict(pod(false), [budget({})], { resourceVersion: '6' }).allowed);
    const wrongUid = evict(pod(false), [budget({})], { uid: 'u2' });
    assert.ok(!wrongUid.allowed);
    assert.deepEqual([wrongUid.code, wrongUid.retryAfterSeconds], [429, 10]);
    assert.equal(codeOf(evict(pod(false), [budget({})], { uid: 'u2', resourceVersion: '7' })), 409);
  });

  // Sources: addConditionAndDeletePod in eviction.go, BeforeDelete in apiserver/pkg/registry/rest/delete.go
  it('marks the pod, judges the options and then an empty uid, in that order', () => {
    const outcome = (request: EvictionRequest, ready = true): readonly (number | boolean)[] => {
      const answer = evict(pod(ready), [budget({ disruptionsAllowed: 1 })], request);
      return [answer.allowed ? 200 : answer.code, answer.disruptionTarget];
    };
    const propagationPolicy = 'Never';
    assert.deepEqual(outcome({ uid: '' }), [409, true]);
    assert.deepEqual(outcome({ uid: '', propagationPolicy }), [422, true]);
    assert.deepEqual(outcome({ uid: 'u2', propagationPolicy }), [409, false]);
    assert.deepEqual(outcome({ uid: 'u2', propagationPolicy, dryRun: ['All'] }), [422, false]);
    assert.deepEqual(outcome({ uid: '', dryRun: ['All'] }), [409, false]);
    // Only a conflict is a reason to try an unready pod again.
    assert.deepEqual(outcome({ propagationPolicy }, false), [422, true]);
  });

  it('charges nothing in a dry run', () => {
    assert.deepEqual(evict(pod(), [budget({ disruptionsAllowed: 1 })], { dryRun: ['All'] }), {
      allowed: true,
      charged: [],
      exempt: 'dry-run',
      pod: { state: 'kept' },
      disruptionTarget: false,
    });
  });
});
