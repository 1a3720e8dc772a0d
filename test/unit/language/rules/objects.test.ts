import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TestWorkspace } from '../test-workspace.ts';
import { checkRule } from './check-rule.ts';

describe('invalid-object', () => {
  for (const [what, manifest, message] of [
    [
      'an autoscaler',
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: a }\nspec: { minReplicas: 5, maxReplicas: ‹3›, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: a } }\n',
      'must be greater than or equal to',
    ],
    [
      'a volume',
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nspec: { accessModes: [ReadWriteOnce], capacity: { storage: ‹"0"› }, hostPath: { path: /a } }\n',
      'must be greater than zero',
    ],
    [
      'a claim',
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ‹"0"› } } }\n',
      'must be greater than zero',
    ],
    [
      'a range of limits',
      'apiVersion: v1\nkind: LimitRange\nmetadata: { name: a }\nspec: { limits: [{ type: Container, min: { cpu: ‹"2"› }, max: { cpu: "1" } }] }\n',
      'min value 2 is greater than max value 1',
    ],
    [
      'a storage class',
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: a }\nprovisioner: ‹a/b/c›\n',
      'provisioner: ',
    ],
    [
      'a node of the CSI',
      'apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: { name: a }\nspec: { drivers: [{ name: ‹"_"›, nodeID: a }] }\n',
      'spec.drivers[0].name: Invalid value',
    ],
    [
      'a node',
      'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nspec: { taints: [{ key: a, effect: ‹Never› }] }\n',
      'taints[0].effect: Unsupported value: "Never"',
    ],
    [
      'a runtime class, for its handler',
      'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: a }\nhandler: ‹run_sc›\n',
      'handler: Invalid value: "run_sc"',
    ],
    [
      'a runtime class, for its overhead',
      'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: a }\nhandler: a\noverhead: { podFixed: { cpu: ‹-1› } }\n',
      'overhead.limits[cpu]: Invalid value: "-1"',
    ],
    [
      'a runtime class, for a toleration that it names twice',
      'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: a }\nhandler: a\nscheduling: { tolerations: [{ key: a, operator: Exists }, { ‹key›: a, operator: Exists, effect: "" }] }\n',
      'scheduling.tolerations[1]: Duplicate value',
    ],
    [
      'a driver',
      'apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: { name: a }\nspec: { volumeLifecycleModes: [Persistent, ‹Forever›] }\n',
      'spec.volumeLifecycleModes: Unsupported value: "Forever": supported values: "Persistent", "Ephemeral"',
    ],
    [
      'a service, for its name',
      'apiVersion: v1\nkind: Service\nmetadata: { name: ‹A_b› }\nspec: {}\n',
      'metadata.name: ',
    ],
  ] as const) {
    it(`points at what the API server refuses of ${what}`, () =>
      checkRule('invalid-object', { manifest, severity: 'error', message }));
  }

  it('leaves alone what is read from a cluster', () =>
    checkRule('invalid-object', {
      manifest: 'apiVersion: v1\nkind: Node\nmetadata: { name: A_b, uid: x }\nspec: {}\n',
    }));

  it('[ED-2] takes a claim that asks for nothing but an amount for the resize of one that exists', async () => {
    const claim = (spec: string): string =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\n‹spec›: { ${spec} }\n`;
    const resources = 'resources: { requests: { storage: 2Gi } }';
    await checkRule('invalid-object', {
      manifest: claim(resources),
      severity: 'information',
      message: 'at least 1 access mode is required. A claim that exists already is only resized by this',
    });
    await checkRule('invalid-object', {
      manifest: claim(`storageClassName: fast, ${resources}`),
      severity: 'error',
      message: 'at least 1 access mode is required',
    });
  });
});

describe('immutable-object-field', () => {
  const head = (apiVersion: string, kind: string): string =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`;
  for (const [what, manifest, before, message] of [
    [
      'the handler of a runtime class',
      `${head('node.k8s.io/v1', 'RuntimeClass')}handler: ‹kata›\n`,
      `${head('node.k8s.io/v1', 'RuntimeClass')}handler: runsc\n`,
      'handler: Invalid value: "kata": field is immutable',
    ],
    [
      'whether a driver attaches',
      `${head('storage.k8s.io/v1', 'CSIDriver')}spec: { attachRequired: ‹false› }\n`,
      `${head('storage.k8s.io/v1', 'CSIDriver')}spec: {}\n`,
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ],
    [
      'where a volume is attached',
      `${head('storage.k8s.io/v1', 'VolumeAttachment')}‹spec›: { attacher: x, nodeName: b, source: { persistentVolumeName: v } }\n`,
      `${head('storage.k8s.io/v1', 'VolumeAttachment')}spec: { attacher: x, nodeName: a, source: { persistentVolumeName: v } }\n`,
      'field is immutable',
    ],
    [
      'what a claim asks for',
      `${head('resource.k8s.io/v1', 'ResourceClaim')}spec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: ‹large› } }] } }\n`,
      `${head('resource.k8s.io/v1', 'ResourceClaim')}spec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: small } }] } }\n`,
      'field is immutable',
    ],
  ] as const) {
    it(`says that ${what} stays`, () =>
      checkRule('immutable-object-field', { manifest, committed: { 'manifest.yaml': before }, message }));
  }

  it('leaves alone what may change', () =>
    checkRule('immutable-object-field', {
      manifest: `${head('node.k8s.io/v1', 'RuntimeClass')}handler: kata\noverhead: { podFixed: { cpu: 1 } }\n`,
      committed: { 'manifest.yaml': `${head('node.k8s.io/v1', 'RuntimeClass')}handler: kata\n` },
    }));
});

async function saidOf(manifest: string): Promise<readonly string[]> {
  const workspace = await TestWorkspace.of({ 'a.yaml': manifest });
  return workspace.diagnostics('a.yaml').map(({ code }) => String(code));
}

describe('one mistake', () => {
  it('is one finding, where YAML takes a text for something else', async () => {
    const manifest = (constraint: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: a, labels: { a: b } }\nspec:\n  containers: [{ name: a, image: a }]\n${constraint}\n`;
    const spread =
      '  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: y, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { a: b } } }]';
    const apart =
      '  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: y, labelSelector: { matchLabels: { a: b } } }] } }';
    assert.deepEqual(await saidOf(manifest(spread)), ['wrong-type']);
    assert.deepEqual(await saidOf(manifest(apart)), ['wrong-type']);
  });
});

describe('an amount that is none', () => {
  it('is named, and gets the suffix that may be meant', async () => {
    const pod = (amount: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: a, resources: { limits: { memory: ${amount} } } }] }\n`;
    await checkRule('wrong-type', {
      manifest: pod('‹2GB›'),
      message: '"2GB" is no amount.',
      fixes: { 'Change to 2Gi': pod('2Gi') },
    });
    await checkRule('wrong-type', { manifest: pod('‹512mb›'), fixes: { 'Change to 512M': pod('512M') } });
    await checkRule('wrong-type', { manifest: pod('‹1.5GiB›'), fixes: { 'Change to 1.5Gi': pod('1.5Gi') } });
    await checkRule('wrong-type', { manifest: pod('‹plenty›'), message: '"plenty" is no amount.' });
    await checkRule('wrong-type', { manifest: pod('<MEMORY_LIMIT>') });
  });
});

describe('a document that does not say what it is', () => {
  it('is refused as kubectl refuses it', async () => {
    await checkRule('kind-not-served', {
      manifest: '‹apiVersion›: v1\nmetadata: { name: a }\nspec: {}\n',
      severity: 'error',
      message: 'error validating data: kind not set',
    });
    await checkRule('kind-not-served', {
      manifest: '‹kind›: Deployment\nmetadata: { name: a }\n',
      message: 'error validating data: apiVersion not set',
    });
  });

  it('is left alone where it may be something else', async () => {
    for (const manifest of [
      'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'kind: Deployment\nreplicas: 2\n',
      'apiVersion: release-notes/v2\nkind: feature\narea: security\n',
      'apiVersion: v1\nkind: Full\nmetadata: { region: local, shortname: default }\n',
      'apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: extra\n',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nmetadata: { name: a }\n',
      'metadata: { name: a }\nspec: {}\n',
      'apiVersion: v1\nspec: { nodeName: "${node}", containers: [{ name: debug }] }\n',
      // The configuration of the installer of OpenShift.
      'apiVersion: v1\nmetadata: { name: lab }\nbaseDomain: example.com\ncontrolPlane: { replicas: 3 }\n',
      // Kinds of OpenShift, which oc takes without their groups.
      'apiVersion: v1\nkind: Route\nmetadata: { name: a }\nspec: { to: { name: a } }\n',
      'apiVersion: v1\nkind: DeploymentConfig\nmetadata: { name: a }\nspec: { replicas: 1 }\n',
    ]) {
      assert.deepEqual(await saidOf(manifest), [], manifest);
    }
  });
});

describe('a kind of a group of Kubernetes that is not served', () => {
  const manifest = (mark: string): string => `apiVersion: networking.k8s.io/v1\nkind: ${mark}\nmetadata: { name: a }\n`;

  it('is left alone where a CustomResourceDefinition brings it', async () => {
    await checkRule('kind-not-served', { manifest: manifest('‹Mesh›'), severity: 'error' });
    await checkRule('kind-not-served', {
      manifest: manifest('Mesh'),
      others: {
        'crd.yaml':
          'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: meshes.networking.k8s.io }\nspec: { group: networking.k8s.io, names: { kind: Mesh, plural: meshes }, scope: Namespaced, versions: [] }\n',
      },
    });
  });
});

describe('a kind that not every cluster serves', () => {
  const policy = (version: string): string =>
    `apiVersion: ‹admissionregistration.k8s.io/${version}›\nkind: MutatingAdmissionPolicy\nmetadata: { name: a }\n`;

  it('is a warning where a cluster may be told to serve it', async () => {
    await checkRule('kind-not-served', { manifest: policy('v1beta1'), severity: 'warning' });
    await checkRule('kind-not-served', { manifest: policy('v2beta1'), severity: 'error' });
    const taints = 'apiVersion: ‹resource.k8s.io/v1alpha3›\nkind: DeviceTaintRule\nmetadata: { name: a }\nspec: {}\n';
    const node = `apiVersion: v1\nkind: Node\nmetadata: { name: n }\nstatus: { nodeInfo: { kubeletVersion: v1.36.1 } }\n`;
    await checkRule('kind-not-served', {
      manifest: taints,
      severity: 'warning',
      others: { 'node.yaml': node },
      message:
        'In Kubernetes 1.37 it is served as resource.k8s.io/v1. API servers take resource.k8s.io/v1alpha3 only where --runtime-config switches it on.',
    });
    // Also where no node says which version it is.
    await checkRule('kind-not-served', {
      manifest: taints,
      severity: 'warning',
      message:
        'In Kubernetes 1.37 it is served as resource.k8s.io/v1. API servers take resource.k8s.io/v1alpha3 only where --runtime-config switches it on.',
    });
  });

  it('[#40] is brought to the version that is served with what stands elsewhere there: requests of devices', async () => {
    const claim = (version: string, requests: string): string =>
      `apiVersion: ${version}\nkind: ResourceClaim\nmetadata: { name: a }\nspec:\n  devices:\n    requests:\n${requests}`;
    const asked =
      'deviceClassName: gpu\n        selectors:\n        - cel: { expression: "true" }\n        # two\n        count: 2\n';
    const rows = [
      [
        `      - name: r\n        ${asked}      - { name: s, deviceClassName: gpu }\n`,
        `      - name: r\n        exactly:\n          ${asked.replaceAll('\n  ', '\n    ')}      - { name: s, exactly: { deviceClassName: gpu } }\n`,
      ],
      [
        '      - deviceClassName: gpu\n        name: r\n',
        '      - exactly:\n          deviceClassName: gpu\n        name: r\n',
      ],
    ] as const;
    for (const [before, after] of rows) {
      await checkRule('kind-not-served', {
        manifest: claim('‹resource.k8s.io/v1beta1›', before),
        fixes: { 'Change to resource.k8s.io/v1': claim('resource.k8s.io/v1', after) },
      });
    }
    const apart = '      - deviceClassName: gpu\n        name: r\n        count: 2\n';
    await checkRule('kind-not-served', { manifest: claim('‹resource.k8s.io/v1beta1›', apart), fixes: {} });
  });

  it('is nothing where it is encrypted', async () => {
    const cipher = 'ENC[AES256_GCM,data:TBo=,iv:N/mQ=,tag:a,type:str]';
    assert.deepEqual(await saidOf(`apiVersion: ${cipher}\nkind: ${cipher}\nmetadata:\n  name: ${cipher}\n`), []);
  });
});

describe('a pod without a spec', () => {
  it('is refused', async () => {
    for (const spec of ['', 'spec:\n', 'spec: {}\n']) {
      assert.deepEqual(
        await saidOf(`apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n${spec}`),
        ['invalid-pod'],
        spec,
      );
    }
  });
});
