import assert from 'node:assert/strict';
import type { Report } from '../../server/src/contract/report.ts';
import { TestClient } from './test-client.ts';

const cluster = `apiVersion: v1
kind: Node
metadata: { name: node-a }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Node
metadata: { name: node-b }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
`;

const shop = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers:
        - { name: main, image: registry.example/shop:1, resources: { requests: { cpu: '3' } } }
`;

describe('[ED-5] a report compared with the run before', () => {
  let client: TestClient;

  afterEach(async () => {
    await client.stop();
  });

  const simulate = (more: object = {}): Promise<Report> =>
    client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' }, ...more });

  it('says what differs and why, and stays with that run while it is compared with', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': cluster } });
    const uri = await client.open('shop.yaml', shop(1));
    assert.equal((await simulate()).comparison, null);
    // The same text again is the same run.
    await simulate();
    await assert.rejects(simulate({ withPrevious: true }), /There is no run before this one to compare with\./);
    await client.change(uri, shop(3));
    assert.equal((await simulate()).comparison, null);
    const { comparison, scenario } = await simulate({ withPrevious: true });
    assert.equal(scenario.kind, 'workspace');
    assert.equal(comparison?.since, 'the previous run');
    assert.deepEqual(
      comparison.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [['Deployment/default/shop', 'spec.replicas', 1, 3]],
    );
    // It leads to the line that was changed, not to the name of the object.
    assert.deepEqual(comparison.causes[0]?.origin, {
      uri,
      range: { start: { line: 4, character: 12 }, end: { line: 4, character: 13 } },
    });
    assert.deepEqual(
      comparison.plan.stages.map(({ label, figures }) => [label, figures.pending]),
      [
        ['the previous run', 0],
        ['now', 1],
      ],
    );
    assert.deepEqual(
      comparison.plan.nodes.map(({ name, at }) => [name, ...at.map((state) => state?.tiles.length)]),
      [['node-b', 0, 1]],
    );
    // A further edit is still compared with the first text.
    await client.change(uri, shop(2));
    const later = await simulate({ withPrevious: true });
    assert.deepEqual(
      later.comparison?.causes.map(({ old, new: now }) => [old, now]),
      [[1, 2]],
    );
    // What was tried is another run than the one without it.
    await simulate({ whatIf: ['cordon node/node-b'] });
    const without = await simulate();
    assert.equal(without.comparison, null);
    const tried = await simulate({ withPrevious: true });
    assert.deepEqual(
      tried.comparison?.causes.map(({ object }) => object),
      ['Node/node-b'],
    );
    // Another question has no run before it.
    const file = { scenario: { kind: 'file', uri } };
    await assert.rejects(simulate({ ...file, withPrevious: true }), /There is no run before this one/);
  });
});
