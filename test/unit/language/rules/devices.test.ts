import { describe, it } from 'mocha';
import { checkRule } from './check-rule.ts';

const template = `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: { name: one, namespace: ml }
spec: { spec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: gpu.nvidia.com } }] } } }
`;

const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: gpus, namespace: ml }
spec: { hard: { requests.nvidia.com/gpu: "4" } }
`;

const claims = `apiVersion: apps/v1
kind: Deployment
metadata: { name: train, namespace: ml }
spec:
  selector: { matchLabels: { app: train } }
  template:
    metadata: { labels: { app: train } }
    spec:
      ‹resourceClaims›: [{ name: gpu, resourceClaimTemplateName: one }]
      containers: [{ name: c, image: x, resources: { claims: [{ name: gpu }] } }]
`;

const requests = (name: string, resource = 'nvidia.com/gpu'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ml }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: c, image: x, resources: { limits: { ${resource}: 1 } } }] }
`;

const loss =
  'Before Kubernetes 1.38 priority never preempts for a claim, as it does for nvidia.com/gpu of a device plugin';

describe('claim-loses-preemption', () => {
  it('[PLA-21] says what a workload loses that moves from a device plugin to a claim', async () => {
    await checkRule('claim-loses-preemption', {
      manifest: claims,
      others: { 'template.yaml': template },
      committed: { 'manifest.yaml': requests('train') },
      severity: 'information',
      message: `This moves from nvidia.com/gpu to a claim of devices. ${loss}.`,
    });
  });

  it('[PLA-21] calls what has no name yet by what its name begins with (#36)', async () => {
    await checkRule('claim-loses-preemption', {
      manifest: claims,
      others: { 'template.yaml': template, 'old.yaml': requests('old').replace('{ name: old', '{ generateName: old-') },
      severity: 'information',
      message: `requested as nvidia.com/gpu by Deployment ml/old-. ${loss}.`,
    });
  });

  it('[#40] names those of one name once', async () => {
    await checkRule('claim-loses-preemption', {
      manifest: claims,
      others: { 'template.yaml': template, 'old.yaml': requests('old'), 'copy.yaml': requests('old') },
      severity: 'information',
      message: `requested as nvidia.com/gpu by Deployment ml/old. ${loss}.`,
    });
  });

  it('[PLA-21] says so where both forms are seen, and which quota counts one of them', async () => {
    await checkRule('claim-loses-preemption', {
      manifest: claims,
      others: { 'template.yaml': template, 'old.yaml': requests('old'), 'quota.yaml': quota },
      severity: 'information',
      message: `requested as nvidia.com/gpu by Deployment ml/old. ${loss}, and ResourceQuota gpus does not count claims: that needs gpu.nvidia.com.deviceclass.resource.k8s.io/devices.`,
    });
  });

  it('[PLA-21] knows that since 1.36 a quota of a resource counts claims of the class behind it', async () => {
    const behind = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: gpu.nvidia.com }
spec: { extendedResourceName: nvidia.com/gpu }
`;
    const node = `apiVersion: v1
kind: Node
metadata: { name: n }
status: { nodeInfo: { kubeletVersion: v1.36.1 }, allocatable: { nvidia.com/gpu: "8" } }
`;
    const others = {
      'template.yaml': template,
      'old.yaml': requests('old'),
      'quota.yaml': quota,
      'class.yaml': behind,
    };
    const check = (kubelet: string, message: string) =>
      checkRule('claim-loses-preemption', {
        manifest: claims,
        others: { ...others, 'node.yaml': node.replace('v1.36.1', kubelet) },
        severity: 'information',
        message,
      });
    await check('v1.36.1', `${loss}.`);
    await check('v1.35.6', `${loss}, and ResourceQuota gpus does not count claims`);
  });

  it('[PLA-21] says nothing where the class itself gives the resource, and no device plugin', async () => {
    const behind = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: gpu.nvidia.com }
spec: { extendedResourceName: nvidia.com/gpu }
`;
    await checkRule('claim-loses-preemption', {
      manifest: claims.replace(/[‹›]/g, ''),
      others: { 'template.yaml': template, 'old.yaml': requests('old'), 'class.yaml': behind },
    });
  });

  it('[PLA-21] says nothing of other devices', async () => {
    await checkRule('claim-loses-preemption', {
      manifest: claims.replace(/[‹›]/g, ''),
      others: { 'template.yaml': template, 'old.yaml': requests('old', 'example.com/fpga') },
    });
    // Of the same vendor.
    await checkRule('claim-loses-preemption', {
      manifest: claims.replace(/[‹›]/g, ''),
      others: { 'template.yaml': template, 'old.yaml': requests('old', 'nvidia.com/pgpu') },
    });
  });
});

describe('unknown-device-name', () => {
  const code = 'unknown-device-name';
  const classes = {
    'class.yaml': `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: gpu.nvidia.com }
spec: {}
`,
  };
  const asking = (name: string): string => template.replace('gpu.nvidia.com', name);

  it('[#40] says which class is meant, and nothing of those that may come with drivers', async () => {
    await checkRule(code, {
      manifest: asking('‹gpu.nvidai.com›'),
      others: classes,
      severity: 'warning',
      message: 'did you mean gpu.nvidia.com?',
      fixes: { 'Change to gpu.nvidia.com': template },
    });
    for (const name of ['gpu.nvidia.com', 'mig.nvidia.com', 'gpu.example.com', '${CLASS}']) {
      await checkRule(code, { manifest: asking(name), others: classes });
    }
    await checkRule(code, { manifest: asking('gpu.nvidai.com') });
  });

  it('[#40] says which template is meant, and that one of another namespace is not', async () => {
    const naming = (name: string): string =>
      claims.replaceAll(/[‹›]/g, '').replace('TemplateName: one', `TemplateName: ${name}`);
    const others = { 'template.yaml': template.replace('name: one', 'name: one-gpu') };
    await checkRule(code, { manifest: naming('‹one-gup›'), others, message: 'did you mean one-gpu?' });
    await checkRule(code, { manifest: naming('other'), others });
    await checkRule(code, { manifest: naming('one-gpu'), others });
    await checkRule(code, {
      manifest: naming('‹one-gpu›'),
      others: { 'template.yaml': others['template.yaml'].replace('namespace: ml', 'namespace: dev') },
      message: 'is declared in namespace dev, and pods use those of their own namespace alone',
    });
  });

  it('[#40] says which request of its claim a container does not get', async () => {
    const naming = (request: string): string =>
      claims.replaceAll(/[‹›]/g, '').replace('claims: [{ name: gpu }]', `claims: [{ name: gpu, request: ${request} }]`);
    await checkRule(code, {
      manifest: naming('‹gup›'),
      others: { 'template.yaml': template },
      message: 'Claim gpu has no request "gup": the container starts without a device of it.',
      fixes: { 'Change to gpu': naming('gpu') },
    });
    await checkRule(code, { manifest: naming('gpu'), others: { 'template.yaml': template } });
  });
});

describe('invalid-object', () => {
  const namespace = (labels: string): string => `apiVersion: v1
kind: Namespace
metadata: { name: ml, labels: ${labels} }
`;
  const admin = (mark: string): string => `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: { name: all, namespace: ml }
spec:
  spec:
    devices:
      requests:
        - name: gpu
          exactly: { deviceClassName: gpu.nvidia.com, adminAccess: ${mark} }
`;

  it('[#40] says where admin access is asked for in a namespace without the label for it', async () => {
    const others = { 'namespace.yaml': namespace('{}') };
    await checkRule('invalid-object', {
      manifest: admin('‹true›'),
      others,
      severity: 'warning',
      message:
        'The API server refuses adminAccess in namespace ml, which is declared without the label resource.kubernetes.io/admin-access: "true"',
    });
    await checkRule('invalid-object', { manifest: admin('false'), others });
  });

  it('[#40] says nothing of admin access where the label is there, or the namespace is not declared', async () => {
    const labelled = namespace('{ resource.kubernetes.io/admin-access: "true" }');
    await checkRule('invalid-object', { manifest: admin('true'), others: { 'namespace.yaml': labelled } });
    await checkRule('invalid-object', { manifest: admin('true') });
  });
});
