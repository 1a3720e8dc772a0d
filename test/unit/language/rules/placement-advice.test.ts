import { checkRule } from './check-rule.ts';
import { workload, node, term } from './workload-text.ts';

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
          spec: [spread(', labelSelector: { matchLabels: { app: web } }')],
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

  it('[PLA-7] says that pods of another namespace only count where the term names it', () => {
    const needs = (selector: string, named = ''): string => {
      const fields = `${selector}: { matchLabels: { app: cache } }, topologyKey: zone${named}`;
      const affinity = `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${fields} }] } }`;
      return workload('web', { spec: [affinity] });
    };
    return checkRule('selector-misses-own-pods', {
      manifest: needs('‹labelSelector›'),
      others: { 'cache.yaml': workload('cache', { namespace: 'caches' }) },
      message: 'those of namespace caches only count where the term names it',
      fixes: { 'Look for them in caches': needs('labelSelector', ', namespaces: [caches]') },
    });
  });

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

describe('no-node-matches', () => {
  const nodes =
    node('a', 'disk: hdd') + node('b', 'disk: ssd', '{ taints: [{ key: dedicated, value: db, effect: NoSchedule }] }');

  it('[PLA-1] finds a selector that no known node matches', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['‹nodeSelector›: { disk: nvme }'] }),
      others: { 'nodes.yaml': nodes },
      severity: 'information',
      message: 'None of the 2 known nodes has disk=nvme: these pods would stay pending.',
    }));

  it('[#34] names the label of nodes that is nearly the one that is asked for', async () => {
    for (const [asked, near] of [
      ['disk: sssd', 'disk=ssd'],
      ['disks: ssd', 'disk=ssd'],
      ['kubernetes.io/arch: x86_64', 'kubernetes.io/arch=amd64'],
    ] as const) {
      await checkRule('no-node-matches', {
        manifest: workload('db', { spec: [`‹nodeSelector›: { ${asked} }`] }),
        others: { 'nodes.yaml': node('a', 'disk: ssd, kubernetes.io/arch: amd64') },
        message: `None of the 1 known node has ${asked.replace(': ', '=')}: these pods would stay pending. Did you mean "${near}"?`,
      });
    }
  });

  it('#34 names the expression of required affinity that no node meets', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: [
          'affinity: { ‹nodeAffinity›: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }, { key: gen, operator: Gt, values: ["4"] }] }] } } }',
        ],
      }),
      others: { 'nodes.yaml': node('a', 'disk: hdd, gen: "3"') },
      message: 'None of the 1 known node has gen Gt 4: these pods would stay pending.',
    }));

  it('[PLA-1] knows what a kubelet adds to a node that is written for its labels, as simulations do (#36)', async () => {
    const others = { 'nodes.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { disk: ssd } }\n' };
    const asking = (selector: string): string => workload('db', { spec: [selector] });
    await checkRule('no-node-matches', {
      manifest: asking('nodeSelector: { kubernetes.io/os: linux, disk: ssd }'),
      others,
    });
    await checkRule('no-node-matches', {
      manifest: asking('‹nodeSelector›: { kubernetes.io/os: linux, disk: hdd }'),
      others,
      message: 'None of the 1 known node has disk=hdd: these pods would stay pending.',
    });
  });

  it('[#34] names the taint that is meant for some pods, and not that of the control plane', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: ['‹tolerations›: [{ key: dedicated, operator: Equal, value: d-b, effect: NoSchedule }]'],
      }),
      others: {
        'nodes.yaml':
          node('a', 'disk: hdd', '{ taints: [{ key: node-role.kubernetes.io/control-plane, effect: NoSchedule }] }') +
          node('b', 'disk: ssd', '{ taints: [{ key: dedicated, value: db, effect: NoSchedule }] }'),
      },
      message:
        'Every node that these pods may run on has a taint that they do not tolerate, such as dedicated=db:NoSchedule',
    }));

  it('[PLA-1] finds labels that nodes have, but none all of them', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['‹nodeSelector›: { disk: ssd, kubernetes.io/hostname: a }'] }),
      others: {
        'nodes.yaml':
          node('a', 'disk: hdd, kubernetes.io/hostname: a') + node('b', 'disk: ssd, kubernetes.io/hostname: b'),
      },
      message: 'None of the 2 known nodes matches the node selector and affinity of these pods',
    }));

  it('[PLA-20] knows labels of nodes that have another name now, in terms of affinity and of DaemonSets', async () => {
    const named = { 'nodes.yaml': node('a', 'kubernetes.io/arch: amd64, node-role.kubernetes.io/control-plane: ""') };
    const affinity = (key: string): string =>
      `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${key}, operator: In, values: [amd64] }] }] } } }`;
    await checkRule('no-node-matches', {
      manifest: workload('web', { spec: [affinity('‹beta.kubernetes.io/arch›')] }),
      others: named,
      message: 'which is called kubernetes.io/arch now: these pods would stay pending',
      fixes: { 'Change to kubernetes.io/arch': workload('web', { spec: [affinity('kubernetes.io/arch')] }) },
    });
    await checkRule('no-node-matches', {
      manifest: workload('cni', {
        kind: 'DaemonSet',
        spec: ['nodeSelector: { node-role.kubernetes.io/master: ‹""› }'],
      }),
      others: named,
      message: 'which is called node-role.kubernetes.io/control-plane now: this DaemonSet has no pods',
    });
  });

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

  it('[PLA-20] knows labels that have another name now', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['nodeSelector: { beta.kubernetes.io/os: ‹linux› }'] }),
      others: { 'nodes.yaml': node('a', 'kubernetes.io/os: linux') },
      message: 'which is called kubernetes.io/os now',
      fixes: {
        'Change to kubernetes.io/os': workload('db', { spec: ['nodeSelector: { kubernetes.io/os: linux }'] }),
      },
    }));

  it('[PLA-20] knows each of several labels that have another name now', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: ['nodeSelector: { beta.kubernetes.io/os: ‹linux›, beta.kubernetes.io/arch: ‹amd64› }'],
      }),
      others: { 'nodes.yaml': node('a', 'kubernetes.io/os: linux, kubernetes.io/arch: amd64') },
      message: 'now: these pods would stay pending',
    }));

  it('[PLA-1] says nothing where no node is known', () =>
    checkRule('no-node-matches', { manifest: workload('db', { spec: ['nodeSelector: { disk: nvme }'] }) }));

  const expression = (key: string, value: string): string =>
    `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${key}, operator: In, values: [${value}] }] }] } } }`;
  for (const [wrong, right, line] of [
    ['x86_64', 'amd64', (value: string) => `nodeSelector: { kubernetes.io/arch: ${value} }`],
    ['Linux', 'linux', (value: string) => expression('kubernetes.io/os', value)],
    ['kubernetes.io/architecture', 'kubernetes.io/arch', (key: string) => expression(key, 'arm64')],
    ['topology.kubernetes.io/zones', 'topology.kubernetes.io/zone', (key: string) => expression(key, 'a')],
  ] as const) {
    it(`[PLA-1] finds labels that no cluster has where no node is known: ${wrong}`, () =>
      checkRule('no-node-matches', {
        manifest: workload('db', { spec: [line(`‹${wrong}›`)] }),
        severity: 'information',
        message: `Did you mean "${right}"?`,
        fixes: { [`Change to ${right}`]: workload('db', { spec: [line(right)] }) },
      }));
  }

  it('[PLA-1] renames the key of a selector that no cluster has', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', { spec: ['nodeSelector: { kubernetes.io/ach: ‹amd64› }'] }),
      fixes: {
        'Change to kubernetes.io/arch': workload('db', { spec: ['nodeSelector: { kubernetes.io/arch: amd64 }'] }),
      },
    }));

  it('[PLA-1] lets labels of others be where no node is known', () =>
    checkRule('no-node-matches', {
      manifest: workload('db', {
        spec: [
          'nodeSelector: { topology.kubernetes.io/rack: r, node-role.kubernetes.io/infra: "", kubernetes.io/arch: riscv64 }',
        ],
      }),
    }));
});

describe('node-name-bypasses-scheduler', () => {
  const claim = (mode: string): string => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: local }
provisioner: rancher.io/local-path
volumeBindingMode: ${mode}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: local, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
  const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: db }
spec: { nodeName: ${name}, containers: [{ name: a, image: a }], volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }] }
`;

  it('[PLA-20] finds a claim that waits for a pod to be scheduled which never is', () =>
    checkRule('node-name-bypasses-scheduler', {
      manifest: pod('‹node-a›'),
      others: { 'claim.yaml': claim('WaitForFirstConsumer') },
      severity: 'warning',
      message: 'nothing picks a node for claim data',
    }));

  it('[PLA-20] accepts one that is bound at once', () =>
    checkRule('node-name-bypasses-scheduler', {
      manifest: pod('node-a'),
      others: { 'claim.yaml': claim('Immediate') },
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
      others: {
        'nodes.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: bare }\nstatus: { allocatable: { cpu: 4 } }\n',
      },
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

  for (const [wrong, right] of [
    ['topology.kubernetes.io/zones', 'topology.kubernetes.io/zone'],
    ['kubernetes.io/host', 'kubernetes.io/hostname'],
    ['failure-domain.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ] as const) {
    it(`[PLA-9] finds a key that is nearly one of every cluster where no node is known: ${wrong}`, () => {
      const preferred = (key: string): string =>
        `affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: ${key}, labelSelector: { matchLabels: { app: db } } } }] } }`;
      return checkRule('missing-topology-key', {
        manifest: workload('db', { spec: [preferred(`‹${wrong}›`)] }),
        message: `Kubernetes gives nodes no label ${wrong}: there this term counts for nothing. Did you mean "${right}"?`,
        fixes: { [`Change to ${right}`]: workload('db', { spec: [preferred(right)] }) },
      });
    });
  }
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

  it('[PLA-1] tells of an operating system that nothing selects', async () => {
    const on = (os: string, ...more: readonly string[]): string => workload('db', { spec: [os, ...more] });
    const windows = { 'nodes.yaml': node('w', 'kubernetes.io/os: windows') };
    await check(on('‹os›: { name: windows }'), 'PodOSNotSupported). Select nodes with kubernetes.io/os: windows.');
    await check(on('os: { name: windows }', 'nodeSelector: { kubernetes.io/os: windows }'));
    await check(on('os: { name: linux }'));
    await check(on('‹os›: { name: linux }'), 'Select nodes with kubernetes.io/os: linux.', windows);
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
