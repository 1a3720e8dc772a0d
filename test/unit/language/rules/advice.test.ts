import { checkRule } from './check-rule.ts';

const high = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000
`;

interface WorkloadParts {
  readonly kind?: 'Deployment' | 'DaemonSet';
  readonly namespace?: string;
  readonly replicas?: number;
  /** Further lines of the pods' spec, without indentation. */
  readonly spec?: readonly string[];
}

/** A workload that takes its labels and its image from its name, which may be marked. */
function workload(
  name: string,
  { kind = 'Deployment', namespace = 'default', replicas, spec = [] }: WorkloadParts = {},
): string {
  const bare = name.replace(/[‹›]/g, '');
  return [
    `apiVersion: apps/v1`,
    `kind: ${kind}`,
    `metadata: { name: ${name}, namespace: ${namespace} }`,
    `spec:`,
    ...(replicas === undefined ? [] : [`  replicas: ${replicas}`]),
    `  selector: { matchLabels: { app: ${bare} } }`,
    `  template:`,
    `    metadata: { labels: { app: ${bare} } }`,
    `    spec:`,
    ...spec.map((line) => `      ${line}`),
    `      containers: [{ name: a, image: a }]`,
    ``,
  ].join('\n');
}

const node = (name: string, labels: string, spec = '{}'): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { ${labels} } }
spec: ${spec}
---
`;

const classHigh = 'priorityClassName: high';

/** A required term of affinity or anti-affinity; the marks say what is expected to be underlined. */
function term(
  kind: 'podAffinity' | 'podAntiAffinity',
  app: string,
  parts: { readonly selector?: string; readonly key?: string } = {},
): string {
  const { selector = 'labelSelector', key = 'kubernetes.io/hostname' } = parts;
  return `affinity: { ${kind}: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${selector}: { matchLabels: { app: ${app} } }, topologyKey: ${key} }] } }`;
}

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

describe('long-grace-period', () => {
  const batch = (seconds: string, ...more: string[]): string =>
    workload('batch', { spec: [`terminationGracePeriodSeconds: ${seconds}`, ...more] });

  it('[PRE-22] says what a long grace period costs the pod that makes room for itself', () =>
    checkRule('long-grace-period', {
      manifest: batch('‹3600›'),
      others: { 'class.yaml': high, 'web.yaml': workload('‹web›', { spec: [classHigh] }) },
      severity: 'hint',
      message:
        'Deployment default/web (priority 1000) may evict this (priority 0) and then waits up to 3,600 s until its room is free. A short grace period keeps that gap short.',
    }));

  for (const [name, manifest, web] of [
    ['a short one', batch('300'), workload('web', { spec: [classHigh] })],
    ['pods that nobody outranks', batch('3600', classHigh), workload('web', { spec: [classHigh] })],
    ['pods that are outranked by who never preempts', batch('3600'), null],
  ] as const) {
    it(`[PRE-22] says nothing of ${name}`, () =>
      checkRule('long-grace-period', {
        manifest,
        others: {
          'class.yaml': web === null ? `${high}preemptionPolicy: Never\n` : high,
          'web.yaml': web ?? workload('web', { spec: [classHigh] }),
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
      message: '3 replicas must be apart by zone, of which the known nodes have 2 values: 1 pod will stay pending.',
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

describe('selector-misses-own-pods', () => {
  const spread = (selector: string): string =>
    `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule${selector} }]`;

  it('[PLA-12] finds a spread constraint that does not count its own pods', () =>
    checkRule('selector-misses-own-pods', {
      manifest: workload('web', { spec: [spread(', ‹labelSelector›: { matchLabels: { app: wbe } }')] }),
      severity: 'information',
      message: 'does not match the labels of its own pods',
      fixes: {
        'Select its own pods: app=web': workload('web', {
          spec: [spread(', labelSelector: {"matchLabels":{"app":"web"}}')],
        }),
      },
    }));

  it('[PLA-12] writes the own labels in the form of the selector that is there', () => {
    const lines = (label: string, key = 'labelSelector'): string[] => [
      'topologySpreadConstraints:',
      '  - topologyKey: zone',
      `    ${key}:`,
      '      matchLabels:',
      `        ${label}`,
      '',
      '    maxSkew: 1',
      '    whenUnsatisfiable: DoNotSchedule',
    ];
    return checkRule('selector-misses-own-pods', {
      manifest: workload('web', { spec: lines('app: wbe', '‹labelSelector›') }),
      fixes: { 'Select its own pods: app=web': workload('web', { spec: lines('app: web') }) },
    });
  });

  it('[PLA-12] finds one without a selector', () =>
    checkRule('selector-misses-own-pods', {
      manifest: workload('web', { spec: [spread('').replace('[{ maxSkew', '[{ ‹maxSkew›')] }),
      message: 'counts no pods',
    }));

  it('[PLA-7] finds required affinity to pods that nobody makes', () =>
    checkRule('selector-misses-own-pods', {
      manifest: workload('web', { spec: [term('podAffinity', 'wbe', { selector: '‹labelSelector›' })] }),
      severity: 'information',
      message: 'matches neither the labels of its own pods nor those of any known workload',
    }));

  it('[PLA-6] finds anti-affinity to pods that nobody makes', () =>
    checkRule('selector-misses-own-pods', {
      manifest: workload('web', { spec: [term('podAntiAffinity', 'wbe', { selector: '‹labelSelector›' })] }),
      message: 'keeps these pods away from nothing',
    }));

  it('[PLA-6] only hints at a preferred term', () =>
    checkRule('selector-misses-own-pods', {
      manifest: workload('web', {
        spec: [
          'affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { ‹labelSelector›: { matchLabels: { app: wbe } }, topologyKey: zone } }] } }',
        ],
      }),
      severity: 'hint',
    }));

  for (const [name, spec, others] of [
    ['affinity to another workload', term('podAffinity', 'cache'), { 'cache.yaml': workload('cache') }],
    ['anti-affinity to its own pods', term('podAntiAffinity', 'web'), {}],
    ['a spread constraint of its own pods', spread(', labelSelector: { matchLabels: { app: web } }'), {}],
  ] as const) {
    it(`[PLA-6] accepts ${name}`, () =>
      checkRule('selector-misses-own-pods', { manifest: workload('web', { spec: [spec] }), others }));
  }
});

describe('daemonset-below-workloads', () => {
  it('[PRE-10] names who may evict it', () =>
    checkRule('daemonset-below-workloads', {
      manifest: workload('logs', { kind: 'DaemonSet' }).replace('    spec:', '    ‹spec›:'),
      others: { 'class.yaml': high, 'web.yaml': workload('‹web›', { spec: [classHigh] }) },
      severity: 'hint',
      message: '1 workload may evict the pods of this DaemonSet (priority 0)',
    }));

  it('[PRE-10] accepts one of equal priority', () =>
    checkRule('daemonset-below-workloads', {
      manifest: workload('logs', { kind: 'DaemonSet', spec: [classHigh] }),
      others: { 'class.yaml': high, 'web.yaml': workload('web', { spec: [classHigh] }) },
    }));
});

describe('one cause', () => {
  const budget = (name: string, mark = name): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${mark} }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: ${name} } } }
`;
  const top = (kind: 'DaemonSet' | 'Deployment'): string =>
    workload('top', { kind, spec: [classHigh.replace('high', '‹high›')] });

  it('[PRE-6] a DaemonSet above all others is told of once, with the budgets that it may break', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: top('DaemonSet'),
      others: {
        'class.yaml': high,
        'web.yaml': workload('web') + '---\n' + budget('web', '‹web›'),
        'db.yaml': workload('db') + '---\n' + budget('db', '‹db›'),
      },
      severity: 'hint',
      message: 'Pods of this DaemonSet (priority 1000) may evict those behind 2 budgets',
    }));

  it('[PRE-6] and not at each of the budgets', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('web'),
      others: {
        'class.yaml': high,
        'top.yaml': workload('top', { kind: 'DaemonSet', spec: [classHigh] }),
        'web.yaml': workload('web'),
        'db.yaml': workload('db') + '---\n' + budget('db'),
      },
    }));

  it('[PRE-6] a cause in the cluster is told of at the first budget, with the others', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('db').replace('PodDisruptionBudget', '‹PodDisruptionBudget›'),
      others: { 'db.yaml': workload('db'), 'web.yaml': workload('web') + '---\n' + budget('web', '‹web›') },
      snapshot: high + '---\n' + workload('top', { kind: 'DaemonSet', spec: [classHigh] }),
      message: 'The same goes for 1 other budget.',
    }));

  it('[PRE-10] a workload above several DaemonSets is told of once, with them', () =>
    checkRule('daemonset-below-workloads', {
      manifest: top('Deployment'),
      others: {
        'class.yaml': high,
        'logs.yaml': workload('‹logs›', { kind: 'DaemonSet' }),
        'metrics.yaml': workload('‹metrics›', { kind: 'DaemonSet' }),
      },
      message: 'may evict those of 2 DaemonSets of lower priority',
    }));

  it('[PRE-10] a DaemonSet above several of its namespace is told of once, with them', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: top('DaemonSet'),
      others: {
        'class.yaml': high,
        'logs.yaml': workload('‹logs›', { kind: 'DaemonSet' }),
        'metrics.yaml': workload('‹metrics›', { kind: 'DaemonSet' }),
      },
      message: '2 DaemonSets of its namespace have less',
    }));

  for (const code of ['daemonset-below-workloads', 'daemonsets-of-unequal-priority']) {
    it(`[PRE-10] ${code} is not told at each of several`, () =>
      checkRule(code, {
        manifest: workload('logs', { kind: 'DaemonSet' }),
        others: {
          'class.yaml': high,
          'metrics.yaml': workload('metrics', { kind: 'DaemonSet' }),
          'top.yaml': workload('top', {
            kind: code === 'daemonset-below-workloads' ? 'Deployment' : 'DaemonSet',
            spec: [classHigh],
          }),
        },
      }));
  }
});

describe('daemonsets-of-unequal-priority', () => {
  const logs = (more: string): Readonly<Record<string, string>> => ({
    'class.yaml': high,
    'logs.yaml': workload('‹logs›', { kind: 'DaemonSet', spec: [more] }),
  });

  it('[PRE-10] points at the lower one', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: workload('metrics', { kind: 'DaemonSet' }).replace('    spec:', '    ‹spec›:'),
      others: logs(classHigh),
      severity: 'hint',
      message: 'DaemonSet default/logs has priority 1000, this DaemonSet 0',
    }));

  it('[PRE-10] accepts siblings of one class, and the higher of two', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: workload('metrics', { kind: 'DaemonSet', spec: [classHigh] }),
      others: { 'class.yaml': high, 'logs.yaml': workload('logs', { kind: 'DaemonSet' }) },
    }));
});

describe('no-node-matches', () => {
  const nodes =
    node('a', 'disk: hdd') + node('b', 'disk: ssd', '{ taints: [{ key: dedicated, value: db, effect: NoSchedule }] }');

  it('[PLA-1] finds a selector that no known node matches', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['‹nodeSelector›: { disk: nvme }'] }),
      others: { 'nodes.yaml': nodes },
      severity: 'information',
      message: 'None of the 2 known nodes matches',
    }));

  it('[PLA-5] counts the node affinity that a profile adds to its pods', async () => {
    const added = (pool: string): string => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: pooled
    pluginConfig:
      - name: NodeAffinity
        args: { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: In, values: [${pool}] }] }] } } }
`;
    await checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['schedulerName: ‹pooled›'] }),
      others: { 'nodes.yaml': nodes, 'config.yaml': added('nvme') },
      severity: 'information',
      message: 'None of the 2 known nodes matches both these pods and the node affinity that the profile',
    });
    await checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['schedulerName: pooled'] }),
      others: { 'nodes.yaml': nodes, 'config.yaml': added('hdd') },
    });
  });

  it('[PLA-13] finds that all matching nodes are tainted', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: ['nodeSelector: { disk: ssd }', '‹tolerations›: [{ key: other, operator: Exists }]'],
      }),
      others: { 'nodes.yaml': nodes },
      message: 'dedicated=db:NoSchedule',
    }));

  it('[PLA-13] accepts pods that tolerate the taint', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: ['nodeSelector: { disk: ssd }', 'tolerations: [{ key: dedicated, operator: Exists }]'],
      }),
      others: { 'nodes.yaml': nodes },
    }));

  it('[PLA-1] says nothing where no node is known', () =>
    checkRule('no-node-matches', { manifest: workload('db', { spec: ['nodeSelector: { disk: nvme }'] }) }));
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

describe('unknown-node', () => {
  const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { nodeName: ${name}, containers: [{ name: a, image: a }] }
`;

  it('[PLA-11] finds a node that is not among the known ones', () =>
    checkRule('unknown-node', {
      manifest: pod('‹node-z›'),
      others: { 'nodes.yaml': node('node-a', '') },
      severity: 'information',
      message: 'No known node is named "node-z"',
    }));

  it('[PLA-11] accepts a known node, and any where none is known', async () => {
    await checkRule('unknown-node', { manifest: pod('node-a'), others: { 'nodes.yaml': node('node-a', '') } });
    await checkRule('unknown-node', { manifest: pod('node-z') });
  });
});

describe('forgeable-isolation-label', () => {
  const tolerated = (key: string): string => `tolerations: [{ key: ${key}, operator: Exists }]`;

  it('[PLA-14] finds a label that a kubelet may set, in a node selector', () =>
    checkRule('forgeable-isolation-label', {
      manifest: workload('vault', { spec: ['nodeSelector: { dedicated: ‹vault› }', tolerated('dedicated')] }),
      severity: 'hint',
      message: 'begins with node-restriction.kubernetes.io/',
    }));

  it('[PLA-14] finds it in node affinity', () =>
    checkRule('forgeable-isolation-label', {
      manifest: workload('vault', {
        spec: [
          'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: ‹example.com/team›, operator: Exists }] }] } } }',
          tolerated('example.com/team'),
        ],
      }),
    }));

  for (const [name, key, tolerates] of [
    [
      'the prefix that NodeRestriction protects',
      'node-restriction.kubernetes.io/team',
      'node-restriction.kubernetes.io/team',
    ],
    ['a label of Kubernetes itself', 'node-role.kubernetes.io/infra', 'node-role.kubernetes.io/infra'],
    ['a label that only chooses nodes', 'disk', 'dedicated'],
  ] as const) {
    it(`[PLA-14] accepts ${name}`, () =>
      checkRule('forgeable-isolation-label', {
        manifest: workload('vault', { spec: [`nodeSelector: { ${key}: x }`, tolerated(tolerates)] }),
      }));
  }
});

describe('budget-broken-by-preemption', () => {
  const budget = (kind: string): string => `apiVersion: policy/v1
kind: ${kind}
metadata: { name: web }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
`;

  it('[PRE-6] [EVI-6] names who may break it, and whose pods go', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('‹PodDisruptionBudget›'),
      others: {
        'class.yaml': high,
        'top.yaml': workload('‹top›', { spec: [classHigh] }),
        'web.yaml': workload('‹web›'),
      },
      severity: 'hint',
      message: 'Preemption only prefers to keep it: 1 workload of higher priority',
    }));

  it('[PRE-6] says nothing where nobody outranks the pods', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('PodDisruptionBudget'),
      others: { 'class.yaml': high, 'top.yaml': workload('top'), 'web.yaml': workload('web', { spec: [classHigh] }) },
    }));
});

describe('missing-topology-key', () => {
  const nodes = node('a', 'rack: r1') + node('b', 'disk: ssd') + node('c', 'disk: ssd');
  const term = (key: string): string =>
    `requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ${key}, labelSelector: { matchLabels: { app: db } } }]`;

  it('[PLA-19] [PLA-9] tells what becomes of nodes without the key, for each kind of term', async () => {
    for (const [line, message] of [
      [`affinity: { podAntiAffinity: { ${term('‹rack›')} } }`, 'there these pods are kept apart from nothing'],
      [`affinity: { podAffinity: { ${term('‹rack›')} } }`, 'these pods are never placed there'],
      [
        'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ‹rack›, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: db } } }]',
        '2 of the 3 known nodes have no label rack: these pods are never placed there',
      ],
      [
        'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ‹rack›, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: db } } }]',
        'they come last for these pods',
      ],
    ] as const) {
      await checkRule('missing-topology-key', {
        manifest: workload('db', { spec: [line] }),
        others: { 'nodes.yaml': nodes },
        severity: 'information',
        message,
      });
    }
  });

  it('[PLA-18] looks at labels, and not at names', () =>
    checkRule('missing-topology-key', {
      manifest: workload('db', { spec: [`affinity: { podAntiAffinity: { ${term('‹kubernetes.io/hostname›')} } }`] }),
      others: { 'nodes.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: bare }\n' },
      message: '1 of the 1 known node has no label kubernetes.io/hostname',
    }));

  it('takes a key that no node has for the nearest that one has, and repairs it', async () => {
    const others = { 'nodes.yaml': node('a', 'topology.kubernetes.io/zone: z1') };
    const manifest = (key: string): string =>
      workload('db', { spec: [`affinity: { podAntiAffinity: { ${term(key)} } }`] });
    await checkRule('missing-topology-key', {
      manifest: manifest('‹topology.kubernetes.io/zonee›'),
      others,
      message: 'kept apart from nothing. Did you mean "topology.kubernetes.io/zone"?',
      fixes: { 'Change to topology.kubernetes.io/zone': manifest('topology.kubernetes.io/zone') },
    });
    await checkRule('missing-topology-key', { manifest: manifest('‹rack›'), others, message: /nothing\.$/, fixes: {} });
  });

  it('says nothing where no node is known', () =>
    checkRule('missing-topology-key', {
      manifest: workload('db', { spec: [`affinity: { podAntiAffinity: { ${term('rack')} } }`] }),
    }));
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

describe('ignored-by-scheduler', () => {
  const check = (manifest: string, message?: string, others: Readonly<Record<string, string>> = {}) =>
    checkRule('ignored-by-scheduler', { manifest, others, ...(message === undefined ? {} : { message }) });

  it('[PRE-6] tells that preemption leaves a budget with an empty selector out', async () => {
    const budget = (selector: string): string =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: all }\nspec: { minAvailable: 1, ${selector} }\n`;
    await check(budget('‹selector›: {}'), 'Preemption leaves a budget with an empty selector out');
    await check(budget('selector: { matchLabels: { app: db } }'));
  });

  it('[PLA-12] tells of a spread constraint that counts no pods', async () => {
    const spread = (selector: string): string =>
      workload('db', {
        spec: [
          `topologySpreadConstraints: [{ ${selector}maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule }]`,
        ],
      });
    await check(spread('‹labelSelector›: {}, '), 'counts no pods, and spreads nothing');
    await check(spread('labelSelector: { matchLabels: { app: db } }, '));
  });

  it('[PLA-2] [PLA-13] tells of keys that no known node has', async () => {
    const others = { 'nodes.yaml': node('a', 'disk: ssd', '{ taints: [{ key: gpu, effect: NoSchedule }] }') };
    const tolerating = (key: string): string =>
      workload('db', { spec: [`tolerations: [{ key: ${key}, operator: Exists }]`] });
    await check(tolerating('‹gpus›'), 'No known node has a taint gpus', others);
    await check(tolerating('gpu'), undefined, others);
    await check(tolerating('node.kubernetes.io/not-ready'), undefined, others);
    await check(tolerating('gpus'));
    const preferring = (key: string): string =>
      workload('db', {
        spec: [
          `affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: ${key}, operator: Exists }] } }] } }`,
        ],
      });
    await check(preferring('‹disc›'), 'No known node has a label disc: the preference changes nothing', others);
    await check(preferring('disk'), undefined, others);
  });

  it('tells that scheduling groups need a feature gate, by minor', async () => {
    const nodeOf = (version: string): Readonly<Record<string, string>> => ({
      'node.yaml': `apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { nodeInfo: { kubeletVersion: ${version} } }\n`,
    });
    const group = (mark: string): string => workload('db', { spec: [`${mark}: { podGroupName: g }`] });
    await check(group('‹schedulingGroup›'), 'needs the feature gate GenericWorkload', nodeOf('v1.36.0'));
    await check(group('schedulingGroup'), undefined, nodeOf('v1.35.0'));
    const reference = (mark: string): string => workload('db', { spec: [`${mark}: { name: w, podGroup: g }`] });
    await check(reference('‹workloadRef›'), 'off in Kubernetes 1.35 by default', nodeOf('v1.35.0'));
  });
});
