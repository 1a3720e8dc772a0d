import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { podium } from './run-podium.ts';

type Manifest = Readonly<Record<string, unknown>>;

const amounts = { cpu: '32', memory: '64Gi', pods: '110' };
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: amounts } };

function workload(kind: string, name: string, replicas: number | undefined, metadata: Manifest = {}): Manifest {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'shop', ...metadata },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template,
    },
  };
}

function autoscaler(name: string, kind: string, target: string, bounds: Manifest): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, namespace: 'shop' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind, name: target }, ...bounds },
  };
}

const web = autoscaler('web', 'Deployment', 'web', { minReplicas: 2, maxReplicas: 10 });

interface Told {
  readonly pods: number;
  readonly assumed: string;
}

describe('autoscaled workloads', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-autoscaled-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function run(
    objects: readonly Manifest[],
    size: string | null,
    snapshot: readonly Manifest[] = [],
  ): Promise<Told> {
    await writeFile(join(folder, 'cluster.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: snapshot }));
    const { stdout, stderr } = await podium(
      [
        'simulate',
        '-',
        ...(size === null ? [] : ['--autoscaled', size]),
        ...(snapshot.length === 0 ? [] : ['--snapshot', join(folder, 'cluster.json')]),
        '--format',
        'json',
      ],
      { stdin: [node, ...objects].map((each) => JSON.stringify(each)).join('\n---\n') },
    );
    assert.ok(stdout.startsWith('{'), stderr);
    const { totals, assumptions } = JSON.parse(stdout) as {
      totals: { running: number };
      assumptions: { text: string }[];
    };
    const lines = assumptions
      .map(({ text }) => text)
      .filter((text) => /autoscale/i.test(text) && !text.startsWith('not modelled'));
    return { pods: totals.running, assumed: lines.join('; ') };
  }

  it('have the size that is asked for, and the answer says which', async () => {
    const objects = [workload('Deployment', 'web', undefined), web];
    assert.deepEqual(await run(objects, null), {
      pods: 1,
      assumed: '1 autoscaled workload as written: Deployment shop/web at 1 (2 to 10)',
    });
    assert.deepEqual(await run(objects, 'minimum'), {
      pods: 2,
      assumed: '1 autoscaled workload at the minimum: Deployment shop/web at 2 (2 to 10)',
    });
    assert.deepEqual(await run(objects, 'maximum'), {
      pods: 10,
      assumed: '1 autoscaled workload at the maximum: Deployment shop/web at 10 (2 to 10)',
    });
    assert.deepEqual(await run(objects, 'present'), {
      pods: 2,
      assumed: '1 autoscaled workload at the present size, else the minimum: Deployment shop/web at 2 (2 to 10)',
    });
  });

  it('may be StatefulSets, with one pod where no minimum is written', async () => {
    const objects = [workload('StatefulSet', 'db', 3), autoscaler('db', 'StatefulSet', 'db', { maxReplicas: 5 })];
    assert.equal((await run(objects, 'minimum')).pods, 1);
    assert.equal((await run(objects, 'maximum')).pods, 5);
  });

  it('lose running pods that are more than are asked for', async () => {
    const metadata = { uid: 'd', creationTimestamp: '2026-01-01T00:00:00Z' };
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'd', controller: true };
    const pods = Array.from({ length: 4 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, uid: `p${i}`, name: `db-${i}`, namespace: 'shop', ownerReferences: [owner] },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'x' }] },
      status: { phase: 'Running' },
    }));
    const scaler = autoscaler('db', 'StatefulSet', 'db', { minReplicas: 2, maxReplicas: 6 });
    const snapshot = [node, workload('StatefulSet', 'db', 4, metadata), scaler, ...pods];
    assert.equal((await run([], 'present', snapshot)).pods, 4);
    assert.equal((await run([], 'maximum', snapshot)).pods, 6);
    assert.deepEqual(await run([], 'minimum', snapshot), {
      pods: 2,
      assumed: '1 autoscaled workload at the minimum: StatefulSet shop/db at 2 (2 to 6)',
    });
  });

  it('are not scaled from zero, but where the minimum is zero', async () => {
    const off = [workload('Deployment', 'web', 0), web];
    assert.equal((await run(off, 'maximum')).pods, 0);
    const metadata = { uid: 'd', creationTimestamp: '2026-01-01T00:00:00Z' };
    const scaler = autoscaler('web', 'Deployment', 'web', { minReplicas: 0, maxReplicas: 7 });
    const snapshot = [
      node,
      workload('Deployment', 'web', 0, metadata),
      { ...scaler, metadata: { ...(scaler['metadata'] as Manifest), uid: 'h' } },
    ];
    assert.equal((await run([], 'minimum', snapshot)).pods, 0);
    assert.equal((await run([], 'maximum', snapshot)).pods, 7);
  });

  it('are only brought within bounds where they have several autoscalers, as neither scales them', async () => {
    const other = autoscaler('queue', 'Deployment', 'web', { minReplicas: 4, maxReplicas: 6 });
    const { pods, assumed } = await run([workload('Deployment', 'web', undefined), web, other], 'maximum');
    assert.equal(pods, 4);
    assert.equal(assumed, 'Deployment shop/web has several HorizontalPodAutoscalers: web and queue');
  });

  it('do not hear from autoscalers that are refused, and autoscalers of nobody are told of', async () => {
    const refused = autoscaler('web', 'Deployment', 'web', { minReplicas: 5, maxReplicas: 3 });
    const stray = autoscaler('gone', 'Deployment', 'gone', { maxReplicas: 3 });
    assert.deepEqual(await run([workload('Deployment', 'web', 2), refused, stray], 'maximum'), {
      pods: 2,
      assumed:
        '1 HorizontalPodAutoscaler of workloads that are not declared: shop/gone (Deployment gone); ' +
        '1 HorizontalPodAutoscaler refused by the API server: shop/web',
    });
  });

  it('[#39] may be scaled by KEDA, with the autoscaler that it makes of a ScaledObject', async () => {
    const scaled = (spec: Manifest, annotations: Manifest = {}): Manifest => ({
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'web', namespace: 'shop', annotations },
      spec: { scaleTargetRef: { name: 'web' }, ...spec },
    });
    const deployment = workload('Deployment', 'web', 4);
    assert.deepEqual(await run([deployment, scaled({ minReplicaCount: 3, maxReplicaCount: 5 })], 'maximum'), {
      pods: 5,
      assumed: '1 autoscaled workload at the maximum: Deployment shop/web at 5 (3 to 5)',
    });
    assert.equal((await run([deployment, scaled({ minReplicaCount: 0 })], 'minimum')).pods, 1);
    const paused = { 'autoscaling.keda.sh/paused': 'true' };
    assert.equal((await run([deployment, scaled({ maxReplicaCount: 9 }, paused)], 'maximum')).pods, 4);
    const { stdout } = await podium(['simulate', '-', '--show', 'assumptions'], {
      stdin: [node, deployment, scaled({})].map((each) => JSON.stringify(each)).join('\n---\n'),
    });
    assert.doesNotMatch(stdout, /not seen|of operators/i);
    // The API server stores a ScaledObject by the schema of KEDA, and is not asked about the autoscaler that is refused.
    const odd = [scaled({ minReplicaCount: 3, maxReplicaCount: 2 }), { ...scaled({}), spec: null }];
    const checked = await podium(['check', '-'], { stdin: odd.map((each) => JSON.stringify(each)).join('\n---\n') });
    assert.equal(checked.code, 0, checked.stdout);
  });

  it('[#33] name the ScaledObject that is changed, not the autoscaler that KEDA makes of it', async () => {
    const scaled = (spec: Manifest, annotations: Manifest = {}): Manifest => ({
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'web', namespace: 'shop', annotations },
      spec: { scaleTargetRef: { name: 'web' }, minReplicaCount: 2, ...spec },
    });
    const before = join(folder, 'before.json');
    const simulated = async (written: Manifest, ...options: readonly string[]): Promise<string> => {
      const objects = [node, workload('Deployment', 'web', 4), written];
      const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n');
      return (await podium(['simulate', '-', ...options], { stdin })).stdout;
    };
    await writeFile(before, await simulated(scaled({}), '--format', 'json'));
    const changed = async (written: Manifest): Promise<string> =>
      (await simulated(written, '--against', before)).split(/[.:] /, 1)[0]!.replace(/\s+/g, ' ');
    assert.equal(
      await changed(scaled({ minReplicaCount: 6 })),
      'Setting spec.minReplicaCount of ScaledObject shop/web to 6',
    );
    assert.equal(
      await changed(scaled({ maxReplicaCount: 3 })),
      'Setting spec.maxReplicaCount of ScaledObject shop/web to 3',
    );
    const paused = await changed(scaled({}, { 'autoscaling.keda.sh/paused': 'true' }));
    assert.match(
      paused,
      /^Setting metadata\.annotations\.autoscaling\.keda\.sh\/paused of ScaledObject shop\/web to true/,
    );
  });
});
