import { checkRule } from './check-rule.ts';

const pod = (spec: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
${spec}  containers: [{ name: a, image: a }]
`;

const template = (kind: string, spec: string, image = 'image: a'): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
${spec}      containers: [{ name: a, ${image} }]
`;

const cronJob = (spec: string): string => `apiVersion: batch/v1
kind: CronJob
metadata: { name: report }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
${spec}          containers: [{ name: a, image: a }]
`;

describe('what the API server says of pods', () => {
  for (const [name, code, manifest, message] of [
    [
      '[GATE-1] a gate listed twice',
      'invalid-scheduling-gates',
      pod('  schedulingGates: [{ name: x/a }, { name: ‹x/a› }]\n'),
      'Duplicate value: "x/a"',
    ],
    [
      '[GATE-1] a node for a gated pod',
      'invalid-scheduling-gates',
      pod('  schedulingGates: [{ name: x/a }]\n  nodeName: ‹node-a›\n'),
      'cannot be set until all schedulingGates have been cleared',
    ],
    [
      '[PLA-1] a selector in a template',
      'invalid-node-selector',
      template('Deployment', '      nodeSelector: { disk: ‹"very fast"› }\n'),
      'spec.template.spec.nodeSelector: Invalid value: "very fast"',
    ],
    [
      '[PLA-2] a weight',
      'invalid-node-affinity',
      pod(
        '  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: ‹200›, preference: {} }] } }\n',
      ),
      'must be in the range 1-100',
    ],
    [
      '[PLA-3] an operator',
      'invalid-node-affinity',
      pod(
        '  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: ‹Is› }] }] } } }\n',
      ),
      'not a valid selector operator',
    ],
    [
      '[PLA-12] a skew in the template of a CronJob',
      'invalid-topology-spread',
      cronJob(
        '          topologySpreadConstraints: [{ maxSkew: ‹0›, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {} }]\n',
      ),
      'spec.jobTemplate.spec.template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    ],
    [
      '[PLA-13] a toleration',
      'invalid-toleration',
      template('DaemonSet', '      tolerations: [{ ‹operator›: Equal, value: x }]\n').replace(
        '‹operator›: Equal',
        'operator: ‹Equal›',
      ),
      'operator must be Exists when `key` is empty',
    ],
    ['an overhead', 'invalid-resources', pod('  overhead: { cpu: ‹"-1"› }\n'), 'must be greater than or equal to 0'],
    [
      '[PRE-3] a preemption policy',
      'invalid-pod',
      pod('  preemptionPolicy: ‹Sometimes›\n'),
      'supported values: "PreemptLowerPriority", "Never"',
    ],
  ] as const) {
    it(`refuses ${name.replace(/\[.*?\] /, '')} ${(/\[.*?\]/.exec(name) ?? [''])[0]}`.trim(), () =>
      checkRule(code, { manifest, severity: 'error', message }),
    );
  }

  it('[PLA-9] points at an empty topology key, once', () =>
    checkRule('invalid-pod-affinity', {
      manifest: pod(
        '  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ‹""›, labelSelector: {} }] } }\n',
      ),
      message: 'topologyKey: Required value: can not be empty',
    }));

  it('[PLA-10] judges `matchLabelKeys` after they are merged', () =>
    checkRule('invalid-pod-affinity', {
      manifest: pod(
        '  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, matchLabelKeys: [app], labelSelector: { matchLabels: { tier: web } } }] } }\n',
      ),
    }));

  it('counts UTF-16 units on the line of the value', () =>
    checkRule('unknown-priority-class', {
      manifest:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { hostname: "🦄🦄", priorityClassName: ‹nope›, containers: [] }\n',
    }));

  it('looks into the items of a List', () =>
    checkRule('invalid-pod', {
      manifest: `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Pod
    metadata: { name: a }
    spec: { restartPolicy: ‹Maybe›, containers: [{ name: a, image: a }] }
  - apiVersion: v1
    kind: Pod
    metadata: { name: b }
    spec: { containers: [{ name: a, image: a }] }
`,
    }));

  it('reports a container without an image', () =>
    checkRule('invalid-pod', {
      manifest: template('Deployment', '', 'env: []').replace('[{ name: a', '[{ ‹name›: a'),
      message: 'image: Required value',
    }));

  it('does not miss in a patch what patches leave out', () =>
    checkRule('invalid-pod', {
      manifest: template('Deployment', '', 'env: []').replace('  selector: { matchLabels: { app: web } }\n', ''),
    }));

  it('expects of a patch neither volumes nor what goes together with them', () =>
    checkRule('invalid-pod', {
      manifest: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      initContainers: [{ name: b, livenessProbe: { httpGet: { port: 80 } } }]
      containers:
        - name: a
          env: [{ name: A, valueFrom: { secretKeyRef: { key: k } } }]
          readinessProbe: { periodSeconds: 5, httpGet: { path: /ready } }
          lifecycle: { preStop: { sleep: { seconds: 60 } } }
          volumeMounts: [{ name: data, mountPath: /data, recursiveReadOnly: Enabled }]
          securityContext: { procMount: Unmasked, windowsOptions: { hostProcess: true } }
`,
    }));

  it('points at a sub-path of a patch that is wrong in any case', () =>
    checkRule('invalid-pod', {
      manifest: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      containers: [{ name: a, volumeMounts: [{ name: data, mountPath: /data, subPath: ‹../x› }] }]
`,
      message: 'volumeMounts.subPath: Invalid value: "../x": must not contain \'..\'',
    }));

  it('points at a mount of no volume, and knows the claims of a StatefulSet', async () => {
    const mounting = (name: string): string =>
      template('StatefulSet', '').replace('image: a', `image: a, volumeMounts: [{ name: ${name}, mountPath: /data }]`);
    const claims = '  volumeClaimTemplates: [{ metadata: { name: data }, spec: {} }]\n';
    await checkRule('invalid-pod', { manifest: mounting('data') + claims });
    await checkRule('invalid-pod', {
      manifest: mounting('‹logs›') + claims,
      message: 'volumeMounts[0].name: Not found: "logs"',
    });
  });

  it('does not miss a value whose type is wrong', () =>
    checkRule('invalid-pod', {
      manifest: pod('  volumes: [{ name: a, fc: { targetWWNs: [a], lun: <LUN> } }]\n').replace(
        'image: a',
        'image: a, volumeMounts: [{ name: a, mountPath: /a }]',
      ),
    }));

  it('leaves alone what is still to be filled in', async () => {
    await checkRule('invalid-pod', {
      manifest: pod('  hostAliases: [{ ip: "${IP}", hostnames: [<host>] }]\n  hostname: __NAME__\n'),
    });
    await checkRule('invalid-pod', {
      manifest: pod('  hostname: ‹web@1›\n'),
      message: 'spec.hostname: Invalid value: "web@1"',
    });
  });

  it('leaves the record of a running pod alone', () =>
    checkRule('invalid-pod', { manifest: `${pod('  preemptionPolicy: Sometimes\n')}status: { phase: Running }\n` }));
});

describe('immutable-pod-field', () => {
  it('warns of another selector on a pod that is not gated', () =>
    checkRule('immutable-pod-field', {
      manifest: pod('  nodeSelector: { disk: ‹hdd› }\n'),
      committed: { 'manifest.yaml': pod('  nodeSelector: { disk: ssd }\n') },
      severity: 'warning',
      message: 'pod updates may not change fields other than',
    }));

  it('accepts another image, and the removal of a gate', () =>
    checkRule('immutable-pod-field', {
      manifest: pod('').replace('image: a', 'image: b'),
      committed: { 'manifest.yaml': pod('  schedulingGates: [{ name: x/a }]\n') },
    }));
});
