import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { podium } from './run-podium.ts';

interface Verdict {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly code: number;
  readonly exempt?: string;
  readonly gracePeriodSeconds?: number;
  readonly message?: string;
  readonly cause?: string;
  readonly retryAfterSeconds?: number;
  readonly remedy?: { readonly kind: string; readonly stuck: boolean; readonly text: string };
  readonly budgets: readonly {
    readonly name: string;
    readonly derived: boolean;
    readonly disruptionsAllowed: number;
  }[];
  readonly unblockedBy?: readonly string[];
  readonly assumptions: readonly string[];
}

const deployment = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: app}]}
`;

const budget = (name: string, spec: string, status = ''): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}, namespace: shop, generation: 2}
spec: {selector: {matchLabels: {app: web}}, ${spec}}
${status === '' ? '' : `status: {${status}}\n`}`;

const pod = (status: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web}}
spec: {containers: [{name: main, image: app}]}
status: {${status}}
`;

const running = 'phase: Running, conditions: [{type: Ready, status: "True"}]';
const unready = 'phase: Running, conditions: [{type: Ready, status: "False"}]';

const taintedNode = `apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: maintenance, effect: NoExecute}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`;

async function evict(
  target: string,
  ...documents: readonly string[]
): Promise<Verdict & { readonly exit: number | null }> {
  const { code, stdout, stderr } = await podium(['evict', target, '-', '--format', 'json'], {
    stdin: documents.join('---\n'),
  });
  // The operator of a custom kind may make more pods than are given here.
  const operator = /^podium: not seen: 1 object of operators makes pods: CloneSet\. .*\n/;
  assert.equal(stderr.replace(operator, ''), '');
  return { ...(JSON.parse(stdout) as Verdict), exit: code };
}

describe('podium evict', () => {
  it('takes a name alone where one namespace has it, and says where several have', async () => {
    const pod = (namespace: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: ${namespace}}\nspec: {containers: [{name: a, image: a}]}\n`;
    const one = await podium(['evict', 'web', '-'], { stdin: pod('shop') });
    assert.deepEqual(
      [one.code, one.stdout],
      [0, (await podium(['evict', 'shop/web', '-'], { stdin: pod('shop') })).stdout],
    );
    const two = await podium(['evict', 'web', '-'], { stdin: `${pod('b')}---\n${pod('a')}` });
    assert.equal(two.code, 2);
    assert.match(two.stderr, /web is in a and b: write NAMESPACE\/POD/);
  });

  it('[EVI-3] grants the eviction of a pod without a budget', async () => {
    const { code, exempt, exit, remedy } = await evict('shop/web-1', pod(running));
    assert.deepEqual({ code, exempt, exit, remedy }, { code: 200, exempt: 'no-budget', exit: 0, remedy: undefined });
  });

  it('knows no pods of a workload that the API server refuses, or whose class it refuses', async () => {
    const refused = deployment(3).replace('image: app', 'image: app, resources: {requests: {cpu: -1}}');
    const said = async (text: string): Promise<string> =>
      (await podium(['evict', 'shop/web', '-'], { stdin: text })).stderr;
    assert.match(
      await said(refused),
      /^podium evict: shop\/web is refused, and has no pods: Deployment\.apps "web" is invalid: /,
    );
    const classes = Object.entries({ 'system-cluster-critical': 2000000000, 'system-node-critical': 2000001000 }).map(
      ([name, value]) =>
        `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: ${value}\n`,
    );
    const unclassed = deployment(3).replace('spec: {containers', 'spec: {priorityClassName: gone, containers');
    assert.match(await said([unclassed, ...classes].join('---\n')), /^podium evict: no pod shop\/web is declared/);
    assert.equal((await evict('shop/web', unclassed)).code, 200, 'the class may be elsewhere');
  });

  it('[EVI-2] answers 200 while the budget allows one more', async () => {
    const { code, exit, budgets } = await evict('shop/web', deployment(3), budget('web', 'maxUnavailable: 1'));
    assert.deepEqual({ code, exit }, { code: 200, exit: 0 });
    assert.deepEqual(
      budgets.map(({ name, derived, disruptionsAllowed }) => [name, derived, disruptionsAllowed]),
      [['web', true, 1]],
    );
  });

  it('[EVI-2] [EVI-5] answers 429, and knows a budget that never lets a pod go', async () => {
    const { code, exit, cause, remedy } = await evict('shop/web', deployment(2), budget('web', 'minAvailable: 60%'));
    assert.deepEqual(
      { code, exit, cause },
      { code: 429, exit: 1, cause: 'The disruption budget web needs 2 healthy pods and has 2 currently' },
    );
    assert.deepEqual([remedy?.kind, remedy?.stuck], ['wider-budget', true]);
    assert.match(remedy?.text ?? '', /PodDisruptionBudget shop\/web wants 2 of 2 pods \(60%, rounded up\) healthy/);
  });

  it('[#34] says what the bound that is written would have to be', async () => {
    const adviceOf = async (spec: string): Promise<string> =>
      /none may ever go\. (.*)$/.exec(
        (await evict('shop/web', deployment(2), budget('web', spec))).remedy?.text ?? '',
      )?.[1] ?? '';
    assert.equal(await adviceOf('maxUnavailable: 0'), 'Raise maxUnavailable.');
    assert.equal(await adviceOf('minAvailable: 100%'), 'Lower minAvailable.');
    assert.equal(await adviceOf('minAvailable: 2'), 'Lower minAvailable, or add replicas.');
    const jobs = `apiVersion: batch/v1
kind: Job
metadata: {name: web, namespace: shop}
spec: {template: {metadata: {labels: {app: web}}, spec: {restartPolicy: Never, containers: [{name: main, image: app}]}}}
`;
    const unscaled = await evict('shop/web', jobs, budget('web', 'maxUnavailable: 1'));
    assert.match(
      unscaled.remedy?.text ?? '',
      /Leave such pods out of its selector, or give minAvailable as a number\.$/,
    );
  });

  it('[#34] says of a static pod that its containers go on running', async () => {
    const mirror = pod(running).replace('labels:', 'annotations: {kubernetes.io/config.mirror: x}, labels:');
    const { stdout } = await podium(['evict', 'shop/web-1', '-'], { stdin: mirror, columns: 1000 });
    assert.match(stdout, /It mirrors a static pod: its containers go on running/);
    assert.doesNotMatch(stdout, /is gone then/);
  });

  it('[EVI-5] tells a refusal that passes by itself, by the status that the cluster has', async () => {
    const status =
      'observedGeneration: 2, disruptionsAllowed: 0, expectedPods: 3, desiredHealthy: 2, currentHealthy: 1';
    const { code, remedy, budgets } = await evict(
      'shop/web-1',
      pod(running),
      budget('web', 'maxUnavailable: 1', status),
    );
    assert.equal(code, 429);
    assert.deepEqual(
      [remedy?.kind, remedy?.stuck, remedy?.text],
      [
        'ready-pods',
        false,
        'Passes once 2 more pods of the budget are ready: never, where their replacements cannot start (CrashLoopBackOff, ImagePullBackOff), stay Pending, or wait for pods with a day to end.',
      ],
    );
    assert.equal(budgets[0]?.derived, false);
  });

  it('[EVI-2] asks to try again while the controller has not seen the budget', async () => {
    const status =
      'observedGeneration: 1, disruptionsAllowed: 1, expectedPods: 3, desiredHealthy: 2, currentHealthy: 3';
    const { code, retryAfterSeconds, remedy } = await evict(
      'shop/web-1',
      pod(running),
      budget('web', 'maxUnavailable: 1', status),
    );
    assert.deepEqual([code, retryAfterSeconds, remedy?.kind], [429, 10, 'retry']);
  });

  it('[EVI-2] answers 500 for several budgets, and says which', async () => {
    const { code, exit, remedy } = await evict(
      'shop/web',
      deployment(3),
      budget('one', 'maxUnavailable: 1'),
      budget('two', 'minAvailable: 1'),
    );
    assert.deepEqual([code, exit, remedy?.kind, remedy?.stuck], [500, 1, 'single-budget', true]);
    assert.match(remedy?.text ?? '', /shop\/one and PodDisruptionBudget shop\/two/);
    const many = await evict(
      'shop/web',
      deployment(3),
      ...Array.from({ length: 50 }, (_, at) => budget(`b${at}`, 'maxUnavailable: 1')),
    );
    assert.match(many.remedy?.text ?? '', /shop\/b\d+ and 47 more all select the pod/);
  });

  it('[EVI-5] knows a budget that the controller cannot count', async () => {
    const alone = pod(running);
    const { code, remedy } = await evict('shop/web-1', alone, budget('web', 'minAvailable: 50%'));
    assert.deepEqual([code, remedy?.kind, remedy?.stuck], [429, 'wider-budget', true]);
    assert.match(remedy?.text ?? '', /expects no pods/);
    const set =
      'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: web, namespace: shop}\nspec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: app}]}}}\n';
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n';
    const daemon = await evict('shop/web', set, node, budget('web', 'maxUnavailable: 1'));
    assert.deepEqual([daemon.code, daemon.remedy?.kind], [429, 'working-budget']);
    assert.match(daemon.remedy?.text ?? '', /daemonsets\.apps does not implement the scale subresource/);
  });

  it('[EVI-6] asks no budget for pods that do not serve', async () => {
    const strict = budget('web', 'maxUnavailable: 0');
    assert.equal((await evict('shop/web-1', pod('phase: Succeeded'), strict)).exempt, 'finished-or-pending');
    assert.equal((await evict('shop/web-1', pod('phase: Pending'), strict)).exempt, 'finished-or-pending');
    const always = budget('web', 'maxUnavailable: 0, unhealthyPodEvictionPolicy: AlwaysAllow');
    assert.equal((await evict('shop/web-1', pod(unready), always)).exempt, 'unready');
    assert.equal((await evict('shop/web-1', pod(unready), strict)).code, 429);
  });

  it('[#34] asks no budget for a pod that a taint of its node evicts, and counts the one in its place', async () => {
    const evicted = pod(running).replace('spec: {', 'spec: {nodeName: n1, ');
    const budgets = budget('web', 'minAvailable: 1');
    const answer = await evict('shop/web-1', evicted, taintedNode, budgets);
    assert.deepEqual([answer.code, answer.exempt, answer.exit], [200, 'finished-or-pending', 0]);
    const tolerating = evicted.replace('spec: {', 'spec: {tolerations: [{key: maintenance, operator: Exists}], ');
    assert.equal((await evict('shop/web-1', tolerating, taintedNode, budgets)).code, 429);
    const { stdout } = await podium(['evict', 'shop/web-1', '-'], {
      stdin: [evicted, taintedNode, budgets].join('---\n'),
    });
    assert.match(stdout, /The taint of n1 evicts it, whatever its budgets say\./);
    // Its Deployment makes another on n2, of which the budget lets none go; nothing is left to make of the first.
    const free = taintedNode
      .replace('name: n1', 'name: n2')
      .replace('{taints: [{key: maintenance, effect: NoExecute}]}', '{}');
    const made = await evict('shop/web', deployment(1), taintedNode, free, budgets);
    assert.equal(made.code, 429);
  });

  it('[EVI-4] tells how long the pod has to end', async () => {
    const patient = pod(running).replace('spec: {', 'spec: {nodeName: a, terminationGracePeriodSeconds: 90, ');
    assert.equal((await evict('shop/web-1', patient)).gracePeriodSeconds, 90);
    assert.equal((await evict('shop/web', deployment(1))).gracePeriodSeconds, 30);
    assert.equal((await evict('shop/web-1', pod('phase: Pending'))).gracePeriodSeconds, 0);
    assert.equal((await evict('shop/web-1', patient.replace('Running', 'Failed'))).gracePeriodSeconds, 0);
    const { stdout } = await podium(['evict', 'shop/catalog', 'samples/online-shop']);
    assert.match(
      stdout,
      /^shop\/catalog-\S+: 200, granted\.\n {2}PodDisruptionBudget catalog allows it, and none more until a replacement is ready\.\n {2}Service catalog stops sending to it at once; its deletionTimestamp is 30 seconds ahead: so long it\n {2}has to end, and is gone then\.$/m,
    );
    const alone = await podium(['evict', 'shop-batch/thumbnailer', 'samples/online-shop']);
    assert.match(alone.stdout, /No Service selects it; its deletionTimestamp is 10 seconds ahead/);
  });

  it('[EVI-5, EVI-8] says what else 429 may mean, what to do, and that it passes by itself only where it does', async () => {
    const stuck = await podium(['evict', 'shop/storefront', 'samples/online-shop']);
    assert.match(stuck.stdout, /A 429 that names no budget comes from the rate limits of the API server/);
    assert.match(stuck.stdout.replace(/\n */g, ' '), /Stuck\. .* or delete the pod directly, which asks no budget/);
    const status =
      'observedGeneration: 2, disruptionsAllowed: 0, expectedPods: 3, desiredHealthy: 2, currentHealthy: 1';
    const waits = await podium(['evict', 'shop/web-1', '-'], {
      stdin: [pod(running), budget('web', 'minAvailable: 2', status)].join('---\n'),
    });
    assert.match(
      waits.stdout.replace(/\n */g, ' '),
      /May pass by itself\. Passes once \d more pods? .*CrashLoopBackOff/,
    );
  });

  it('tells what it assumes of pods that are only written down', async () => {
    const { pod: meant, assumptions } = await evict('shop/web', deployment(1));
    assert.equal(meant.namespace, 'shop');
    assert.match(meant.name, /^web-/);
    assert.deepEqual(assumptions, ['Deployment shop/web has made its pods; they run and are ready']);
  });

  const autoscaler = (min: number, max: number): string => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: ${min}, maxReplicas: ${max}}
`;

  it('[EVI-5] counts the fewest pods that an autoscaler keeps, whatever is written', async () => {
    const strict = budget('web', 'minAvailable: 2');
    const refused = await evict('shop/web', deployment(5), autoscaler(2, 6), strict);
    assert.deepEqual(
      [refused.code, refused.remedy?.kind, refused.cause],
      [429, 'wider-budget', 'The disruption budget web needs 2 healthy pods and has 2 currently'],
    );
    assert.equal(
      refused.remedy?.text,
      'PodDisruptionBudget shop/web wants 2 of 2 pods healthy, so none may go before HorizontalPodAutoscaler web has added some. Lower minAvailable, raise maxUnavailable, or raise minReplicas.',
    );
    assert.equal(
      refused.assumptions.at(-1),
      'HorizontalPodAutoscaler web keeps Deployment shop/web at 2 to 6 pods; counted: 2, the fewest',
    );
    const raised = await evict('shop/web', deployment(1), autoscaler(3, 6), strict);
    assert.deepEqual([raised.code, raised.budgets[0]?.disruptionsAllowed], [200, 1]);
  });

  it('[EVI-5] names the owner of a budget, which would write it back', async () => {
    const owner = '{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: db, uid: u, controller: true}';
    const owned = budget('web', 'minAvailable: 2').replace('metadata: {', `metadata: {ownerReferences: [${owner}], `);
    const { remedy } = await evict('shop/web', deployment(2), owned);
    assert.match(remedy!.text, /add replicas\. Cluster db keeps the budget as it is: change it there\.$/);
  });

  it('[EVI-5] counts as many pods as the cluster has, within the bounds of the autoscaler', async () => {
    const snapshot = join(await mkdtemp(join(tmpdir(), 'podium-evict-')), 'cluster.yaml');
    await writeFile(snapshot, deployment(4));
    const manifests = [deployment(1), autoscaler(2, 6), budget('web', 'maxUnavailable: 50%')].join('---\n');
    const { stdout } = await podium(['evict', 'shop/web', '-', '--snapshot', snapshot, '--format', 'json'], {
      stdin: manifests,
    });
    const { budgets, assumptions } = JSON.parse(stdout) as Verdict;
    assert.equal(budgets[0]?.disruptionsAllowed, 2);
    assert.equal(
      assumptions.at(-1),
      'HorizontalPodAutoscaler web keeps Deployment shop/web at 2 to 6 pods; counted: 4, as many as the cluster has',
    );
    await rm(dirname(snapshot), { recursive: true });
  });

  it('says of a workload at zero that there is nothing to evict, also with an autoscaler', async () => {
    const { code, stderr } = await podium(['evict', 'shop/web', '-'], {
      stdin: [deployment(0), autoscaler(2, 6)].join('---\n'),
    });
    assert.deepEqual(
      [code, stderr.includes('Deployment shop/web has no replicas: there is no pod to evict')],
      [2, true],
    );
  });

  const owned = (number: number, owner: string): string =>
    pod(running).replace('name: web-1, ', `name: web-${number}, ownerReferences: [{${owner}, controller: true}], `);
  const clones = 'apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet, name: web, uid: c';
  const half = budget('web', 'maxUnavailable: 50%');

  it('[EVI-5] takes a custom kind to have a scale, and says so', async () => {
    const alone = await evict('shop/web-1', owned(1, clones), owned(2, clones), half);
    assert.deepEqual([alone.code, alone.budgets[0]?.disruptionsAllowed], [200, 1]);
    assert.equal(
      alone.assumptions.at(-1),
      'CloneSet shop/web (apps.kruise.io/v1alpha1) has a scale; counted: its 2 pods',
    );
    const object =
      'apiVersion: apps.kruise.io/v1alpha1\nkind: CloneSet\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 4}\n';
    const written = await evict('shop/web-1', owned(1, clones), owned(2, clones), object, half);
    assert.deepEqual(
      [written.code, written.cause],
      [429, 'The disruption budget web needs 2 healthy pods and has 2 currently'],
    );
    assert.equal(
      written.assumptions.at(-1),
      'CloneSet shop/web (apps.kruise.io/v1alpha1) has a scale; counted: its spec.replicas, 4',
    );
    const counted = await evict('shop/web-1', owned(1, clones), object, budget('web', 'minAvailable: 1'));
    assert.ok(!counted.assumptions.some((text) => text.includes('scale')));
  });

  it('[EVI-5] reads the scale of a custom kind from its definition', async () => {
    // As kubectl prints it: in a document of its own the spec of a definition is not read.
    const definition = (subresources: string): string => `apiVersion: v1
kind: List
items:
  - apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: clonesets.apps.kruise.io}
    spec: {group: apps.kruise.io, names: {kind: CloneSet, plural: clonesets}, scope: Namespaced, versions: [{name: v1alpha1, served: true, storage: true, subresources: {${subresources}}}]}
`;
    const object =
      'apiVersion: apps.kruise.io/v1alpha1\nkind: CloneSet\nmetadata: {name: web, namespace: shop}\nspec: {size: 2, replicas: 9}\n';
    const scaled = await evict(
      'shop/web-1',
      owned(1, clones),
      owned(2, clones),
      object,
      definition('scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}'),
      half,
    );
    assert.deepEqual([scaled.code, scaled.budgets[0]?.disruptionsAllowed], [200, 1]);
    assert.ok(!scaled.assumptions.some((text) => text.includes('scale')));
    const unscaled = await evict('shop/web-1', owned(1, clones), object, definition('status: {}'), half);
    assert.match(unscaled.remedy?.text ?? '', /clonesets\.apps\.kruise\.io does not implement the scale subresource/);
  });

  it('[EVI-5] counts the replica sets of a Rollout, as the controller does, and its pods once', async () => {
    const set = `apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-a, namespace: shop, uid: s, ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web, uid: r, controller: true}]}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: app}]}}}
`;
    const owner = 'apiVersion: apps/v1, kind: ReplicaSet, name: web-a, uid: s';
    const { code, budgets } = await evict('shop/web-1', set, owned(1, owner), owned(2, owner), half);
    assert.deepEqual([code, budgets[0]?.disruptionsAllowed], [200, 1]);
  });

  it('answers for each pod with labels, and counts those that are refused', async () => {
    const all = ['samples/online-shop', '--selector', 'app in (storefront,catalog)'];
    const { code, stdout } = await podium(['evict', ...all]);
    assert.equal(code, 1);
    assert.match(stdout, /^2 of 4 pods are refused, each asked for alone\.\n/);
    const data = await podium(['evict', ...all, '--format=json']);
    const { verdict, pods } = JSON.parse(data.stdout) as { verdict: string; pods: { code: number }[] };
    assert.equal(verdict, '2 of 4 pods are refused, each asked for alone.');
    assert.deepEqual(pods.map((pod) => pod.code).sort(), [200, 200, 429, 429]);
    assert.match(
      (await podium(['evict', 'samples/online-shop', '-l', 'app=no'])).stderr,
      /no pod has the labels app=no\.$/m,
    );
    for (const command of ['evict', 'fit', 'threats']) {
      const { code: misspelt, stderr } = await podium([command, 'samples/online-shop', '-l', 'app=storefrnt']);
      assert.equal(misspelt, 2);
      assert.match(stderr, /no pod has the labels app=storefrnt; did you mean 'app=storefront'\?/, command);
    }
  });

  it('explains itself to people', async () => {
    const { code, stdout, stderr } = await podium(['evict', 'shop/storefront', 'samples/online-shop'], { columns: 80 });
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
    assert.equal(
      stdout,
      `shop/storefront-6f5b8c7d9-jm7wq: 429 TooManyRequests, refused by budget
shop/storefront.
  Cannot evict pod as it would violate the pod's disruption budget.
  The disruption budget storefront needs 2 healthy pods and has 2 currently
  A 429 that names no budget comes from the rate limits of the API server, and
  passes by itself; kubectl drain tries again after 5 seconds.
  Stuck. PodDisruptionBudget shop/storefront wants 2 of 2 pods healthy, so none
  may ever go. Lower minAvailable. Until then: pause what evicts, look at the
  application, or delete the pod directly, which asks no budget.
  Assumed: the status of storefront is worked out from the pods, as the
  disruption controller would.
This would let it go
  budget pdb/shop/storefront maxUnavailable=1
    podium evict shop/storefront samples/online-shop --what-if 'budget pdb/shop/storefront maxUnavailable=1'
`,
    );
  });

  it('[#34] offers each change that was tried and lets the pod go, and none where pods have only to become ready', async () => {
    const autoscaler =
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 5}\n';
    const unblockedBy = async (...documents: readonly string[]) =>
      (await evict('shop/web', ...documents)).unblockedBy ?? [];
    const [two, one] = [budget('two', 'maxUnavailable: 1'), budget('one', 'minAvailable: 1')];
    // What the second keeps, the first keeps, too.
    assert.deepEqual(await unblockedBy(deployment(3), two, one), ['remove pdb/shop/one']);
    const all = budget('web', 'minAvailable: 2');
    assert.deepEqual(await unblockedBy(deployment(2), all), [
      'scale deployment/shop/web 3',
      'budget pdb/shop/web minAvailable=1',
    ]);
    // The autoscaler would take the third away.
    assert.deepEqual(await unblockedBy(deployment(2), all, autoscaler), ['budget pdb/shop/web minAvailable=1']);
    // Two of three run: the third needs room, and no looser budget.
    const full = [
      ...['n1', 'n2'].map(
        (name) =>
          `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}}}\nstatus: {allocatable: {cpu: "1", memory: 8Gi, pods: "1"}}\n`,
      ),
      ...['n1', 'n2'].map((name) =>
        pod(running).replace('web-1', `web-${name}`).replace('spec: {', `spec: {nodeName: ${name}, `),
      ),
      pod(running)
        .replace('web-1', 'web-3')
        .replace(/status: .*\n/, ''),
    ];
    const short = await evict('shop/web-n1', ...full, budget('web', 'minAvailable: 2'));
    assert.deepEqual(
      [short.remedy?.stuck, short.remedy?.text, short.unblockedBy],
      [
        true,
        'Passes only once you make 1 more pod of the budget ready: shop/web-3 is pending.',
        ['add 1 node like n1'],
      ],
    );
    const crashing = pod(unready).replace(
      'status: {',
      'status: {containerStatuses: [{name: main, ready: false, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}}], ',
    );
    const kept = await evict('shop/web-1', crashing, budget('web', 'minAvailable: 1'));
    assert.deepEqual(
      [kept.remedy?.kind, kept.unblockedBy],
      ['unready-allowed', ['budget pdb/shop/web unhealthyPodEvictionPolicy=AlwaysAllow']],
    );
  });

  it('[#34] says of a pod without a controller that nothing makes it anew', async () => {
    const bare = await podium(['evict', 'shop/web-1', '-'], { stdin: pod(running) });
    assert.match(bare.stdout, /^ {2}No controller makes it anew\.$/m);
    const made = await podium(['evict', 'shop/web', '-'], { stdin: deployment(2) });
    assert.doesNotMatch(made.stdout, /No controller/);
  });

  it('ends with 2 when it could not run', async () => {
    for (const [args, expected] of [
      [[], /name a pod: NAMESPACE\/POD/],
      [['shop/web/more', 'samples'], /a pod is named NAMESPACE\/POD, not 'shop\/web\/more'/],
      [['nothing', 'samples'], /no pod default\/nothing is declared/],
      [['shop/web'], /name at least one file or folder, or a --snapshot/],
      [['shop/nothing', 'samples'], /no pod shop\/nothing is declared/],
    ] as const) {
      const { code, stdout, stderr } = await podium(['evict', ...args]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, expected);
    }
  });
});
