import fc from 'fast-check';
import type { KubeObject, Node, Pod, PodDisruptionBudget } from '../../../server/src/kubernetes/objects.ts';
import { budget, node, pod } from './cluster-builder.ts';

/** Small crowded clusters, for properties that must hold in all of them. */
export interface RandomCluster {
  readonly nodes: readonly Node[];
  readonly running: readonly Pod[];
  readonly pending: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
}

export function objectsOf({ nodes, running, pending, budgets }: RandomCluster): readonly KubeObject[] {
  return [...nodes, ...running, ...pending, ...budgets];
}

const cpus = ['100m', '250m', '500m', '1', '1500m', '2'];
const memories = ['64Mi', '256Mi', '1Gi', '2G'];
const applications = ['web', 'db', 'batch'];
const gpu = 'example.com/gpu';

const randomNode = (index: number): fc.Arbitrary<Node> =>
  fc
    .record({
      cpu: fc.constantFrom('2', '3', '4'),
      pods: fc.constantFrom('3', '8', '110'),
      gpus: fc.constantFrom('0', '2'),
      zone: fc.constantFrom('a', 'b'),
    })
    .map(({ cpu, pods, gpus, zone }) =>
      node(`node-${index}`, { cpu, pods, more: { [gpu]: gpus }, labels: { 'topology.kubernetes.io/zone': zone } }),
    );

const randomShape = fc.record({
  cpu: fc.constantFrom(...cpus),
  memory: fc.constantFrom(...memories),
  gpus: fc.constantFrom('0', '0', '0', '1'),
  app: fc.constantFrom(...applications),
  priority: fc.integer({ min: -1, max: 3 }),
  start: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});

function randomRunning(index: number, nodes: number): fc.Arbitrary<Pod> {
  return fc.record({ shape: randomShape, on: fc.nat({ max: nodes - 1 }) }).map(({ shape, on }) => {
    const { cpu, memory, gpus, app, priority, start } = shape;
    const requests = { cpu, memory, ...(gpus === '0' ? {} : { [gpu]: gpus }) };
    return pod(`running-${index}`, {
      on: `node-${on}`,
      priority,
      labels: { app },
      container: { resources: { requests } },
      status: start === undefined ? {} : ({ startTime: `2026-01-0${start}T00:00:00Z` }),
    });
  });
}

function randomPending(index: number, nodes: number): fc.Arbitrary<Pod> {
  return fc
    .record({ shape: randomShape, nominated: fc.option(fc.nat({ max: nodes - 1 }), { nil: undefined, freq: 4 }) })
    .map(({ shape: { cpu, memory, gpus, app, priority }, nominated }) => {
      const requests = { cpu, memory, ...(gpus === '0' ? {} : { [gpu]: gpus }) };
      return pod(`pending-${index}`, {
        priority: priority + 2,
        labels: { app },
        container: { resources: { requests } },
        ...(nominated === undefined ? {} : { status: { nominatedNodeName: `node-${nominated}` } }),
      });
    });
}

export const randomCluster: fc.Arbitrary<RandomCluster> = fc
  .record({ nodes: fc.integer({ min: 1, max: 5 }), running: fc.integer({ min: 0, max: 40 }), pending: fc.integer({ min: 1, max: 4 }) })
  .chain(({ nodes, running, pending }) =>
    fc.record({
      nodes: fc.tuple(...Array.from({ length: nodes }, (_, i) => randomNode(i))),
      running: fc.tuple(...Array.from({ length: running }, (_, i) => randomRunning(i, nodes))),
      pending: fc.tuple(...Array.from({ length: pending }, (_, i) => randomPending(i, nodes))),
      budgets: fc
        .array(fc.record({ app: fc.constantFrom(...applications), allowed: fc.nat({ max: 2 }) }), { maxLength: 2 })
        .map((all) => all.map(({ app, allowed }, i) => budget(`budget-${i}`, { app }, allowed))),
    }),
  );
