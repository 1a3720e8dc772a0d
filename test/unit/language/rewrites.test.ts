import assert from 'node:assert/strict';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { rewrites } from '../../../server/src/language/checks/rewrites.ts';
import { surroundings, TestWorkspace } from './test-workspace.ts';

const limitRange = `apiVersion: v1
kind: LimitRange
metadata: { name: limits, namespace: shop }
spec: { limits: [{ type: Container, defaultRequest: { cpu: 250m } }] }
`;

const pod = (lines: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: shop }
spec:
  containers:
    - name: ‹›web
      image: nginx
${lines}`;

const bare = '      resources:\n        requests:\n          cpu: 100m\n          memory: 128Mi\n';

async function written(source: string, others: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const workspace = await TestWorkspace.of({ ...others, 'a.yaml': source });
  const cursor = workspace.ranges('a.yaml')[0]!;
  const [action] = rewrites(workspace.file('a.yaml'), cursor, workspace.facts);
  if (action?.edit === undefined) return undefined;
  const after = workspace.apply(action.edit)['a.yaml']!;
  for (const { document } of parseManifestFile('', after).documents) assert.deepEqual(document.problems, []);
  workspace.write('a.yaml', after);
  const again = rewrites(workspace.file('a.yaml'), cursor, workspace.facts);
  assert.deepEqual(again, []);
  return after;
}

describe('writing the requests of a container', () => {
  for (const { name, wrap } of surroundings) {
    it(`writes small ones, ${name}`, async () => {
      assert.equal(await written(wrap(pod(''))), wrap(pod(bare)).replace('‹›', ''));
    });
  }

  it('writes what a LimitRange of the namespace gives', async () => {
    const after = await written(pod(''), { 'limits.yaml': limitRange });
    assert.equal(after, pod(bare.replace('100m', '250m')).replace('‹›', ''));
  });

  it('writes what limits give, beside them', async () => {
    const limits = '      resources:\n        limits: { cpu: 2 }\n';
    const requests = '        requests:\n          cpu: "2"\n          memory: 128Mi\n';
    assert.equal(await written(pod(limits)), pod(limits + requests).replace('‹›', ''));
  });

  it('writes between braces', async () => {
    const flow = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: ‹›a, image: a }] }\n';
    assert.match((await written(flow)) ?? '', /requests: \{ cpu: 100m, memory: 128Mi \}/);
  });

  it('offers nothing where requests are written, nor outside of containers', async () => {
    assert.equal(await written(pod('      resources: { requests: { cpu: 1 } }\n')), undefined);
    assert.equal(
      await written('apiVersion: v1\nkind: Pod\nmetadata: { name: ‹›a }\nspec: { containers: [] }\n'),
      undefined,
    );
    assert.equal(await written('‹›'), undefined);
  });
});

const deployment = (spec: string, replicas = 3): string => `apiVersion: apps/v1
kind: ‹›Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
${spec}      containers:
        - name: web
          image: nginx
`;

describe('refactorings', () => {
  /** The files after the action whose title begins so; undefined where it is not offered. */
  async function after(
    source: string,
    title: string,
    others: Readonly<Record<string, string>> = {},
    options: Parameters<typeof rewrites>[3] = { maySplit: true, values: null },
  ): Promise<Record<string, string> | undefined> {
    const path = options.values === null ? 'a.yaml' : 'chart/templates/a.yaml';
    const workspace = await TestWorkspace.of({ ...others, [path]: source });
    const actions = rewrites(workspace.file(path), workspace.ranges(path)[0]!, workspace.facts, options);
    const edit = actions.find((action) => action.title.startsWith(title))?.edit;
    if (edit === undefined) return undefined;
    for (const change of edit.documentChanges ?? []) {
      if ('kind' in change && change.kind === 'create') workspace.write(change.uri.slice('file:///'.length), '');
    }
    const texts = edit.documentChanges?.filter((change) => 'edits' in change) ?? [];
    const changed = workspace.apply({ documentChanges: texts });
    if (options.values === null) {
      for (const text of Object.values(changed)) {
        for (const { document } of parseManifestFile('', text).documents) assert.deepEqual(document.problems, []);
      }
    }
    return changed;
  }
  const plain = (source: string): string => source.replace('‹›', '');

  for (const { name, wrap } of surroundings) {
    it(`[#38] adds a budget for a workload, ${name}`, async () => {
      const budget = `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
  namespace: shop
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: web
`;
      const files = await after(wrap(deployment('')), 'Add a PodDisruptionBudget for web');
      assert.equal(files?.['a.yaml'], plain(wrap(deployment('') + budget)));
      assert.equal(await after(wrap(deployment('') + budget), 'Add a PodDisruptionBudget'), undefined);
      assert.equal(await after(wrap(deployment('', 1)), 'Add a PodDisruptionBudget'), undefined);
    });

    it(`[#38] spreads pods over zones, ${name}`, async () => {
      const spread = `      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: web
`;
      const files = await after(wrap(deployment('')), 'Spread the pods over zones');
      const written = files?.['a.yaml'] ?? '';
      assert.ok(written.includes(spread.replaceAll('\n', written.includes('\r\n') ? '\r\n' : '\n')), written);
      assert.equal(await after(wrap(deployment(spread)), 'Spread the pods over zones'), undefined);
    });

    it(`[#38] makes a class of a number, ${name}`, async () => {
      const source = deployment('      ‹›priority: 500\n').replace('‹›Deployment', 'Deployment');
      const created = `---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: priority-500
value: 500
description: ""
`;
      const expected = plain(source).replace('priority: 500', 'priorityClassName: priority-500');
      const files = await after(wrap(source), 'Make a PriorityClass of this number: priority-500');
      assert.equal(files?.['a.yaml'], wrap(expected + created));
      const known = { 'class.yaml': created.replace('name: priority-500', 'name: gold') };
      const used = await after(wrap(source), 'Use the PriorityClass gold', known);
      assert.equal(used?.['a.yaml'], wrap(expected.replace('priority-500', 'gold')));
    });
  }

  it('[#38] indents as the manifest does', async () => {
    const four = deployment('')
      .replaceAll(/^( +)/gm, '$1$1')
      .replace(/^ {20}/m, ' '.repeat(18));
    const budget = await after(four, 'Add a PodDisruptionBudget for web');
    assert.match(
      budget?.['a.yaml'] ?? '',
      /\nspec:\n {4}maxUnavailable: 1\n {4}selector:\n {8}matchLabels:\n {12}app: web\n$/,
    );
    const list = deployment('').replace('        - name: web\n          image', '      - name: web\n        image');
    const spread = await after(list, 'Spread the pods over zones');
    assert.match(spread?.['a.yaml'] ?? '', /\n {6}topologySpreadConstraints:\n {6}- maxSkew: 1\n {8}topologyKey: /);
  });

  it('[#38] keeps comments between the documents of a file that is split', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: "*"\n';
    const files = await after(`${deployment('')}---\n# Its address.\n---\n${service}`, 'Split this file');
    assert.deepEqual(files, { 'a.yaml': `${plain(deployment(''))}---\n# Its address.\n`, 'service.yaml': service });
    const both = await after(`${deployment('')}---\n${service}---\n# The second.\n---\n${service}`, 'Split this file');
    assert.equal(both?.['service-2.yaml'], `# The second.\n${service}`);
  });

  it('[#38] splits a file of many documents into files beside it', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n';
    const files = await after(`${deployment('')}---\n${service}---\n${service}`, 'Split this file');
    assert.deepEqual(files, {
      'a.yaml': plain(deployment('')),
      'web-service.yaml': service,
      'web-service-2.yaml': service,
    });
    assert.equal(await after(deployment(''), 'Split this file'), undefined);
    const owned = { maySplit: false, values: null };
    assert.equal(await after(`${deployment('')}---\n${service}`, 'Split this file', {}, owned), undefined);
  });

  it('[#38] makes a value of a chart of what a template writes out', async () => {
    const template = (value: string): string =>
      `kind: Deployment\nmetadata: { name: {{ .Release.Name }} }\nspec:\n  ${value} # few\n`;
    for (const [values, value, reference, added] of [
      ['image: nginx\n', 'replicas: 3', 'replicas: {{ .Values.replicas }}', 'image: nginx\nreplicas: 3\n'],
      ['replicas: 1', 'replicas: 3', 'replicas: {{ .Values.specReplicas }}', 'replicas: 1\nspecReplicas: 3\n'],
      ['', 'tier: "a b"', 'tier: {{ .Values.tier | quote }}', 'tier: "a b"\n'],
    ] as const) {
      const options = { maySplit: false, values };
      const others = { 'chart/values.yaml': values };
      const files = await after(template(`‹›${value}`), 'Make it a value of the chart', others, options);
      assert.deepEqual(files, { 'chart/templates/a.yaml': template(reference), 'chart/values.yaml': added });
    }
    const none = { maySplit: false, values: '' };
    assert.equal(await after(template('‹›a: {{ .Values.a }}'), 'Make it', {}, none), undefined);
    assert.equal(await after(`‹›${template('a: 1')}`, 'Make it', {}, none), undefined);
  });
});
