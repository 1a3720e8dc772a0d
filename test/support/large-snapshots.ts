/** Snapshots of clusters of any size, as kubectl prints them, piece by piece. The same sizes give the same text. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { stringify } from 'yaml';

export type SnapshotForm = 'json' | 'indented json' | 'yaml' | 'documents';

interface SnapshotSize {
  readonly nodes: number;
  readonly pods: number;
}

/** Pods of a workload. */
const replicas = 30;

function hex(index: number, length: number): string {
  return ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(length, '0').slice(-length);
}

function uid(index: number): string {
  return `${hex(index, 8)}-${hex(index + 1, 4)}-4${hex(index + 2, 3)}-8${hex(index + 3, 3)}-${hex(index + 4, 8)}${hex(index + 5, 4)}`;
}

function nodeName(index: number): string {
  return `ip-10-0-${Math.floor(index / 256)}-${index % 256}.eu-west-1.compute.internal`;
}

function image(index: number): object {
  const at = index % 200;
  const name = `registry.example/team-${index % 60}/app-${at}`;
  return { names: [`${name}@sha256:${hex(at, 8).repeat(8)}`, `${name}:1.${at}`], sizeBytes: 100_000_000 + at };
}

function node(index: number): object {
  const name = nodeName(index);
  const amounts = { cpu: '15800m', 'ephemeral-storage': '94Gi', memory: '62Gi', pods: '110' };
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
    lastHeartbeatTime: '2026-01-02T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    message: `kubelet says ${type}`,
    reason: `Kubelet${type}`,
    status: type === 'Ready' ? 'True' : 'False',
    type,
  }));
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/region': 'eu-west-1',
    'topology.kubernetes.io/zone': `eu-west-1${'abc'[index % 3]!}`,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z', labels, name, resourceVersion: `${index}`, uid: uid(index) },
    spec: { providerID: `aws:///eu-west-1a/i-${hex(index, 8)}` },
    status: {
      addresses: [{ address: name, type: 'Hostname' }],
      allocatable: amounts,
      capacity: amounts,
      conditions,
      images: Array.from({ length: 20 }, (_, at) => image(index * 7 + at)),
      nodeInfo: { architecture: 'amd64', kubeletVersion: 'v1.35.1', operatingSystem: 'linux' },
    },
  };
}

function pod(index: number, nodes: number): object {
  const workload = Math.floor(index / replicas);
  const team = `team-${workload % 60}`;
  const app = `app-${workload % 200}-${workload}`;
  const set = `${app}-5d8f7c9b4d`;
  const token = hex(index, 5);
  const volume = `kube-api-access-${token}`;
  const time = new Date(Date.UTC(2026, 0, 1) + (index % 90_000) * 1000).toISOString().replace('.000Z', 'Z');
  const from = `registry.example/${team}/app-${workload % 200}:1.${workload % 200}`;
  const ip = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const mount = { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: volume, readOnly: true };
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
    {
      downwardAPI: {
        items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }],
      },
    },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      creationTimestamp: time,
      generateName: `${set}-`,
      labels: { app, 'pod-template-hash': '5d8f7c9b4d', team },
      name: `${set}-${token}`,
      namespace: team,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'ReplicaSet',
          name: set,
          uid: uid(workload),
        },
      ],
      resourceVersion: `${index}`,
      uid: uid(index + 1_000_000),
    },
    spec: {
      containers: [
        {
          image: from,
          imagePullPolicy: 'IfNotPresent',
          name: 'main',
          resources: {
            limits: { memory: '512Mi' },
            requests: { cpu: `${100 + (workload % 9) * 50}m`, memory: '256Mi' },
          },
          volumeMounts: [mount],
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      nodeName: nodeName((index * 37) % nodes),
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      tolerations: ['not-ready', 'unreachable'].map((what) => ({
        effect: 'NoExecute',
        key: `node.kubernetes.io/${what}`,
        operator: 'Exists',
        tolerationSeconds: 300,
      })),
      volumes: [{ name: volume, projected: { defaultMode: 420, sources } }],
    },
    status: {
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        lastProbeTime: null,
        lastTransitionTime: time,
        status: 'True',
        type,
      })),
      containerStatuses: [
        {
          containerID: `containerd://${hex(index, 8).repeat(8)}`,
          image: from,
          lastState: {},
          name: 'main',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: time } },
        },
      ],
      hostIP: ip,
      phase: 'Running',
      podIP: ip,
      qosClass: 'Burstable',
      startTime: time,
    },
  };
}

function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

interface Form {
  readonly begin: string;
  readonly item: (value: object) => string;
  readonly between: string;
  readonly end: string;
}

const yaml = (value: object): string => stringify(value, { indentSeq: false, lineWidth: 0 });
const forms: Readonly<Record<SnapshotForm, Form>> = {
  json: {
    begin: '{"apiVersion":"v1","kind":"List","metadata":{},"items":[\n',
    item: (value) => JSON.stringify(value),
    between: ',\n',
    end: '\n]}\n',
  },
  'indented json': {
    begin: '{\n    "apiVersion": "v1",\n    "items": [\n',
    item: (value) => indented(JSON.stringify(value, null, 4), '        '),
    between: ',\n',
    end: '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n',
  },
  yaml: {
    begin: 'apiVersion: v1\nitems:\n',
    item: (value) => `-${indented(yaml(value), '  ').slice(1)}`,
    between: '',
    end: 'kind: List\nmetadata:\n  resourceVersion: ""\n',
  },
  documents: { begin: '', item: yaml, between: '---\n', end: '' },
};

export function* largeSnapshot(form: SnapshotForm, { nodes, pods }: SnapshotSize): Generator<string, void> {
  const { begin, item, between, end } = forms[form];
  yield begin;
  for (let index = 0; index < nodes + pods; index++) {
    if (index > 0) yield between;
    yield item(index < nodes ? node(index) : pod(index - nodes, nodes));
  }
  yield end;
}

/** Writes it into a file, and answers how many bytes that were. */
export function writeLargeSnapshot(path: string, form: SnapshotForm, size: SnapshotSize): number {
  const file = openSync(path, 'w');
  let bytes = 0;
  let gathered: string[] = [];
  const flush = (): void => {
    bytes += writeSync(file, gathered.join(''));
    gathered = [];
  };
  for (const text of largeSnapshot(form, size)) {
    gathered.push(text);
    if (gathered.length > 1000) flush();
  }
  flush();
  closeSync(file);
  return bytes;
}
