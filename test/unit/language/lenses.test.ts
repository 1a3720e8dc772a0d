import assert from 'node:assert/strict';
import { codeLenses, scenarioLenses } from '../../../server/src/language/lenses/lens-places.ts';
import { longestLens, shortened } from '../../../server/src/language/lenses/lens-text.ts';
import { objectText } from '../../../server/src/language/lenses/object-lens.ts';
import { TestWorkspace } from './test-workspace.ts';

const priorityClass = (name: string, value: number, more = ''): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n${more}`;
const deployment = (name: string, className: string, replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { priorityClassName: ${className}, containers: [{ name: a, image: a }] }
`;
const budget = (name: string, app: string, spec: string): string =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { ${spec}, selector: { matchLabels: { app: ${app} } } }\n`;
const node = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n${more}status: { allocatable: { cpu: "4", memory: 8Gi, pods: "10" } }\n`;
const running = (name: string, app: string, on: string, className: string, cpu: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, labels: { app: ${app} } }\nspec: { nodeName: ${on}, priorityClassName: ${className}, containers: [{ name: a, image: a, resources: { requests: { cpu: "${cpu}" } } }] }\nstatus: { phase: Running }\n`;

const classes = [
  priorityClass('high', 100),
  priorityClass('low', 1),
  priorityClass('shy', 50, 'preemptionPolicy: Never\n'),
];

const textIn = (workspace: TestWorkspace, kind: string, name: string, namespace = ''): string =>
  objectText(kind, namespace, name, 'file:///all.yaml', workspace.facts);

const of = (...documents: readonly string[]): Promise<TestWorkspace> =>
  TestWorkspace.of({ 'all.yaml': [...classes, ...documents].join('---\n') });

describe('lenses above classes, budgets and nodes', () => {
  it('say of a class who uses it and how many pods it can evict: of workloads while nothing is known to run', async () => {
    const workspace = await of(deployment('a', 'low', 3), deployment('b', 'low', 4), deployment('c', 'high', 1));
    assert.equal(textIn(workspace, 'PriorityClass', 'high'), 'used by 1 · can evict 7 pods');
    assert.equal(textIn(workspace, 'PriorityClass', 'low'), 'used by 2 · can evict no pod');
    assert.equal(textIn(workspace, 'PriorityClass', 'shy'), 'unused · never evicts');
  });

  it('count the pods that run where some do', async () => {
    const workspace = await of(node('node-a'), deployment('a', 'low', 30), running('p', 'a', 'node-a', 'low', '1'));
    assert.match(textIn(workspace, 'PriorityClass', 'high'), / · can evict 1 pod$/);
  });

  it('[ED-4] say of a quota what the declared workloads ask for together, what is exceeded first', async () => {
    const quota = (name: string, namespace: string): string =>
      `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { hard: { pods: "20", requests.cpu: "5" } }\n`;
    const asking = deployment('a', 'low', 8).replace('image: a', 'image: a, resources: { requests: { cpu: 700m } }');
    const workspace = await of(asking, quota('all', 'default'), quota('other', 'elsewhere'));
    assert.equal(textIn(workspace, 'ResourceQuota', 'all', 'default'), 'cpu 5.6 of 5, exceeded · pods 8 of 20');
    assert.equal(textIn(workspace, 'ResourceQuota', 'other', 'elsewhere'), 'about no workload that is declared here');
  });

  it('[ED-5] run a scenario, above its first key', async () => {
    const workspace = await TestWorkspace.of({ 'night.podium.yaml': '# a night\n\ntitle: x\nevents: []\n' });
    const [lens, ...more] = scenarioLenses(workspace.file('night.podium.yaml'));
    assert.deepEqual(more, []);
    assert.equal(lens?.range.start.line, 2);
    assert.deepEqual(lens.command, {
      title: '▶ Run',
      command: 'podium.simulateFile',
      arguments: ['file:///night.podium.yaml'],
    });
    const empty = await TestWorkspace.of({ 'empty.podium.yaml': '# nothing yet\n' });
    assert.deepEqual(scenarioLenses(empty.file('empty.podium.yaml')), []);
  });

  it('say of a budget what it allows, and whose drain it blocks', async () => {
    const workspace = await of(
      deployment('web', 'low', 2),
      deployment('api', 'low', 2),
      budget('some', 'web', 'minAvailable: 1'),
      budget('none', 'web', 'minAvailable: 3'),
      budget('quiet', 'api', 'maxUnavailable: 0'),
      budget('empty', 'nobody', 'maxUnavailable: 0'),
      node('node-b'),
      running('web-0', 'web', 'node-b', 'low', '1'),
    );
    assert.equal(textIn(workspace, 'PodDisruptionBudget', 'none', 'default'), 'allows 0 · blocks drain of node-b');
    assert.equal(textIn(workspace, 'PodDisruptionBudget', 'quiet', 'default'), 'allows 0 · blocks every drain');
    assert.equal(textIn(workspace, 'PodDisruptionBudget', 'empty', 'default'), 'selects nothing');
    assert.match(textIn(workspace, 'PodDisruptionBudget', 'some', 'default'), /^allows 2 of 3 pods$/);
  });

  it('[EVI-2] count of a budget the pods that are known not to be ready', async () => {
    const unready = running('web-0', 'web', 'node-b', 'low', '1').replace(
      'phase: Running',
      'phase: Running, conditions: [{ type: Ready, status: "False" }]',
    );
    const workspace = await of(
      deployment('web', 'low', 2),
      budget('some', 'web', 'minAvailable: 2'),
      node('node-b'),
      unready,
    );
    assert.equal(textIn(workspace, 'PodDisruptionBudget', 'some', 'default'), 'allows 0 · blocks drain of node-b');
  });

  it('say of a node what is requested of its processors', async () => {
    const workspace = await of(
      node('a'),
      node('b', 'spec: { unschedulable: true }\n'),
      running('p', 'x', 'a', 'low', '3200m'),
    );
    assert.equal(textIn(workspace, 'Node', 'a'), '3.2 of 4 cpu · drain');
    assert.equal(textIn(workspace, 'Node', 'b'), 'cordoned · 0 of 4 cpu · drain');
    assert.equal(textIn(workspace, 'Node', 'gone'), '');
  });

  it('stand once above each', async () => {
    const workspace = await of(node('a'), budget('some', 'web', 'minAvailable: 1'));
    const lenses = codeLenses(workspace.file('all.yaml'), [{ name: '', facts: workspace.facts }]);
    assert.equal(lenses.length, 5);
  });
});

describe('a lens', () => {
  it('has at most 60 characters, with what it rests on', () => {
    const long = 'pending: 0/4 nodes are available: 1 Insufficient cpu, 3 node(s) had untolerated taint';
    const cases: readonly (readonly [whole: string, shown: string])[] = [
      ['priority 100 (high) · fits on node-a', 'priority 100 (high) · fits on node-a'],
      [`priority 100 (${'x'.repeat(40)}) · preempts 3 pods on node-b`, 'priority 100 · preempts 3 pods on node-b'],
      [
        'priority 100000 (shop-critical) · preempts 3 pods on general-a and general-b',
        'priority 100000 · preempts 3 pods on general-a and general-b',
      ],
      [`priority 0 · ${long}`, 'priority 0 · pending: 0/4 nodes are available: 1 Insufficie…'],
      [
        'priority 0 · rejected: StatefulSet.apps "db" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
        'priority 0 · rejected: requests: must be less than or equal…',
      ],
      [
        `priority 0 · rejected: pods "${'n'.repeat(30)}" is forbidden: no PriorityClass with name gold was found`,
        'priority 0 · rejected: no PriorityClass with name gold was…',
      ],
      [
        `priority unknown · since HEAD: roll-out stops at 0 of 2: Error creating: pods "${'n'.repeat(20)}" is forbidden: no PriorityClass with name gold was found`,
        'since HEAD: roll-out stops at 0 of 2: no PriorityClass with…',
      ],
      [
        `拒：Deployment.apps "web" is invalid: spec.selector: Required value: ${'n'.repeat(60)}`,
        `拒：selector: Required value: ${'n'.repeat(31)}…`,
      ],
      // That nodes are assumed goes first, the reason last.
      [`priority 0 · ${long} (nodes assumed)`, 'priority 0 · pending: 0/4 nodes are available: 1 Insufficie…'],
      [`priority 100 (high) · ${'x'.repeat(30)} (nodes assumed)`, `priority 100 (high) · ${'x'.repeat(30)}`],
      [`blocks drain of ${'n'.repeat(43)}😀😀`, `blocks drain of ${'n'.repeat(43)}…`],
    ];
    for (const [whole, shown] of cases) {
      assert.equal(shortened(whole), shown);
      assert.ok(shown.length <= longestLens);
    }
  });
});
