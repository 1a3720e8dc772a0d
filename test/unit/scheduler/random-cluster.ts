import fc from 'fast-check';
import type {
  Container,
  KubeObject,
  Node,
  Pod,
  PodDisruptionBudget,
  PodSpec,
} from '../../../server/src/kubernetes/objects.ts';
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
const zone = 'topology.kubernetes.io/zone';
const keys = ['kubernetes.io/hostname', zone];

const randomNode = (index: number): fc.Arbitrary<Node> =>
  fc
    .record({
      cpu: fc.constantFrom('2', '3', '4'),
      pods: fc.constantFrom('3', '8', '110'),
      gpus: fc.constantFrom('0', '2'),
      inZone: fc.constantFrom('a', 'b', undefined),
      tainted: fc.constantFrom(false, false, false, true),
    })
    .map(({ cpu, pods, gpus, inZone, tainted }) =>
      node(`node-${index}`, {
        cpu,
        pods,
        more: { [gpu]: gpus },
        ...(inZone === undefined ? {} : { labels: { [zone]: inZone } }),
        ...(tainted ? { spec: { taints: [{ key: 'pool', value: 'own', effect: 'NoSchedule' }] } } : {}),
      }),
    );

/** Rules between pods, which make more filters than the one for resources look at who runs where. */
const randomRule: fc.Arbitrary<Partial<PodSpec>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constant({ tolerations: [{ key: 'pool', operator: 'Exists' }] }),
  fc
    .record({
      topologyKey: fc.constantFrom(...keys),
      app: fc.constantFrom(...applications),
      apart: fc.boolean(),
      hard: fc.boolean(),
    })
    .map(({ topologyKey, app, apart, hard }): Partial<PodSpec> => {
      const term = { topologyKey, labelSelector: { matchLabels: { app } } };
      const terms = hard
        ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
        : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term }] };
      return { affinity: apart ? { podAntiAffinity: terms } : { podAffinity: terms } };
    }),
  fc
    .record({
      topologyKey: fc.constantFrom(...keys),
      app: fc.constantFrom(...applications),
      maxSkew: fc.integer({ min: 1, max: 2 }),
      whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
      nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
      minDomains: fc.constantFrom(1, 3),
    })
    .map(({ app, minDomains, ...constraint }): Partial<PodSpec> => ({
      topologySpreadConstraints: [
        {
          ...constraint,
          labelSelector: { matchLabels: { app } },
          ...(constraint.whenUnsatisfiable === 'DoNotSchedule' ? { minDomains } : {}),
        },
      ],
    })),
);

function portOf(hostPort: number | undefined): Partial<Container> {
  return hostPort === undefined ? {} : { ports: [{ containerPort: 80, hostPort }] };
}

const randomShape = fc.record({
  cpu: fc.constantFrom(...cpus),
  memory: fc.constantFrom(...memories),
  gpus: fc.constantFrom('0', '0', '0', '1'),
  app: fc.constantFrom(...applications),
  priority: fc.integer({ min: -1, max: 3 }),
  start: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  rule: randomRule,
  port: fc.constantFrom(undefined, undefined, undefined, 0, 1),
});

function randomRunning(index: number, nodes: number): fc.Arbitrary<Pod> {
  return fc.record({ shape: randomShape, on: fc.nat({ max: nodes - 1 }) }).map(({ shape, on }) => {
    const { cpu, memory, gpus, app, priority, start, rule, port } = shape;
    // No two that run have the same: of those the first to leave would free it.
    const ports = portOf(port === undefined ? undefined : 8080 + index);
    const requests = { cpu, memory, ...(gpus === '0' ? {} : { [gpu]: gpus }) };
    return pod(`running-${index}`, {
      on: `node-${on}`,
      priority,
      labels: { app },
      spec: rule,
      container: { resources: { requests }, ...ports },
      status: start === undefined ? {} : { startTime: `2026-01-0${start}T00:00:00Z` },
    });
  });
}

function randomPending(index: number, nodes: number): fc.Arbitrary<Pod> {
  return fc
    .record({ shape: randomShape, nominated: fc.option(fc.nat({ max: nodes - 1 }), { nil: undefined, freq: 4 }) })
    .map(({ shape: { cpu, memory, gpus, app, priority, rule, port }, nominated }) => {
      const requests = { cpu, memory, ...(gpus === '0' ? {} : { [gpu]: gpus }) };
      return pod(`pending-${index}`, {
        priority: priority + 2,
        labels: { app },
        spec: rule,
        container: { resources: { requests }, ...portOf(port === undefined ? undefined : 8080 + port) },
        ...(nominated === undefined ? {} : { status: { nominatedNodeName: `node-${nominated}` } }),
      });
    });
}

export const randomCluster: fc.Arbitrary<RandomCluster> = fc
  .record({
    nodes: fc.integer({ min: 1, max: 5 }),
    running: fc.integer({ min: 0, max: 40 }),
    pending: fc.integer({ min: 1, max: 4 }),
  })
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
