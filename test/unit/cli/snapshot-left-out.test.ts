import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { captured } from '../../../server/src/kubernetes/scheduling-fields.ts';
import { writtenHeader } from '../../../server/src/kubernetes/snapshot-header.ts';
import { podium } from './run-podium.ts';

/** As people write it: much of it is nothing that a snapshot keeps. */
const containers = [
  {
    name: 'web',
    image: 'web:1',
    command: ['serve'],
    env: [{ name: 'LEVEL', value: 'info' }],
    livenessProbe: { httpGet: { path: '/live', port: 80 } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/web' }],
    resources: { requests: { cpu: '1' } },
  },
];
const template = {
  metadata: { labels: { app: 'web' }, annotations: { 'checksum/config': 'abc' } },
  spec: {
    serviceAccountName: 'web',
    containers,
    volumes: [
      { name: 'config', configMap: { name: 'web' } },
      { name: 'cache', emptyDir: {} },
    ],
  },
};
const web: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
};
const others: readonly JsonObject[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: { ...template, spec: { ...template.spec, containers: [{ ...containers[0], volumeMounts: [] }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', labels: { tier: 'db' }, annotations: { backup: 'daily' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sum', namespace: 'shop' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ ...containers[0], volumeMounts: [] }] } } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'ebs.csi.aws.com',
    parameters: { type: 'gp3' },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bare', namespace: 'shop' },
    spec: { containers: [{ ...containers[0], volumeMounts: [], resources: { requests: { cpu: '100m' } } }] },
  },
];

function textOf(object: JsonObject, field: string): string {
  return object[field] as string;
}

/** What the API server stores of an object. */
function stored(object: JsonObject, more: JsonObject = {}): JsonObject {
  const noted = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };
  const metadata = { ...(object['metadata'] as JsonObject), uid: `uid-${textOf(object, 'kind')}`, annotations: noted };
  return { ...object, metadata, ...more };
}

function snapshot(): string {
  const hash = { app: 'web', 'pod-template-hash': 'abc' };
  const hashed = { ...template, metadata: { ...template.metadata, labels: hash } };
  const owned = (name: string, uid: string, kind: string, owner: string, ownerUid: string): JsonObject => ({
    ...{ name, uid, namespace: 'shop', labels: hash, creationTimestamp: '2026-11-01T08:00:00Z' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: owner, uid: ownerUid, controller: true }],
  });
  const set: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: owned('web-abc', 'set', 'Deployment', 'web', 'uid-Deployment'),
    spec: { replicas: 3, selector: { matchLabels: hash }, template: hashed },
    status: { replicas: 3, readyReplicas: 3, availableReplicas: 3 },
  };
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const perNode = ['a', 'b', 'c'].flatMap((name): readonly JsonObject[] => [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name } },
      status: { allocatable: { cpu: '2500m', memory: '4Gi', pods: '110' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: owned(`web-abc-${name}`, `pod-${name}`, 'ReplicaSet', 'web-abc', 'set'),
      spec: { ...hashed.spec, nodeName: name, priority: 0 },
      status: ready,
    },
  ]);
  const [database, job, storageClass, bare] = others as readonly [JsonObject, JsonObject, JsonObject, JsonObject];
  const spec = bare['spec'] as JsonObject;
  const items = [
    ...perNode,
    ...[stored(web), set, stored(job, ended(job)), stored(storageClass), stored(database)],
    stored(bare, { spec: { ...spec, nodeName: 'a', priority: 0 }, status: ready }),
  ].map((each) => captured(each, textOf(each, 'apiVersion'), textOf(each, 'kind')));
  const header = { context: 'prod', serverVersion: 'v1.36.1', takenAt: '2026-11-01T09:00:00Z', missing: [] };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, writtenHeader(header)] });
}

/** The labels that the server has given it, and its end. */
function ended(job: JsonObject): JsonObject {
  const own = { 'batch.kubernetes.io/controller-uid': 'uid-Job' };
  const labels = { ...own, 'batch.kubernetes.io/job-name': 'sum', 'controller-uid': 'uid-Job', 'job-name': 'sum' };
  const { template: made } = job['spec'] as { readonly template: JsonObject };
  const spec = { template: { ...made, metadata: { labels } }, selector: { matchLabels: own } };
  return { spec, status: { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] } };
}

describe('[ED-5] [#33] manifests beside what podium snapshot has written', () => {
  let folder: string;
  const file = 'web.json';
  const headline = async (now: JsonObject, ...args: string[]): Promise<string> => {
    await writeFile(join(folder, file), JSON.stringify(now));
    const asked = ['simulate', file, '--snapshot', 'cluster.podium.json', ...args];
    return (await podium(asked, { cwd: folder })).stdout.replaceAll(/\s+/g, ' ');
  };
  const changed = (from: string, to: string): JsonObject =>
    JSON.parse(JSON.stringify(web).replace(JSON.stringify(from), JSON.stringify(to))) as JsonObject;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-left-out-'));
    await writeFile(join(folder, 'cluster.podium.json'), snapshot());
    await writeFile(join(folder, file), JSON.stringify(web));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    git('init', '-q');
    git('add', file);
    git('commit', '-q', '-m', 'web');
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  it('are no change by what the snapshot leaves out', async () => {
    assert.match(await headline(web), /^All 4 pods run; none are new\./);
    assert.match(
      await headline({ ...web, spec: { ...(web['spec'] as JsonObject), replicas: 4 } }),
      /^All 4 pods of web run\./,
    );
    assert.match(await headline(changed('web:1', 'web:2')), /^web rolls out in 3 steps/);
    assert.match(await headline(web, '--since', 'HEAD'), /^Nothing that scheduling depends on has changed/);
    const scaled = { ...web, spec: { ...(web['spec'] as JsonObject), replicas: 4 } };
    assert.match(await headline(scaled, '--since', 'HEAD'), /^Scaling web to 4: all 4 pods run\./);
  });

  it('roll out by it where a commit says how it was', async () => {
    for (const [from, to] of [
      ['info', 'debug'],
      ['serve', 'work'],
      ['/live', '/health'],
      ['abc', 'abd'],
    ] as const) {
      const told = await headline(changed(from, to), '--since', 'HEAD');
      assert.match(told, /(?:Setting|Changing) .*: it rolls out in 3 steps/, from);
    }
  });

  it('are refused for nothing that it leaves out', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: others };
    assert.doesNotMatch(await headline(list), /refuses/);
    const { stdout } = await podium(['check', file, '--snapshot', 'cluster.podium.json'], { cwd: folder });
    assert.doesNotMatch(stdout, /immutable|may not change/);
  });
});
