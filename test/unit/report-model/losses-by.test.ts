import assert from 'node:assert/strict';
import { reportMarkdown } from '../../../server/src/report-model/markdown.ts';
import {
  lossesBy,
  lossLabels,
  lossTotal,
  lostText,
  sharedByVictims,
  usualLosses,
} from '../../../server/src/report-model/losses-by.ts';
import { lossKeys } from '../../../server/src/report-model/loss.ts';
import { isReport } from '../../../server/src/report-model/report.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { node, podSpec, priorityClass, running, simulated, workload } from '../simulation/cluster-builder.ts';

/** Twelve nodes with a pod each, of workloads of three namespaces; six of them are needed for others. */
function cluster(): JsonObject[] {
  const teams = ['cart', 'media', 'search'];
  const nodes = Array.from({ length: 12 }, (_, at) => {
    const { metadata, ...rest } = node(`n${at}`, 4);
    const labels = {
      'karpenter.sh/nodepool': at < 6 ? 'spot' : 'general',
      'topology.kubernetes.io/zone': `z${at % 2}`,
    };
    return { ...rest, metadata: { ...(metadata as JsonObject), labels } };
  });
  const pods = nodes.map((_, at) => {
    const pod = running(`w${at}-x`, 4, `n${at}`, 0, {
      owner: `ReplicaSet/w${at}`,
      labels: { team: at < 8 ? 'shop' : 'search' },
    });
    return { ...pod, metadata: { ...(pod['metadata'] as JsonObject), namespace: teams[Math.floor(at / 4)]! } };
  });
  return [
    ...nodes,
    ...pods,
    priorityClass('high', 1000),
    workload('Deployment', 'big', 10, { ...podSpec(4), priorityClassName: 'high' }),
  ];
}

describe('who loses pods', () => {
  const report = simulated(cluster());

  it('[EVI-4] is told by namespace where lines would be many, those that lose most first', () => {
    const { by, rows } = usualLosses(report)!;
    assert.equal(by, 'namespace');
    assert.deepEqual(
      rows.map(({ name, ran, evicted, waiting, down }) => [name, ran, evicted, waiting, down.length]),
      rows
        .map(({ name, ran, evicted, waiting, down }) => [name, ran, evicted, waiting, down.length])
        .sort((a, b) => Number(b[4]) - Number(a[4])),
    );
    const total = lossTotal(rows);
    assert.deepEqual([total.evicted, total.ran, total.down.length], [10, 12, 10]);
    assert.equal(lostText(total), '83 %');
    assert.ok(total.down.every((name) => name.includes('/')));
  });

  it('[EVI-4] adds up to the same whatever it is told by: a class, a pool, a zone, a label', () => {
    assert.ok(lossLabels(report).includes('team'));
    for (const by of [...lossKeys, 'team']) {
      const { rows } = lossesBy(report, by);
      assert.equal(lossTotal(rows).evicted, report.answer.balance.evicted, by);
      assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
    }
    const named = (by: string): readonly string[] =>
      lossesBy(report, by)
        .rows.map(({ name }) => name)
        .sort();
    assert.deepEqual(named('pool'), ['general', 'spot']);
    assert.deepEqual(named('zone'), ['z0', 'z1']);
    assert.deepEqual(named('team'), ['search', 'shop']);
    // What is no label of any workload has one row without a name.
    assert.deepEqual(named('constructor'), ['']);
  });

  it('[EVI-4] says what all victims share, and the classes of few where the table has no columns for them', () => {
    const { rows } = usualLosses(report)!;
    assert.equal(sharedByVictims(report, rows), 'all priority 0, for high 1000, none has a budget');
    const mixed = rows.map((row) => ({ ...row, classes: ['low 1', 'mid 2'] }));
    assert.equal(sharedByVictims(report, mixed), 'for high 1000, none has a budget');
    assert.equal(sharedByVictims(report, mixed, 3), 'low 1 and mid 2, for high 1000, none has a budget');
  });

  it('[EVI-4] offers labels by how few values they have', () => {
    const { workloads } = report;
    const labelled = workloads.map((each, index) => ({
      ...each,
      labels: { all: 'x', app: `${index}`, team: `${index % 2}` },
    }));
    assert.deepEqual(lossLabels({ workloads: labelled }), ['team', 'app', 'all']);
  });

  it('[#35] names the budgets that are broken', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { namespace: 'cart', name: 'cart' },
      spec: { minAvailable: 4, selector: { matchLabels: { team: 'shop' } } },
    };
    const broken = simulated([...cluster(), budget]);
    const { rows } = lossesBy(broken, 'namespace');
    assert.deepEqual(rows.map(({ name, broken: names }) => [name, ...names]).sort(), [
      ['cart', 'cart/cart'],
      ['media'],
      ['search'],
    ]);
    const text = reportMarkdown(broken);
    assert.match(text, /^\| namespace \| ran \| lost \| evicted \| again \| pending \| budgets broken \| down \|$/m);
    assert.match(text, /^\| `cart` \| 4 \| 50 % \| 2 \| 0 \| 2 \| 1 \| \*\*/m);
  });

  it('[EVI-4] is a table in Markdown, with the lines behind it', () => {
    const whole = { ...report, losses: lossesBy(report, 'team') };
    assert.ok(isReport(whole));
    const text = reportMarkdown(whole);
    assert.match(text, /^\| team \| ran \| lost \| evicted \| again \| pending \| down \|$/m);
    assert.match(text, /^\| `shop` \| 8 \| \d+ % \| \d \| 0 \| \d \| \*\*/m);
    assert.match(text, /<details><summary>Evicted, workload by workload<\/summary>/);
  });

  it('[EVI-4] is told in lines where there are few', () => {
    const few = simulated([node('a', 4), running('web', 4, 'a', 0), priorityClass('high', 9)]);
    assert.equal(usualLosses(few), null);
  });
});
