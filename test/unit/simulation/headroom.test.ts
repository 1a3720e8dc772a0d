import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { growerOf } from '../../../server/src/simulation/growth/index.ts';
import { type Headroom, headroomFor } from '../../../server/src/simulation/scenario/headroom.ts';
import { node, podSpec, priorityClass, workload } from './cluster-builder.ts';

const target = { kind: 'Deployment', namespace: 'default', name: 'web' } as const;
const web = (spec: JsonObject = {}): JsonObject =>
  workload('Deployment', 'web', 3, podSpec(2, { priorityClassName: 'high', ...spec }));
const classes = [priorityClass('high', 1000), priorityClass('low', -5)];

function asked(objects: readonly JsonObject[]): Headroom {
  const workspace = objects.map((value) => ({ object: decodeObject(value).object }));
  const growth = growerOf(() => undefined);
  return runToEnd(headroomFor({ workspace, snapshot: [], growth }, target));
}

describe('headroom', () => {
  it('[SCA-8] counts the pods that evict others, below the priority of those, and tries placeholders', () => {
    const batch = workload('Deployment', 'batch', 2, podSpec(2, { priorityClassName: 'low' }));
    const { pods, of, evicted, requests, priority, isEnough } = asked([...classes, node('a', 6), batch, web()]);
    assert.deepEqual(
      { pods, of, evicted, requests, priority, isEnough },
      {
        pods: 2,
        of: 3,
        evicted: 2,
        requests: { cpu: '2' },
        priority: -6,
        isEnough: true,
      },
    );
  });

  it('[SCA-8] leaves the room that DaemonSets take beside placeholders', () => {
    const agent = workload('DaemonSet', 'agent', 1, podSpec(1, { priorityClassName: 'high' }));
    const batch = workload('Deployment', 'batch', 1, podSpec(2));
    const { pods, isEnough } = asked([...classes, node('a', 7), agent, batch, web()]);
    assert.deepEqual([pods, isEnough], [1, true]);
  });

  it('[SCA-8] needs none where no pod is evicted, and no placeholders for what never preempts', () => {
    assert.equal(asked([...classes, node('a', 6), web()]).pods, 0);
    const never = { ...priorityClass('never', 1000), preemptionPolicy: 'Never' };
    const { pods, priority } = asked([never, node('a', 4), web({ priorityClassName: 'never' })]);
    assert.deepEqual([pods, priority], [1, null]);
  });

  it('[SCA-8] tells of CapacityBuffers for the workload, by the larger of replicas and percentage within limits', () => {
    const buffer = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata: { name, namespace: 'default' },
      spec: { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' }, ...spec },
    });
    const { buffers } = asked([
      ...classes,
      node('a', 4),
      web(),
      buffer('some', { replicas: 1, percentage: 50 }),
      buffer('limited', { replicas: 3, limits: { cpu: 2 } }),
      { ...buffer('other', { replicas: 9 }), spec: { scalableRef: { kind: 'Deployment', name: 'api' }, replicas: 9 } },
    ]);
    assert.deepEqual(buffers, [
      { name: 'some', pods: 2 },
      { name: 'limited', pods: 1 },
    ]);
  });
});
