import { checkRule } from './check-rule.ts';

const pod = (spec: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
${spec}  containers:
    - name: web
      image: nginx
`;

describe('unknown-field', () => {
  it('reports a misspelled field at its key, and renames it', () =>
    checkRule('unknown-field', {
      manifest: pod('  ‹priorityClasName›: high\n'),
      severity: 'error',
      message: 'strict decoding error: unknown field "spec.priorityClasName". Did you mean "priorityClassName"?',
      fixes: { 'Change to priorityClassName': pod('  priorityClassName: high\n') },
    }));

  it('reports a field in the wrong case', () =>
    checkRule('unknown-field', {
      manifest: pod('  ‹nodeselector›: { disk: ssd }\n'),
      message: 'Did you mean "nodeSelector"?',
    }));

  it('moves a field that stands a level too high or too low', async () => {
    await checkRule('unknown-field', {
      manifest: pod('  ‹readOnlyRootFilesystem›: true\n').replace(
        '  containers',
        '  securityContext: {}\n  containers',
      ),
      message: 'unknown field "spec.readOnlyRootFilesystem"',
    });
    await checkRule('unknown-field', {
      manifest: pod('  ‹runAsUser›: 5\n'),
      message: 'It belongs in "spec.securityContext".',
      fixes: { 'Move into "spec.securityContext"': pod('  securityContext:\n    runAsUser: 5\n') },
    });
    await checkRule('unknown-field', {
      manifest: `${pod('')}      ‹hostNetwork›: true\n`,
      message: 'It belongs in "spec".',
    });
  });

  it('[#40] takes out what holds a field that belongs where it stands: `source` of claims, until Kubernetes 1.30', async () => {
    const claims = (entry: string): string => pod(`  resourceClaims:\n    - name: gpu\n      ${entry}\n`);
    for (const source of ['source›:\n        resourceClaimName: one', 'source›: { resourceClaimName: one }']) {
      await checkRule('unknown-field', {
        manifest: claims(`‹${source}`),
        message: 'Did you mean "resourceClaimName"?',
        fixes: { 'Change to resourceClaimName': claims('resourceClaimName: one') },
      });
    }
    await checkRule('unknown-field', {
      manifest: claims('‹source›: { name: other }'),
      message: /unknown field "spec.resourceClaims\[0\].source"$/,
    });
  });

  it('proposes no field that the chosen Kubernetes does not have', async () => {
    const node = (version: string): string =>
      `apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { nodeInfo: { kubeletVersion: ${version} } }\n`;
    const misspelled = pod('  ‹schedulinggroup›: { podGroupName: a }\n');
    await checkRule('unknown-field', {
      manifest: misspelled,
      others: { 'node.yaml': node('v1.34.0') },
      message: /unknown field "spec.schedulinggroup"$/,
    });
    await checkRule('unknown-field', {
      manifest: misspelled,
      others: { 'node.yaml': node('v1.36.0') },
      message: 'Did you mean "schedulingGroup"?',
      fixes: { 'Change to schedulingGroup': pod('  schedulingGroup: { podGroupName: a }\n') },
    });
  });

  it('leaves the directives of patches alone, and tells a field of other minors', async () => {
    await checkRule('unknown-field', { manifest: pod('  $patch: replace\n') });
    await checkRule('unknown-field', {
      manifest: pod('  ‹workloadRef›: { name: a, podGroup: b }\n'),
      severity: 'information',
      message: 'This field exists in Kubernetes 1.35 only.',
    });
  });
});

describe('kind-not-served', () => {
  const job = (version: string): string =>
    `apiVersion: ${version}\nkind: CronJob\nmetadata:\n  name: w\nspec:\n  schedule: "* * * * *"\n`;

  it('names the version to use, and writes it where the fields are the same', () =>
    checkRule('kind-not-served', {
      manifest: job('‹batch/v1beta1›'),
      severity: 'error',
      message: 'no matches for kind "CronJob" in version "batch/v1beta1". Kubernetes serves it as batch/v1.',
      fixes: { 'Change to batch/v1': job('batch/v1') },
    }));

  it('knows a kind that is only misspelled', () =>
    checkRule('kind-not-served', {
      manifest: 'apiVersion: scheduling.k8s.io/v1\nkind: ‹Priorityclass›\nmetadata:\n  name: a\nvalue: 1\n',
      fixes: {
        'Change to PriorityClass':
          'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: a\nvalue: 1\n',
      },
    }));

  it('leaves the kinds of others alone', async () => {
    await checkRule('kind-not-served', { manifest: 'apiVersion: example.com/v1\nkind: Pod\nmetadata:\n  name: a\n' });
    await checkRule('kind-not-served', { manifest: 'apiVersion: v1\nkind: Config\nclusters: []\n' });
    await checkRule('kind-not-served', { manifest: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n' });
  });
});
