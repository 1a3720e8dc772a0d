import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Node } from '../../../server/src/kubernetes/objects.ts';
import { podTemplateOf, replicasOf } from '../../../server/src/kubernetes/pod-template.ts';
import { expandWorkload, type ExpandedWorkload } from '../../../server/src/kubernetes/workloads.ts';

const template: JsonObject = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'web', resources: { limits: { cpu: '1' } } }] },
};

function workload(apiVersion: string, kind: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec };
}

function expand(value: JsonObject, nodes: readonly Node[] = [], podLimit?: number): ExpandedWorkload {
  return expandWorkload(decodeObject(value).object, podLimit === undefined ? { nodes } : { nodes, podLimit });
}

function names(expanded: ExpandedWorkload): (string | undefined)[] {
  return expanded.pods.map((pod) => pod.metadata?.name);
}

describe('expandWorkload', () => {
  it('makes the ReplicaSet of a Deployment, and its pods with API defaults', () => {
    const expanded = expand(
      workload('apps/v1', 'Deployment', { replicas: 2, selector: { matchLabels: { app: 'web' } }, template }),
    );
    const [replicaSet] = expanded.intermediates;
    const metadata = replicaSet?.metadata;
    const hash = metadata?.labels?.['pod-template-hash'];
    assert.ok(hash);
    assert.equal(metadata.name, `web-${hash}`);
    assert.equal(metadata.uid, expanded.pods[0]?.metadata?.ownerReferences?.[0]?.uid);
    assert.deepEqual(names(expanded), [`web-${hash}-0`, `web-${hash}-1`]);
    const [pod] = expanded.pods;
    assert.deepEqual({ ...pod?.metadata?.labels }, { app: 'web', 'pod-template-hash': hash });
    assert.deepEqual(
      pod?.metadata?.ownerReferences?.map(({ kind, name, controller }) => ({ kind, name, controller })),
      [{ kind: 'ReplicaSet', name: `web-${hash}`, controller: true }],
    );
    assert.equal(pod.spec?.containers[0]?.resources?.requests?.['cpu'], '1');
    assert.equal(pod.spec.schedulerName, 'default-scheduler');
  });

  it('gives the same pods for the same workload, and another hash for another template', () => {
    const deployment = (image: string): JsonObject =>
      workload('apps/v1', 'Deployment', { template: { ...template, spec: { containers: [{ name: 'main', image }] } } });
    assert.deepEqual(expand(deployment('a')), expand(deployment('a')));
    assert.notDeepEqual(names(expand(deployment('a'))), names(expand(deployment('b'))));
  });

  it('numbers the pods of a StatefulSet from its start ordinal, and makes their claims', () => {
    const expanded = expand(
      workload('apps/v1', 'StatefulSet', {
        replicas: 2,
        ordinals: { start: 5 },
        serviceName: 'web',
        selector: { matchLabels: { app: 'web' } },
        template,
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } }],
      }),
    );
    assert.deepEqual(names(expanded), ['web-5', 'web-6']);
    assert.deepEqual(
      expanded.claims.map((claim) => claim.metadata?.name),
      ['data-web-5', 'data-web-6'],
    );
    const [pod] = expanded.pods;
    assert.equal(pod?.metadata?.labels?.['apps.kubernetes.io/pod-index'], '5');
    assert.equal(pod.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName, 'data-web-5');
  });

  it('[PLA-16] pins DaemonSet pods to their nodes by affinity, on the nodes they tolerate', () => {
    const node = (name: string, taints: NonNullable<Node['spec']>['taints'] = []): Node => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/hostname': name } },
      spec: { taints },
    });
    const nodes = [
      node('a'),
      node('b', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]),
      node('c', [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }]),
    ];
    const expanded = expand(workload('apps/v1', 'DaemonSet', { selector: {}, template }), nodes);
    assert.deepEqual(names(expanded), ['web-a', 'web-b']);
    assert.deepEqual(
      expanded.pods[0]?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
      [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
    );
  });

  it('runs as many pods of a Job at a time as its parallelism and completions allow', () => {
    const job = (spec: JsonObject): number => expand(workload('batch/v1', 'Job', { ...spec, template })).pods.length;
    assert.equal(job({}), 1);
    assert.equal(job({ parallelism: 3 }), 3);
    assert.equal(job({ parallelism: 3, completions: 2 }), 2);
    assert.equal(job({ parallelism: 3, suspend: true }), 0);
    assert.equal(job({ parallelism: 0 }), 0);
  });

  it('makes one run of a CronJob, owned by its Job', () => {
    const expanded = expand(
      workload('batch/v1', 'CronJob', {
        schedule: '* * * * *',
        jobTemplate: { spec: { parallelism: 2, completions: 2, completionMode: 'Indexed', template } },
      }),
    );
    assert.equal(expanded.intermediates[0]?.metadata?.ownerReferences?.[0]?.kind, 'CronJob');
    assert.deepEqual(
      expanded.pods.map((pod) => pod.metadata?.labels?.['batch.kubernetes.io/job-completion-index']),
      ['0', '1'],
    );
  });

  it('makes a figure of pods beyond the limit, not objects', () => {
    const expanded = expand(workload('v1', 'ReplicationController', { replicas: 2_000_000_000, template }), [], 3);
    assert.equal(expanded.pods.length, 3);
    assert.equal(expanded.leftOut, 1_999_999_997);
  });

  it('gives nothing for a workload without a template', () => {
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']) {
      assert.deepEqual(names(expand({ apiVersion: 'apps/v1', kind })), []);
    }
    assert.deepEqual(names(expand({ apiVersion: 'batch/v1', kind: 'CronJob' })), []);
    assert.equal(podTemplateOf({ kind: 'Service' }), undefined);
    assert.equal(replicasOf({ apiVersion: 'v1', kind: 'Pod' }), 1);
  });
});
