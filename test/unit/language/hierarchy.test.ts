import assert from 'node:assert/strict';
import { mayBeEvicted, mayEvict, preparePreemptionHierarchy } from '../../../server/src/language/navigation/index.ts';
import { TestWorkspace } from './test-workspace.ts';

const priorityClass = (name: string, value: number, more = ''): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n${more}`;
const deployment = (name: string, className: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { priorityClassName: ${className}, containers: [{ name: a, image: a }] }
`;

describe('the hierarchy of preemption', () => {
  const files = {
    'classes.yaml': [
      priorityClass('high', 1000),
      priorityClass('middle', 100),
      priorityClass('shy', 500, 'preemptionPolicy: Never\n'),
      priorityClass('low', 1),
    ].join('---\n'),
    'apps.yaml': [
      deployment('checkout', 'high'),
      deployment('cart', 'middle'),
      deployment('report', 'shy'),
      deployment('batch', 'low'),
    ].join('---\n'),
  };

  async function around(name: string): Promise<Record<'item' | 'incoming' | 'outgoing', readonly string[]>> {
    const workspace = await TestWorkspace.of(files);
    const file = workspace.file('apps.yaml');
    const line = files['apps.yaml'].split('\n').findIndex((each) => each.includes(`name: ${name}`));
    const [item] = preparePreemptionHierarchy(file, { line, character: 14 }, workspace.facts);
    assert.ok(item);
    return {
      item: [item.name, item.detail ?? ''],
      incoming: mayEvict(item, workspace.facts).map(({ from }) => from.name),
      outgoing: mayBeEvicted(item, workspace.facts).map(({ to }) => to.name),
    };
  }

  it('[ED-4] leads to those that may evict a workload, and to those that it may evict', async () => {
    assert.deepEqual(await around('cart'), {
      item: ['cart', 'priority 100 (middle) · Deployment · shop'],
      incoming: ['checkout'],
      outgoing: ['batch'],
    });
    assert.deepEqual((await around('checkout')).outgoing, ['report', 'cart', 'batch']);
  });

  it('[ED-4] knows that a class with preemptionPolicy Never evicts no pod', async () => {
    assert.deepEqual(await around('report'), {
      item: ['report', 'priority 500 (shy) · Deployment · shop'],
      incoming: ['checkout'],
      outgoing: [],
    });
  });

  it('[ED-4] is there for workloads only', async () => {
    const workspace = await TestWorkspace.of(files);
    const at = { line: 2, character: 20 };
    assert.deepEqual(preparePreemptionHierarchy(workspace.file('classes.yaml'), at, workspace.facts), []);
  });
});
