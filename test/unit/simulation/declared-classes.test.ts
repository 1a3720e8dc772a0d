import assert from 'node:assert/strict';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { StandingCluster } from '../../../server/src/simulation/cluster/standing-cluster.ts';
import { TestWorkspace } from '../language/test-workspace.ts';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';

const priorityClass = (value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: important }\nvalue: ${value}\n`;

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      priorityClassName: important
      containers: [{ name: app, image: app }]
`;

const files = {
  'dev/classes.yaml': priorityClass(10),
  'dev/apps/api.yaml': deployment('dev-api'),
  'prod/classes.yaml': priorityClass(1000),
  'prod/apps/api.yaml': deployment('prod-api'),
  'shared.yaml': deployment('shared'),
};

describe('a class that several folders declare', () => {
  it('[PRI-1] has in a simulation the value that the hover tells: that of the nearest declaration', async () => {
    const workspace = await TestWorkspace.of(files);
    const input = {
      workspace: Object.keys(files).flatMap((path) => [...declaredObjects(workspace.file(path))]),
      snapshot: [],
    };
    const report = runToEnd(simulate(input, { kind: 'workspace' }));
    const simulated = Object.fromEntries(report.workloads.map(({ name, priority }) => [name, priority]));
    assert.deepEqual(simulated, { 'dev-api': 10, 'prod-api': 1000, shared: 10 });
    const pods = new StandingCluster(input).pods.map(({ pod, workload }) => [workload.name, pod.spec?.priority]);
    assert.deepEqual(Object.fromEntries(pods), simulated);
    for (const [name, path] of [
      ['dev-api', 'dev/apps/api.yaml'],
      ['prod-api', 'prod/apps/api.yaml'],
      ['shared', 'shared.yaml'],
    ] as const) {
      const told = hover(workspace.file(path), { line: 1, character: 0 }, workspace.facts);
      assert.ok(told?.contents.value.startsWith(`**Priority ${simulated[name]}**`), told?.contents.value);
    }
    const assumption = report.assumptions.find(({ text }) => text.includes('PriorityClass'));
    assert.equal(assumption?.text, '1 PriorityClass declared more than once: important');
  });
});
