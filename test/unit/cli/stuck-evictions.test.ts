import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { podium } from './run-podium.ts';

type Manifest = Readonly<Record<string, unknown>>;

const labels = { app: 'web' };
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };
const containers = [{ name: 'main', image: 'app' }];
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function pod(name: string, status: Manifest, metadata: Manifest = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, labels, ownerReferences: [owner], ...metadata },
    spec: { nodeName: 'n', containers },
    status,
  };
}

/** Three replicas of which two are ready, and a budget that wants both. */
function cluster(third: Manifest): string {
  const objects: Manifest[] = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: '4', pods: '110' } } },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'shop', uid: 'u' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop', uid: 'b' },
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
      status: { expectedPods: 3, desiredHealthy: 2, currentHealthy: 2, disruptionsAllowed: 0 },
    },
    pod('web-a', ready),
    pod('web-b', ready),
    third,
  ];
  return objects.map((each) => JSON.stringify(each)).join('\n---\n');
}

const waiting = (reason: string, phase = 'Running'): Manifest => ({
  phase,
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [
    { name: 'main', ready: false, restartCount: 3, image: 'app', imageID: '', state: { waiting: { reason } } },
  ],
});

async function evicted(third: Manifest): Promise<string> {
  const { code, stdout, stderr } = await podium(['evict', 'shop/web-a', '-'], { stdin: cluster(third), columns: 1000 });
  assert.equal(code, 1, stderr);
  return stdout;
}

describe('a stuck eviction', () => {
  it('[EVI-5] is told with the pod that does not become ready, and why', async () => {
    for (const [reason, phase] of [
      ['CrashLoopBackOff', 'Running'],
      ['ImagePullBackOff', 'Pending'],
    ] as const) {
      assert.match(
        await evicted(pod('web-c', waiting(reason, phase))),
        new RegExp(
          `Stuck\\. Passes only once you make 1 more pod of the budget ready: shop/web-c is in ${reason} \\(container main\\)\\.`,
        ),
      );
    }
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    const pending = { ...pod('web-c', { phase: 'Pending', conditions }), spec: { containers } };
    assert.match(await evicted(pending), /Stuck\. .*: shop\/web-c is pending\./);
  });

  it('[EVI-5] is none where pods become ready, or end, by themselves', async () => {
    const starting = await evicted(pod('web-c', waiting('ContainerCreating', 'Pending')));
    assert.match(starting, /May pass by itself\. .*Now shop\/web-c has not started\./);
    const unready = await evicted(pod('web-c', { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }));
    assert.match(unready, /May pass by itself\. .*Now shop\/web-c is not ready\./);
    const day = { deletionTimestamp: '2999-01-01T00:00:00Z', deletionGracePeriodSeconds: 86_400 };
    assert.match(
      await evicted(pod('web-c', ready, day)),
      /May pass by itself\. .*Now shop\/web-c may take until 2999-01-01T00:00:00Z to end\./,
    );
    const gone = { deletionTimestamp: '2020-01-01T00:00:00Z' };
    assert.match(
      await evicted(pod('web-c', ready, gone)),
      /Stuck\. .*: shop\/web-c was to end by 2020-01-01T00:00:00Z, and is still there\./,
    );
  });

  it('[EVI-5] of a pod that is not ready is unblocked by the policy of its budget', async () => {
    const stdin = cluster(pod('web-c', waiting('CrashLoopBackOff'))).replace(
      '"currentHealthy":2',
      '"currentHealthy":1',
    );
    const kept = await podium(['evict', 'shop/web-c', '-'], { stdin, columns: 1000 });
    assert.match(
      kept.stdout,
      /The pod does not work, .*: set `unhealthyPodEvictionPolicy: AlwaysAllow` in PodDisruptionBudget shop\/web/,
    );
    const free = stdin.replace('"minAvailable":2', '"minAvailable":2,"unhealthyPodEvictionPolicy":"AlwaysAllow"');
    const allowed = await podium(['evict', 'shop/web-c', '-'], { stdin: free, columns: 1000 });
    assert.match(allowed.stdout, /web-c: 200/);
  });

  it('[EVI-4] [EVI-5] takes nothing from Services that do not send to the pod, and says until when one ends', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: labels, ports: [{ port: 80 }] },
    };
    const evictedThird = async (third: Manifest, send: Manifest = service): Promise<string> => {
      const stdin = `${cluster(third)}\n---\n${JSON.stringify(send)}`;
      return (await podium(['evict', 'shop/web-c', '-'], { stdin, columns: 1000 })).stdout;
    };
    const crashing = pod('web-c', waiting('CrashLoopBackOff'));
    assert.match(await evictedThird(crashing), /It is not ready, and no Service sends to it/);
    const publishing = { ...service, spec: { ...service.spec, publishNotReadyAddresses: true } };
    assert.match(await evictedThird(crashing, publishing), /Service web stops sending to it at once/);
    const ending = pod('web-c', ready, { deletionTimestamp: '2999-01-01T00:00:00Z' });
    assert.match(await evictedThird(ending), /It is being deleted already, by 2999-01-01T00:00:00Z\./);
  });

  it('[EVI-5] is told by a drain that hangs on it, and by one that is simulated', async () => {
    const stdin = cluster(pod('web-c', waiting('CrashLoopBackOff')));
    const drained = await podium(['drain', 'n', '-'], { stdin, columns: 1000 });
    assert.match(
      drained.stdout,
      /web-a and shop\/web-b are still there\. .*Stuck\. .*shop\/web-c is in CrashLoopBackOff/,
    );
    const simulated = await podium(['simulate', '-', '--event', 'drain node/n', '--format', 'json'], { stdin });
    assert.match(simulated.stdout, /Passes only once you make 1 more pod .*web-c is in CrashLoopBackOff/);
  });

  it('[#34] leaves a pod of an operator to that, and takes no last pod out of its budget', async () => {
    const cases = [
      ['kubevirt.io/v1', 'VirtualMachineInstance', 'KubeVirt migrates it where it can, when its eviction is asked for'],
      ['example.org/v1', 'Board', 'its operator has to move what Board web runs'],
    ] as const;
    for (const [apiVersion, kind, way] of cases) {
      const objects = cluster(pod('web-c', ready, { ownerReferences: [{ ...owner, apiVersion, kind }] })).split(
        '\n---\n',
      );
      const own = objects
        .filter((each) => !/"kind":"ReplicaSet","metadata|"name":"web-[ab]"/.test(each))
        .map((each) => each.replace(/"minAvailable":2(.*),"status".*/, '"minAvailable":1$1}'));
      const stdin = own.join('\n---\n');
      const { stdout } = await podium(['evict', 'shop/web-c', '-'], { stdin, columns: 1000 });
      assert.ok(stdout.includes(`wants 1 of 1 pod healthy, so none may ever go: ${way}`), stdout);
      const drain = await podium(['drain', 'n', '-', '--force'], { stdin, columns: 1000 });
      assert.ok(drain.stdout.includes(way) && !drain.stdout.includes('--what-if'), drain.stdout);
    }
  });
});
