import { checkFixAll, checkRule, type RuleCase } from './check-rule.ts';

const pod = (spec: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
${spec}  containers: [{ name: a, image: a }]
`;

const deployment = (selector: string, labels: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: ${selector}
  template:
    metadata: { labels: ${labels} }
    spec:
      containers: [{ name: a, image: a }]
`;

const container = (resources: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: a
      image: a
      resources:
${resources}`;

const plain = (manifest: string): string => manifest.replaceAll(/[‹›]/g, '');

const budget = (spec: string): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: b }
spec:
  selector: { matchLabels: { app: web } }
${spec}`;

const mounting = (volume: string): string =>
  `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  volumes: [{ name: data, emptyDir: {} }]
  containers:
    - { name: a, image: a, volumeMounts: [{ name: ${volume}, mountPath: /data }] }
`;

const job = (key: string): string => `apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec:
  template:
    ${key}:
      containers: [{ name: a, image: a }]
`;

const autoscaler = (most: string): string => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  minReplicas: 5
  maxReplicas: ${most}
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
`;

const requesting = (cpu: string): string => container(`        requests: { cpu: ${cpu} }\n`);

const nodeTerm = (operator: string): string =>
  pod(
    `  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: ${operator}, values: [ssd] }] }]
`,
  );

const cases: readonly (readonly [what: string, code: string, manifest: string, fixes: RuleCase['fixes']])[] = [
  [
    'the operator of a selector',
    'invalid-node-affinity',
    nodeTerm('‹in›'),
    { 'Change to In': nodeTerm('In'), 'Change to NotIn': nodeTerm('NotIn') },
  ],
  [
    'labels and selector',
    'invalid-workload',
    deployment('{ matchLabels: { app: web } }', '{ app: api, tier: back }').replace('labels:', '‹labels›:'),
    {
      'Give the pods the labels of the selector': deployment(
        '{ matchLabels: { app: web } }',
        '{ app: web, tier: back }',
      ),
      'Select the labels that the pods have': deployment(
        '{ matchLabels: { app: api, tier: back } }',
        '{ app: api, tier: back }',
      ),
    },
  ],
  ['a volume that is not there', 'invalid-pod', mounting('‹dta›'), { 'Change to data': mounting('data') }],
  [
    'the restart policy of a Job',
    'invalid-workload',
    job('‹spec›'),
    {
      'Write `restartPolicy: OnFailure`': `${job('spec')}      restartPolicy: OnFailure\n`,
      'Write `restartPolicy: Never`': `${job('spec')}      restartPolicy: Never\n`,
    },
  ],
  ['bounds of an autoscaler', 'invalid-object', autoscaler('‹2›'), { 'Change to 5': autoscaler('5') }],
  ['thousandths of a processor', 'wrong-type', requesting('‹100mi›'), { 'Change to 100m': requesting('100m') }],
  [
    'one of two bounds',
    'invalid-disruption-budget',
    budget('  minAvailable: 1\n  maxUnavailable: 1\n').replace('spec:', '‹spec›:'),
    {
      'Remove `minAvailable`': budget('  maxUnavailable: 1\n'),
      'Remove `maxUnavailable`': budget('  minAvailable: 1\n'),
    },
  ],
  [
    'the value of a toleration',
    'invalid-toleration',
    pod('  tolerations:\n    - key: a\n      operator: Exists\n      value: ‹b›\n'),
    {
      'Remove `value`': pod('  tolerations:\n    - key: a\n      operator: Exists\n'),
      'Change `operator` to Equal': pod('  tolerations:\n    - key: a\n      operator: Equal\n      value: b\n'),
    },
  ],
  [
    'the effect of a toleration',
    'invalid-toleration',
    pod('  tolerations:\n    - key: a\n      operator: Exists\n      effect: ‹NoSchedul›\n'),
    { 'Change to NoSchedule': pod('  tolerations:\n    - key: a\n      operator: Exists\n      effect: NoSchedule\n') },
  ],
  [
    'seconds of a toleration',
    'invalid-toleration',
    pod(
      '  tolerations:\n    - key: a\n      operator: Exists\n      effect: ‹NoSchedule›\n      tolerationSeconds: 5\n',
    ),
    {
      'Write `effect: NoExecute`': pod(
        '  tolerations:\n    - key: a\n      operator: Exists\n      effect: NoExecute\n      tolerationSeconds: 5\n',
      ),
    },
  ],
  [
    'a request above its limit',
    'invalid-resources',
    container('        requests:\n          cpu: ‹2›\n        limits:\n          cpu: 500m\n'),
    {
      'Lower the request to 500m': container(
        '        requests:\n          cpu: 500m\n        limits:\n          cpu: 500m\n',
      ),
      'Raise the limit to 2': container('        requests:\n          cpu: 2\n        limits:\n          cpu: 2\n'),
    },
  ],
  [
    'the skew of a constraint',
    'invalid-topology-spread',
    pod(
      '  topologySpreadConstraints:\n    - maxSkew: ‹0›\n      topologyKey: z\n      whenUnsatisfiable: DoNotSchedule\n      labelSelector: { matchLabels: { app: web } }\n',
    ),
    {
      'Change to 1': pod(
        '  topologySpreadConstraints:\n    - maxSkew: 1\n      topologyKey: z\n      whenUnsatisfiable: DoNotSchedule\n      labelSelector: { matchLabels: { app: web } }\n',
      ),
    },
  ],
  [
    'a supported value',
    'invalid-pod',
    pod('  restartPolicy: ‹always›\n'),
    { 'Change to Always': pod('  restartPolicy: Always\n') },
  ],
  [
    'a legal name',
    'invalid-pod',
    pod('').replace('name: a,', 'name: ‹My_App›,'),
    { 'Change to my-app': pod('').replace('name: a,', 'name: my-app,') },
  ],
  [
    'a gate that is there twice',
    'invalid-scheduling-gates',
    pod('  schedulingGates: [{ name: x/a }, { name: ‹x/a› }]\n'),
    { 'Remove the one that says it again': pod('  schedulingGates: [{ name: x/a }]\n') },
  ],
];

describe('repairs of what the API server refuses', () => {
  for (const [what, code, manifest, fixes] of cases) {
    it(`[ED-8] mend ${what}`, () => checkRule(code, { manifest, fixes: fixes! }));
  }

  it('[ED-8] put back what may not change', () =>
    checkRule('immutable-workload-field', {
      manifest: deployment('{ matchLabels: { app: api } }', '{ app: api, tier: web }').replace(
        'selector:',
        '‹selector›:',
      ),
      fixes: {
        'Put `selector` back as it is committed': deployment(
          '{ matchLabels: { tier: web } }',
          '{ app: api, tier: web }',
        ),
      },
      committed: { 'manifest.yaml': deployment('{ matchLabels: { tier: web } }', '{ app: api, tier: web }') },
    }));

  it('[ED-8] are made at once where they cannot be wrong', async () => {
    await checkFixAll(pod('  restartPolicy: always\n'), pod('  restartPolicy: Always\n'));
    await checkFixAll(pod('  restartPolicy: Sometimes\n'), pod('  restartPolicy: Sometimes\n'));
  });
});

const node = `apiVersion: v1
kind: Node
metadata: { name: general-a, labels: { disk: ssd } }
spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }
`;

describe('repairs of what is not found', () => {
  const others = { 'node.yaml': node };

  it('[ED-8] offer a node of nearly that name', () => {
    const manifest = pod('  nodeName: ‹genral-a›\n');
    return checkRule('unknown-node', {
      manifest,
      others,
      fixes: { 'Change to general-a': plain(manifest).replace('genral-a', 'general-a') },
    });
  });

  it('[ED-8] offer a label of nodes, and a toleration', async () => {
    const tolerates = '  tolerations: [{ operator: Exists }]\n';
    const manifest = pod(`${tolerates}  ‹nodeSelector›:\n    disk: sdd\n`);
    await checkRule('no-node-matches', {
      manifest,
      others,
      fixes: { 'Change to ssd': plain(manifest).replace('sdd', 'ssd') },
    });
    const tainted = pod('  ‹nodeSelector›:\n    disk: ssd\n').replaceAll(/[‹›]/g, '').replace('spec:', '‹spec›:');
    await checkRule('no-node-matches', {
      manifest: tainted,
      others,
      fixes: {
        'Tolerate dedicated=gpu:NoSchedule': `${plain(tainted)}  tolerations:\n    - key: dedicated\n      operator: Equal\n      value: gpu\n      effect: NoSchedule\n`,
      },
    });
  });

  it('[ED-8] write what a quota wants', () => {
    const quota =
      'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { requests.cpu: 8, limits.memory: 8Gi } }\n';
    const manifest = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  ‹containers›:\n    - name: a\n      image: a\n`;
    return checkRule('quota-refuses-pods', {
      manifest,
      others: { 'quota.yaml': quota },
      fixes: {
        'Write the amounts that the quota wants of each container': `${plain(manifest)}      resources:\n        requests:\n          cpu: 100m\n        limits:\n          memory: 128Mi\n`,
      },
    });
  });
});

describe('repairs of the text', () => {
  it('[ED-8] indent with spaces', () =>
    checkFixAll(
      'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n',
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n',
    ));

  it('[ED-8] remove a key that is there twice', () => {
    const manifest =
      'apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec:\n  selector:\n    app: a\n  ‹selector›:\n    app: b\n  type: ClusterIP\n';
    return checkRule('yaml-duplicate-key', {
      manifest,
      fixes: {
        'Remove this `selector`':
          'apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec:\n  selector:\n    app: a\n  type: ClusterIP\n',
      },
    });
  });
});
