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
  | { readonly do: 'storm'; readonly writes: readonly { readonly file: number; readonly text: string | null }[] };

export const methods = [
  'hover',
  'completion',
  'definition',
  'references',
  'codeAction',
  'codeLens',
  'diagnostic',
] as const;
export type Method = (typeof methods)[number];

/** Files of the workspace, a folder among them. */
export const paths = [
  'classes.yaml',
  'pods.yaml',
  'apps/web.yaml',
  'apps/budgets.yaml',
  'nodes.yaml',
  'list.json',
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
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('storm' as const),
      writes: fc.array(fc.record({ file, text: fc.option(text) }), { minLength: 1, maxLength: 12 }),
    }),
  },
);

/** What happens between two comparisons. */
export const roundOfActions: fc.Arbitrary<readonly Action[]> = fc.array(action, { minLength: 30, maxLength: 120 });
