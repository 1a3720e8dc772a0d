import { strict as assert } from 'node:assert';
import type {
  Affinity,
  KubeObject,
  Namespace,
  Pod,
  PodAffinityTerm,
} from '../../../../server/src/kubernetes/objects.ts';
import { latestRelease } from '../../../../server/src/kubernetes/releases/index.ts';
import { defaultPluginArgs, defaultProfileOf } from '../../../../server/src/scheduler/index.ts';
import { clusterOf, decideFits, decideUnschedulable, node, pod, type PodShape, victimsOf } from '../cluster-builder.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';
const db = { labels: { app: 'db' } };

const notAffine = "node(s) didn't match pod affinity rules";
const notApart = "node(s) didn't match pod anti-affinity rules";
const existingApart = "node(s) didn't satisfy existing pods anti-affinity rules";

/** A term about the pods `app: db`. */
function term(shape: Partial<PodAffinityTerm> = {}): PodAffinityTerm {
  return { topologyKey: hostKey, labelSelector: { matchLabels: { app: 'db' } }, ...shape };
}

function near(...terms: readonly PodAffinityTerm[]): Affinity {
  return { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
}

function apart(...terms: readonly PodAffinityTerm[]): Affinity {
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
}

function preferring(kind: 'podAffinity' | 'podAntiAffinity', weight: number): Affinity {
  return { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: term() }] } };
}

function affine(name: string, affinity: Affinity, shape: PodShape = {}): Pod {
  return pod(name, { ...shape, spec: { affinity } });
}

function namespace(name: string, labels: Readonly<Record<string, string>> = {}): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** A pod `app: db` of another namespace. */
function dbOf(team: string, on: string): Pod {
  return pod(`db-${team}`, { on, metadata: { name: `db-${team}`, namespace: team, labels: db.labels } });
}

const zones = [
  node('a1', { labels: { [zoneKey]: 'a' } }),
  node('a2', { labels: { [zoneKey]: 'a' } }),
  node('b1', { labels: { [zoneKey]: 'b' } }),
  node('none'),
];

interface Case {
  readonly why: string;
  readonly objects: readonly KubeObject[];
  /** The only nodes that `p` fits on; null for none. */
  readonly feasible: readonly string[] | null;
}

function check(cases: readonly Case[]): void {
  for (const { why, objects, feasible } of cases) {
    it(why, () => {
      const cluster = clusterOf(...objects);
      if (feasible === null) assert.equal(decideUnschedulable(cluster, 'p').preFilter, null);
      else assert.deepEqual(decideFits(cluster, 'p').feasible, feasible);
    });
  }
}

describe('InterPodAffinity', () => {
  describe('[PLA-6] required terms', () => {
    check([
      {
        why: 'affinity wants a matching pod on the node',
        objects: [...zones, pod('db', { ...db, on: 'a1' }), affine('p', near(term()))],
        feasible: ['a1'],
      },
      {
        why: 'affinity wants a matching pod in the zone, and nodes without the key are in none',
        objects: [...zones, pod('db', { ...db, on: 'a1' }), affine('p', near(term({ topologyKey: zoneKey })))],
        feasible: ['a1', 'a2'],
      },
      {
        why: 'all affinity terms must be met by the same pod',
        objects: [
          ...zones,
          pod('db', { ...db, on: 'a1' }),
          pod('ssd', { labels: { disk: 'ssd' }, on: 'a1' }),
          affine('p', near(term(), term({ labelSelector: { matchLabels: { disk: 'ssd' } } }))),
        ],
        feasible: null,
      },
      {
        why: 'anti-affinity keeps away from a matching pod in the zone, and nodes without the key pass',
        objects: [...zones, pod('db', { ...db, on: 'a1' }), affine('p', apart(term({ topologyKey: zoneKey })))],
        feasible: ['b1', 'none'],
      },
      {
        why: 'each anti-affinity term counts for itself',
        objects: [
          ...zones,
          pod('db', { ...db, on: 'a1' }),
          pod('ssd', { labels: { disk: 'ssd' }, on: 'b1' }),
          affine('p', apart(term(), term({ labelSelector: { matchLabels: { disk: 'ssd' } } }))),
        ],
        feasible: ['a2', 'none'],
      },
      {
        why: 'anti-affinity of a running pod keeps others away too',
        objects: [...zones, affine('other', apart(term({ topologyKey: zoneKey })), { on: 'a1' }), pod('p', db)],
        feasible: ['b1', 'none'],
      },
      {
        why: 'affinity of a running pod asks nothing of others',
        objects: [...zones, affine('other', near(term()), { on: 'a1' }), pod('p', db)],
        feasible: ['a1', 'a2', 'b1', 'none'],
      },
      {
        why: 'no selector matches no pod',
        objects: [...zones, pod('db', { ...db, on: 'a1' }), affine('p', apart({ topologyKey: hostKey }))],
        feasible: ['a1', 'a2', 'b1', 'none'],
      },
      {
        why: 'an empty selector matches every pod',
        objects: [...zones, pod('x', { on: 'a1' }), affine('p', apart(term({ labelSelector: {} })))],
        feasible: ['a2', 'b1', 'none'],
      },
    ]);

    it('say what failed, and which failure preemption may cure', () => {
      const cluster = clusterOf(
        node('n1'),
        node('n2'),
        node('n3'),
        pod('ssd', { labels: { disk: 'ssd' }, on: 'n1' }),
        affine('lonely', apart(term()), { labels: { disk: 'ssd' }, on: 'n2' }),
        pod('db', { ...db, on: 'n1' }),
        affine('p', { ...near(term({ labelSelector: { matchLabels: { disk: 'ssd' } } })), ...apart(term()) }, db),
      );
      const { refusals } = decideUnschedulable(cluster, 'p');
      const told = [...refusals].map(([name, { code, reasons }]) => [name, code, ...reasons]);
      assert.deepEqual(told.sort(), [
        ['n1', 'Unschedulable', notApart],
        ['n2', 'Unschedulable', existingApart],
        ['n3', 'UnschedulableAndUnresolvable', notAffine],
      ]);
    });
  });

  describe('[PLA-7] the first pod of a series that wants to be together', () => {
    const series = near(term({ topologyKey: zoneKey }));
    check([
      {
        why: 'may go anywhere that has the key',
        objects: [...zones, affine('p', series, db)],
        feasible: ['a1', 'a2', 'b1'],
      },
      { why: 'may not if it does not match its own term', objects: [...zones, affine('p', series)], feasible: null },
      {
        why: 'is no longer first once one runs',
        objects: [...zones, pod('db', { ...db, on: 'b1' }), affine('p', series, db)],
        feasible: ['b1'],
      },
      {
        why: 'is still first when the only other runs where the key is missing',
        objects: [...zones, pod('db', { ...db, on: 'none' }), affine('p', series, db)],
        feasible: ['a1', 'a2', 'b1'],
      },
    ]);
  });

  describe('[PLA-8] namespaces', () => {
    const teams = [namespace('default'), namespace('red', { team: 'red' }), namespace('blue', { team: 'blue' })];
    const everywhere = [...zones, ...teams, dbOf('red', 'a1'), dbOf('blue', 'a2'), pod('db', { ...db, on: 'b1' })];
    const red = { matchLabels: { team: 'red' } };
    check([
      { why: 'neither given: its own', objects: [...everywhere, affine('p', near(term()))], feasible: ['b1'] },
      {
        why: 'those listed',
        objects: [...everywhere, affine('p', near(term({ namespaces: ['red', 'blue'] })))],
        feasible: ['a1', 'a2'],
      },
      {
        why: 'those selected',
        objects: [...everywhere, affine('p', near(term({ namespaceSelector: red })))],
        feasible: ['a1'],
      },
      {
        why: 'those listed and those selected',
        objects: [...everywhere, affine('p', near(term({ namespaces: ['blue'], namespaceSelector: red })))],
        feasible: ['a1', 'a2'],
      },
      {
        why: 'an empty selector: all',
        objects: [...everywhere, affine('p', near(term({ namespaceSelector: {} })))],
        feasible: ['a1', 'a2', 'b1'],
      },
      {
        why: 'the terms of running pods are read with the labels of the namespace of the pod that arrives',
        objects: [
          ...zones,
          namespace('default', { team: 'red' }),
          affine('other', apart(term({ namespaceSelector: red })), {
            on: 'a1',
            metadata: { name: 'other', namespace: 'blue' },
          }),
          pod('p', db),
        ],
        feasible: ['a2', 'b1', 'none'],
      },
    ]);

    const notBlue = { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['blue'] }] };
    const shunned = [...zones, ...teams, dbOf('blue', 'a1'), affine('p', apart(term({ namespaceSelector: notBlue })))];

    it('a selector that no labels at all would meet selects every namespace, a fault of 1.34.1', () => {
      assert.deepEqual(decideFits(clusterOf(...shunned), 'p').feasible, ['a2', 'b1', 'none']);
    });

    it('without the fault it selects what it says', () => {
      const InterPodAffinity = { ...defaultPluginArgs.InterPodAffinity, namespaceSelectorMatchesNoLabels: false };
      const profiles = [{ ...defaultProfileOf(latestRelease), args: { ...defaultPluginArgs, InterPodAffinity } }];
      assert.deepEqual(decideFits(clusterOf(...shunned), 'p', { profiles }).feasible, ['a1', 'a2', 'b1', 'none']);
    });
  });

  describe('[PLA-6] preferred terms', () => {
    const scoresOf = (...objects: readonly KubeObject[]): readonly (number | undefined)[] => {
      const { scores } = decideFits(clusterOf(node('n1'), node('n2'), ...objects), 'p');
      const column = scores!.plugins.indexOf('InterPodAffinity');
      return ['n1', 'n2'].map((name) => scores!.byNode.get(name)?.[column]);
    };

    it('draw the pod near', () => {
      assert.deepEqual(scoresOf(pod('db', { ...db, on: 'n1' }), affine('p', preferring('podAffinity', 50))), [200, 0]);
    });

    it('keep it away', () => {
      assert.deepEqual(
        scoresOf(pod('db', { ...db, on: 'n1' }), affine('p', preferring('podAntiAffinity', 50))),
        [0, 200],
      );
    });

    it('of running pods work the same', () => {
      const running = affine('other', preferring('podAntiAffinity', 7), { on: 'n1' });
      assert.deepEqual(scoresOf(running, pod('p', db)), [0, 200]);
    });

    it('are joined by the required affinity of running pods', () => {
      const series = affine('other', near(term()), { ...db, on: 'n1' });
      assert.deepEqual(scoresOf(series, pod('p', db)), [200, 0]);
    });

    it('of nobody leave the plugin out', () => {
      assert.deepEqual(scoresOf(pod('db', { ...db, on: 'n1' }), pod('p')), [undefined, undefined]);
    });
  });

  describe('and preemption', () => {
    const small = { cpu: '1', labels: { 'topology.kubernetes.io/zone': 'a' } };

    it('[PRE-8] does not take the pod that the affinity needs', () => {
      const cluster = clusterOf(
        node('n1', small),
        pod('db', { ...db, on: 'n1', cpu: '1' }),
        affine('p', near(term()), { cpu: '1', priority: 10 }),
      );
      const { preemption } = decideUnschedulable(cluster, 'p');
      assert.equal(preemption?.candidates.size, 0);
      assert.deepEqual(preemption.dryRun.get('n1')?.reasons, [notAffine]);
    });

    it('[PRE-8] takes others from that node if the pod that is needed is as important', () => {
      const cluster = clusterOf(
        node('n1', small),
        pod('db', { ...db, on: 'n1', cpu: '500m', priority: 10 }),
        pod('low', { on: 'n1', cpu: '500m' }),
        affine('p', near(term()), { cpu: '500m', priority: 10 }),
      );
      assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'p')), { n1: ['default/low'] });
    });

    it('[PRE-8] takes the last of a series, since the pod is then the first', () => {
      const cluster = clusterOf(
        node('n1', small),
        pod('db', { ...db, on: 'n1', cpu: '1' }),
        affine('p', near(term()), { ...db, cpu: '1', priority: 10 }),
      );
      assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'p')), { n1: ['default/db'] });
    });

    it('[PRE-9] evicts nobody on one node to make room on another', () => {
      const cluster = clusterOf(
        node('n1', { ...small, cpu: '2' }),
        node('n2', small),
        pod('db', { ...db, on: 'n1', priority: 20 }),
        pod('low', { on: 'n2', cpu: '1' }),
        affine('p', apart(term({ topologyKey: zoneKey })), { cpu: '1', priority: 10 }),
      );
      const { preemption } = decideUnschedulable(cluster, 'p');
      assert.equal(preemption?.candidates.size, 0);
      assert.deepEqual(preemption.dryRun.get('n2')?.reasons, [notApart]);
    });

    it('[PRE-9] evicts the pod on the node itself, and goes there', () => {
      const cluster = clusterOf(
        node('n1', small),
        node('n2', small),
        pod('db', { ...db, on: 'n1' }),
        affine('p', apart(term({ topologyKey: zoneKey })), { priority: 10 }),
      );
      assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'p')), { n1: ['default/db'] });
    });
  });

  describe('and pods that are nominated but not bound', () => {
    const hermit = affine('hermit', apart(term()), { priority: 9, status: { nominatedNodeName: 'n1' } });

    it('does not see the anti-affinity of one when the pod that arrives has none', () => {
      assert.deepEqual(decideFits(clusterOf(node('n1'), node('n2'), hermit, pod('p', db)), 'p').feasible, ['n1', 'n2']);
    });

    it('sees it once the pod is bound', () => {
      const bound = affine('hermit', apart(term()), { priority: 9, on: 'n1' });
      assert.deepEqual(decideFits(clusterOf(node('n1'), node('n2'), bound, pod('p', db)), 'p').feasible, ['n2']);
    });

    it('sees one that the terms of the pod that arrives shun', () => {
      const nominated = pod('db', { ...db, priority: 9, status: { nominatedNodeName: 'n1' } });
      const cluster = clusterOf(node('n1'), node('n2'), nominated, affine('p', apart(term())));
      assert.deepEqual(decideFits(cluster, 'p').feasible, ['n2']);
    });
  });
});
