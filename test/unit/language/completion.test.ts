import assert from 'node:assert/strict';
import type { CompletionItem, CompletionList, TextEdit } from 'vscode-languageserver';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { newestMinor, type Minor } from '../../../server/src/util/minors.ts';
import { completion } from '../../../server/src/language/completion/completion.ts';
import { applyEdits, surroundings, TestWorkspace } from './test-workspace.ts';

interface Options {
  readonly others?: Readonly<Record<string, string>>;
  readonly minor?: Minor;
  readonly isBesideSchema?: boolean;
  readonly snippets?: boolean;
  readonly name?: string;
  readonly isTyped?: boolean;
  readonly reopens?: boolean;
}

/** What is offered at `‹›`, or at the end of a range in such marks, and the file with one of them taken. */
async function offered(source: string, options: Options = {}) {
  const { others = {}, minor = newestMinor, isBesideSchema = false, snippets = true, name = 'a.yaml' } = options;
  const { isTyped = false, reopens = false } = options;
  const workspace = await TestWorkspace.of({ [name]: source, ...others });
  const cursor = workspace.ranges(name)[0]!.end;
  const context = { facts: workspace.facts, release: releaseOf(minor), isBesideSchema, snippets, isTyped, reopens };
  const list: CompletionList = completion(workspace.file(name), cursor, context);
  const find = (label: string): CompletionItem => {
    const found = list.items.find((item) => item.label === label);
    assert.ok(found, `no ${label} among ${list.items.map((item) => item.label).join(', ')}`);
    return found;
  };
  return {
    list,
    labels: list.items.map(({ label }) => label),
    find,
    take: (label: string): string =>
      applyEdits(workspace.text(name), [find(label).textEdit as TextEdit, ...(find(label).additionalTextEdits ?? [])]),
  };
}

const head = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 100000
description: For checkout.
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: low }
value: -10
preemptionPolicy: Never
`;

const node = (name: string, zone: string, more = ''): string => `apiVersion: v1
kind: Node
metadata:
  name: ${name}
  labels: { kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: ${zone}, "disk.example.com/8": "8" }
spec: { taints: [{ key: dedicated, value: gpu, effect: NoExecute }] }
status: { allocatable: { cpu: 4, memory: 8Gi, pods: 110, nvidia.com/gpu: 2 } }
${more}`;

const nodes = [node('a', 'z1'), node('b', 'z2'), node('c', 'z2')].join('---\n');

const pod = (spec: string): string => `${head}spec:\n${spec}`;

for (const { name, wrap } of surroundings) {
  describe(`completion of keys, ${name}`, () => {
    for (const [where, before, key, after] of [
      ['of a line that is half typed', pod('  ‹pri›'), 'priorityClassName', pod('  priorityClassName: $0')],
      [
        'before other keys',
        pod('  ‹pri›\n  containers: []\n'),
        'priorityClassName',
        pod('  priorityClassName: $0\n  containers: []\n'),
      ],
      [
        'behind other keys',
        pod('  containers: []\n  ‹pri›\n'),
        'priorityClassName',
        pod('  containers: []\n  priorityClassName: $0\n'),
      ],
      ['on a blank line', pod('  ‹›\n  containers: []\n'), 'affinity', pod('  affinity:\n    $0\n  containers: []\n')],
      ['below a key', pod('  affinity:\n    ‹›\n'), 'nodeAffinity', pod('  affinity:\n    nodeAffinity:\n      $0\n')],
      ['of an item', pod('  tolerations:\n    - ‹›\n'), 'key', pod('  tolerations:\n    - key: $0\n')],
      ['of an item without its blank', pod('  tolerations:\n    -‹›\n'), 'key', pod('  tolerations:\n    - key: $0\n')],
      ['of an item without its dash', pod('  tolerations:\n    ‹›\n'), 'key', pod('  tolerations:\n    - key: $0\n')],
      [
        'of the second line of an item',
        pod('  tolerations:\n  - key: a\n    ‹op›\n'),
        'operator',
        pod('  tolerations:\n  - key: a\n    operator: $0\n'),
      ],
      [
        'of a list in an item',
        pod('  containers:\n    - name: a\n      ‹›\n'),
        'ports',
        pod('  containers:\n    - name: a\n      ports:\n        - $0\n'),
      ],
      ['in place of another key', pod('  ‹nodeName›: a\n'), 'priorityClassName', pod('  priorityClassName: a\n')],
    ] as const) {
      it(`knows those ${where}`, async () => {
        const { take } = await offered(wrap(before));
        assert.equal(take(key), wrap(after.replaceAll(/[‹›]/g, '')));
      });
    }

    it('knows those between braces', async () => {
      const flow = (spec: string): string => `${head}spec: {${spec}}\n`;
      assert.equal((await offered(wrap(flow(' ‹› ')))).take('nodeName'), wrap(flow(' nodeName: $0 ')));
      assert.equal(
        (await offered(wrap(flow('nodeName: a, ‹af›')))).take('affinity'),
        wrap(flow('nodeName: a, affinity: { $0 }')),
      );
      assert.equal(
        (await offered(wrap(flow('nodeName: a, ‹›')))).take('volumes'),
        wrap(flow('nodeName: a, volumes: [$0]')),
      );
    });

    it('offers values where nothing is typed, half of it, and in quotes', async () => {
      for (const [written, expected] of [
        ['‹›', 'high'],
        ['‹hi›', 'high'],
        ['‹"hi"›', '"high"'],
        ["‹'hi'›", "'high'"],
      ]) {
        const text = (name: string): string => wrap(pod(`  priorityClassName: ${name}\n  containers: []\n`));
        const { labels, find, take } = await offered(text(written!), { others: { 'classes.yaml': classes } });
        assert.deepEqual(labels, ['high', 'low']);
        assert.equal(find('high').detail, 'priority 100000');
        assert.equal(find('low').detail, 'priority -10, never preempts');
        assert.equal(take('high'), text(expected!));
      }
    });

    it('begins the choice at the value that is written', async () => {
      for (const written of ['low', '"low"']) {
        const { list } = await offered(wrap(pod(`  priorityClassName: ‹${written}›\n`)), {
          others: { 'c.yaml': classes },
        });
        assert.deepEqual(
          list.items.filter(({ preselect }) => preselect === true).map(({ label }) => label),
          ['low'],
        );
      }
    });

    it('offers the values that the API defines for a field', async () => {
      const { list, take } = await offered(wrap(pod('  preemptionPolicy: ‹"Ne"›\n')));
      assert.deepEqual(
        list.items.map(({ label, detail }) => [label, detail]),
        [
          ['PreemptLowerPriority', undefined],
          ['Never', undefined],
        ],
      );
      assert.equal(take('Never'), wrap(pod('  preemptionPolicy: "Never"\n')));
    });

    it('writes the blank behind a colon', async () => {
      const { take } = await offered(wrap(pod('  priorityClassName:‹›\n')), { others: { 'c.yaml': classes } });
      assert.equal(take('high'), wrap(pod('  priorityClassName: high\n')));
    });

    it('offers nothing where there is nothing to choose', async () => {
      for (const source of [
        pod('  ‹›').replace('name: web', 'name: ‹web›'),
        pod('  nodeName: a ‹›\n'),
        pod('  containers: [] # ‹›\n'),
        pod('  containers: []\n    ‹›\n'),
        pod('  containers: []\n ‹›\n'),
        pod('  affinity: ‹›\n'),
        pod('  dnsPolicy: |\n    ‹x›\n    y\n'),
        `${head}status:\n  ‹›\n`,
        'apiVersion: example.com/v1\nkind: Pod\nspec:\n  ‹›\n',
        'apiVersion: example.com/v1\nkind: Foo\n‹›\n',
        'image:\n  tag: 1\n‹›\n',
        'apiVersion: v2\nname: chart\n‹›\n',
        pod('  replicas: {{ .Values.replicas }}\n  ‹›\n'),
      ]) {
        assert.deepEqual((await offered(wrap(source))).labels, [], source);
      }
    });
  });
}

describe('completion of keys', () => {
  it('puts required ones first, then those that bear on scheduling', async () => {
    const { labels, find } = await offered(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  ‹›\n',
    );
    assert.deepEqual(labels.slice(0, 4), ['selector', 'template', 'replicas', 'strategy']);
    assert.deepEqual(
      ['selector', 'replicas'].map((label) => find(label).labelDetails?.description),
      ['required', undefined],
    );
    assert.equal(find('replicas').detail, 'a whole number');
    assert.equal(find('selector').detail, 'a map');
    const { value } = find('replicas').documentation as { value: string };
    assert.match(value, /^How many pods there should be/);
    assert.equal(find('selector').insertTextMode, 1);
  });

  it('offers the top of a manifest in order, and no status', async () => {
    assert.deepEqual((await offered('‹›')).labels.slice(0, 4), ['apiVersion', 'kind', 'metadata', 'spec']);
    assert.deepEqual((await offered('apiVersion: v1\nkind: Pod\n‹›\n')).labels, ['metadata', 'spec']);
    const half = await offered('kind: Deployment\nspec:\n  ‹›\n');
    assert.equal(half.labels[0], 'selector');
    assert.deepEqual((await offered('kind: Deployment\n‹›\n')).labels, ['apiVersion', 'metadata', 'spec']);
    assert.equal((await offered('apiVersion: v1\nmetadata:\n  ‹na›\n')).labels[0], 'name');
  });

  it('offers no namespace where there is none, and a name last in templates', async () => {
    const metadata = (apiVersion: string, kind: string) =>
      offered(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  ‹›\n`);
    assert.ok(!(await metadata('scheduling.k8s.io/v1', 'PriorityClass')).labels.includes('namespace'));
    assert.equal((await metadata('v1', 'Pod')).labels[0], 'name');
    assert.ok((await metadata('v1', 'Pod')).labels.includes('namespace'));
    const template = await offered(
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    metadata:\n      ‹›\n',
    );
    assert.equal(template.labels[0], 'labels');
  });

  it('knows the fields of the Kubernetes that is chosen', async () => {
    const fields = async (minor: Minor) => (await offered(pod('  ‹›\n'), { minor })).labels;
    assert.ok(!(await fields('1.34')).includes('workloadRef'));
    assert.ok((await fields('1.35')).includes('workloadRef'));
    assert.ok((await fields('1.36')).includes('schedulingGroup'));
    assert.ok(!(await fields('1.36')).includes('workloadRef'));
  });

  it('knows what plugins of the scheduler are told, and the plugins of each point', async () => {
    const profile = (text: string): string =>
      `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n  - ${text}`;
    const told = await offered(
      profile('pluginConfig:\n      - name: DefaultPreemption\n        args:\n          ‹›\n'),
    );
    assert.deepEqual(told.labels.slice(0, 2), ['minCandidateNodesPercentage', 'minCandidateNodesAbsolute']);
    const filters = await offered(profile('plugins:\n      filter:\n        disabled:\n          - name: ‹›\n'));
    assert.ok(filters.labels.includes('NodePorts'));
    assert.ok(!filters.labels.includes('ImageLocality'));
    const after = await offered(profile('plugins:\n      postFilter:\n        enabled: [{ name: ‹› }]\n'));
    assert.ok(after.labels.includes('DefaultPreemption') && !after.labels.includes('NodePorts'));
  });

  it('writes JSON in JSON', async () => {
    const json = (spec: string): string => `{"apiVersion":"v1","kind":"Pod","spec":{${spec}}}`;
    const options = { name: 'a.json', others: { 'classes.yaml': classes } };
    assert.equal((await offered(json('‹"nod"›'), options)).take('nodeName'), json('"nodeName": "$0"'));
    assert.equal((await offered(json('‹›'), options)).take('priority'), json('"priority": $0'));
    assert.equal(
      (await offered(json('"priorityClassName":‹›'), options)).take('high'),
      json('"priorityClassName": "high"'),
    );
    assert.equal((await offered(json('"hostNetwork": ‹›'), options)).take('true'), json('"hostNetwork": true'));
    assert.deepEqual((await offered('‹›', options)).labels, []);
  });

  it('answers in objects of a list', async () => {
    const item = (spec: string): string =>
      `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec:\n${spec}`;
    assert.equal((await offered(item('    ‹no›\n'))).take('nodeName'), item('    nodeName: $0\n'));
    assert.deepEqual((await offered('apiVersion: v1\nkind: List\n‹›\nitems: []\n')).labels, []);
    const begun = (text: string): string => `apiVersion: v1\nkind: List\nitems:\n- ${text}`;
    assert.deepEqual((await offered(begun('‹›\n'))).labels.slice(0, 3), ['apiVersion', 'kind', 'metadata']);
    assert.equal((await offered(begun('‹ki›\n'))).take('kind'), begun('kind: $0\n'));
    assert.ok((await offered(begun('kind: Pod\n  ‹›\n'))).labels.includes('spec'));
    assert.equal(
      (await offered(begun('kind: Pod\n  spec:\n    ‹no›\n'))).take('nodeName'),
      begun('kind: Pod\n  spec:\n    nodeName: $0\n'),
    );
  });

  it('[ED-7] knows the metadata of kinds that it does not know', async () => {
    const object = (text: string): string => `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n${text}`;
    const { labels, take } = await offered(object('  name: a\n  ‹›\n'));
    assert.ok(
      ['namespace', 'labels', 'annotations'].every((each) => labels.includes(each)),
      labels.join(),
    );
    assert.equal(take('namespace'), object('  name: a\n  namespace: $0\n'));
    const others = { 'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: shop }\n' };
    assert.deepEqual((await offered(object('  namespace: ‹›\n'), { others })).labels, ['shop']);
    assert.deepEqual((await offered(`${object('  name: a\n')}spec:\n  ‹›\n`)).labels, []);
  });

  it('offers nothing in a document that is too large to be read', async () => {
    const long = `  annotations: { a: "${'x'.repeat(3_200_000)}" }\n`;
    assert.deepEqual((await offered(`${head}${long}‹›`)).labels, []);
  });

  it('offers kinds and versions of objects that it does not know yet, in lists too', async () => {
    const item = 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: policy/v1\n  kind: ‹Pod›\n';
    assert.deepEqual((await offered(item)).labels, ['PodDisruptionBudget']);
    assert.deepEqual((await offered('apiVersion: v1\nkind: ConfigMap\n‹›\n')).labels, []);
  });

  it('writes plain text for editors without snippets', async () => {
    const { take, find } = await offered(pod('  ‹›\n'), { snippets: false });
    assert.equal(take('affinity'), pod('  affinity:\n    \n'));
    assert.equal(find('affinity').insertTextFormat, 1);
  });

  it('leaves to a schema what the API alone says, and nothing else', async () => {
    const options = { isBesideSchema: true, others: { 'classes.yaml': classes, 'nodes.yaml': nodes } };
    const labels = async (source: string) => (await offered(source, options)).labels;
    assert.deepEqual(await labels('‹›').then((all) => all.filter((label) => /^[a-z]/.test(label))), []);
    assert.deepEqual(await labels('apiVersion: v1\nkind: ‹›\n'), []);
    assert.deepEqual(await labels('kind: Pod\napiVersion: ‹›\n'), []);
    assert.deepEqual(await labels(pod('  preemptionPolicy: ‹›\n')), []);
    assert.deepEqual(await labels(pod('  hostNetwork: ‹›\n')), []);
    assert.deepEqual(await labels(pod('  tolerations: [{ effect: ‹› }]\n')), []);
    assert.ok((await labels(pod('  priorityClassName: ‹›\n'))).includes('high'));
    assert.ok((await labels(pod('  nodeSelector: { ‹› }\n'))).includes('disk.example.com/8'));
    assert.ok((await labels(pod('  ‹›\n'))).includes('podAntiAffinity, required'));
  });
});

describe('completion of values', () => {
  const workload = (namespace: string, app: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${app}, namespace: ${namespace} }
spec:
  selector: { matchLabels: { app: ${app} } }
  template:
    metadata: { labels: { app: ${app}, tier: back } }
    spec: { containers: [] }
`;
  const others = {
    'nodes.yaml': nodes,
    'classes.yaml': classes,
    'workloads.yaml': [workload('shop', 'cart'), workload('shop', 'pay'), workload('blog', 'posts')].join('---\n'),
    'namespaces.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { team: a } }\n',
    'scheduler.yaml':
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{ schedulerName: batch }]\n',
    'claims.yaml': ['shop/cart', 'blog/posts']
      .map((name) => name.split('/'))
      .map(
        ([namespace, name]) =>
          `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name!}, namespace: ${namespace!} }\n`,
      )
      .join('---\n'),
  };
  const inShop = (spec: string): string => pod(spec).replace('name: web', 'name: web\n  namespace: shop');
  const term = (text: string): string =>
    inShop(`  affinity:\n    podAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        - ${text}\n`);
  const nodeTerm = (text: string): string =>
    inShop(
      `  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ ${text} }] } } }\n`,
    );
  const quota = (spec: string): string =>
    `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec:\n  ${spec}\n`;

  const cases: readonly (readonly [
    what: string,
    source: string,
    first: readonly (readonly [string, string | undefined])[],
  ])[] = [
    [
      'of nodes in a selector',
      inShop('  nodeSelector:\n    ‹›\n'),
      [
        ['disk.example.com/8', 'on 3 nodes'],
        ['kubernetes.io/hostname', 'on 3 nodes'],
      ],
    ],
    [
      'of the label of a node',
      inShop('  nodeSelector: { topology.kubernetes.io/zone: ‹› }\n'),
      [
        ['z2', 'on 2 nodes'],
        ['z1', 'on 1 node'],
      ],
    ],
    ['of a well-known label', inShop('  nodeSelector: { kubernetes.io/os: ‹› }\n'), [['linux', 'well-known value']]],
    ['of keys in node affinity', nodeTerm('matchExpressions: [{ key: ‹› }]'), [['disk.example.com/8', 'on 3 nodes']]],
    [
      'of values in node affinity',
      nodeTerm('matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [z1, ‹›] }]'),
      [['z2', 'on 2 nodes']],
    ],
    [
      'of operators in node affinity',
      nodeTerm('matchExpressions: [{ key: a, operator: ‹› }]'),
      [
        ['In', undefined],
        ['NotIn', undefined],
      ],
    ],
    ['of fields of nodes', nodeTerm('matchFields: [{ key: ‹› }]'), [['metadata.name', 'the name of the node']]],
    [
      'of names in fields of nodes',
      nodeTerm('matchFields: [{ key: metadata.name, operator: In, values: [‹›] }]'),
      [['a', 'Node']],
    ],
    [
      'of topology keys',
      term('topologyKey: ‹›'),
      [
        ['kubernetes.io/hostname', 'on 3 nodes, 3 domains'],
        ['topology.kubernetes.io/zone', 'on 3 nodes, 2 domains'],
        ['topology.kubernetes.io/region', 'well-known label of nodes'],
        ['disk.example.com/8', 'on 3 nodes, 1 domain'],
      ],
    ],
    [
      'of labels of pods',
      term('labelSelector: { matchLabels: { ‹› } }'),
      [
        ['app', 'in 3 workloads'],
        ['tier', 'in 3 workloads'],
      ],
    ],
    [
      'of a label of pods',
      term('labelSelector: { matchExpressions: [{ key: app, operator: In, values: [‹›] }] }'),
      [
        ['cart', 'in 1 workload'],
        ['pay', 'in 1 workload'],
        ['posts', 'in 1 workload'],
      ],
    ],
    [
      'of labels of namespaces',
      term('namespaceSelector: { matchLabels: { ‹› } }'),
      [
        ['kubernetes.io/metadata.name', 'on 1 namespace'],
        ['team', 'on 1 namespace'],
      ],
    ],
    [
      'of namespaces',
      term('namespaces: [‹›]'),
      [
        ['shop', '3 workloads'],
        ['blog', '1 workload'],
      ],
    ],
    [
      'of the pods of its namespace for a budget',
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b, namespace: shop }\nspec: { selector: { matchLabels: { app: ‹› } } }\n',
      [
        ['cart', 'in 1 workload'],
        ['pay', 'in 1 workload'],
      ],
    ],
    [
      'of the pods for a service',
      'apiVersion: v1\nkind: Service\nmetadata: { name: s, namespace: blog }\nspec:\n  selector:\n    app: ‹›\n',
      [['posts', 'in 1 workload']],
    ],
    [
      'of taints',
      inShop('  tolerations: [{ key: ‹› }]\n'),
      [
        ['dedicated', 'on 3 nodes'],
        ['node-role.kubernetes.io/control-plane', 'well-known taint'],
      ],
    ],
    [
      'of the value of a taint',
      inShop('  tolerations: [{ key: dedicated, value: ‹› }]\n'),
      [['gpu', 'on 3 nodes, NoExecute']],
    ],
    [
      'of the effect of a taint',
      inShop('  tolerations: [{ key: dedicated, effect: ‹› }]\n'),
      [
        ['NoExecute', 'of a taint that is there'],
        ['NoSchedule', undefined],
      ],
    ],
    [
      'of nodes',
      inShop('  nodeName: ‹›\n'),
      [
        ['a', 'Node'],
        ['b', 'Node'],
        ['c', 'Node'],
      ],
    ],
    [
      'of schedulers',
      inShop('  schedulerName: ‹›\n'),
      [
        ['batch', 'profile of a KubeSchedulerConfiguration'],
        ['default-scheduler', 'where nothing is written'],
      ],
    ],
    [
      'of claims in its namespace',
      inShop('  volumes: [{ name: a, persistentVolumeClaim: { claimName: ‹› } }]\n'),
      [['cart', 'PersistentVolumeClaim']],
    ],
    [
      'of resources',
      inShop('  containers:\n    - name: a\n      resources:\n        requests:\n          ‹›\n'),
      [
        ['cpu', 'resource'],
        ['memory', 'resource'],
        ['ephemeral-storage', 'resource'],
        ['nvidia.com/gpu', 'on 3 nodes'],
      ],
    ],
    [
      'of what a quota limits',
      quota('hard:\n    ‹›'),
      [
        ['pods', 'resource'],
        ['requests.cpu', 'resource'],
      ],
    ],
    ['of scopes', quota('scopes: [‹›]'), [['Terminating', undefined]]],
    [
      'of classes in a scope',
      quota('scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [‹›] }] }'),
      [
        ['high', 'priority 100000'],
        ['low', 'priority -10, never preempts'],
      ],
    ],
    [
      'of what is true or not',
      inShop('  hostNetwork: ‹›\n'),
      [
        ['true', undefined],
        ['false', undefined],
      ],
    ],
    ['of kinds', 'apiVersion: policy/v1\nkind: ‹›\n', [['PodDisruptionBudget', 'policy/v1']]],
    [
      'of versions',
      'kind: HorizontalPodAutoscaler\napiVersion: ‹›\n',
      [
        ['autoscaling/v1', 'HorizontalPodAutoscaler'],
        ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ],
    ],
    [
      'of what an autoscaler scales',
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: h, namespace: shop }\nspec: { scaleTargetRef: { kind: Deployment, name: ‹› } }\n',
      [
        ['cart', 'Deployment'],
        ['pay', 'Deployment'],
      ],
    ],
  ];
  for (const [what, source, first] of cases) {
    it(`knows those ${what}`, async () => {
      const { list, labels } = await offered(source, { others });
      assert.deepEqual(
        list.items.slice(0, first.length).map(({ label, detail }) => [label, detail]),
        first,
      );
      assert.equal(new Set(labels).size, labels.length);
      // The editor takes from it what no longer fits, without an answer that may come after an Enter.
      assert.equal(list.isIncomplete, false);
    });
  }

  it('asks for a quota what nodes have besides', async () => {
    const { labels } = await offered(quota('hard:\n    ‹›'), { others });
    assert.ok(labels.includes('requests.nvidia.com/gpu'));
    assert.ok(!labels.includes('nvidia.com/gpu'));
  });

  it('quotes what would be read as a number', async () => {
    const source = (value: string): string => inShop(`  nodeSelector: { disk.example.com/8: ${value} }\n`);
    assert.equal((await offered(source('‹›'), { others })).take('8'), source('"8"'));
  });

  it('offers nothing behind the sign of an alias, and values behind an anchor', async () => {
    assert.deepEqual(
      (await offered(`${head}spec: { priorityClassName: *‹› }\n`, { others: { 'c.yaml': classes } })).labels,
      [],
    );
    assert.deepEqual(
      (await offered(`${head}spec:\n  priorityClassName: *h‹›\n`, { others: { 'c.yaml': classes } })).labels,
      [],
    );
    const { take } = await offered(`${head}spec:\n  priorityClassName: &a ‹›\n`, { others: { 'c.yaml': classes } });
    assert.match(take('high'), /priorityClassName: &a high\n/);
  });

  it('counts anew what an edit changes, and only that', async () => {
    const workspace = await TestWorkspace.of({
      'a.yaml': inShop('  nodeSelector: { topology.kubernetes.io/zone: ‹› }\n'),
      'n.yaml': node('a', 'z1'),
    });
    const values = () =>
      completion(workspace.file('a.yaml'), workspace.cursor('a.yaml'), {
        facts: workspace.facts,
        release: releaseOf(newestMinor),
        isBesideSchema: false,
        snippets: true,
      }).items.map(({ label, detail }) => `${label} ${detail}`);
    assert.deepEqual(values(), ['z1 on 1 node']);
    workspace.write('n.yaml', node('a', 'z9'));
    assert.deepEqual(values(), ['z9 on 1 node']);
    workspace.write('n.yaml', `${node('a', 'z9')}---\n${node('b', 'z9')}`);
    assert.deepEqual(values(), ['z9 on 2 nodes']);
    workspace.write('n.yaml', 'a: b\n');
    assert.deepEqual(values(), []);
  });

  it('sends as many as can be shown, of those that what is typed may mean', async () => {
    const many = Array.from({ length: 10_000 }, (_each, index) => `node-${index}`);
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'NodeList',
      items: many.map((name) => ({ metadata: { name, labels: { host: name } } })),
    });
    for (const source of [inShop('  nodeName: ‹node-77›\n'), inShop('  nodeSelector: { host: ‹node-77› }\n')]) {
      const { list: found, labels } = await offered(source, { others: { 'nodes.json': list } });
      assert.equal(found.isIncomplete, true);
      assert.equal(labels.length, 200);
      assert.ok(labels.includes('node-77'));
      assert.deepEqual(labels.slice(0, 2), ['node-77', 'node-770']);
      assert.ok(labels.every((label) => /7.*7/.test(label)));
    }
  });
});

describe('completion of what is typed', () => {
  const options = { isTyped: true, others: { 'nodes.yaml': nodes, 'classes.yaml': classes } };

  it('[ED-7] offers nothing for a value that is complete, so that Enter begins a line', async () => {
    for (const source of [
      'apiVersion: ‹v1›',
      'apiVersion: v1\nkind: ‹Pod›',
      pod('  restartPolicy: ‹Always›\n'),
      pod('  hostNetwork: ‹true›\n'),
      pod('  nodeName: ‹a›\n'),
      pod('  priorityClassName: ‹high›\n'),
      pod('  priorityClassName: ‹"high"›\n'),
      pod('  nodeSelector:\n    topology.kubernetes.io/zone: ‹z2›\n'),
      pod('  containers:\n    - name: a\n      resources:\n        requests:\n          cpu: ‹100m›\n'),
    ]) {
      // In quotes the last one is still to be typed.
      const expected = source.includes('"') ? ['high'] : [];
      const { labels, list } = await offered(source, options);
      assert.deepEqual(source.includes('"') ? labels.filter((label) => label === 'high') : labels, expected, source);
      assert.ok(source.includes('"') || !list.isIncomplete);
      assert.ok((await offered(source, { ...options, isTyped: false })).labels.length > 0, source);
    }
    assert.ok((await offered('apiVersion: v1\nkind: ‹pod›', options)).labels.includes('Pod'));
  });

  it('[#38] closes the list of a number or a word in quotes with the second quote, so that Enter begins a line', async () => {
    const hard = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec:\n  hard:\n    pods: ‹"5"›\n';
    const { find, take } = await offered(hard, options);
    assert.equal(find('50').filterText, '"50');
    assert.match(take('50'), /pods: 50\n/);
  });

  it('[ED-7] finds a value by what is typed only until one is complete, so that no list is open then', async () => {
    const found = async (source: string) =>
      new Map((await offered(source, options)).list.items.map(({ label, filterText }) => [label, filterText]));
    const kinds = await found('apiVersion: v1\nkind: ‹›');
    assert.equal(kinds.get('Pod'), 'Po');
    // Their names have that of a Pod in them.
    assert.equal(kinds.get('PodTemplate'), 'Po');
    assert.equal((await found('apiVersion: v1\nkind: ‹PodT›')).get('PodTemplate'), 'PodTemplat');
    const versions = await found('apiVersion: ‹›');
    assert.equal(versions.get('v1'), 'v');
    assert.equal(versions.get('apps/v1'), 'apps/v');
    for (const filterText of versions.values()) assert.doesNotMatch(filterText!, /v.*1/);
    const cpu = (typed: string): string =>
      pod(`  containers:\n    - name: a\n      resources:\n        requests:\n          cpu: ‹${typed}›\n`);
    // It begins with an amount that is offered too.
    assert.equal((await found(cpu(''))).get('250m'), ' ');
    assert.equal((await offered(cpu(''), options)).list.isIncomplete, false);
    assert.equal((await found(cpu('25'))).get('250m'), '250');
    assert.equal((await found(pod('  hostNetwork: ‹›\n'))).get('true'), 'tru');
    assert.equal((await found(pod('  priorityClassName: ‹"hi"›\n'))).get('high'), '"high"');
  });

  it('[ED-7] finds what may be another name by its beginning only, so that Enter ends one that is new', async () => {
    const others = {
      'robot.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: orders-db }\n',
    };
    const typed = async (text: string) =>
      (await offered(pod(`  serviceAccountName: ‹${text}›\n`), { isTyped: true, others })).list;
    const found = async (text: string) => (await typed(text)).items.map(({ label, filterText }) => filterText ?? label);
    assert.deepEqual(await found(''), ['order', 'defaul', 'we']);
    for (const text of ['', 'd']) assert.equal((await typed(text)).isIncomplete, false);
    assert.deepEqual(await found('d'), ['defaul']);
    assert.deepEqual(await found('db'), []);
    assert.deepEqual(await found('orders'), ['order']);
    assert.deepEqual(await found('orders-'), ['orders-d']);
  });

  it('[ED-7] does not take a label or a namespace that only it has for a choice', async () => {
    const labels = (value: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: sho\n  labels:\n    app: ${value}\n`;
    assert.deepEqual((await offered(labels('‹we›'), options)).labels, []);
    const other = { ...options, others: { 'b.yaml': labels('web').replace('name: web', 'name: b') } };
    assert.deepEqual((await offered(labels('‹we›'), other)).labels, ['web']);
    assert.ok(!(await offered(labels('a').replace('sho', '‹sho›'), options)).labels.includes('sho'));
  });

  it('[ED-7] offers classes of the system in kube-system only', async () => {
    const labels = async (namespace: string) =>
      (await offered(pod('  priorityClassName: ‹›\n').replace('name: web', `name: web\n  namespace: ${namespace}`)))
        .labels;
    assert.deepEqual(await labels('kube-system'), ['system-node-critical', 'system-cluster-critical']);
    assert.deepEqual(await labels('shop'), []);
  });

  it('[ED-7] opens the next list behind a key that has one, in an editor that can', async () => {
    const command = async (key: string, reopens = true) =>
      (await offered(pod('  ‹›\n'), { ...options, reopens })).find(key).command?.command;
    assert.equal(await command('restartPolicy'), 'editor.action.triggerSuggest');
    assert.equal(await command('priorityClassName'), 'editor.action.triggerSuggest');
    assert.equal(await command('affinity'), 'editor.action.triggerSuggest');
    assert.equal(await command('hostname'), undefined);
    assert.ok((await offered('ki‹›', { ...options, reopens: true })).find('kind').command);
    assert.equal(await command('restartPolicy', false), undefined);
  });

  it('[ED-7] writes with a kind its version, and its parts in a document that says nothing else', async () => {
    assert.match(
      (await offered('kind: ‹Dep›', options)).take('Deployment'),
      /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n {2}name: \$\{1:web\}\nspec:\n {2}replicas: /,
    );
    assert.match(
      (await offered('apiVersion: v1\nkind: ‹›', options)).take('Pod'),
      /^apiVersion: v1\nkind: Pod\nmetadata:/,
    );
    assert.equal(
      (await offered('kind: ‹Job›\nmetadata:\n  name: a\n', { ...options, isTyped: false })).take('Job'),
      'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n',
    );
    assert.equal(
      (await offered('kind: ‹Ing›', options)).take('Ingress'),
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: ${1:name}',
    );
    const [first, second, third] = (await offered('kind: ‹›', options)).labels;
    assert.deepEqual([first, second, third], ['Deployment', 'Service', 'ConfigMap']);
  });

  it('[ED-7] writes a template with the labels that the selector wants, and the other way', async () => {
    const deployment = (spec: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: cart\nspec:\n${spec}`;
    assert.match(
      (await offered(deployment('  selector:\n    matchLabels:\n      app: shop\n  ‹›\n'))).take('template'),
      /template:\n {4}metadata:\n {6}labels:\n {8}app: shop\n {4}spec:\n {6}containers:\n {8}- name: \$\{2:cart\}/,
    );
    assert.match(
      (await offered(deployment('  ‹›\n  template:\n    metadata:\n      labels:\n        tier: back\n'))).take(
        'selector',
      ),
      /selector:\n {4}matchLabels:\n {6}tier: back\n {2}template:/,
    );
  });

  it('[ED-7] knows what else pods name', async () => {
    const files = {
      ...options.others,
      'more.yaml': [
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { level: info, mode: fast }\n',
        'apiVersion: v1\nkind: Secret\nmetadata: { name: password }\nstringData: { key: a }\n',
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: robot }\n',
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: other, namespace: far }\n',
        'apiVersion: v1\nkind: Pod\nmetadata: { name: p, labels: { app: p } }\nspec: { containers: [{ name: a, ports: [{ name: http, containerPort: 8080 }] }] }\n',
      ].join('---\n'),
    };
    const labels = async (source: string) =>
      (await offered(source, { others: files })).list.items.map(({ label, detail }) => `${label}: ${detail ?? ''}`);
    const env = (text: string): string =>
      pod(`  containers:\n    - name: a\n      env:\n        - { name: b, valueFrom: { ${text} } }\n`);
    assert.deepEqual(await labels(pod('  serviceAccountName: ‹›\n')), [
      'robot: ServiceAccount',
      'default: ServiceAccount',
      'web: Pod',
    ]);
    assert.deepEqual(await labels(env('configMapKeyRef: { name: ‹› }')), ['settings: ConfigMap', 'web: Pod']);
    assert.deepEqual(await labels(env('configMapKeyRef: { name: settings, key: ‹› }')), [
      'level: key of settings',
      'mode: key of settings',
    ]);
    assert.deepEqual(await labels(pod('  volumes: [{ name: a, secret: { secretName: ‹› } }]\n')), [
      'password: Secret',
      'web: Pod',
    ]);
    assert.deepEqual(
      await labels(
        'apiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { selector: { app: p }, ports: [{ port: 80, targetPort: ‹› }] }\n',
      ),
      ['http: port 8080, of p', '8080: port, of p'],
    );
    const request = (resource: string): string =>
      pod(`  containers: [{ name: a, resources: { requests: { ${resource}: ‹› } } }]\n`);
    assert.deepEqual((await labels(request('cpu'))).slice(0, 2), ['100m: 3 % of a', '250m: 6 % of a']);
    assert.equal((await labels(request('memory')))[0], '128Mi: 2 % of a');
    assert.deepEqual((await offered(pod('  volumes:\n    - ‹›\n'))).labels.slice(0, 5), [
      'name',
      'configMap',
      'secret',
      'emptyDir',
      'persistentVolumeClaim',
    ]);
    const resources = await offered(pod('  containers:\n    - name: a\n      resources:\n        ‹›\n'));
    assert.deepEqual(resources.labels.slice(0, 2), ['requests', 'limits']);
    assert.deepEqual((await offered(pod('  ‹›\n'))).labels.slice(0, 3), ['containers', 'initContainers', 'volumes']);
  });
});
