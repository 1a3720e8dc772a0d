import { checkRule } from './check-rule.ts';

const workload = (kind: string, spec: string, pod = ''): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
${spec}  template:
    metadata: { labels: { app: web } }
    spec:
${pod}      containers: [{ name: "🦄", image: a }]
`;

const job = (spec: string, pod = '      restartPolicy: Never\n'): string => `apiVersion: batch/v1
kind: Job
metadata: { name: web }
spec:
${spec}  template:
    spec:
${pod}      containers: [{ name: a, image: a }]
`;

const cronJob = (spec: string): string => `apiVersion: batch/v1
kind: CronJob
metadata: { name: web }
spec:
${spec}  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } } }
`;

describe('invalid-workload', () => {
  for (const [name, manifest, message] of [
    [
      'a selector that misses the template',
      workload('Deployment', '').replace('{ labels: { app: web }', '{ ‹labels›: { app: website }'),
      '`selector` does not match template `labels`',
    ],
    ['a negative number', workload('StatefulSet', '  replicas: ‹-1›\n'), 'spec.replicas: Invalid value: -1'],
    ['a restart policy', workload('DaemonSet', '', '      restartPolicy: ‹OnFailure›\n'), 'supported values: "Always"'],
    [
      'a strategy, at its type',
      workload('Deployment', '  strategy: { type: ‹BlueGreen› }\n'),
      'spec.strategy: Unsupported value',
    ],
    [
      'a rollout that cannot move',
      workload('Deployment', '  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: ‹0› } }\n'),
      'may not be 0 when `maxSurge` is 0',
    ],
    [
      'a deadline that is only a default, at what passes it',
      workload('Deployment', '  minReadySeconds: ‹900›\n'),
      'must be greater than minReadySeconds',
    ],
    ['a job that never ends', job('', '      restartPolicy: ‹Always›\n'), 'valid values: "OnFailure", "Never"'],
    [
      'a job with a selector of its own',
      job('  ‹selector›: { matchLabels: { app: web } }\n'),
      '`selector` not auto-generated',
    ],
    ['a schedule', cronJob('  schedule: ‹"0 3 * * 7"›\n'), 'end of range (7) above maximum (6)'],
    ['a name', workload('StatefulSet', '').replace('name: web', 'name: ‹web.db›'), 'must not contain dots'],
  ] as const) {
    it(`points at ${name}`, () => checkRule('invalid-workload', { manifest, severity: 'error', message }));
  }

  it('[ED-7] points at a claim without a name where it is written, not in the pod', () =>
    checkRule('invalid-pod', {
      manifest: workload(
        'StatefulSet',
        '  volumeClaimTemplates:\n  - ‹metadata›:\n    spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n',
      ).replace('🦄', 'a'),
      severity: 'error',
      message: 'claimName: Required value',
    }));

  it('warns of what a whole manifest lacks, for it may be a patch', async () => {
    await checkRule('invalid-workload', {
      manifest: job('', '').replace('    spec:', '    ‹spec›:'),
      severity: 'warning',
      message: 'restartPolicy: Required value',
    });
    const bare = workload('Deployment', '')
      .replace('  selector: { matchLabels: { app: web } }\n', '')
      .replace('spec:', '‹spec›:');
    await checkRule('invalid-workload', {
      manifest: bare,
      severity: 'warning',
      message: 'spec.selector: Required value',
    });
    await checkRule('invalid-workload', {
      manifest: cronJob('').replace('spec:', '‹spec›:'),
      severity: 'warning',
      message: 'spec.schedule: Required value',
    });
  });

  it('leaves patches alone', async () => {
    const patch = workload('Deployment', '  minReadySeconds: 900\n').replace(
      '  selector: { matchLabels: { app: web } }\n',
      '',
    );
    await checkRule('invalid-workload', { manifest: patch.replace(', image: a', '') });
    await checkRule('invalid-workload', { manifest: patch.replace('    metadata: { labels: { app: web } }\n', '') });
    await checkRule('invalid-workload', {
      manifest:
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 3, strategy: { rollingUpdate: { maxSurge: 0 } } }\n',
    });
    await checkRule('invalid-workload', {
      manifest: 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: web }\nspec: { backoffLimit: 1 }\n',
    });
  });

  it('leaves placeholders alone, and what the server has accepted', async () => {
    await checkRule('invalid-workload', { manifest: workload('Deployment', '').replace('name: web', 'name: ${APP}') });
    const stored = job('  selector: { matchLabels: { batch.kubernetes.io/controller-uid: b } }\n').replace(
      'name: web',
      'name: web, uid: b',
    );
    await checkRule('invalid-workload', { manifest: stored });
  });

  it('says nothing of an object that cannot be read, nor twice what is said of the pod', async () => {
    await checkRule('invalid-workload', {
      manifest: workload('Deployment', '  replicas: three\n').replace('app: web }', 'app: [web] }'),
    });
    await checkRule('invalid-workload', { manifest: workload('Deployment', '', '      restartPolicy: Maybe\n') });
  });
});

describe('immutable-workload-field', () => {
  const wide = workload('Deployment', '').replaceAll('app: web', 'app: web, tier: front');

  it('warns of another selector, and is sure when the cluster has the old one', async () => {
    const manifest = wide.replace('selector', '‹selector›');
    const committed = { 'manifest.yaml': workload('Deployment', '') };
    await checkRule('immutable-workload-field', {
      manifest,
      committed,
      severity: 'warning',
      message: 'field is immutable (compared with git HEAD)',
    });
    await checkRule('immutable-workload-field', {
      manifest,
      snapshot: workload('Deployment', ''),
      severity: 'error',
      message: 'the cluster snapshot',
    });
  });

  it('points at the part of a StatefulSet', () =>
    checkRule('immutable-workload-field', {
      manifest: workload('StatefulSet', '  serviceName: ‹web-headless›\n'),
      committed: { 'manifest.yaml': workload('StatefulSet', '  serviceName: web\n') },
      message: "for fields other than 'replicas'",
    }));

  it('leaves the template of a job to tools that make it anew, and to the cluster', async () => {
    const manifest = job('').replace('image: a', 'image: b');
    const committed = { 'manifest.yaml': job('') };
    await checkRule('immutable-workload-field', {
      manifest: manifest.replace('image: b', 'image: ‹b›'),
      committed,
      message: 'spec.template: Invalid value',
    });
    await checkRule('immutable-workload-field', {
      manifest: manifest.replace('name: web', 'name: web, annotations: { helm.sh/hook: pre-install }'),
      committed,
    });
    await checkRule('immutable-workload-field', { manifest, snapshot: job('') });
  });

  it('accepts other replicas and images', () =>
    checkRule('immutable-workload-field', {
      manifest: workload('Deployment', '  replicas: 5\n').replace('image: a', 'image: b'),
      committed: { 'manifest.yaml': workload('Deployment', '') },
    }));
});
