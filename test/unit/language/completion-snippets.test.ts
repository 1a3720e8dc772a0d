import assert from 'node:assert/strict';
import type { CompletionItem, TextEdit } from 'vscode-languageserver';
import { newestMinor } from '../../../server/src/util/minors.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { completion } from '../../../server/src/language/completion/completion.ts';
import { applyEdits, TestWorkspace } from './test-workspace.ts';

const deployment = (spec: string, labels = '{ app: cart }'): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
spec:
  replicas: 3
  selector:
    matchLabels: ${labels}
  template:
    metadata:
      labels: ${labels}
    spec:
${spec}      containers:
        - name: main
          image: example.com/cart:1
          resources:
            requests: { cpu: 100m, memory: 64Mi }
`;

const nodesWith = (value: string): string =>
  [
    ['a', `[{ key: dedicated, value: ${value}, effect: NoSchedule }]`],
    ['b', '[{ key: spot, effect: NoExecute }]'],
    ['c', '[]'],
  ]
    .map(
      ([name, taints]) => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: zone-${name} } }
spec: { taints: ${taints} }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
`,
    )
    .join('---\n');

const others = {
  'nodes.yaml': nodesWith('gpu'),
  'classes.yaml':
    'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high-priority }\nvalue: 7\ndescription: x\n',
};

async function offered(source: string, files: Readonly<Record<string, string>>, snippets = true) {
  const workspace = await TestWorkspace.of({ ...files, 'a.yaml': source });
  const context = { facts: workspace.facts, release: releaseOf(newestMinor), isBesideSchema: true, snippets };
  const items = completion(workspace.file('a.yaml'), workspace.cursor('a.yaml'), context).items;
  return { workspace, items };
}

/** The text with the stops of a snippet as they are when nobody fills anything in. */
function filled(item: CompletionItem): TextEdit {
  const edit = item.textEdit as TextEdit;
  const newText = edit.newText.replace(/\$\{\d+:((?:\\.|[^}])*)\}/g, '$1').replace(/\\([$}\\])/g, '$1');
  return { range: edit.range, newText };
}

/** Takes each snippet that is offered, and judges what comes of it. */
async function takeEach(source: string, files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const taken = new Map<string, string>();
  const { items, workspace } = await offered(source, files);
  for (const item of items.filter(({ kind }) => kind === 15)) {
    const hasStops = (item.textEdit as TextEdit).newText.includes('${1:');
    assert.equal(hasStops, !item.label.startsWith('tolerations'), item.label);
    const text = applyEdits(workspace.text('a.yaml'), [filled(item)]);
    const after = await TestWorkspace.of({ ...files, 'a.yaml': text });
    assert.deepEqual(
      after
        .diagnostics('a.yaml')
        // Two of the three nodes have taints, so that replicas that keep apart do not all fit, nor the new pod of a roll-out.
        .filter(({ code }) => code !== 'anti-affinity-exceeds-domains' && code !== 'roll-out-finds-no-node')
        .map(({ code, message }) => [code, message]),
      [],
      text,
    );
    const plain = (await offered(source, files, false)).items.find(({ label }) => label === item.label)!;
    assert.equal(plain.insertTextFormat, 1);
    assert.equal(applyEdits(workspace.text('a.yaml'), [plain.textEdit as TextEdit]), text);
    taken.set(item.label, text);
  }
  return taken;
}

describe('snippets', () => {
  const objects = [
    ...['Deployment', 'Service', 'StatefulSet', 'CronJob', 'Job', 'DaemonSet', 'HorizontalPodAutoscaler'],
    ...['PodDisruptionBudget', 'Namespace', 'PriorityClass', 'ResourceQuota'],
    'Pod with a scheduling gate',
    'ResourceQuota for a PriorityClass',
  ];

  it('of whole objects stand in an empty document, and pass the checks', async () => {
    for (const source of ['‹›', '‹po›', `# a file\n‹›\n`, `${deployment('')}---\n‹›\n`]) {
      const taken = await takeEach(source, others);
      assert.deepEqual([...taken.keys()], objects, source);
      // Another name than the class that is there.
      assert.match(taken.get('PriorityClass')!, /name: high-priority-2\n/);
      assert.match(taken.get('ResourceQuota for a PriorityClass')!, /- high-priority\n?$/);
    }
    const budget = (await takeEach(`${deployment('')}---\n‹›\n`, others)).get('PodDisruptionBudget')!;
    assert.match(budget, /name: cart\n {2}namespace: shop\nspec:\n {2}maxUnavailable: 1\n/);
    assert.match(budget, /matchLabels:\n {6}app: cart\n$/);
  });

  it('of whole objects are not offered in what is begun, nor within a document', async () => {
    for (const source of ['apiVersion: v1\n‹›\n', '  ‹›\n', `${deployment('')}‹›`]) {
      const { items } = await offered(source, others);
      assert.deepEqual(
        items.filter(({ label }) => objects.includes(label)),
        [],
      );
    }
  });

  it('of parts stand in the spec of a pod, and pass the checks', async () => {
    const taken = await takeEach(deployment('      ‹›\n'), others);
    assert.deepEqual(
      [...taken.keys()],
      [
        'topologySpreadConstraints over zones',
        'podAntiAffinity, required',
        'podAntiAffinity, preferred',
        'schedulingGates with a gate',
        'tolerations for dedicated=gpu:NoSchedule',
        'tolerations for spot:NoExecute',
      ],
    );
    assert.equal(
      taken.get('podAntiAffinity, required'),
      deployment(`      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels:
                  app: cart
`),
    );
    assert.match(taken.get('tolerations for spot:NoExecute')!, /- key: spot\n {10}operator: Exists\n/);
  });

  it('[#38] are not found by a key with its colon, behind which Enter begins a line', async () => {
    const { items } = await offered(deployment('      tolerations‹›\n'), others);
    const snippets = items.filter(({ kind }) => kind === 15);
    assert.ok(snippets.some(({ label }) => label.includes(':')));
    for (const { filterText } of snippets) assert.doesNotMatch(filterText!, /:/);
  });

  it('of parts go on where something is written already', async () => {
    const labels = async (spec: string): Promise<string[]> => [...(await takeEach(deployment(spec), others)).keys()];
    assert.deepEqual(await labels('      affinity:\n        ‹›\n'), [
      'podAntiAffinity, required',
      'podAntiAffinity, preferred',
    ]);
    assert.deepEqual(await labels('      affinity:\n        podAntiAffinity:\n          ‹pre›\n'), [
      'podAntiAffinity, required',
      'podAntiAffinity, preferred',
    ]);
    assert.deepEqual(
      await labels('      tolerations:\n        - key: spot\n          operator: Exists\n        - ‹›\n'),
      ['tolerations for dedicated=gpu:NoSchedule', 'tolerations for spot:NoExecute'],
    );
    assert.deepEqual(await labels('      topologySpreadConstraints:\n        ‹›\n'), [
      'topologySpreadConstraints over zones',
    ]);
    const podAffinity =
      '      affinity:\n        podAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n';
    assert.deepEqual(await labels(`${podAffinity}            - ‹›\n`), []);
  });

  it('of a scope stand in a quota', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: q\nspec:\n  hard:\n    pods: 5\n  ‹›\n';
    const taken = await takeEach(quota, others);
    assert.deepEqual([...taken.keys()], ['scopeSelector for a PriorityClass']);
    assert.match(taken.get('scopeSelector for a PriorityClass')!, /- high-priority\n$/);
  });

  it('are not written between braces', async () => {
    const { items } = await offered('apiVersion: v1\nkind: Pod\nspec: { ‹› }\n', others);
    assert.deepEqual(items, []);
  });

  it('keep texts apart from stops', async () => {
    const { items, workspace } = await offered(deployment('      ‹›\n', "{ 'a$1}b': '${2:x}' }"), {
      'nodes.yaml': nodesWith("'on $5 {a}'"),
    });
    for (const { label } of items) {
      const item = items.find((each) => each.label === label)!;
      const text = applyEdits(workspace.text('a.yaml'), [filled(item)]);
      if (label.startsWith('podAntiAffinity')) assert.ok(text.includes('"a$1}b": "${2:x}"'), text);
      if (label.startsWith('tolerations for dedicated')) assert.ok(text.includes('value: "on $5 {a}"'), text);
    }
    assert.ok(items.length > 4);
  });
});
