import assert from 'node:assert/strict';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { readFileSync } from 'node:fs';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { isReport } from '../../../server/src/report-model/report.ts';
import { reportMarkdown } from '../../../server/src/report-model/markdown.ts';
import { firstRows, planRows } from '../../../server/src/report-model/plan-rows.ts';
import { speak } from '../../../server/src/util/say.ts';
import { Translation, type Translations } from '../../../server/src/util/translation.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import {
  ArrivalPreviews,
  branchOf,
  compareRuns,
  figuresOf,
  eventsOf,
  parseOperation,
  simulate,
  type SimulationInput,
  WorkspaceRuns,
} from '../../../server/src/simulation/index.ts';
import { nameOf } from '../../../server/src/kubernetes/names.ts';
import { input, node, pod, running } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

function after(start: SimulationInput, ...operations: readonly string[]): WholeReport {
  return runToEnd(new WorkspaceRuns(start, new ArrivalPreviews(start)).report({ kind: 'workspace' }, operations));
}

function planOf({ comparison }: WholeReport) {
  assert.ok(comparison !== null);
  return { ...comparison.plan, causes: comparison.causes, rows: planRows(comparison) };
}

describe('A plan', () => {
  it('is cut to its evictions, with what each follows from, before who is only scheduled (#35)', () => {
    const { rows } = planOf(after(loadSample(), 'class batch-standard value=150000'));
    const text = (row: (typeof rows)[number]) => (row.kind === 'cause' ? row.cause.object : row.link.text);
    const kept = firstRows(rows, 6);
    assert.equal(kept.length, 6);
    assert.deepEqual(kept.map(text), [
      'PriorityClass/batch-standard',
      'loyalty-migration, recommender-training and nightly-report have priority 150000 instead of 1000',
      'nightly-report-29394810-1-0 is scheduled on general-a',
      'checkout-0 evicts catalog c7rzt, cart lw4nq and nightly-report k9x4b on general-a',
      'catalog-0 evicts search-indexer fk7pl on general-b',
      'nightly-report-29394810-0-0 is scheduled on general-a',
    ]);
    assert.deepEqual(firstRows(rows, rows.length), rows);
  });

  it('[#35] is cut to what was changed before anything that follows, on a comment to a dozen lines', () => {
    const report = after(loadSample(), 'class batch-standard value=150000', 'scale deployment/shop/catalog 9');
    const { rows, causes } = planOf(report);
    assert.equal(causes.length, 2);
    assert.ok(rows.length > 13, `${rows.length}`);
    assert.deepEqual(
      firstRows(rows, 2).map(({ kind }) => kind),
      ['cause', 'cause'],
    );
    const written = reportMarkdown(report).split('\n');
    const listed = written
      .slice(
        0,
        written.findIndex((line) => line.startsWith('|')),
      )
      .filter((line) => /^ *- /.test(line));
    assert.ok(listed.includes('- 2 more.'), listed.join('\n'));
    const { comparison } = report;
    const { plan } = comparison!;
    const fare = (change: 'worse' | 'restarted') => plan.effects.map((effect) => ({ ...effect, change }))[0]!;
    const rowsOf = (worse: number, others: number): number => {
      const effects = [
        ...Array<null>(worse)
          .fill(null)
          .map(() => fare('worse')),
        ...Array<null>(others)
          .fill(null)
          .map(() => fare('restarted')),
      ];
      const markdown = reportMarkdown({ ...report, comparison: { ...comparison!, plan: { ...plan, effects } } });
      return markdown
        .split('<details>')[0]!
        .split('\n')
        .filter((line) => /^\| [−~] /.test(line)).length;
    };
    // Those that lose are told, and of the others no more than fill a dozen.
    assert.deepEqual([rowsOf(3, 40), rowsOf(20, 40)], [12, 20]);
  });

  it('tells how a class that is raised leads to evictions, each behind what brought it about', () => {
    const report = after(loadSample(), 'class batch-standard value=150000');
    assert.ok(isReport(JSON.parse(JSON.stringify(report))));
    const { causes, chain, rows, stages, effects, story } = planOf(report);
    assert.deepEqual(
      causes.map(({ id, object, field, old, new: now }) => [id, object, field, old, now]),
      [['c1', 'PriorityClass/batch-standard', 'value', 1000, 150_000]],
    );
    const link = (text: RegExp) => chain.find((each) => text.test(each.text))!;
    const raised = link(/have priority 150000 instead of 1000$/);
    assert.deepEqual(raised.by, ['c1']);
    const takes = link(/^nightly-report-29394810-1-0 is scheduled on general-a$/);
    assert.deepEqual(takes.by, [raised.id]);
    // It takes the room that checkout-0 had made for itself, so checkout-0 evicts again: in the end everybody on general-b,
    // as the quota lets in the next nightly report once the one before is gone.
    const again = link(/^nightly-report-29394810-0-0 is scheduled on general-a$/);
    const evicts = link(/^checkout-0 evicts cart p8d6h/);
    assert.deepEqual([evicts.by, evicts.kind, evicts.clock], [[again.id], 'evicts', 120]);
    assert.deepEqual(evicts.workloads, [
      'Deployment/shop/checkout',
      'Deployment/shop/cart',
      'Deployment/shop/recommender-api',
      'Deployment/shop/catalog',
    ]);
    assert.deepEqual(
      [evicts.pod, evicts.node, evicts.victims.map((name) => name.split('-')[0])],
      [
        report.pods.map(({ namespace, name }) => `${namespace}/${name}`).find((name) => /checkout-\w+-0$/.test(name)),
        'general-b',
        ['shop/cart', 'shop/recommender', 'shop/cart', 'shop/catalog'],
      ],
    );
    // One way, from the cause to whom it hurts, in the names of workloads.
    assert.equal(
      story?.text,
      'class batch-standard 1000 → 150000 ⇒ nightly-report takes general-a ⇒ checkout evicts catalog, cart and nightly-report ⇒ nightly-report takes general-a ⇒ checkout moves to general-b ⇒ evicts cart, recommender-api and catalog',
    );
    assert.equal(story.path[0], 'c1');
    for (const [index, id] of story.path.slice(1).entries()) {
      assert.deepEqual(chain.find((each) => each.id === id)?.by, [story.path[index]]);
    }
    // Each is in the tree once, deeper than what it follows from.
    assert.equal(rows.length, causes.length + chain.length);
    assert.deepEqual(
      stages.map(({ figures }) => figures.evicted),
      [3, 11],
    );
    const fares = effects.map(({ name, change, by, together }) => [name, change, ...by, together]);
    assert.deepEqual(fares, [
      ['search-indexer', 'worse', 'c1', false],
      ['catalog', 'worse', 'c1', false],
      ['nightly-report', 'better', 'c1', false],
      ['recommender-training', 'better', 'c1', false],
      ['cart', 'restarted', 'c1', false],
      ['recommender-api', 'restarted', 'c1', false],
      ['checkout', 'moved', 'c1', false],
    ]);
    const markdown = reportMarkdown(report);
    assert.match(markdown, /^### Raising batch-standard to 150000 evicts 8 more pods \(cart,/);
    assert.match(
      markdown,
      /^\*\*After it: 11 evicted \(\+8\), 1 budget broken \(=\), \d pending \(.*\), 2 down \(\+1\)\.\*\*$/m,
    );
    assert.match(markdown, /^- `PriorityClass batch-standard` value 1000 → 150000 · `.*:\d+`$/m);
    assert.match(markdown, /<details><summary>All in all: /);
    assert.match(markdown, /^ {8,}- 60 s: catalog-0 evicts search-indexer fk7pl on general-b$/m);
    assert.match(markdown, /^\| − \| `catalog` \| 2 of 2 \| 1 of 2, 2 evicted, 1 pending \|$/m);
  });

  it('shows each node that ends otherwise at both stages, on its own scale, and counts the others', () => {
    const start = loadSample();
    const operation = 'add 1 node like general-a';
    const report = after(start, operation);
    const before = runToEnd(simulate(start, { kind: 'workspace' }));
    const { nodes, moreNodes, sameNodes, stages, lanes } = planOf(report);
    // What a node goes through otherwise is what its timeline says at each of the two.
    const lane = lanes.find(({ name }) => name === 'general-a')!;
    for (const [index, run] of [before, report].entries()) {
      const spans = run.timeline.filter(({ node: at }) => run.nodes[at ?? -1]?.name === 'general-a');
      assert.deepEqual(
        lane.at[index]!.spans.map(({ kind, start, end }) => [kind, start, end]),
        spans.map(({ kind, start, end }) => [kind, start, end]),
      );
    }
    assert.ok(lanes.some(({ by, name }) => by === 'workload' && name === 'Deployment/shop/checkout'));
    assert.deepEqual(planOf(after(start, 'scale deployment/shop/checkout 2')).lanes, []);
    assert.equal(nodes.length + moreNodes + sameNodes, report.nodes.length);
    const of = (name: string) => nodes.find((node) => node.name === name)!.at;
    assert.equal(of('general-a+1')[0], null);
    assert.deepEqual(of('general-a+1')[1]!.evicted, []);
    assert.ok(of('general-a+1')[1]!.tiles.length > 0);
    const [was, is] = of('general-a');
    assert.deepEqual(was!.evicted, [
      { name: 'nightly-report', pods: 1 },
      { name: 'thumbnailer', pods: 1 },
    ]);
    assert.ok(was!.tiles.some(({ name, look }) => name === 'checkout-0' && look === 'arrived'));
    assert.deepEqual(is!.evicted, []);
    // All figures are those of the two runs.
    for (const [stage, run] of [before, report].entries()) {
      const evicted = nodes.flatMap(({ at }) => at[stage]?.evicted ?? []).reduce((sum, { pods }) => sum + pods, 0);
      assert.equal(evicted, stages[stage]!.figures.evicted);
      for (const { name, at } of nodes) {
        const index = run.nodes.findIndex((node) => node.name === name);
        const on = run.pods.filter(({ after: end }) => end.state === 'running' && end.node === index);
        assert.equal(
          at[stage]?.used['cpu'] ?? 0,
          on.reduce((sum, { requests }) => sum + (requests['cpu'] ?? 0), 0),
        );
        assert.equal(
          (at[stage]?.tiles ?? []).reduce((sum, { pods }) => sum + pods, 0),
          on.length,
        );
      }
    }
  });

  it('has a group of its answer for pods that run elsewhere, and a stage for each operation', () => {
    const start = loadSample();
    const operations = ['cordon node/general-a', 'label node/general-b disk=ssd', 'add 1 node like general-a'];
    const report = after(start, ...operations);
    const moved = report.answer.groups.at(-1);
    assert.equal(moved?.kind, 'moved');
    assert.deepEqual(
      moved.lines.map(({ sign, name, count, details }) => [sign, name, count, ...details]),
      [['=', 'checkout', '2 of 2', 'general-a+1 instead of general-a and general-a+1 instead of general-b']],
    );
    assert.equal(moved.pods, report.comparison!.pods.filter(({ kind }) => kind === 'moved').length);
    assert.match(reportMarkdown(report), /^\| = \| `checkout` \| 2 of 2 \| general-a\+1 instead of/m);
    const { stages, effects } = planOf(report);
    const alone = operations.map((_operation, index) => after(start, ...operations.slice(0, index + 1)));
    assert.deepEqual(
      stages.slice(1).map(({ label, whatIf, figures }) => [label, whatIf, figures]),
      [
        ['cordon general-a', operations[0], figuresOf(alone[0]!.answer)],
        ['label general-b disk=ssd', operations[1], figuresOf(alone[1]!.answer)],
        ['+1 node like general-a', operations[2], figuresOf(alone[2]!.answer)],
      ],
    );
    assert.ok(effects.every(({ at }) => at.length === 4));
    // What is not compared has moved nowhere.
    const plain = runToEnd(simulate(start, { kind: 'workspace' }));
    assert.ok(plain.answer.groups.every(({ kind }) => kind !== 'moved'));
  });

  it('shows fifty of the nodes that end otherwise, and counts the others', () => {
    const start = input([node('n', 4), running('low', 3, 'n', 0), pod('high', 3, { priority: 10 })]);
    const { nodes, moreNodes, sameNodes } = planOf(after(start, 'add 60 nodes like n'));
    assert.deepEqual([nodes[0]!.name, nodes.length, moreNodes, sameNodes], ['n+1', 50, 10, 1]);
  });

  it('has the changed manifests alone between what was and what a what-if makes of them', () => {
    const start = loadSample();
    const workspace = start.workspace.map((declared) => {
      if (declared.object.kind !== 'Deployment' || declared.object.metadata?.name !== 'recommender-api') {
        return declared;
      }
      return {
        ...declared,
        object: JSON.parse(JSON.stringify(declared.object).replace(/"cpu":"[^"]*"/, '"cpu":"3"')) as KubeObject,
      };
    });
    const changed = { ...start, workspace };
    const events = eventsOf(branchOf(changed, ['add 1 node like general-a']));
    const report = runToEnd(
      compareRuns({ input: start, events: [] }, { input: changed, events }, { kind: 'workspace' }, 'git HEAD'),
    );
    assert.ok(isReport(JSON.parse(JSON.stringify(report))));
    const { stages, effects, nodes, causes } = planOf(report);
    assert.deepEqual(
      stages.map(({ id, label }) => [id, label]),
      [
        ['s0', 'git HEAD'],
        ['s1', 'as written'],
        ['s2', '+1 node like general-a'],
      ],
    );
    assert.ok(causes.some(({ object }) => object === 'Node/general-a+1'));
    assert.ok(causes.some(({ object }) => object === 'Deployment/shop/recommender-api'));
    assert.ok(effects.every(({ at }) => at.length === 3) && nodes.every(({ at }) => at.length === 3));
    assert.match(reportMarkdown(report), /recommender-api/);
  });

  it('says to its reader in words that an object is new or gone, and in JSON always by the same', () => {
    const report = after(
      input([node('a', 2), node('b', 2), running('web', 1, 'b', 0)]),
      'add 1 node like a',
      'remove node/b',
    );
    assert.deepEqual(
      report.comparison!.causes.map(({ object, old, new: now }) => [object, old, now]),
      [
        ['Node/a+1', null, 'added'],
        ['Node/b', 'removed', null],
        ['Pod/default/web', 'removed', null],
      ],
    );
    const rows = (): readonly string[] => reportMarkdown(report).match(/^- `Node .*/gm) ?? [];
    assert.deepEqual(rows(), ['- `Node a+1` new', '- `Node b` removed']);
    const texts = readFileSync(new URL('../../../l10n/page.ru.json', import.meta.url), 'utf8');
    speak(new Translation('ru', new Map(Object.entries(JSON.parse(texts) as Translations))));
    try {
      assert.deepEqual(rows(), ['- `Node a+1` новый', '- `Node b` удалён']);
    } finally {
      speak(undefined);
    }
  });

  it('says once that a pod waits, however often it is tried again in vain', () => {
    const { chain } = planOf(
      after(loadSample(), 'drain node/general-b --ignore-daemonsets', 'drain node/general-c --ignore-daemonsets'),
    );
    const waits = chain.filter(({ kind }) => kind === 'waits').map(({ text }) => text);
    assert.ok(waits.length > 1);
    assert.deepEqual(waits, [...new Set(waits)]);
  });

  /** Two nodes that have nothing to do with each other, each full of a pod for which another one waits. */
  const halves = input(
    ['a', 'b'].flatMap((name) => [
      node(name, 2),
      running(`fills-${name}`, 2, name, 10),
      pod(`waits-${name}`, 1, { nodeSelector: { 'kubernetes.io/hostname': name } }),
    ]),
  );

  it('gives each effect to the change that it belongs to', () => {
    const both = planOf(after(halves, 'delete pod/default/fills-a', 'delete pod/default/fills-b'));
    for (const name of ['a', 'b']) {
      const { by, together } = both.effects.find((effect) => effect.name === `waits-${name}`)!;
      const objects = by.map((id) => both.causes.find((cause) => cause.id === id)?.object ?? '');
      assert.ok(objects.length > 0 && objects.every((object) => object.includes(`fills-${name}`)), objects.join(' '));
      assert.equal(together, false);
    }
  });

  /** Events as a scenario file has them. */
  function played(start: SimulationInput, ...texts: readonly (readonly [text: string, at: number])[]): WholeReport {
    const events = texts.map(([text, at]) => {
      const operation = parseOperation(text);
      assert.ok(!('problem' in operation), text);
      return { operation, at, text };
    });
    const changed = { ...start, workspace: start.workspace.filter(({ object }) => nameOf(object) !== 'fills-a') };
    return runToEnd(
      compareRuns({ input: start, events: [] }, { input: changed, events }, { kind: 'workspace' }, 'git HEAD'),
    );
  }

  it('tells what follows from what happens behind it, and not behind every manifest that is changed', () => {
    const report = played(halves, ['finish pod/default/fills-b', 60], ['add 2 nodes like a', 90]);
    assert.ok(isReport(JSON.parse(JSON.stringify(report))));
    const { causes, chain, effects, story } = planOf(report);
    assert.deepEqual(
      causes.map(({ object }) => object),
      ['Pod/default/fills-a'],
    );
    assert.deepEqual(
      chain.map(({ id, kind, by, clock, text }) => [id, kind, ...by, clock, text]),
      [
        ['k1', 'scheduled', 'c1', 0, 'waits-a is scheduled on a'],
        ['k2', 'event', 60, 'finish fills-b'],
        ['k3', 'scheduled', 'k2', 60, 'waits-b is scheduled on b'],
        ['k4', 'event', 90, '+2 nodes like a'],
      ],
    );
    assert.deepEqual(
      effects.map(({ name, by, together }) => [name, ...by, together]),
      [
        ['fills-b', 'k2', false],
        ['waits-a', 'c1', false],
        ['waits-b', 'k2', false],
        ['fills-a', 'c1', false],
      ],
    );
    assert.equal(story?.text, 'finish fills-b ⇒ waits-b takes b');
    assert.match(reportMarkdown(report), /^- 60 s: finish fills-b\n {2}- 60 s: waits-b is scheduled on b$/m);
  });

  it('takes a drain that is tried back with the node that it closes, and what is tried after it with its own change', () => {
    const operations = ['drain node/a --force', 'delete pod/default/fills-b'];
    const { causes, chain, effects } = planOf(after(halves, ...operations));
    assert.deepEqual(
      causes.map(({ id, object }) => [id, object]),
      [
        ['c1', 'Node/a'],
        ['c2', 'Pod/default/fills-b'],
      ],
    );
    assert.deepEqual(
      chain.map(({ by, text }) => [...by, text]),
      [['c2', 'waits-b is scheduled on b']],
    );
    assert.deepEqual(
      effects.map(({ name, change, by, together }) => [name, change, ...by, together]),
      [
        ['fills-a', 'worse', 'c1', false],
        ['fills-b', 'worse', 'c2', false],
        ['waits-b', 'better', 'c2', false],
      ],
    );
  });

  it('has nothing to tell of a change that changes nothing', () => {
    const { chain, effects } = planOf(after(halves, 'cordon node/a', 'uncordon node/a'));
    assert.deepEqual([chain, effects], [[], []]);
  });
});
