import assert from 'node:assert/strict';
import type { UpgradeReport } from '../../../server/src/simulation/upgrade/upgrade-report.ts';
import { podium } from './run-podium.ts';

const shop = 'samples/online-shop';

/** What an upgrade changes of one text. */
async function upgrade(
  input: string,
  ...more: readonly string[]
): Promise<{ code: number | null; report: UpgradeReport & { readonly verdict: string } }> {
  const { code, stdout, stderr } = await podium(['upgrade', '-', '--format', 'json', ...more], { stdin: input });
  assert.ok(stdout.startsWith('{'), stderr);
  return { code, report: JSON.parse(stdout) as UpgradeReport & { verdict: string } };
}

const between = (from: string, to: string): readonly string[] => ['--from', from, '--to', to];

const node = (name: string, status = ''): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" }${status} }\n---\n`;

const pod = (name: string, spec: string, requests = 'cpu: "1"'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: a, resources: { requests: { ${requests} } } }]${spec} }\n---\n`;

describe('podium upgrade', () => {
  it('says that nothing changes where nothing does', async () => {
    const { code, report } = await upgrade(`${node('a')}${pod('p', '')}`, ...between('1.34', '1.35'));
    assert.equal(code, 0);
    assert.equal(
      report.verdict,
      'From 1.34 to 1.35 nothing changes for 2 objects: no kind, field, refusal or decision differs.',
    );
  });

  it('[#41] does not say that nothing changes where a message or the choice among assumed nodes does', async () => {
    const classes =
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n---\n';
    const low = pod('low', ', nodeName: a', 'cpu: "4"');
    const high = `${classes}${pod('high', ', priorityClassName: high', 'cpu: "4"')}`;
    const message = await upgrade(`${node('a')}${low}${high}`, ...between('1.36', '1.37'));
    assert.equal(message.report.verdict, 'From 1.36 to 1.37: a message of the scheduler changes.');
    assert.equal(message.code, 0);
    const text = [
      ['0', 'cpu: "1", memory: 12Gi'],
      ['1', 'cpu: "3", memory: 4Gi'],
      ['2', 'cpu: "3", memory: 12Gi'],
      ['3', 'cpu: 500m, memory: 2Gi'],
      ['4', 'cpu: "1"'],
    ].map(([name = '', requests]) => pod(`p${name}`, '', requests));
    const { report } = await upgrade(text.join(''), ...between('1.35', '1.36'));
    assert.deepEqual(report.pods, []);
    assert.equal(report.onOtherAssumedNodes, 2);
    assert.equal(report.verdict, 'From 1.35 to 1.36: 2 pods go to another of the assumed nodes.');
  });

  it('names pods that go elsewhere, and the change of the scheduler that decides it', async () => {
    // Both are used alike; the one is balanced, and the pod would make the other so.
    const calm = pod('calm', ', nodeName: a', 'cpu: "1", memory: 2Gi');
    const busy = pod('busy', ', nodeName: b', 'cpu: "2", memory: 1Mi');
    const text = `${node('a')}${node('b')}${calm}${busy}${pod('new', '', 'memory: 1Gi')}`;
    const { code, report } = await upgrade(text, ...between('1.35', '1.37'));
    assert.equal(code, 0);
    assert.deepEqual(report.pods, [
      { pod: 'default/new', of: 'Pod default/new', change: 'moved', before: 'a', after: 'b', message: '' },
    ]);
    assert.deepEqual(
      report.causes.map(({ plugin, since, pod: first }) => [plugin, since, first]),
      [['NodeResourcesBalancedAllocation', '1.36', 'default/new']],
    );
    assert.deepEqual(report.refusals, []);
  });

  it('tells a pod that stays pending because nodes must declare a feature since 1.36', async () => {
    const rules = `[{ name: a, image: a, restartPolicy: Never, restartPolicyRules: [{ action: RestartAllContainers, exitCodes: { operator: In, values: [1] } }] }]`;
    const wants = `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { restartPolicy: Never, containers: ${rules} }\n`;
    const { code, report } = await upgrade(`${node('a')}${wants}`, ...between('1.34', '1.36'));
    assert.equal(code, 1);
    assert.deepEqual(
      report.pods.map(({ change, pod: name, before, after }) => [change, name, before, after]),
      [['pending', 'default/p', 'a', null]],
    );
    assert.deepEqual(
      report.causes.map(({ plugin, since }) => [plugin, since]),
      [['NodeDeclaredFeatures', '1.36']],
    );
    // The rules themselves were dropped before 1.35.
    assert.deepEqual(
      report.fields.map(({ path, before, after, since, gate }) => [path, before, after, since, gate]),
      ['restartPolicy', 'restartPolicyRules'].map((field) => [
        `spec.containers[0].${field}`,
        ...['dropped', 'used', '1.35', 'ContainerRestartRules'],
      ]),
    );
  });

  it('[#41] names what concerns the objects as why a device is given or not, and nothing that they do not use', async () => {
    const device = (more: string): string =>
      `apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: { name: s }\nspec: { driver: d.example.com, nodeName: a, pool: { name: a, generation: 1, resourceSliceCount: 1 }, devices: [{ name: g0${more} }] }\n---\n`;
    const deviceClass = (more = ''): string =>
      `apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: { name: d }\nspec: { selectors: [{ cel: { expression: "true" } }]${more} }\n---\n`;
    const claim = `apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: c }\nspec: { devices: { requests: [{ name: r, exactly: { deviceClassName: d } }] } }\n---\n`;
    const podOf = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: ${spec}\n`;
    const claiming = podOf(
      `{ containers: [{ name: a, image: a }], resourceClaims: [{ name: c, resourceClaimName: c }] }`,
    );
    const asking = podOf(`{ containers: [{ name: a, image: a, resources: { limits: { example.com/d: 1 } } }] }`);
    const causesOf = async (text: string) => {
      const { report } = await upgrade(`${node('a')}${text}`, ...between('1.35', '1.36'));
      return [report.causes.map((each) => each.text), report.pods.map(({ change, message }) => [change, message])];
    };
    assert.deepEqual(
      await causesOf(`${device(', taints: [{ key: x, effect: NoSchedule }]')}${deviceClass()}${claim}${claiming}`),
      [
        ['a taint of a device keeps it from claims that do not tolerate it (DRADeviceTaints)'],
        [
          [
            'pending',
            'request r of c needs 1 device of class d, and a has none that fits: g0: taint x:NoSchedule; priority never preempts for devices',
          ],
        ],
      ],
    );
    assert.deepEqual(await causesOf(`${device('')}${deviceClass(', extendedResourceName: example.com/d')}${asking}`), [
      ['an extended resource may be a device of a DeviceClass (DRAExtendedResource)'],
      [['placed', '']],
    ]);
  });

  it('tells refusals that come and end, with the version and the line', async () => {
    const template = `selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }], volumes: [{ name: m, image: {} }] } }`;
    const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec: { ${template} }\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: h }\nspec:\n  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: d }\n  minReplicas: 0\n  maxReplicas: 2\n  metrics: [{ type: External, external: { metric: { name: q }, target: { type: Value, value: "1" } } }]\n`;
    const { code, report } = await upgrade(text, ...between('1.35', '1.37'));
    assert.equal(code, 1);
    assert.deepEqual(
      report.refusals.map(({ change, since, text: sentence }) => [change, since, sentence]),
      [
        ['comes', '1.37', 'spec.template.spec.volumes[0].image.reference: Required value'],
        ['ends', '1.37', 'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'],
      ],
    );
    const { stdout } = await podium(['upgrade', '-', ...between('1.35', '1.37')], { stdin: text, columns: 200 });
    assert.match(stdout, /HorizontalPodAutoscaler\/h \(stdin:11\): spec\.minReplicas: .*\(accepted since 1\.37\)/);
    assert.match(stdout, /1\.37 is answered as published; not yet compared with a running scheduler/);
  });

  // Sources: dropContainerRestartRules in pkg/api/pod/util.go, pkg/registry/resource/resourceslice/strategy.go,
  // pkg/api/resourceclaimspec/util.go
  it('[#41] names what was dropped of containers, claims and slices of devices', async () => {
    const container = (policy: string): string => `{ name: c, image: i, restartPolicy: ${policy} }`;
    const text = [
      `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { initContainers: [${container('Always')}], containers: [${container('Never')}] }\n`,
      'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: c }\nspec: { devices: { requests: [{ name: r, exactly: { deviceClassName: gpu, tolerations: [{ operator: Exists }] } }] } }\n',
      'apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: { name: s }\nspec: { driver: gpu.example.com, nodeName: a, pool: { name: a, generation: 1, resourceSliceCount: 1 }, devices: [{ name: d, allowMultipleAllocations: true, taints: [{ key: k, effect: NoSchedule }] }] }\n',
    ].join('---\n');
    const { report } = await upgrade(text, ...between('1.34', '1.36'));
    assert.deepEqual(
      report.fields.map(({ path, before, after, since, gate }) => [path, before, after, since, gate]),
      [
        ['spec.containers[0].restartPolicy', 'dropped', 'used', '1.35', 'ContainerRestartRules'],
        ['spec.devices.requests[0].exactly.tolerations', 'dropped', 'used', '1.36', 'DRADeviceTaints'],
        ['spec.devices[0].allowMultipleAllocations', 'dropped', 'used', '1.36', 'DRAConsumableCapacity'],
        ['spec.devices[0].taints', 'dropped', 'used', '1.36', 'DRADeviceTaints'],
      ],
    );
  });

  it('[#41] tells fields of other kinds than pods that were dropped before', async () => {
    const target = '{ apiVersion: apps/v1, kind: Deployment, name: d }';
    const text = `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: h }\nspec: { maxReplicas: 2, scaleTargetRef: ${target}, behavior: { scaleUp: { tolerance: "0.05" } } }\n---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: { name: c }\nspec: { extendedResourceName: example.com/gpu }\n---\napiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: { name: d.example }\nspec: { nodeAllocatableUpdatePeriodSeconds: 60 }\n`;
    const { report } = await upgrade(text, ...between('1.34', '1.36'));
    assert.deepEqual(
      report.fields.map(({ path, before, after, since, gate }) => [path, before, after, since, gate]),
      [
        ['spec.behavior.scaleUp.tolerance', 'dropped', 'used', '1.35', 'HPAConfigurableTolerance'],
        ['spec.extendedResourceName', 'dropped', 'used', '1.36', 'DRAExtendedResource'],
        ['spec.nodeAllocatableUpdatePeriodSeconds', 'dropped', 'used', '1.35', 'MutableCSINodeAllocatableCount'],
      ],
    );
  });

  it('tells kinds that are no longer served, and fields that come and go', async () => {
    const text = `apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: { name: g }\n---\napiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: { name: t }\nspec: { taint: { key: k, effect: None } }\n---\n${pod('p', ', schedulingGroup: { podGroupName: g }, evictionResponders: [{ name: a, priority: 1 }]')}`;
    const { code, report } = await upgrade(text, ...between('1.35', '1.37'));
    assert.equal(code, 0);
    assert.deepEqual(
      report.kinds.map(({ kind, before, after, since }) => [kind, before, after, since]),
      [['DeviceTaintRule', 'never', 'served', '1.37']],
    );
    assert.deepEqual(
      report.fields.map(({ path, before, after, since, gate }) => [path, before, after, since, gate]),
      [
        ['spec.schedulingGroup', 'unknown', 'dropped', '1.36', 'GenericWorkload'],
        ['spec.evictionResponders', 'unknown', 'dropped', '1.37', 'EvictionRequestAPI'],
      ],
    );
    const later = await upgrade(text, ...between('1.36', '1.37'));
    assert.equal(later.code, 1);
    assert.deepEqual(
      later.report.kinds.map(({ kind, before, after }) => [kind, before, after]),
      [
        ['PodGroup', 'on demand', 'never'],
        ['DeviceTaintRule', 'never', 'served'],
      ],
    );
  });

  it('lists what 1.38 will count', async () => {
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: all, namespace: team }\nspec: { selector: {}, minAvailable: 1 }\n';
    const { report } = await upgrade(budget, ...between('1.36', '1.37'));
    assert.deepEqual(
      report.coming.map(({ minor, objects }) => [minor, objects]),
      [['1.38', ['team/all']]],
    );
  });

  it('takes the version that runs, and the newest that is known', async () => {
    const { report } = await upgrade(node('a', ', nodeInfo: { kubeletVersion: v1.35.2 }'));
    assert.deepEqual([report.from, report.to], ['1.35', '1.37']);
    const newest = await upgrade(node('a', ', nodeInfo: { kubeletVersion: v1.37.0 }'));
    assert.deepEqual([newest.report.from, newest.report.to], ['1.36', '1.37']);
  });

  it('answers a project in all forms, in the words of its verdict', async () => {
    const args = ['upgrade', shop, ...between('1.35', '1.37')];
    const { stdout: text } = await podium(args, { columns: 200 });
    const [verdict = ''] = text.split('\n');
    assert.match(verdict, /^From 1\.35 to 1\.37/);
    const { stdout: json } = await podium([...args, '--format', 'json']);
    assert.equal((JSON.parse(json) as { verdict: string }).verdict, verdict);
    assert.match((await podium([...args, '--format', 'markdown'])).stdout, /^### From 1\\?\.35 to 1\\?\.37/);
    assert.match((await podium([...args, '--format', 'html'])).stdout, /<h1>From 1\.35 to 1\.37/);
  });

  it('is not alone in saying of a version that it was not compared: each run on it does, once', async () => {
    const standing = /, as published; not yet compared with a running scheduler\./g;
    const run = async (kubernetes: string): Promise<number> =>
      [...(await podium(['simulate', shop, '--kubernetes', kubernetes], { columns: 200 })).stdout.matchAll(standing)]
        .length;
    assert.deepEqual([await run('1.36'), await run('1.37')], [0, 1]);
  });

  it('wants a newer version', async () => {
    const { code, stderr } = await podium(['upgrade', shop, ...between('1.36', '1.35')]);
    assert.equal(code, 2);
    assert.match(stderr, /--to must be newer than 1\.36/);
    assert.match((await podium(['upgrade', shop, '--from', '1.29'])).stderr, /--from/);
  });
});
