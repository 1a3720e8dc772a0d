import assert from 'node:assert/strict';
import { ResponseError } from 'vscode-languageserver';
import { codeLenses } from '../../../server/src/language/lenses/lens-places.ts';
import { priorityText } from '../../../server/src/language/lenses/lens-text.ts';
import {
  definition,
  documentSymbols,
  highlights,
  prepareRename,
  references,
  rename,
  workspaceSymbols,
} from '../../../server/src/language/navigation/index.ts';
import { surroundings, TestWorkspace } from './test-workspace.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: ‹high› }
value: 100000
description: For checkout.
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: low }
value: -10
preemptionPolicy: Never
`;

const pod = (className: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  priorityClassName: ${className}
  containers: []
`;

const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: q }
spec:
  scopeSelector:
    matchExpressions:
      - { scopeName: PriorityClass, operator: In, values: [‹high›, low] }
`;

const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n';

for (const { name, wrap } of surroundings) {
  describe(`navigation, ${name}`, () => {
    it('[ED-6] goes from a name to its class', async () => {
      const workspace = await TestWorkspace.of({ 'a.yaml': wrap(pod('‹high›')), 'classes.yaml': wrap(classes) });
      const found = definition(workspace.file('a.yaml'), workspace.cursor('a.yaml'), workspace.facts);
      assert.deepEqual(found, [{ uri: 'file:///classes.yaml', range: workspace.ranges('classes.yaml')[0] }]);
    });

    it('[ED-6] finds everybody who uses a class', async () => {
      const files = { 'a.yaml': wrap(pod('‹high›')), 'classes.yaml': wrap(classes), 'quota.yaml': wrap(quota) };
      const workspace = await TestWorkspace.of(files);
      const found = references(
        workspace.file('classes.yaml'),
        workspace.cursor('classes.yaml'),
        workspace.facts,
        false,
      );
      const expected = ['a.yaml', 'quota.yaml'].map((path) => ({
        uri: `file:///${path}`,
        range: workspace.ranges(path)[0],
      }));
      assert.deepEqual(found, expected);
    });

    it('[ED-4] puts a lens at each class, workload and quota, and at nothing else', async () => {
      const workspace = await TestWorkspace.of({
        'a.yaml': wrap(
          `‹›${pod('high')}---\n‹›${classes.replaceAll(/[‹›]/g, '').replace('---\n', '---\n‹›')}---\n‹›${quota.replaceAll(/[‹›]/g, '')}---\n${service}`,
        ),
      });
      const lenses = codeLenses(workspace.file('a.yaml'), [{ name: '', facts: workspace.facts }]);
      const target = { kind: 'Pod', namespace: 'default', name: 'web', uri: 'file:///a.yaml' };
      const ofClass = { kind: 'PriorityClass', namespace: '', uri: 'file:///a.yaml' };
      const ofQuota = { kind: 'ResourceQuota', namespace: 'default', name: 'q', uri: 'file:///a.yaml' };
      assert.deepEqual(
        lenses,
        [target, { ...ofClass, name: 'high' }, { ...ofClass, name: 'low' }, ofQuota].map((data, index) => ({
          range: workspace.ranges('a.yaml')[index],
          data,
        })),
      );
      assert.equal(priorityText(target, workspace.facts), 'priority 100000 (high)');
    });
  });
}

const cluster = `apiVersion: v1
kind: Node
metadata:
  name: node-a
  labels: { shop.example/pool: data, topology.kubernetes.io/zone: a }
spec:
  taints: [{ key: shop.example/dedicated, value: data, effect: NoSchedule }]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: disk.example
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: orders, namespace: shop }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{ schedulerName: packer }]
`;

const workload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: orders
  namespace: shop
spec:
  selector: { matchLabels: { app: orders } }
  template:
    metadata: { labels: { app: orders } }
    spec:
      schedulerName: packer
      nodeSelector: { "shop.example/pool": data }
      tolerations: [{ key: shop.example/dedicated, operator: Exists }]
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: shop.example/pool
          whenUnsatisfiable: DoNotSchedule
          labelSelector: { matchLabels: { app: orders } }
      containers: [{ name: main, image: registry.example/orders }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: orders } }]
---
apiVersion: v1
kind: Service
metadata: { name: orders-http, namespace: shop }
spec: { selector: { app: orders }, ports: [{ port: 80 }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: orders-budget, namespace: shop }
spec: { minAvailable: 1, selector: { matchLabels: { app: orders } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: orders, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: orders }, maxReplicas: 5 }
`;

describe('names across files', () => {
  /** With the cursor at the n-th place where a text stands in one of the two files. */
  async function at(path: 'cluster.yaml' | 'workload.yaml', text: string, nth = 0) {
    const workspace = await TestWorkspace.of({ 'cluster.yaml': cluster, 'workload.yaml': workload });
    const lines = workspace.text(path).split('\n');
    const places = lines.flatMap((line, number) =>
      line.includes(text) ? [{ line: number, character: line.indexOf(text) + 1 }] : [],
    );
    return { workspace, file: workspace.file(path), position: places[nth]! };
  }

  /** The lines that are led to, trimmed. */
  const lines = (
    workspace: TestWorkspace,
    found: readonly { readonly uri: string; readonly range: { readonly start: { readonly line: number } } }[],
  ) => found.map(({ uri, range }) => workspace.text(uri.replace('file:///', '')).split('\n')[range.start.line]!.trim());

  for (const [what, path, text, nth, expected] of [
    ['a namespace', 'workload.yaml', 'shop', 0, ['metadata: { name: shop }']],
    ['a claim', 'workload.yaml', 'orders } }]', 0, ['metadata: { name: orders, namespace: shop }']],
    ['a storage class', 'cluster.yaml', 'fast, access', 0, ['metadata: { name: fast }']],
    ['a scheduler', 'workload.yaml', 'packer', 0, ['profiles: [{ schedulerName: packer }]']],
    [
      'a label of nodes',
      'workload.yaml',
      'shop.example/pool',
      1,
      ['labels: { shop.example/pool: data, topology.kubernetes.io/zone: a }'],
    ],
    [
      'a taint',
      'workload.yaml',
      'shop.example/dedicated',
      0,
      ['taints: [{ key: shop.example/dedicated, value: data, effect: NoSchedule }]'],
    ],
    ['what an autoscaler scales', 'workload.yaml', 'orders }, maxReplicas', 0, ['name: orders']],
    ['the workloads that a service selects', 'workload.yaml', 'app: orders }, ports', 0, ['name: orders']],
    ['the workloads that a budget protects', 'workload.yaml', 'minAvailable', 0, []],
    [
      'the workloads of the selector of a budget',
      'workload.yaml',
      'selector: { matchLabels: { app: orders } } }',
      0,
      ['name: orders'],
    ],
  ] as const) {
    it(`go from a name to ${what}`, async () => {
      const { workspace, file, position } = await at(path, text, nth);
      assert.deepEqual(lines(workspace, definition(file, position, workspace.facts)), expected);
    });
  }

  it('lead from a workload to what names it and what selects its pods', async () => {
    const { workspace, file, position } = await at('workload.yaml', 'orders');
    assert.deepEqual(lines(workspace, references(file, position, workspace.facts, true)), [
      'name: orders',
      'spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: orders }, maxReplicas: 5 }',
      'spec: { selector: { app: orders }, ports: [{ port: 80 }] }',
      'spec: { minAvailable: 1, selector: { matchLabels: { app: orders } } }',
    ]);
  });

  it('are highlighted in the file, what declares them as written', async () => {
    const { workspace, file, position } = await at('workload.yaml', 'shop.example/pool');
    assert.deepEqual(
      highlights(file, position, workspace.facts).map(({ kind, range }) => [kind, range.start.line]),
      [
        [2, 11],
        [2, 15],
      ],
    );
  });

  it('are renamed everywhere, in the quotes that they have', async () => {
    const { workspace, file, position } = await at('workload.yaml', 'shop.example/pool');
    const prepared = prepareRename(file, position, workspace.facts);
    assert.ok(!(prepared instanceof ResponseError));
    assert.deepEqual(
      [prepared.placeholder, prepared.range.end.character - prepared.range.start.character],
      ['shop.example/pool', 17],
    );
    const edit = rename(file, position, 'shop.example/kind', workspace.facts);
    assert.ok(!(edit instanceof ResponseError));
    const changed = workspace.apply(edit);
    assert.equal(changed['cluster.yaml'], cluster.replace('shop.example/pool', 'shop.example/kind'));
    assert.equal(changed['workload.yaml'], workload.replaceAll('shop.example/pool', 'shop.example/kind'));
  });

  it('says where the name of an alias is written, as it is another name there', async () => {
    const text = pod('&own high').replace('  containers', '  schedulerName: *own\n  containers');
    const workspace = await TestWorkspace.of({ 'a.yaml': text });
    const position = { line: 5, character: 19 };
    const file = workspace.file('a.yaml');
    const { facts } = workspace;
    for (const answer of [prepareRename(file, position, facts), rename(file, position, 'other', facts)]) {
      assert.ok(answer instanceof ResponseError);
      assert.equal(answer.message, 'This is an alias; the name is written in line 5.');
    }
  });

  it('are renamed for a namespace in every object of it', async () => {
    const { workspace, file, position } = await at('cluster.yaml', 'shop }');
    const edit = rename(file, position, 'store', workspace.facts);
    assert.ok(!(edit instanceof ResponseError));
    const changed = workspace.apply(edit);
    assert.equal(changed['workload.yaml'], workload.replaceAll('namespace: shop', 'namespace: store'));
    assert.equal(
      changed['cluster.yaml'],
      cluster.replace('namespace: shop', 'namespace: store').replace('{ name: shop }', '{ name: store }'),
    );
  });

  for (const [what, path, text, name, reason] of [
    ['what Kubernetes itself reads', 'cluster.yaml', 'topology.kubernetes.io/zone', 'x', /set and read by Kubernetes/],
    [
      'to a name that the API server would refuse',
      'cluster.yaml',
      'shop }',
      'Shop!',
      /DNS label|lower case alphanumeric/,
    ],
    ['to nothing', 'cluster.yaml', 'fast }', '', /An empty name/],
    ['what is no name', 'cluster.yaml', 'provisioner', 'x', /^Podium cannot rename this/],
  ] as const) {
    it(`are not renamed: ${what}`, async () => {
      const { workspace, file, position } = await at(path, text);
      const at0 = { ...position, character: position.character + (text.startsWith('topology') ? 5 : 0) };
      const answer = rename(file, at0, name, workspace.facts);
      assert.ok(answer instanceof ResponseError);
      assert.match(answer.message, reason);
    });
  }

  it('are not renamed to one that exists, nor to a reserved one', async () => {
    const workspace = await TestWorkspace.of({ 'classes.yaml': classes });
    const file = workspace.file('classes.yaml');
    for (const [name, reason] of [
      ['low', /There is a PriorityClass low already/],
      ['system-high', /reserved/],
    ] as const) {
      const answer = rename(file, workspace.cursor('classes.yaml'), name, workspace.facts);
      assert.ok(answer instanceof ResponseError);
      assert.match(answer.message, reason);
    }
  });

  it('make the outline of a file, with the containers', async () => {
    const { file } = await at('workload.yaml', 'orders');
    assert.deepEqual(
      documentSymbols(file).map(({ name, detail, children = [] }) => [
        name,
        detail,
        children.map((child) => child.name),
      ]),
      [
        ['orders', 'Deployment · shop', ['main']],
        ['orders-http', 'Service · shop', []],
        ['orders-budget', 'PodDisruptionBudget · shop', []],
        ['orders', 'HorizontalPodAutoscaler · shop', []],
      ],
    );
    for (const { range, selectionRange } of documentSymbols(file)) {
      assert.ok(range.start.line <= selectionRange.start.line && selectionRange.end.line <= range.end.line);
    }
  });

  it('are found across the workspace by their letters', async () => {
    const { workspace } = await at('workload.yaml', 'orders');
    const found = (query: string) =>
      workspaceSymbols(query, workspace.facts).map(({ name, containerName }) => `${name} (${containerName})`);
    assert.deepEqual(found('ordbud'), ['orders-budget (PodDisruptionBudget · shop)']);
    assert.deepEqual(found('node-a'), ['node-a (Node)']);
    assert.deepEqual(found('zzz'), []);
    assert.equal(found('').length, 8);
  });

  it('are answered with those first that are meant most, however many there are', async () => {
    const claim = (name: string): string =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\n---\n`;
    const workspace = await TestWorkspace.of({
      'claims.yaml': Array.from({ length: 300 }, (_, index) => claim(`w-e-b-${index}`)).join(''),
      'some.yaml': claim('my-web') + claim('web-data') + claim('other'),
    });
    const found = workspaceSymbols('web', workspace.facts).map(({ name }) => name);
    assert.deepEqual(found.slice(0, 3), ['web-data', 'my-web', 'w-e-b-0']);
    assert.equal(found.length, 200);
  });
});
