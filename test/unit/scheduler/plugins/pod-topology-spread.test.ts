import { strict as assert } from 'node:assert';
import type { KubeObject, Node, Pod, TopologySpreadConstraint } from '../../../../server/src/kubernetes/objects.ts';
import { clusterOf, decideFits, decideUnschedulable, node, pod, type PodShape, victimsOf } from '../cluster-builder.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';
const app = { labels: { app: 'web' } };
const skewed = "node(s) didn't match pod topology spread constraints";
const unlabelled = "node(s) didn't match pod topology spread constraints (missing required label)";

function zoned(name: string, zone: string, spec?: Node['spec']): Node {
  return node(name, { labels: { [zoneKey]: zone }, ...(spec === undefined ? {} : { spec }) });
}

function hard(shape: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return {
    topologyKey: zoneKey,
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
    ...shape,
  };
}

function soft(shape: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return hard({ whenUnsatisfiable: 'ScheduleAnyway', ...shape });
}

/** The pod `p`, of the application, that wants to be spread. */
function spread(constraints: readonly TopologySpreadConstraint[], shape: PodShape = app): Pod {
  return pod('p', { ...shape, spec: { ...shape.spec, topologySpreadConstraints: constraints } });
}

/** That many pods of the application on a node. */
function running(on: string, count: number, shape: PodShape = app): readonly Pod[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { ...shape, on }));
}

describe('PodTopologySpread', () => {
  describe('[PLA-12] hard constraints', () => {
    const three = [zoned('a', 'a'), zoned('b', 'b'), zoned('c', 'c')];
    const gone = { ...app, metadata: { deletionTimestamp: '2025-01-01T00:00:00Z' } };
    const cases: readonly {
      readonly why: string;
      readonly objects: readonly KubeObject[];
      readonly pod: Pod;
      /** Null when the pod fits nowhere. */
      readonly feasible: readonly string[] | null;
    }[] = [
      {
        why: 'let the difference to the emptiest zone reach maxSkew',
        objects: [...three, ...running('a', 1), ...running('b', 1)],
        pod: spread([hard()]),
        feasible: ['c'],
      },
      {
        why: 'let it be larger with a larger maxSkew',
        objects: [...three, ...running('a', 2), ...running('b', 1)],
        pod: spread([hard({ maxSkew: 2 })]),
        feasible: ['b', 'c'],
      },
      {
        why: 'treat the emptiest zone as empty while there are fewer zones than minDomains',
        objects: [...three, ...running('a', 1), ...running('b', 1), ...running('c', 1)],
        pod: spread([hard({ minDomains: 4 })]),
        feasible: null,
      },
      {
        why: 'do so no longer when there are enough zones',
        objects: [...three, ...running('a', 1), ...running('b', 1), ...running('c', 1)],
        pod: spread([hard({ minDomains: 3 })]),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'do not count the pod itself where its labels do not match',
        objects: [...three, ...running('a', 1), ...running('b', 1)],
        pod: spread([hard()], {}),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'count pods of the same namespace only',
        objects: [
          ...three,
          pod('x', { ...app, on: 'a', metadata: { name: 'x', namespace: 'team', labels: app.labels } }),
        ],
        pod: spread([hard()]),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'do not count pods that are terminating',
        objects: [
          ...three,
          pod('x', { on: 'a', metadata: { ...gone.metadata, name: 'x', namespace: 'default', labels: app.labels } }),
        ],
        pod: spread([hard()]),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'never block with an empty selector, which counts nothing',
        objects: [...three, ...running('a', 5)],
        pod: spread([hard({ labelSelector: {} })]),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'count a tainted node as a zone that stays empty',
        objects: [
          zoned('a', 'a'),
          zoned('t', 't', { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
          ...running('a', 1),
        ],
        pod: spread([hard()]),
        feasible: null,
      },
      {
        why: 'leave a tainted node out where taints are honoured',
        objects: [
          zoned('a', 'a'),
          zoned('t', 't', { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
          ...running('a', 1),
        ],
        pod: spread([hard({ nodeTaintsPolicy: 'Honor' })]),
        feasible: ['a'],
      },
      {
        why: 'leave nodes out that the pod does not select',
        objects: [...three, ...running('a', 1)],
        pod: spread([hard()], { ...app, spec: { nodeSelector: { [hostKey]: 'a' } } }),
        feasible: ['a'],
      },
      {
        why: 'count those nodes where the affinity policy is Ignore',
        objects: [...three, ...running('a', 1)],
        pod: spread([hard({ nodeAffinityPolicy: 'Ignore' })], { ...app, spec: { nodeSelector: { [hostKey]: 'a' } } }),
        feasible: null,
      },
      {
        why: 'must all hold',
        objects: [zoned('a1', 'a'), zoned('a2', 'a'), zoned('b1', 'b'), ...running('a1', 1), ...running('b1', 1)],
        pod: spread([hard(), hard({ topologyKey: hostKey })]),
        feasible: ['a2'],
      },
      {
        why: 'leave a node that lacks a key of any of them out of all',
        objects: [zoned('a', 'a'), node('n'), zoned('b', 'b'), ...running('a', 1), ...running('b', 1)],
        pod: spread([hard({ topologyKey: hostKey }), hard()]),
        feasible: ['a', 'b'],
      },
      {
        why: 'count only pods of the same revision with matchLabelKeys',
        objects: [...three, ...running('a', 1, { labels: { app: 'web', revision: '1' } })],
        pod: spread([hard({ matchLabelKeys: ['revision', 'absent'] })], { labels: { app: 'web', revision: '2' } }),
        feasible: ['a', 'b', 'c'],
      },
      {
        why: 'take matchLabelKeys alone when there is no selector',
        objects: [...three, ...running('a', 1)],
        pod: spread([
          { topologyKey: zoneKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] },
        ]),
        feasible: ['b', 'c'],
      },
    ];
    for (const { why, objects, pod: wanted, feasible } of cases) {
      it(why, () => {
        const cluster = clusterOf(...objects, wanted);
        if (feasible === null) assert.equal(decideUnschedulable(cluster, 'p').preFilter, null);
        else assert.deepEqual(decideFits(cluster, 'p').feasible, feasible);
      });
    }

    it('tell a skew, which preemption may cure, from a missing label, which it cannot', () => {
      const cluster = clusterOf(zoned('a', 'a'), zoned('b', 'b'), node('n'), ...running('a', 1), spread([hard()]));
      const { refusals } = decideFits(cluster, 'p');
      assert.deepEqual([refusals.get('a')?.code, refusals.get('a')?.reasons], ['Unschedulable', [skewed]]);
      assert.deepEqual(
        [refusals.get('n')?.code, refusals.get('n')?.reasons],
        ['UnschedulableAndUnresolvable', [unlabelled]],
      );
    });

    it('are met by preemption where a pod of the crowded zone is in the way', () => {
      const full = node('b', { labels: { [zoneKey]: 'b' }, pods: '0' });
      const wanted = spread([hard()], { ...app, priority: 5 });
      const cluster = clusterOf(zoned('a', 'a'), full, ...running('a', 1), wanted);
      assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'p')), { a: ['default/a-0'] });
    });
  });

  describe('[PLA-12] soft constraints', () => {
    const scoresOf = (objects: readonly KubeObject[]): Record<string, number> => {
      const { scores } = decideFits(clusterOf(...objects), 'p');
      const column = scores!.plugins.indexOf('PodTopologySpread');
      return Object.fromEntries([...scores!.byNode].map(([name, all]) => [name, all[column]!]));
    };
    const four = [zoned('n1', 'a'), zoned('n2', 'b'), zoned('n3', 'c'), zoned('n4', 'c')];
    const crowd = [...running('n1', 2), ...running('n2', 1), ...running('n3', 1)];

    it('prefer the emptier zone', () => {
      const scores = scoresOf([...four, ...crowd, spread([soft()])]);
      // Three zones weigh ln 5 each: 2 pods give 3, 1 pod gives 2. For n1 that leaves 2 × trunc(100 × (3 + 2 − 3) / 3).
      assert.deepEqual(scores, { n1: 132, n2: 200, n3: 200, n4: 200 });
    });

    it('give nothing to a node without the label', () => {
      const scores = scoresOf([zoned('n1', 'a'), zoned('n2', 'b'), node('n3'), ...running('n1', 1), spread([soft()])]);
      assert.deepEqual(scores, { n1: 0, n2: 200, n3: 0 });
    });

    it('are those of the system for the pods of a service', () => {
      const service: KubeObject = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'default' },
        ...{ spec: { selector: { app: 'web' } } },
      };
      const scores = scoresOf([...four, ...crowd, service, pod('p', app)]);
      assert.deepEqual(scores, { n1: 122, n2: 184, n3: 184, n4: 200 });
    });

    it('are not added to a pod that has hard ones', () => {
      const service: KubeObject = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'default' },
        ...{ spec: { selector: { app: 'web' } } },
      };
      const cluster = clusterOf(...four, ...crowd, service, spread([hard({ maxSkew: 9 })]));
      assert.equal(decideFits(cluster, 'p').scores?.plugins.includes('PodTopologySpread'), false);
    });
  });
});
