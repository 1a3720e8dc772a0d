import assert from 'node:assert/strict';
import { refusalsOf } from '../../../server/src/admission/request/judgment.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { Json } from '../../../server/src/kubernetes/json.ts';
import { minors } from '../../../server/src/util/minors.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';

/** The fields that an editor tells of, the same for all minors. */
function saidOf(apiVersion: string, kind: string, rest: Readonly<Record<string, Json>>): string {
  const all = minors.map((minor) => {
    const { object } = decodeObject({ apiVersion, kind, metadata: { name: 'a' }, ...rest });
    const refusals = refusalsOf(object, releaseOf(minor)).filter(({ isEcho }) => !isEcho);
    return refusals.map(({ error }) => error.at.text).join(' ');
  });
  assert.equal(new Set(all).size, 1, all.join('\n'));
  return all[0]!;
}

const pods = { containers: [{ name: 'a', image: 'a' }] };
const selector = { matchLabels: { app: 'a' } };
const labelled = { metadata: { labels: { app: 'a' } } };

describe('what is missing', () => {
  it('is told once, however much would have to be in it', () => {
    for (const rest of [{}, { spec: null }, { spec: {} }]) {
      assert.equal(saidOf('apps/v1', 'Deployment', rest), 'spec.selector');
      assert.equal(saidOf('apps/v1', 'StatefulSet', rest), 'spec.selector');
      assert.equal(saidOf('v1', 'ReplicationController', rest), 'spec.selector');
      assert.equal(saidOf('batch/v1', 'Job', rest), 'spec.template.spec.containers');
      assert.equal(saidOf('batch/v1', 'CronJob', rest), 'spec.jobTemplate.spec.template.spec.containers');
      assert.equal(saidOf('v1', 'Pod', rest), 'spec.containers');
      assert.equal(saidOf('v1', 'PersistentVolume', rest), 'spec.accessModes');
      assert.equal(saidOf('v1', 'PersistentVolumeClaim', rest), 'spec.accessModes');
    }
    for (const template of [null, {}]) {
      assert.equal(saidOf('apps/v1', 'Deployment', { spec: { selector, template } }), 'spec.template.spec.containers');
      assert.equal(saidOf('batch/v1', 'Job', { spec: { template } }), 'spec.template.spec.containers');
    }
    const spec = { selector, template: { ...labelled, spec: null } };
    assert.equal(saidOf('apps/v1', 'ReplicaSet', { spec }), 'spec.template.spec.containers');
    assert.equal(saidOf('v1', 'Pod', { spec: { containers: [{}] } }), 'spec.containers[0].name');
  });

  it('is told apart where it is missing in different places', () => {
    assert.equal(
      saidOf('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { spec: pods } } } } }),
      'spec.schedule spec.jobTemplate.spec.template.spec.restartPolicy',
    );
    assert.equal(
      saidOf('apps/v1', 'Deployment', { spec: { selector, template: { spec: pods } } }),
      'spec.template.metadata.labels',
    );
    assert.equal(
      saidOf('apps/v1', 'Deployment', { metadata: null, spec: { template: { ...labelled, spec: pods } } }),
      'metadata.name spec.selector',
    );
  });

  it('fails no rule where an autoscaler has no spec', () => {
    for (const version of ['autoscaling/v1', 'autoscaling/v2']) {
      assert.equal(
        saidOf(version, 'HorizontalPodAutoscaler', {}),
        saidOf(version, 'HorizontalPodAutoscaler', { spec: null }),
      );
      assert.notEqual(saidOf(version, 'HorizontalPodAutoscaler', {}), '');
    }
  });
});

describe('one mistake', () => {
  const ofPod = (more: Readonly<Record<string, Json>>): string =>
    saidOf('v1', 'Pod', { spec: { containers: [{ name: 'a', image: 'a', ...more }] } });

  it('is told where it is written, and not where it is filled in', () => {
    assert.equal(ofPod({ resources: { limits: { cpu: '-1' } } }), 'spec.containers[0].resources.limits[cpu]');
    assert.equal(
      ofPod({ resources: { limits: { cpu: '-1' }, requests: { cpu: '-1' } } }),
      'spec.containers[0].resources.limits[cpu] spec.containers[0].resources.requests[cpu]',
    );
  });

  it('is told once, where two checks find it', () => {
    assert.equal(ofPod({ resources: { requests: { gpu: '1' } } }), 'spec.containers[0].resources.requests[gpu]');
  });

  it('of a service may stand in what a patch changes', () => {
    const { object } = decodeObject({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { type: 'Port' },
    });
    const refusals = refusalsOf(object, releaseOf('1.36'));
    assert.deepEqual(
      refusals.map(({ error, doubt }) => `${error.at.text} ${doubt}`),
      ['spec.ports part', 'spec.type none'],
    );
  });
});
