import { checkFixAll, checkRule } from './check-rule.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 100000
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: polite
value: 500
preemptionPolicy: Never
`;

const systemClasses = `apiVersion: v1
kind: List
items:
  - apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: { name: system-cluster-critical }
    value: 2000000000
  - apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: { name: system-node-critical }
    value: 2000001000
`;

const pod = (spec: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
${spec}  containers:
    - name: web
      image: nginx
`;

describe('unknown-priority-class', () => {
  it('leaves what can be no name to the rule about that', () =>
    checkRule('unknown-priority-class', { manifest: pod('  priorityClassName: High_1\n') }));

  it('[PRI-4] takes two letters that changed places for one slip, and offers the nearest ones or a new one', () =>
    checkRule('unknown-priority-class', {
      manifest: pod('  priorityClassName: ‹hihg›\n'),
      others: { 'classes.yaml': classes },
      severity: 'warning',
      message: 'No PriorityClass named "hihg" is declared; did you mean high?',
      fixes: {
        'Use PriorityClass high (100000)': pod('  priorityClassName: high\n'),
        'Create PriorityClass hihg': {
          'classes.yaml': `${classes}---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: hihg
value: 0
description: ""
`,
        },
      },
    }));

  it('[PRI-3] counts a class that the API server refuses as one that there is not, and shows it', () =>
    checkRule('unknown-priority-class', {
      manifest: pod('  priorityClassName: ‹huge›\n'),
      others: {
        'classes.yaml':
          'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ‹huge› }\nvalue: 2000000000\n',
      },
      severity: 'information',
      message: 'The API server refuses PriorityClass "huge" as it is declared',
    }));

  it('[PRI-17] knows a class without a value', () =>
    checkRule('unknown-priority-class', {
      manifest: pod('  priorityClassName: bare\n'),
      others: { 'bare.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: bare }\n' },
    }));

  it('[PRI-4] is an error once the snapshot shows every class', () =>
    checkRule('unknown-priority-class', {
      manifest: pod('  priorityClassName: "‹x›"\n').replace('"‹x›"', '‹"hihg"›'),
      snapshot: systemClasses,
      severity: 'error',
      message: 'The API server refuses this pod: no PriorityClass with name hihg was found.',
    }));

  it('[PRI-4] looks into the template of a CronJob', () =>
    checkRule('unknown-priority-class', {
      manifest: `apiVersion: batch/v1
kind: CronJob
metadata: { name: report }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          priorityClassName: ‹nightly›
          restartPolicy: Never
          containers: [{ name: report, image: report }]
`,
    }));

  for (const [name, manifest] of [
    ['a class that exists', pod('  priorityClassName: high\n')],
    ['a built-in class', pod('  priorityClassName: system-node-critical\n')],
    ['an empty name', pod("  priorityClassName: ''\n")],
    ['a variable', pod('  priorityClassName: ${PRIORITY_CLASS}\n')],
    ['a Helm template', pod('  priorityClassName: {{ .Values.priorityClass }}\n')],
    ['a kind that is not ours', pod('  priorityClassName: nope\n').replace('v1', 'example.com/v1')],
    [
      'a PodTemplate',
      'apiVersion: v1\nkind: PodTemplate\nmetadata: { name: t }\ntemplate: { spec: { priorityClassName: nope } }\n',
    ],
  ] as const) {
    it(`says nothing about ${name}`, () =>
      checkRule('unknown-priority-class', { manifest, others: { 'classes.yaml': classes } }));
  }
});

describe('priority-mismatch', () => {
  it('[PRI-7] refuses another number than that of the class', () =>
    checkRule('priority-mismatch', {
      manifest: pod('  priorityClassName: high\n  priority: ‹7›\n'),
      others: { 'classes.yaml': classes.replace('value: 100000', 'value: ‹100000›') },
      severity: 'error',
      message:
        'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 100000 from the given PriorityClass name',
      fixes: { 'Remove `priority`: the class decides it': pod('  priorityClassName: high\n') },
    }));

  it('[PRI-7] warns only, where a default class elsewhere could make it right', () =>
    checkRule('priority-mismatch', { manifest: pod('  priority: ‹7›\n'), severity: 'warning' }));

  it('[PRI-7] accepts the number of the class', () =>
    checkRule('priority-mismatch', {
      manifest: pod('  priorityClassName: high\n  priority: 100000\n'),
      others: { 'classes.yaml': classes },
    }));

  it('[PRI-9] leaves pods alone that run already', () =>
    checkRule('priority-mismatch', {
      manifest: `${pod('  priorityClassName: high\n  priority: 7\n')}status: { phase: Running }\n`,
      others: { 'classes.yaml': classes },
    }));

  it('is repaired by "fix all"', () =>
    checkFixAll(pod('  priorityClassName: high\n  priority: 7 # why\n'), pod('  priorityClassName: high\n'), {
      others: { 'classes.yaml': classes },
    }));
});

describe('preemption-policy-mismatch', () => {
  it('[PRI-7] refuses another policy than that of the class', () =>
    checkRule('preemption-policy-mismatch', {
      manifest: pod('  priorityClassName: polite\n  preemptionPolicy: ‹PreemptLowerPriority›\n'),
      others: { 'classes.yaml': classes.replace('preemptionPolicy: Never', 'preemptionPolicy: ‹Never›') },
      severity: 'error',
      message: 'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec',
      fixes: { 'Remove `preemptionPolicy`: the class decides it': pod('  priorityClassName: polite\n') },
    }));
});

describe('reserved-class-name', () => {
  const reserved = (name: string): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: ${name}
value: 1000
`;

  it('[PRI-2] [ED-2] refuses a name with the prefix and renames it everywhere', () =>
    checkRule('reserved-class-name', {
      manifest: reserved('‹system-shop›'),
      others: { 'pod.yaml': pod('  priorityClassName: "system-shop"\n') },
      severity: 'error',
      message: "priority class names with 'system-' prefix are reserved for system use only",
      fixes: {
        'Rename to shop everywhere': {
          'manifest.yaml': reserved('shop'),
          'pod.yaml': pod('  priorityClassName: "shop"\n'),
        },
      },
    }));

  it('[PRI-5] accepts a built-in class with its own value', () =>
    checkRule('reserved-class-name', { manifest: systemClasses }));
});

describe('class-value-out-of-range', () => {
  it('[PRI-3] refuses a value above 1000000000', () =>
    checkRule('class-value-out-of-range', {
      manifest: classes.replace('100000\n', '‹1000000001›\n'),
      severity: 'error',
      message: 'maximum allowed value of a user defined priority is 1000000000',
      fixes: { 'Lower the value to 1000000000, the highest allowed': classes.replace('100000\n', '1000000000\n') },
    }));
});

describe('several-global-defaults', () => {
  const two = (first: string, second: string): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: a }
value: 1
globalDefault: ${first}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: b }
value: 2
globalDefault: ${second}
`;

  it('[PRI-6] refuses a second default in one file', () =>
    checkRule('several-global-defaults', {
      manifest: two('‹true›', '‹true›'),
      severity: 'error',
      message: 'is already marked as default. Only one default can exist',
      fixes: { 'Do not make this class the global default': two('false', 'true') },
    }));

  it('[PRI-6] warns of one in another file, which may be for another cluster', () =>
    checkRule('several-global-defaults', {
      manifest: two('‹true›', 'false'),
      others: {
        'other.yaml':
          'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: c }\nvalue: 3\nglobalDefault: ‹true›\n',
      },
      severity: 'warning',
    }));

  it('[PRI-6] accepts one default', () => checkRule('several-global-defaults', { manifest: two('true', 'false') }));
});

describe('preemption-policy-mismatch', () => {
  it('leaves a policy that there is not to the rule about that', () =>
    checkRule('preemption-policy-mismatch', { manifest: pod('  preemptionPolicy: never\n') }));
});
