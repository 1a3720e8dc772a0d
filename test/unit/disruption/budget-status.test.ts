import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { budgetArithmetic, budgetStatus, type BudgetStatus } from '../../../server/src/disruption/budget-status.ts';
import { indexControllers } from '../../../server/src/disruption/controllers.ts';
import { customKindsOf, readCustomObject } from '../../../server/src/disruption/custom-kinds.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject, OwnerReference, Pod, PodDisruptionBudget } from '../../../server/src/kubernetes/objects.ts';

const now = Date.parse('2026-03-02T10:30:00Z');

function ownedBy(apiVersion: string, kind: string, name: string): OwnerReference {
  return { apiVersion, kind, name, uid: `uid-${name}`, controller: true };
}

function workload(
  apiVersion: string,
  kind: string,
  name: string,
  spec: object = {},
  owner?: OwnerReference,
): KubeObject {
  const metadata = { name, uid: `uid-${name}`, ...(owner === undefined ? {} : { ownerReferences: [owner] }) };
  return { apiVersion, kind, metadata, spec } as KubeObject;
}

function pods(count: number, owner?: OwnerReference, ready = count): Pod[] {
  return Array.from({ length: count }, (_, index) => ({
    metadata: {
      name: `web-${index}`,
      labels: { app: 'web' },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: index < ready ? 'True' : 'False' }] },
  }));
}

function budget(bounds: object, status?: PodDisruptionBudget['status']): PodDisruptionBudget {
  return {
    metadata: { name: 'web', generation: 3 },
    spec: { selector: { matchLabels: { app: 'web' } }, ...bounds },
    ...(status === undefined ? {} : { status }),
  };
}

const set = ownedBy('apps/v1', 'ReplicaSet', 'web-rs');
const deployed = [
  workload('apps/v1', 'Deployment', 'web', { replicas: 4 }),
  workload('apps/v1', 'ReplicaSet', 'web-rs', { replicas: 3 }, ownedBy('apps/v1', 'Deployment', 'web')),
];

function status(bounds: object, selected: readonly Pod[], workloads: readonly KubeObject[] = deployed): BudgetStatus {
  return budgetStatus(budget(bounds), selected, indexControllers(workloads), now);
}

describe('budgetStatus', () => {
  it('counts the scale of the deployment behind a replica set', () => {
    const result = status({ maxUnavailable: 1 }, pods(4, set));
    assert.deepEqual(result, {
      expectedPods: 4,
      desiredHealthy: 3,
      currentHealthy: 4,
      disruptionsAllowed: 1,
      observedGeneration: 3,
      disruptedPods: [],
      condition: { status: 'True', reason: 'SufficientPods' },
      unmanagedPods: [],
    });
  });

  it('rounds percentages up', () => {
    assert.equal(status({ minAvailable: '51%' }, pods(4, set)).desiredHealthy, 3);
    assert.equal(status({ maxUnavailable: '1%' }, pods(4, set)).desiredHealthy, 3);
    assert.equal(status({ maxUnavailable: '100%' }, pods(4, set)).desiredHealthy, 0);
  });

  it('compares a whole number in minAvailable with the pods, and never asks for controllers', () => {
    const result = status({ minAvailable: 2 }, pods(3), []);
    assert.deepEqual([result.expectedPods, result.desiredHealthy, result.disruptionsAllowed], [3, 2, 1]);
    assert.deepEqual(result.unmanagedPods, []);
  });

  it('names pods without a controller: healthy, but not expected', () => {
    const result = status({ maxUnavailable: 1 }, [...pods(2), ...pods(4, set).slice(2)]);
    assert.deepEqual(result.unmanagedPods, ['web-0', 'web-1']);
    assert.equal(result.currentHealthy, 4);
  });

  it('allows nothing while pods are unready, on their way out, or expected by nobody', () => {
    assert.equal(status({ maxUnavailable: 1 }, pods(4, set, 3)).disruptionsAllowed, 0);
    const leaving = pods(4, set).map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: '2026-03-02T10:29:00Z' },
    }));
    assert.equal(status({ maxUnavailable: 1 }, leaving).currentHealthy, 0);
    assert.equal(status({}, pods(4, set)).disruptionsAllowed, 0);
  });

  it('leaves pods out of the count for two minutes after their eviction was granted', () => {
    const disrupted = (time: string): BudgetStatus =>
      budgetStatus(
        budget(
          { maxUnavailable: 1 },
          {
            disruptionsAllowed: 1,
            currentHealthy: 4,
            desiredHealthy: 3,
            expectedPods: 4,
            disruptedPods: { 'web-0': time, gone: time },
          },
        ),
        pods(4, set),
        indexControllers(deployed),
        now,
      );
    assert.deepEqual(disrupted('2026-03-02T10:29:00Z').disruptedPods, ['web-0']);
    assert.equal(disrupted('2026-03-02T10:29:00Z').currentHealthy, 3);
    assert.deepEqual(disrupted('2026-03-02T10:27:59Z').disruptedPods, []);
    assert.equal(disrupted('2026-03-02T10:27:59Z').currentHealthy, 4);
    // To the second: the entry is kept, but the pod counts again.
    assert.deepEqual(disrupted('2026-03-02T10:28:00Z').disruptedPods, ['web-0']);
    assert.equal(disrupted('2026-03-02T10:28:00Z').currentHealthy, 4);
  });

  it('fails safe: nothing may go, and the old numbers stay', () => {
    const old = { disruptionsAllowed: 2, currentHealthy: 5, desiredHealthy: 3, expectedPods: 5, observedGeneration: 2 };
    const result = budgetStatus(
      budget({ maxUnavailable: 1 }, old),
      pods(1, ownedBy('apps/v1', 'DaemonSet', 'agent')),
      indexControllers([]),
      now,
    );
    assert.deepEqual(result, {
      expectedPods: 5,
      desiredHealthy: 3,
      currentHealthy: 5,
      disruptionsAllowed: 0,
      observedGeneration: 2,
      disruptedPods: [],
      condition: {
        status: 'False',
        reason: 'SyncFailed',
        message: 'daemonsets.apps does not implement the scale subresource',
      },
      unmanagedPods: [],
    });
  });
});

describe('indexControllers', () => {
  const message = (owner: OwnerReference, workloads: readonly KubeObject[] = []): string | undefined =>
    status({ maxUnavailable: 1 }, pods(1, owner), workloads).condition.message;

  it('tells unknown kinds from missing objects', () => {
    assert.equal(
      message(ownedBy('example.com/v1', 'Widget', 'w')),
      'no matches for kind "Widget" in version "example.com/v1"',
    );
    assert.equal(message(set), 'found no controllers for pod "web-0"');
    assert.equal(message(ownedBy('a/b/c', 'Widget', 'w')), 'unexpected GroupVersion string: a/b/c');
  });

  it('does not take another object of the same name for the controller', () => {
    const [deployment, replicaSet] = deployed;
    const other = { ...replicaSet, metadata: { ...replicaSet?.metadata, uid: 'another' } };
    assert.equal(message(set, [deployment!, other]), 'found no controllers for pod "web-0"');
  });

  it('asks the replica set itself when something else than a deployment owns it', () => {
    const rollout = ownedBy('argoproj.io/v1alpha1', 'Rollout', 'web');
    const workloads = [workload('apps/v1', 'ReplicaSet', 'web-rs', { replicas: 7 }, rollout)];
    assert.equal(status({ maxUnavailable: 1 }, pods(1, set), workloads).expectedPods, 7);
  });

  it('takes absent replicas for one', () => {
    const workloads = [workload('apps/v1', 'StatefulSet', 'db')];
    assert.equal(
      status({ maxUnavailable: 1 }, pods(1, ownedBy('apps/v1', 'StatefulSet', 'db')), workloads).expectedPods,
      1,
    );
  });

  it('reads the scale of custom kinds where their definition says', () => {
    const definition = (subresources: JsonObject): JsonObject => ({
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'example.com',
        names: { kind: 'Shop', plural: 'shops' },
        versions: [{ name: 'v1', served: true, subresources }],
      },
    });
    const object: JsonObject = {
      apiVersion: 'example.com/v1',
      kind: 'Shop',
      metadata: { name: 'web', uid: 'uid-web' },
      spec: { size: 6 },
    };
    const expected = (subresources: JsonObject): BudgetStatus => {
      const kinds = customKindsOf(definition(subresources));
      const custom = readCustomObject(object, kinds);
      const controllers = indexControllers([], kinds, custom === undefined ? [] : [custom]);
      return budgetStatus(
        budget({ maxUnavailable: 1 }),
        pods(1, ownedBy('example.com/v1', 'Shop', 'web')),
        controllers,
        now,
      );
    };
    assert.equal(expected({ scale: { specReplicasPath: '.spec.size' } }).expectedPods, 6);
    assert.equal(expected({}).condition.message, 'shops.example.com does not implement the scale subresource');
    assert.equal(
      expected({ scale: { specReplicasPath: '.spec.replicas' } }).condition.message,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    );
  });

  it('makes nothing of a malformed definition', () => {
    assert.deepEqual(customKindsOf({}), []);
    assert.deepEqual(
      customKindsOf({ spec: { group: 'g', names: { kind: 'K', plural: 'ks' }, versions: ['v1', {}] } }),
      [],
    );
  });
});

describe('budgetArithmetic', () => {
  it('serves manifests without pods: bounds of a given scale', () => {
    assert.deepEqual(budgetArithmetic({ maxUnavailable: '34%' }, 3, 0), { expectedPods: 3, desiredHealthy: 1 });
    assert.deepEqual(budgetArithmetic({ minAvailable: 3 }, 3, 3), { expectedPods: 3, desiredHealthy: 3 });
    assert.deepEqual(budgetArithmetic({ minAvailable: 'half' }, 3, 3), {
      failure: 'invalid value for IntOrString: invalid type: string is not a percentage',
    });
  });
});
