import assert from 'node:assert/strict';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { workloadKey } from '../../../server/src/kubernetes/names.ts';
import {
  branchOf,
  capacityOf,
  endOfRun,
  eventsOf,
  simulateEvents,
  UnknownScenarioError,
} from '../../../server/src/simulation/index.ts';
import { fit, NoReplicasError } from '../../../server/src/simulation/capacity/fit.ts';
import { input as testInput, node, pod, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

const workspace = { kind: 'workspace' } as const;

describe('[ED-5] how many more replicas fit', () => {
  const input = loadSample();

  function capacity(...operations: readonly string[]) {
    const events = eventsOf(branchOf(input, operations));
    const report = runToEnd(simulateEvents(input, workspace, events));
    const rows = runToEnd(capacityOf(runToEnd(endOfRun(input, workspace, events))));
    const nodeName = (node: number): string => report.nodes[node]!.name;
    return {
      report,
      rows,
      of: (name: string) => {
        const row = rows.find(({ workload }) => report.workloads[workload]!.name === name)!;
        return {
          ...row,
          sizes: [row.free.count, row.withinBudgets.count, row.evicting.count],
          placed: row.nodes.map(({ node, count }) => [nodeName(node), count]),
        };
      },
    };
  }

  it('counts what evicts no pod, what keeps budgets and what breaks them, and says what runs out', () => {
    const { of } = capacity();
    const giftCards = of('gift-cards');
    assert.deepEqual([giftCards.sizes, giftCards.placed, giftCards.runsOut], [[1, 7, 15], [['general-c', 1]], 'cpu']);
    const checkout = of('checkout');
    assert.deepEqual([checkout.sizes, checkout.runsOut], [[0, 0, 2], 'cpu']);
    assert.deepEqual(checkout.evicts?.brokenBudgets, ['shop/storefront']);
    assert.equal(checkout.evicts.victims.length, 2);
    const trained = of('recommender-training');
    assert.deepEqual([trained.sizes, trained.evicts], [[0, 0, 0], null]);
    assert.match(trained.message, /3 Insufficient cpu\. .*preemptionPolicy=Never\.$/);
    assert.match(of('log-agent').refusal, /runs one pod on each node: it has no replicas to add$/);
    assert.deepEqual(of('loyalty-migration').gates, ['shop.example/data-protection-approval']);
    assert.equal(of('checkout').sharesClaims, false);
  });

  it('finds for workloads of which nodes are asked the same what it finds for each alone', () => {
    const apart = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'hated' } } },
        ],
      },
    };
    const objects = [
      ...['a', 'b', 'c'].map((name) => node(name, 8)),
      running('hater', 1, 'a', 0, { spec: { affinity: apart } }),
      ...['one', 'two', 'hated'].map((name) => pod(name, 1)),
      pod('image', 1, { containers: [{ name: 'other', image: 'else', resources: { requests: { cpu: '1' } } }] }),
      pod('port', 1, {
        containers: [
          {
            name: 'main',
            image: 'app',
            ports: [{ containerPort: 80, hostPort: 80 }],
            resources: { requests: { cpu: '1' } },
          },
        ],
      }),
      pod('urgent', 1, { priority: 1000 }),
      pod('never', 1, { priority: 1000, preemptionPolicy: 'Never' }),
      pod('picky', 1, { nodeSelector: { 'kubernetes.io/hostname': 'b' } }),
    ];
    const own = testInput(objects);
    const atEnd = () => runToEnd(endOfRun(own, workspace, []));
    const together = runToEnd(capacityOf(atEnd()));
    const alone = together.map(({ workload }) => runToEnd(capacityOf(atEnd(), [workload]))[0]);
    assert.deepEqual(together, alone);
    // The anti-affinity of one that runs keeps some of those that are alike otherwise away from its node.
    assert.ok(new Set(together.map(({ free }) => free.count)).size > 3);
  });

  it('says of each workload what podium fit says', () => {
    const { report, rows } = capacity();
    let compared = 0;
    for (const { workload, refusal, free, withinBudgets, evicting, message, sharesClaims } of rows) {
      const { kind, namespace, name } = report.workloads[workload]!;
      const ask = () => runToEnd(fit(input, workloadKey(kind, namespace, name)));
      if (refusal !== '') {
        assert.throws(ask, NoReplicasError);
      } else if (!sharesClaims) {
        const alone = ask();
        assert.deepEqual(
          [free.count, withinBudgets.count, evicting.count, message],
          [alone.free.count, alone.withinBudgets.count, alone.evicting.count, alone.free.message],
          name,
        );
        compared += 1;
      }
    }
    assert.ok(compared > 10);
  });

  it('counts after what is tried, and on nodes that a drain has emptied', () => {
    const more = capacity('add 1 node like general-a').of('checkout');
    assert.ok(more.free.count + more.withinBudgets.count > 0, JSON.stringify(more.sizes));
    const drained = capacity('drain node/general-a --ignore-daemonsets').of('gift-cards');
    assert.ok(drained.nodes.every(({ node }) => capacity().report.nodes[node]!.name !== 'general-a'));
  });

  it('says of replicas that would each have a claim of their own that they share those of the first', () => {
    const labels = { app: 'ledger' };
    const { object } = decodeObject({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'ledger', namespace: 'shop' },
      spec: {
        replicas: 1,
        serviceName: 'ledger',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'ledger:1' }] } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    const end = runToEnd(endOfRun({ ...input, workspace: [...input.workspace, { object }] }, workspace, []));
    const index = end.simulated.workloads.findIndex(({ name }) => name === 'ledger');
    assert.equal(runToEnd(capacityOf(end, [index]))[0]?.sharesClaims, true);
  });

  it('asks for what waits of a controller that only its pods tell of, where its pods differ', () => {
    const owner = 'ReplicaSet/mid';
    const objects = [
      node('n1', 2),
      priorityClass('high', 1000),
      running('mid-1', '200m', 'n1', 10, { owner }),
      running('mid-2', '500m', 'n1', 10, { owner }),
      workload('Deployment', 'web', 1, podSpec('1400m', { priorityClassName: 'high' })),
    ];
    const { free, waiting } = runToEnd(fit(testInput(objects), 'ReplicaSet/default/mid'));
    assert.deepEqual([waiting, free.count], [1, 0]);
  });

  it('counts for the workloads that are asked about, and passes over those that are not there', () => {
    const end = runToEnd(endOfRun(input, workspace, []));
    assert.deepEqual(
      runToEnd(capacityOf(end, [5, 999, 2])).map(({ workload }) => workload),
      [5, 2],
    );
  });

  it('says so where the scenario is about something that is not there', () => {
    const nowhere = { kind: 'file', uri: 'file:///nowhere.yaml' } as const;
    assert.throws(() => runToEnd(endOfRun(input, nowhere, [])), UnknownScenarioError);
  });
});
