import { checkHover } from './hover-case.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 100000
description: "For *checkout* only"
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: standard }
value: 1000
globalDefault: true
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: patient }
value: 1000
preemptionPolicy: Never
`;

const job = (name: string, priorityClassName: string): string => `apiVersion: batch/v1
kind: Job
metadata: { name: ${name} }
spec: { template: { spec: { priorityClassName: ${priorityClassName}, containers: [] } } }
`;

const deployment = (spec: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  template:
    spec:
${spec}      containers: []
`;

describe('hover', () => {
  it('[ED-1] [PRI-14] resolves a class: number, rung, policy, origin, description, who is above and below', () =>
    checkHover({
      manifest: deployment('      priorityClassName: ‹high›\n'),
      others: {
        'classes.yaml': classes,
        'jobs.yaml': `${job('low', 'standard')}---\n${job('top', 'system-node-critical')}`,
      },
      says: [
        '**Priority 100000**',
        '3rd highest of 4',
        'preempts lower priorities',
        'From PriorityClass [`high`](file:///classes.yaml#L3)',
        '> For \\*checkout\\* only',
        'Can preempt 1 workload: [`default/low`](file:///jobs.yaml#L3) (1000)',
        'Can be preempted by 1 workload: [`default/top`](file:///jobs.yaml#L8) (2000001000)',
        '▸     100000  high',
        '1000  patient, standard (global default)',
      ],
    }));

  it('[PRI-6] tells of the global default on a pod without a class', () =>
    checkHover({
      manifest: deployment('').replace('kind: Deployment', '‹kind›: Deployment'),
      others: { 'classes.yaml': classes },
      says: ['**Priority 1000**', 'No class is named, so it gets the global default [`standard`]'],
    }));

  it('[PRI-6] says 0 where there is no default', () =>
    checkHover({
      manifest: deployment('').replace('    spec:', '    ‹spec›:'),
      says: ['**Priority 0**', 'none is marked `globalDefault`'],
    }));

  it('[PRE-3] says that a class never preempts', () =>
    checkHover({
      manifest: deployment('      ‹priorityClassName›: patient\n'),
      others: { 'classes.yaml': classes },
      says: [
        '**Priority 1000**',
        'never preempts',
        'From PriorityClass [`patient`]',
        /^- Can be preempted by nothing/m,
      ],
    }));

  it('[PRI-5] knows the built-in classes', () =>
    checkHover({
      manifest: deployment('      priorityClassName: ‹system-cluster-critical›\n'),
      says: ['**Priority 2000000000**', 'From the built-in PriorityClass `system-cluster-critical`'],
    }));

  it('[PRI-4] does not call an unknown class refused while classes may be elsewhere', () =>
    checkHover({
      manifest: deployment('      priorityClassName: ‹nope›\n'),
      says: ['declared neither in the workspace nor in a cluster snapshot'],
    }));

  it('is headed by the field, with its values or its type', async () => {
    const cases = [
      ['preemptionPolicy: Never', '`preemptionPolicy` `PreemptLowerPriority`, `Never`'],
      ['priority: 5', '`priority` a whole number'],
    ] as const;
    for (const [line, title] of cases) {
      const manifest = deployment(`      ${line.replace(/(\w+)$/, '‹$1›')}\n`);
      await checkHover({ manifest, says: [new RegExp(`^${title}\n\n`)] });
    }
  });

  it('[PRI-7] shows what a refused pod would get', () =>
    checkHover({
      manifest: deployment('      priorityClassName: high\n      priority: ‹5›\n'),
      others: { 'classes.yaml': classes },
      says: ['refuses this pod', '**Priority 100000**'],
    }));

  it('[PRI-1] [PRI-11] explains a PriorityClass and who uses it', () =>
    checkHover({
      manifest: classes.replace('name: standard', 'name: ‹standard›'),
      others: { 'jobs.yaml': job('low', 'standard') },
      says: [
        '**PriorityClass `standard`**: 1000',
        'Global default',
        'Equal to `patient`',
        'Used by 1 workload: [`default/low`]',
      ],
    }));

  it('[PRI-8] takes the number of a running pod as it is, and none as 0', () =>
    checkHover({
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: ‹old› }\nspec: { nodeName: a, containers: [] }\nstatus: { phase: Running }\n',
      others: { 'classes.yaml': classes },
      says: ['**Priority 0**', 'As the running pod has it'],
    }));

  it('[PRI-15] says where a running pod has another number than its class', () =>
    checkHover({
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: ‹old› }\nspec: { nodeName: a, priority: 7, priorityClassName: high, containers: [] }\nstatus: { phase: Running }\n',
      others: { 'classes.yaml': classes },
      says: ['**Priority 7**', 'which gives new pods 100000: a pod keeps the number that it was created with'],
    }));

  it('[PRI-15] takes the number of a running pod that was written by hand from its class, as simulations do', () =>
    checkHover({
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: ‹old› }\nspec: { nodeName: a, priorityClassName: high, containers: [] }\nstatus: { phase: Running }\n',
      others: { 'classes.yaml': classes },
      says: ['**Priority 100000**', 'As the running pod has it'],
    }));

  it('[PRI-17] takes a class without a value for 0, as the API server does', () =>
    checkHover({
      manifest: deployment('      ‹priorityClassName›: bare\n'),
      others: { 'bare.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: bare }\n' },
      says: ['**Priority 0**', 'From PriorityClass [`bare`]'],
    }));

  const configuration = (profile: string): string =>
    `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [${profile}]\n`;

  it('[PRE-20] says that a scheduler does not preempt whose profile has no preemption', () =>
    checkHover({
      manifest: deployment('      schedulerName: calm\n      ‹priorityClassName›: high\n'),
      others: {
        'classes.yaml': classes,
        'config.yaml': configuration('{ schedulerName: calm, plugins: { postFilter: { disabled: [{ name: "*" }] } } }'),
        'low.yaml': job('low', 'standard'),
      },
      says: [
        /\*\*Priority 100000\*\* · (?:the|\d\w\w) highest of \d\n/,
        'The profile of `calm` has no preemption: its pods evict no others',
        /^- Can be preempted by/m,
      ],
    }));

  it('[PRE-20] does not know whether a scheduler preempts that nobody declares', () =>
    checkHover({
      manifest: deployment('      schedulerName: theirs\n      ‹priorityClassName›: high\n'),
      others: { 'classes.yaml': classes },
      says: ['Scheduler `theirs` is not declared here: whether and how it preempts is not known.'],
    }));

  it('[PLA-5] tells the node affinity that the profile of a scheduler adds', () =>
    checkHover({
      manifest: deployment('      ‹priorityClassName›: high\n'),
      others: {
        'classes.yaml': classes,
        'config.yaml': configuration(
          '{ pluginConfig: [{ name: NodeAffinity, args: { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [a, b] }] }] } } } }] }',
        ),
      },
      says: ['The profile of `default-scheduler` adds node affinity to its pods: it requires `pool In (a, b)`'],
    }));

  it('says that priority never preempts for devices', () =>
    checkHover({
      manifest: deployment(
        '      resourceClaims: [{ name: gpu, resourceClaimName: gpu }]\n      ‹priorityClassName›: high\n',
      ),
      others: { 'classes.yaml': classes },
      says: ['Priority never preempts for devices'],
    }));

  it('[EVI-2] [EVI-6] tells what a budget allows, what it holds for and what not', () =>
    checkHover({
      manifest: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ‹web›, namespace: shop }
spec: { minAvailable: 50%, selector: { matchLabels: { app: web } } }
`,
      others: {
        'web.yaml': deployment('').replace(
          'spec:\n  template:\n',
          'spec:\n  replicas: 3\n  template:\n    metadata: { labels: { app: web } }\n',
        ),
        'classes.yaml': classes,
        'top.yaml': deployment('      priorityClassName: high\n').replace('name: web', 'name: top'),
      },
      says: [
        '**PodDisruptionBudget `web`**: allows 1 disruption',
        'Selects pods of [`shop/web`](file:///web.yaml#L4)',
        '3 pods, of which 2 must stay healthy',
        'Holds for `kubectl drain`',
        'Preemption only prefers to keep it: 1 workload of higher priority',
        'Does not hold for node pressure',
      ],
    }));

  const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 6 }
`;

  for (const [name, budgets, answer, other] of [
    ['[EVI-3] says that an eviction is granted without a budget', [], 'Eviction: always granted'],
    [
      '[EVI-2] says how many evictions a budget grants',
      ['maxUnavailable: 1'],
      'Eviction: granted for 1 pod at a time, by [`shop/b0`]',
    ],
    ['[EVI-5] says that a budget refuses every eviction', ['maxUnavailable: 0'], 'Eviction: refused with 429 for ever'],
    [
      '[EVI-5] says that an autoscaler may change that',
      ['minAvailable: 2'],
      'Eviction: refused with 429 while the autoscaler is at its minimum, as [`shop/b0`]',
      autoscaler,
    ],
    [
      '[EVI-2] [EVI-5] says that two budgets are one too many',
      ['maxUnavailable: 1', 'maxUnavailable: 1'],
      'Eviction: refused with 500',
    ],
  ] as const) {
    it(name, () =>
      checkHover({
        manifest: deployment('')
          .replace('kind: Deployment', '‹kind›: Deployment')
          .replace('  template:\n', '  template:\n    metadata: { labels: { app: web } }\n'),
        others: {
          ...(other === undefined ? {} : { 'other.yaml': other }),
          ...Object.fromEntries(
            budgets.map((bound, index) => [
              `b${index}.yaml`,
              `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: b${index}, namespace: shop }
spec: { ${bound}, selector: { matchLabels: { app: web } } }
`,
            ]),
          ),
        },
        says: ['**Priority 0**', answer],
      }),
    );
  }

  it('[PRI-13] tells whom a quota is about and what they ask for', () =>
    checkHover({
      manifest: `apiVersion: v1
kind: ResourceQuota
metadata: { name: ‹low›, namespace: shop }
spec:
  hard: { requests.cpu: "1" }
  scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [high] }] }
`,
      others: {
        'classes.yaml': classes,
        'web.yaml': deployment('      priorityClassName: high\n')
          .replace('  template:', '  replicas: 3\n  template:')
          .replace('containers: []', 'containers: [{ name: a, image: a, resources: { requests: { cpu: 500m } } }]'),
        'other.yaml': deployment('').replace('name: web', 'name: other'),
      },
      says: ['scope `PriorityClass In high`', 'It is about [`shop/web`]', 'requests.cpu  1500m of 1  exceeded'],
    }));

  it('[GATE-1] says what a gated pod is, and what may be done to it', () =>
    checkHover({
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  ‹schedulingGates›: [{ name: x/a }]\n  containers: []\n',
      says: ['**Gated** by 1 gate: `x/a`', 'SchedulingGated', 'none added'],
    }));

  it('[ED-7] says what a field is for that decides nothing about scheduling', () =>
    checkHover({
      manifest: deployment('').replace('containers: []', 'containers: [{ command: [‹app›] }]'),
      says: [/^`command` text\n\nThe program, in place of the entry point of the image\.$/],
    }));

  it('[#41] says which minors have a field that the one in use lacks', () =>
    checkHover({
      manifest: deployment('      ‹workloadRef›: { name: a }\n'),
      says: [/^This field exists in Kubernetes 1\.35 only\.$/],
    }));

  it('says nothing of a field that no minor has', () =>
    checkHover({ manifest: deployment('      ‹colour›: red\n'), says: [] }));

  it('keeps markup in names and descriptions apart', () =>
    checkHover({
      manifest: deployment('      priorityClassName: ‹evil›\n'),
      others: {
        'classes.yaml':
          'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: evil }\nvalue: 1\ndescription: "[x](command:evil) <img src=x>"\n',
      },
      says: ['> \\[x\\]\\(command:evil\\) \\<img src=x\\>'],
    }));

  for (const [name, manifest] of [
    [
      'a kind that is not ours',
      'apiVersion: example.com/v1\nkind: Pod\nmetadata: { name: ‹x› }\nspec: { containers: [] }\n',
    ],
    ['a template of Helm', deployment('      priorityClassName: ‹{{ .Values.class }}›\n')],
  ] as const) {
    it(`says nothing about ${name}`, () => checkHover({ manifest, says: [] }));
  }
});
