import { checkRule } from './check-rule.ts';
import { high, workload, node, classHigh, term } from './workload-text.ts';

describe('affinity-to-lower-priority', () => {
  const web = (selector: string, ...more: string[]): string =>
    workload('web', { spec: [...more, term('podAffinity', 'cache', { selector })] });

  it('[PRE-8] names the workload of lower priority, in whichever file it is', () =>
    checkRule('affinity-to-lower-priority', {
      manifest: web('‹labelSelector›', classHigh),
      others: { 'class.yaml': high, 'cache.yaml': workload('‹cache›') },
      severity: 'information',
      message: 'Deployment default/cache beside it, which has a lower priority (0 < 1000)',
    }));

  for (const [name, manifest, cache] of [
    ['equal priority', web('labelSelector', classHigh), workload('cache', { spec: [classHigh] })],
    ['higher priority', web('labelSelector'), workload('cache', { spec: [classHigh] })],
    ['another namespace', web('labelSelector', classHigh), workload('cache', { namespace: 'other' })],
    ['a pod that never preempts', web('labelSelector', classHigh, 'preemptionPolicy: Never'), workload('cache')],
  ] as const) {
    it(`[PRE-8] says nothing of ${name}`, () =>
      checkRule('affinity-to-lower-priority', {
        manifest,
        others: {
          'class.yaml': name.includes('never') ? `${high}preemptionPolicy: Never\n` : high,
          'cache.yaml': cache,
        },
      }));
  }
});

describe('cross-node-anti-affinity', () => {
  const web = (key: string): string =>
    workload('web', { spec: [classHigh, term('podAntiAffinity', 'noisy', { key })] });

  it('[PRE-9] points at a topology that spans nodes', () =>
    checkRule('cross-node-anti-affinity', {
      manifest: web('‹topology.kubernetes.io/zone›'),
      others: { 'class.yaml': high, 'noisy.yaml': workload('‹noisy›') },
      severity: 'hint',
      message: 'preemption looks at one node at a time',
    }));

  it('[PRE-9] accepts anti-affinity by host name, which preemption can satisfy', () =>
    checkRule('cross-node-anti-affinity', {
      manifest: web('kubernetes.io/hostname'),
      others: { 'class.yaml': high, 'noisy.yaml': workload('noisy') },
    }));

  it('[PRE-9] accepts what keeps away from equals', () =>
    checkRule('cross-node-anti-affinity', {
      manifest: web('topology.kubernetes.io/zone'),
      others: { 'class.yaml': high, 'noisy.yaml': workload('noisy', { spec: [classHigh] }) },
    }));
});

describe('anti-affinity-exceeds-domains', () => {
  const nodes = node('a', 'zone: z1') + node('b', 'zone: z2') + node('c', 'zone: z2');
  const web = (replicas: number, key: string): string =>
    workload('web', { replicas, spec: [term('podAntiAffinity', 'web', { key })] });

  it('[PLA-6] counts domains, not nodes', () =>
    checkRule('anti-affinity-exceeds-domains', {
      manifest: web(3, '‹zone›'),
      others: { 'nodes.yaml': nodes },
      severity: 'information',
      message:
        '3 replicas must be apart by zone, of which the known nodes that they may use have 2 values: 1 pod will stay pending.',
    }));

  it('[PLA-20] counts the nodes that the pods may use', () =>
    checkRule('anti-affinity-exceeds-domains', {
      manifest: web(3, '‹zone›'),
      others: {
        'nodes.yaml':
          nodes +
          node('cp', 'zone: z3', '{ taints: [{ key: node-role.kubernetes.io/control-plane, effect: NoSchedule }] }'),
      },
      message: 'have 2 values: 1 pod will stay pending.',
    }));

  for (const [name, replicas, others] of [
    ['as many replicas as domains', 2, nodes],
    ['a node outside every domain, which takes any number', 3, nodes + node('d', 'disk: ssd')],
    ['unknown nodes', 3, ''],
  ] as const) {
    it(`[PLA-9] says nothing of ${name}`, () =>
      checkRule('anti-affinity-exceeds-domains', {
        manifest: web(replicas, 'zone'),
        others: { 'nodes.yaml': others },
      }));
  }
});

describe('pod-affinity-in-large-cluster', () => {
  const preferring = `preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: zone } }]`;
  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => node(`n${index}`, 'disk: ssd')).join('');

  it('[PLA-19] says what affinity between pods costs in a large cluster', async () => {
    const others = { 'nodes.yaml': many(500) };
    await checkRule('pod-affinity-in-large-cluster', {
      manifest: workload('db', { spec: [`affinity: { ‹podAntiAffinity›: { ${preferring} } }`] }),
      others,
      severity: 'hint',
      message: 'on all of 500 nodes',
    });
    await checkRule('pod-affinity-in-large-cluster', { manifest: workload('db'), others });
  });

  it('says nothing in a small one', () =>
    checkRule('pod-affinity-in-large-cluster', {
      manifest: workload('db', { spec: [`affinity: { podAntiAffinity: { ${preferring} } }`] }),
      others: { 'nodes.yaml': many(20) },
    }));
});

describe('anti-affinity-reaches-far', () => {
  const far = (key: string): string =>
    `affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ${key}, labelSelector: {} }] } }`;

  it('[PLA-9] refuses required anti-affinity beyond a node where the plugin is on', async () => {
    const admissionPlugins = ['LimitPodHardAntiAffinityTopology'] as const;
    await checkRule('anti-affinity-reaches-far', {
      manifest: workload('db', { spec: [far('‹zone›')] }),
      admissionPlugins,
      severity: 'error',
      message: 'has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    });
    await checkRule('anti-affinity-reaches-far', {
      manifest: workload('db', { spec: [far('kubernetes.io/hostname')] }),
      admissionPlugins,
    });
    await checkRule('anti-affinity-reaches-far', { manifest: workload('db', { spec: [far('zone')] }) });
  });
});

describe('unreadable-node-affinity', () => {
  const preferring = (expression: string): string =>
    workload('db', {
      spec: [
        `affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [${expression}] } }] } }`,
      ],
    });
  const requiring = (expression: string): string =>
    workload('db', {
      spec: [
        `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [${expression}] }] } } }`,
      ],
    });

  it('[PLA-3] warns of numbers that are no integers', async () => {
    await checkRule('unreadable-node-affinity', {
      manifest: preferring('{ key: disks, operator: Gt, values: [‹"1.5"›] }'),
      severity: 'warning',
      message: 'every attempt to schedule the pod ends in an error',
    });
    await checkRule('unreadable-node-affinity', {
      manifest: requiring('{ key: disks, operator: Lt, values: [‹many›] }'),
      message: 'The term matches no node',
    });
  });

  it('[PLA-3] warns in preferred terms of values that no label can have; in required ones the API server refuses them', async () => {
    const expression = (value: string): string => `{ key: disk, operator: In, values: [ssd, ${value}] }`;
    await checkRule('unreadable-node-affinity', {
      manifest: preferring(expression('‹a b›')),
      message: 'a valid label must be',
    });
    await checkRule('unreadable-node-affinity', { manifest: requiring(expression('a b')) });
    await checkRule('invalid-node-affinity', { manifest: requiring(expression('‹a b›')) });
  });

  it('[PLA-3] accepts integers', () =>
    checkRule('unreadable-node-affinity', {
      manifest: preferring('{ key: disks, operator: Gt, values: ["9223372036854775807"] }'),
    }));
});

describe('affinity-circle', () => {
  const needing = (name: string, needed: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name}${more} } }
    spec:
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, ${needed} }] } }
      containers: [{ name: a, image: a }]
`;
  const labels = (app: string, key = 'labelSelector'): string => `${key}: { matchLabels: { app: ${app} } }`;
  const marked = needing('web', labels('db', '‹labelSelector›'));
  const plain = needing('web', labels('db'));

  it('[#34] says that none of two workloads that require each other is ever the first', () =>
    checkRule('affinity-circle', {
      manifest: marked,
      others: { 'db.yaml': needing('db', labels('web')).replace('name: db', 'name: ‹db›') },
      severity: 'warning',
      message: 'These pods need a pod of Deployment default/db beside them, and those need one of these',
    }));

  for (const [what, others] of [
    [
      'a pod of one runs',
      {
        'db.yaml': needing('db', labels('web')),
        'p.yaml': `apiVersion: v1
kind: Pod
metadata: { name: db-0, labels: { app: db } }
spec: { nodeName: n, containers: [{ name: a, image: a }] }
status: { phase: Running }
`,
      },
    ],
    [
      'the other may be the first by itself',
      { 'db.yaml': needing('db', 'labelSelector: { matchExpressions: [{ key: app, operator: Exists }] }') },
    ],
    [
      'the other needs somebody else',
      { 'db.yaml': needing('db', labels('cache')), 'c.yaml': needing('cache', labels('cache')) },
    ],
    [
      'others have the labels, too',
      {
        'db.yaml': needing('db', labels('web')),
        'c.yaml': needing('db2', labels('db2')).replace('labels: { app: db2', 'labels: { app: db'),
      },
    ],
  ] as const) {
    it(`[#34] says nothing where ${what}`, () => checkRule('affinity-circle', { manifest: plain, others }));
  }
});
