import fc from 'fast-check';

/** Something that an editor or the file system does. Numbers choose among what there is at that moment. */
export type Action =
  | { readonly do: 'open'; readonly file: number }
  | { readonly do: 'close'; readonly file: number }
  | { readonly do: 'save'; readonly file: number }
  | {
      readonly do: 'edit';
      readonly file: number;
      readonly from: number;
      readonly length: number;
      readonly text: string;
    }
  | { readonly do: 'replace'; readonly file: number; readonly text: string }
  | {
      readonly do: 'request';
      readonly file: number;
      readonly method: Method;
      readonly at: number;
      readonly cancel: boolean;
    }
  | { readonly do: 'simulate'; readonly cancel: boolean }
  /** Many requests at once, that nobody wants any more. */
  | { readonly do: 'cancel'; readonly requests: readonly { readonly file: number; readonly method: Method }[] }
  /** Opens and closes folders of the workspace. */
  | { readonly do: 'folders'; readonly open: readonly boolean[] }
  /** Gives a folder another name. */
  | { readonly do: 'move'; readonly from: number; readonly to: number }
  | { readonly do: 'remove'; readonly folder: number }
  | { readonly do: 'settings'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly do: 'snapshot'; readonly file: number; readonly text: string | null }
  /** A message of the product's own of a shape that it does not have. */
  | { readonly do: 'malformed'; readonly method: string; readonly isRequest: boolean; readonly params: unknown }
  | { readonly do: 'storm'; readonly writes: readonly { readonly file: number; readonly text: string | null }[] };

export const methods = [
  'documentSymbol',
  'hover',
  'completion',
  'definition',
  'references',
  'codeAction',
  'codeLens',
  'diagnostic',
] as const;
export type Method = (typeof methods)[number];

/** Folders of the workspace, of which some are open. */
export const folders = ['one', 'two', 'three'] as const;

/** Folders in them that get other names, and go. */
export const innerFolders = ['one/apps', 'one/moved', 'one/base', 'two/v1.2', 'two/chart', 'three/apps'] as const;

/** Snapshots of a cluster, one of them in a folder of the workspace. */
export const snapshots = ['cluster.json', 'one/cluster.yaml'] as const;

/** Files of the folders. The last are what a kustomization and a chart are made of. */
export const paths = [
  'one/classes.yaml',
  'one/pods.yaml',
  'one/apps/web.yaml',
  'one/apps/budgets.yaml',
  'two/nodes.yaml',
  'two/list.json',
  'two/v1.2/more.yaml',
  'three/apps/solo.yaml',
  'one/base/pod.yaml',
  'one/base/kustomization.yaml',
  'two/chart/Chart.yaml',
  'two/chart/values.yaml',
  'two/chart/templates/pod.yaml',
] as const;

const workload = (kind: string, name: string, more: string): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      ${more}
      containers: [{ name: a, image: a, resources: { requests: { cpu: 500m, memory: 1Gi } } }]
`;

/** Documents that have to do with each other. */
const documents = [
  'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n',
  'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: low }\nvalue: 10\nglobalDefault: true\n',
  'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: default }\nvalue: 5\nglobalDefault: true\n',
  workload('Deployment', 'web', 'priorityClassName: high'),
  workload('Deployment', 'api', 'priorityClassName: missing'),
  workload('StatefulSet', 'db', 'nodeSelector: { disk: fast }'),
  workload('DaemonSet', 'agent', 'tolerations: [{ operator: Exists }]').replace('  replicas: 2\n', ''),
  'apiVersion: v1\nkind: Pod\nmetadata: { name: single, namespace: shop, labels: { app: web } }\nspec: { containers: [{ name: a, image: a }] }\n',
  'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { minAvailable: 2, selector: { matchLabels: { app: web } } }\n',
  'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: all, namespace: shop }\nspec: { maxUnavailable: 1, selector: {} }\n',
  'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: quota, namespace: shop }\nspec: { hard: { pods: "3", requests.cpu: "1" } }\n',
  'apiVersion: v1\nkind: Node\nmetadata: { name: node-a, labels: { disk: fast } }\nstatus: { allocatable: { cpu: "2", memory: 4Gi, pods: "10" } }\n',
  'apiVersion: v1\nkind: Node\nmetadata: { name: node-b }\nspec: { taints: [{ key: dedicated, effect: NoSchedule }] }\nstatus: { allocatable: { cpu: "1", memory: 2Gi, pods: "10" } }\n',
  'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Namespace\n    metadata: { name: shop }\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: listed }\n    spec: { containers: [] }\n',
  '{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "json" }, "spec": { "containers": [] } }\n',
  'apiVersion: v1\nkind: {{ .Values.kind }}\nmetadata: { name: template }\n',
  'values: [1, 2]\nimage: { tag: 1.0 }\n',
  '# podium-disable unknown-priority-class\n',
  'resources: [pod.yaml]\nnamePrefix: made-\n',
  'resources: [pod.yaml, missing.yaml]\n',
  'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'apiVersion: v1\nkind: Pod\nmetadata: { name: {{ .Release.Name }} }\nspec: { priorityClassName: {{ .Values.class | default "high" }}, containers: [{ name: a, image: a }] }\n',
  'class: low\n',
  'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: app, namespace: argocd }\nspec: { destination: { namespace: shop }, source: { repoURL: "", path: base } }\n',
  'apiVersion: v1\nkind: Node\nmetadata: { name: node-c }\nstatus: { nodeInfo: { kubeletVersion: v1.33.1 }, allocatable: { cpu: "4", memory: 8Gi, pods: "10" } }\n',
];

/** What the settings of an editor say, and what they should not. */
const settings: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { cluster: { snapshot: '../cluster.json' } },
  { cluster: { snapshot: 'cluster.yaml' } },
  { cluster: { snapshot: 'missing.json', assumedNodes: { count: 1 } } },
  { exclude: ['apps/**'] },
  { exclude: ['**/*.json', '!list.json'], rules: { 'unknown-priority-class': 'off' } },
  { kubernetes: { version: '1.33' }, diagnostics: { scope: 'openFiles' } },
  { sources: ['base'], autoscaling: { enabled: false }, inlayHints: { priority: false } },
  { cluster: 5, rules: [], exclude: 'x', kubernetes: null },
  { rules: { constructor: 'error', __proto__: 'off' }, sources: [7] },
];

const snapshotTexts: readonly string[] = [
  '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "snap-a"}, "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "10"}, "nodeInfo": {"kubeletVersion": "v1.34.0"}}}]}',
  '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "snap-b"}, "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "5"}}}, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "there", "namespace": "shop"}, "spec": {"nodeName": "snap-b", "containers": []}}]}',
  '{"apiVersion": "v1", "kind": "List", "items": [',
  'error: You must be logged in to the server\n',
  '',
];

/** Messages of the product's own, and whether they are requests. */
const ownMessages: readonly (readonly [method: string, isRequest: boolean])[] = [
  ...[
    ...['simulate', 'effects', 'remedies', 'decisions', 'capacity', 'nodes', 'overview', 'whatIfEdit', 'ask'],
    ...['targets', 'remotes', 'fetch', 'contexts', 'capture'],
  ].map((name) => [`podium/${name}`, true] as const),
  ...['renderingChanged', 'yamlServerChanged', 'toldBySchema', 'repositoryChanged'].map(
    (name) => [`podium/${name}`, false] as const,
  ),
];

/** What people and their tools type, and what they should not. */
const fragments = [
  '',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ':',
  '-',
  '- ',
  '---\n',
  '...\n',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  '{{ .x }}',
  '#',
  '&a ',
  '*a',
  '<<: *a',
  '|\n',
  '%YAML 1.1\n',
  '\uFEFF',
  '\u0000',
  '\u2028',
  '😀',
  'é',
  '\u202E',
  '0x1F',
  '1e999',
  '${NAME:=5Gi}',
  '%NAME%',
  'null',
  'priorityClassName: high\n',
  'priorityClassName: ',
  'replicas: 3\n',
  'metadata',
  'kind: Pod\n',
  'namespace: shop',
  'labels: {}',
  '    - name: b\n',
  '999999999999999999999',
  '-1',
  '!!int x',
  '# podium-disable-next-line wrong-type\n',
];

const file = fc.nat({ max: paths.length - 1 });
const place = fc.nat({ max: 4000 });
const text = fc
  .array(fc.constantFrom(...documents), { minLength: 0, maxLength: 6 })
  .chain((parts) => fc.constantFrom('---\n', '\n---\n', '---\r\n').map((separator) => parts.join(separator)));

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('save' as const), file }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      file,
      from: place,
      length: fc.oneof(fc.constant(0), fc.nat({ max: 6 }), fc.nat({ max: 400 })),
      text: fc.oneof(fc.constantFrom(...fragments), fc.constantFrom(...documents), fc.string({ maxLength: 12 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), file, text }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      file,
      method: fc.constantFrom(...methods),
      at: place,
      cancel: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('simulate' as const), cancel: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant(null).chain(() => fewer) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('storm' as const),
      writes: fc.array(fc.record({ file, text: fc.option(text) }), { minLength: 1, maxLength: 12 }),
    }),
  },
);

/** A value of any shape, among them some that are nearly right. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ maxDepth: 2, maxKeys: 3, withNullPrototype: false }).map(asSent),
  fc.constantFrom<unknown>(
    { scenario: { kind: 'workspace' }, whatIf: ['cordon node/constructor', 5] },
    { scenario: { kind: 'file', uri: 'file:///constructor' } },
    { scenario: { kind: 'workload', workloadKind: 'toString', namespace: '__proto__', name: 'valueOf' } },
    { run: 1e300, indexes: [2 ** 40], workloads: [-1] },
    { tool: 'constructor', input: { path: '../..' } },
    { tool: 'check', input: [] },
    { operation: 'scale deployment/__proto__/x 5' },
    { keys: ['constructor'], mayChange: true },
    { uri: 'file:///x', told: [{ line: 'a', text: 'b' }] },
  ),
);

/** As it comes over a wire. */
function asSent(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return null;
  }
}

const fewer: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('cancel' as const),
    requests: fc.array(fc.record({ file, method: fc.constantFrom(...methods) }), { minLength: 10, maxLength: 60 }),
  }),
  fc.record({ do: fc.constant('folders' as const), open: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }) }),
  fc.record({
    do: fc.constant('move' as const),
    from: fc.nat({ max: innerFolders.length - 1 }),
    to: fc.nat({ max: innerFolders.length - 1 }),
  }),
  fc.record({ do: fc.constant('remove' as const), folder: fc.nat({ max: innerFolders.length - 1 }) }),
  fc.record({ do: fc.constant('settings' as const), settings: fc.constantFrom(...settings) }),
  fc.record({
    do: fc.constant('snapshot' as const),
    file: fc.nat({ max: snapshots.length - 1 }),
    text: fc.option(fc.constantFrom(...snapshotTexts)),
  }),
  fc
    .record({
      do: fc.constant('malformed' as const),
      message: fc.constantFrom(...ownMessages),
      params: anything,
    })
    .map(({ message: [method, isRequest], params }) => ({ do: 'malformed' as const, method, isRequest, params })),
);

/** What happens between two comparisons. */
export const roundOfActions: fc.Arbitrary<readonly Action[]> = fc.array(action, { minLength: 30, maxLength: 120 });
