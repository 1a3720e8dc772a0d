import { toned } from '../../client/webview/src/model/toned.ts';
import assert from 'node:assert/strict';
import { compileFilter } from '../../client/webview/src/model/filter.ts';
import { clusterMap, mostOfNode, nodeBars, resourcesOf } from '../../client/webview/src/model/cluster-map.ts';
import { contrastOf, guarded, parseColour } from '../../client/webview/src/model/contrast.ts';
import { frameAt, type TileLook } from '../../client/webview/src/model/frame.ts';
import { keepView, restoreView } from '../../client/webview/src/model/kept-state.ts';
import { rungColour } from '../../client/webview/src/model/ladder.ts';
import { initialPage, reducePage } from '../../client/webview/src/model/page.ts';
import { nodeStory, spokenNode, spokenTile, tileText } from '../../client/webview/src/model/spoken.ts';
import { stepRows } from '../../client/webview/src/model/step-rows.ts';
import { sortRows } from '../../client/webview/src/model/table.ts';
import { rowsOf, timeline } from '../../client/webview/src/model/timeline.ts';
import { tableOf } from '../../client/webview/src/model/tables.ts';
import { attemptsOf, decisionOf, initialState, reduce, selectPod } from '../../client/webview/src/model/view-state.ts';
import { type Cell, walk } from '../../client/webview/src/model/walk.ts';
import { offsetsOf, rowWindow, scrollTo } from '../../client/webview/src/model/window.ts';
import { shortNames } from '../../server/src/report-model/short-names.ts';
import { bigReport } from './big-report.ts';
import { samplePod, sampleReport } from './sample-report.ts';

const report = sampleReport();
const names = shortNames(report);
const [nodeB, nodeD] = [1, 3];
const everything = { toggled: new Set<string>(), filter: null, node: null };

function looksOn(node: number, step: number): Readonly<Record<string, TileLook>> {
  const tiles = frameAt(report, step).tilesOn(node);
  return Object.fromEntries(tiles.map(({ pod, look }) => [report.pods[pod]!.name, look]));
}

describe('[ED-5] the frame after a step', () => {
  it('shows the cluster before the first step', () => {
    assert.deepEqual(looksOn(nodeB, 0), {
      'ingress-9kc': 'running',
      'cache-1': 'running',
      'train-1': 'running',
      'train-2': 'running',
      'thumb-7': 'running',
    });
  });

  it('keeps victims in their place while their grace period runs', () => {
    const looks = looksOn(nodeB, 1);
    assert.equal(looks['train-1'], 'terminating');
    assert.equal(looks['checkout-1'], 'nominated');
  });

  it('shows in the difference what a node has lost and won', () => {
    const looks = looksOn(nodeB, 7);
    assert.equal(looks['train-1'], 'evicted');
    assert.equal(looks['checkout-1'], 'arrived');
    assert.equal(looks['cache-1'], 'running');
  });

  it('does not show the replacement of a victim before it exists', () => {
    const replacement = samplePod('train-4');
    const waiting = (step: number): readonly number[] => frameAt(report, step).waiting.map(({ pod }) => pod);
    assert.ok(!waiting(2).includes(replacement));
    assert.ok(waiting(3).includes(replacement));
    assert.equal(frameAt(report, 0).placeOf(replacement), null);
  });

  it('gives the requested amounts of the step', () => {
    assert.equal(frameAt(report, 0).requestedOn(nodeB)['cpu'], 2600);
    assert.equal(frameAt(report, 3).requestedOn(nodeB)['cpu'], 900);
    assert.equal(frameAt(report, 7).requestedOn(nodeB)['cpu'], 2900);
  });

  it('puts the highest priority first', () => {
    const priorities = frameAt(report, 7)
      .tilesOn(nodeD)
      .map(({ pod }) => report.pods[pod]!.priority);
    assert.deepEqual(
      priorities,
      priorities.toSorted((left, right) => right - left),
    );
  });

  it('leaves the report as it is', () => {
    const copy = structuredClone(report);
    frameAt(report, 7).tilesOn(nodeB);
    assert.deepEqual(report, copy);
  });
});

describe('[ED-5] the map by relevance', () => {
  const frame = frameAt(report, 7);
  const card = (node: number) => nodeBars(report, frame, node, 'cpu');
  const ends = (bar: readonly { start: number; width: number }[]): readonly (readonly [number, number])[] =>
    bar.map(({ start, width }) => [start, start + width]);

  it('gives a card to the nodes that change, and the others a cell of the strip of their zone', () => {
    const { zones, large } = clusterMap(report, frame, everything);
    assert.equal(large, false);
    assert.deepEqual(
      zones.map(({ zone, cards, cells }) => [zone, cards, cells.flatMap(({ nodes }) => nodes)]),
      [
        ['zone-a', [], [0]],
        ['zone-b', [1], []],
        ['zone-c', [3], [2]],
      ],
    );
  });

  it('gives a card to a node that is drained, and to one whose pods only end', () => {
    const quiet = { ...report, victims: [], steps: [] };
    const pods = quiet.pods.map((pod) => ({ ...pod, after: pod.before }));
    const on = (node: number): readonly number[] =>
      pods.flatMap(({ before }, pod) => (before.state === 'running' && before.node === node ? [pod] : []));
    const [[drained], [ended]] = [on(0), on(1)];
    for (const pod of [drained!, ended!]) {
      pods[pod] = { ...pods[pod]!, after: { ...pods[pod]!.before, state: 'evicted' } };
    }
    const evicted = [{ pod: drained!, clock: 30, replacement: null }];
    const drain = {
      node: 0,
      asksBudgets: true,
      evicted,
      blocked: [],
      failed: [],
      refusals: [],
      races: [],
      drainedAt: 30,
    };
    const drains = { ...quiet, pods, drains: [drain] };
    const map = clusterMap(drains, frameAt(drains, 0), everything);
    assert.deepEqual(
      map.zones.map(({ zone, cards, evicted: lost }) => [zone, cards, lost]),
      [
        ['zone-a', [0], 1],
        ['zone-b', [1], 0],
        ['zone-c', [], 0],
      ],
    );
    assert.deepEqual(
      [0, 1].map((node) => nodeStory(map, names, node).map(({ text }) => text)),
      [['1 evicted'], ['1 ended']],
    );
  });

  it('[#35] says that room is taken from those for whom it was made only where they never had it', () => {
    const preemptor = report.victims[0]!.preemptor;
    const storyOf = (state: 'pending' | 'ended'): readonly string[] => {
      const pods = report.pods.map((pod, index) =>
        index === preemptor ? { ...pod, after: { ...pod.after, node: null, state } } : pod,
      );
      const other = pods.findIndex(({ before }, index) => before.state !== 'running' && index !== preemptor);
      pods[other] = { ...pods[other]!, after: { ...pods[other]!.after, node: 1, state: 'running' } };
      const changed = { ...report, pods };
      return nodeStory(clusterMap(changed, frameAt(changed, 0), everything), names, 1).map(({ text }) => text);
    };
    assert.ok(storyOf('pending').some((text) => text.startsWith('room taken by')));
    assert.ok(!storyOf('ended').some((text) => text.startsWith('room taken by')));
  });

  it('draws before and after on one scale: what stays is at the same place, and nothing covers anything', () => {
    for (const node of [0, 1, 2, 3]) {
      const { before, after, freeBefore } = card(node);
      for (const bar of [before, after]) {
        let end = 0;
        for (const [start, stop] of ends(bar)) {
          assert.ok(start >= end - 1e-9 && stop <= 1 + 1e-9);
          end = stop;
        }
      }
      const kept = before.filter(({ look }) => look === 'running');
      assert.deepEqual(after.slice(0, kept.length), kept);
      const sum = before.reduce((total, { amount }) => total + amount, 0);
      assert.equal(sum + freeBefore.amount, report.nodes[node]!.allocatable['cpu']);
    }
  });

  it('puts a preemptor exactly under what made room for it, and links each victim to it', () => {
    const { before, after, links } = card(nodeB);
    const first = before.find(({ look }) => look === 'evicted');
    const arrival = after.find(({ look }) => look === 'arrived');
    assert.equal(arrival?.start, first?.start);
    assert.equal(links.length, before.filter(({ look }) => look === 'evicted').length);
    for (const { to } of links) assert.ok(to >= arrival!.start && to <= arrival!.start + arrival!.width);
  });

  it('shows a victim and an arrival that take nothing of the resource', () => {
    const pods = report.pods.map((pod) => ({ ...pod, requests: {} }));
    const nothing = { ...report, pods };
    const { before, after } = nodeBars(nothing, frameAt(nothing, 7), nodeB, 'cpu');
    assert.equal(before.length, 3);
    for (const { width } of [...before, ...after]) assert.ok(width > 0);
  });

  it('makes one tile of many pods that are not touched', () => {
    const many = bigReport(10, 300);
    const { before } = nodeBars(many, frameAt(many, many.steps.length), 0, 'pods');
    assert.deepEqual(
      before.map(({ pod, pods }) => [pod === null, pods]),
      [
        [true, 29],
        [false, 1],
      ],
    );
  });

  it('opens of a large cluster the zone that loses most, and the strips hold every node once', () => {
    const big = bigReport(300, 900);
    const at = frameAt(big, big.steps.length);
    const { zones, large, nodesPerCell } = clusterMap(big, at, everything);
    assert.equal(large, true);
    assert.equal(nodesPerCell, 1);
    assert.deepEqual(
      zones.map(({ open, evicted, cards }) => [open, evicted, cards.length]),
      [
        [true, 10, 10],
        [false, 10, 10],
        [false, 10, 10],
      ],
    );
    const cells = zones.flatMap((zone) => zone.cells);
    assert.equal(cells.flatMap(({ nodes }) => nodes).length, 300);
    assert.equal(
      cells.reduce((sum, { evicted }) => sum + evicted, 0),
      big.victims.length,
    );
    const opened = clusterMap(big, at, { ...everything, toggled: new Set(['zone-b']) });
    assert.deepEqual(
      opened.zones.map(({ open }) => open),
      [true, true, false],
    );
  });

  it('bins the nodes of a very large cluster, and says how many a bar holds', () => {
    const huge = bigReport(5000, 5000);
    const { zones, nodesPerCell } = clusterMap(huge, frameAt(huge, huge.steps.length), everything);
    assert.equal(nodesPerCell, 5);
    const cells = zones.flatMap((zone) => zone.cells);
    assert.ok(cells.length <= 1002);
    assert.equal(cells.flatMap(({ nodes }) => nodes).length, 5000);
  });

  it('narrows to what the filter leaves, and gives the selected node a card', () => {
    const filter = compileFilter(report, 'DB-0');
    assert.deepEqual(
      clusterMap(report, frame, { ...everything, filter }).zones.map(({ zone, cards }) => [zone, cards]),
      [['zone-c', [2]]],
    );
    assert.deepEqual(clusterMap(report, frame, { ...everything, node: 0 }).zones[0]?.cards, [0]);
  });

  it('takes for the width what is scarcest', () => {
    assert.equal(resourcesOf(report)[0], 'cpu');
    assert.equal(resourcesOf(report).at(-1), 'pods');
    const pods = report.pods.map((pod) => ({ ...pod, requests: { ...pod.requests, cpu: 1 } }));
    assert.equal(resourcesOf({ ...report, pods })[0], 'memory');
  });
});

describe('[ED-5] the timeline', () => {
  it('has a lane per node with what its pods go through, in seconds', () => {
    const { lanes, end } = timeline(report, names, 'node');
    assert.equal(end, report.steps.at(-1)!.clock);
    const lane = lanes.find(({ label }) => label === 'node-b')!;
    const spans = lane.spans.map(({ pod, kind, start, end: until }) => [report.pods[pod]!.name, kind, start, until]);
    for (const victim of ['train-1', 'train-2', 'thumb-7']) {
      assert.ok(spans.some(([pod, kind, start]) => pod === victim && kind === 'evicted' && start === 0));
    }
    assert.ok(spans.some(([pod, kind]) => pod === 'checkout-1' && kind === 'waits'));
    assert.ok(spans.some(([pod, kind, , until]) => pod === 'checkout-1' && kind === 'runs' && until === end));
    for (const row of rowsOf(lane.spans, end, ({ pod }) => pod)) {
      for (const [index, span] of row.entries()) assert.ok(span.start >= (row[index - 1]?.until ?? 0));
    }
  });

  it('draws what goes on behind the last event, and nothing over it', () => {
    const spans = [
      { pod: 'old', kind: 'runs', start: 0, end: 60 },
      { pod: 'lost', kind: 'runs', start: 0, end: 60 },
      { pod: 'new', kind: 'runs', start: 60, end: 60 },
      // It is to end, and does not.
      { pod: 'lost', kind: 'evicted', start: 60, end: 60 },
      { pod: 'gone', kind: 'evicted', start: 0, end: 60 },
    ] as const;
    const rows = rowsOf(spans, 60, ({ pod }) => pod);
    assert.deepEqual(
      rows.map((row) => row.map(({ pod, until }) => `${pod} ${Math.round(until)}`)),
      [['old 66'], ['lost 60', 'new 66'], ['lost 66'], ['gone 60']],
    );
  });

  it('has lanes per workload as well, in which pods without a node wait', () => {
    const { lanes } = timeline(report, names, 'workload');
    const train = lanes.find(({ label }) => label === 'train')!;
    assert.ok(train.spans.some(({ pod, kind }) => report.pods[pod]!.name === 'train-4' && kind === 'waits'));
  });
});

describe('[ED-5] walking the map', () => {
  const cell = (group: string, x: number, y: number): Cell => ({ group, box: { x, y, width: 50, height: 20 } });
  // Two cards, each a head over two bars of two tiles.
  const cells = [0, 100].flatMap((top) => [
    cell(`node-${top}`, 0, top),
    cell(`node-${top}`, 0, top + 25),
    cell(`node-${top}`, 60, top + 25),
    cell(`node-${top}`, 0, top + 50),
    cell(`node-${top}`, 60, top + 50),
  ]);

  it('reaches every cell with the right arrow alone', () => {
    let position = 0;
    for (let press = 0; press < cells.length - 1; press++) position = walk(cells, position, 'ArrowRight');
    assert.equal(position, cells.length - 1);
  });

  it('goes up and down to what stands there, and to the ends of a card and the next one', () => {
    assert.equal(walk(cells, 2, 'ArrowDown'), 4);
    assert.equal(walk(cells, 4, 'ArrowUp'), 2);
    assert.equal(walk(cells, 1, 'ArrowUp'), 0);
    assert.equal(walk(cells, 2, 'Home'), 0);
    assert.equal(walk(cells, 0, 'End'), 4);
    assert.equal(walk(cells, 2, 'PageDown'), 5);
    assert.equal(walk(cells, 7, 'PageUp'), 0);
  });

  it('stays at the ends', () => {
    assert.equal(walk(cells, 0, 'ArrowLeft'), 0);
    assert.equal(walk(cells, cells.length - 1, 'ArrowRight'), cells.length - 1);
    assert.equal(walk(cells, cells.length - 1, 'PageDown'), cells.length - 1);
  });
});

describe('[ED-5] tables, filter and sorting', () => {
  const frame = frameAt(report, 7);

  it('needs every word, in any case, in whatever is known of a pod', () => {
    const names = (text: string): readonly string[] => {
      const filter = compileFilter(report, text);
      return report.pods.filter((_pod, index) => filter?.hasPod(index)).map(({ name }) => name);
    };
    assert.deepEqual(names('TRAIN evicted'), ['train-1', 'train-2']);
    assert.deepEqual(names('statefulset node-a'), ['cache-0']);
    assert.deepEqual(names('shop/web'), ['web-5f6-1', 'web-5f6-2', 'web-5f6-3']);
    assert.deepEqual(names('no such thing'), []);
    assert.equal(compileFilter(report, '  '), null);
  });

  it('sorts numbers as numbers and names with their numbers', () => {
    const pods = tableOf('pods', report, frame, null);
    const priorities = sortRows(pods, { column: 'priority', descending: false }).map(
      (row) => report.pods[row]!.priority,
    );
    assert.deepEqual(
      priorities,
      priorities.toSorted((left, right) => left - right),
    );
    const big = bigReport(12, 12);
    const nodes = tableOf('nodes', big, frameAt(big, 0), null);
    assert.deepEqual(sortRows(nodes, { column: 'node', descending: true }).slice(0, 2), [11, 10]);
  });

  it('keeps the order of the report without a sort, and for a column that is gone', () => {
    const victims = tableOf('victims', report, frame, null);
    assert.deepEqual(sortRows(victims, undefined), [0, 1, 2, 3]);
    assert.deepEqual(sortRows(victims, { column: 'gone', descending: true }), [0, 1, 2, 3]);
  });

  it('says of each victim its budget, who remains and what follows', () => {
    const { columns } = tableOf('victims', report, frame, null);
    const text = (id: string, row: number): string => columns.find((column) => column.id === id)?.text(row) ?? '';
    assert.equal(text('budget', 3), 'violated: batch/report');
    assert.equal(text('remaining', 2), '0 of 1');
    assert.equal(text('fate', 2), 'moves to node-d');
    assert.equal(text('for', 0), 'shop/checkout-1');
  });

  it('lists those that leave a drained node among the victims', () => {
    const drain = { node: 0, asksBudgets: true, blocked: [], failed: [], refusals: [], races: [], drainedAt: 60 };
    const [pod, replacement] = [samplePod('checkout-1'), samplePod('db-0')];
    const pods = report.pods.map((each, index) => (index === pod ? { ...each, budgets: ['shop/checkout'] } : each));
    const drained = { ...report, pods, drains: [{ ...drain, evicted: [{ pod, clock: 30, replacement }] }] };
    const { columns, rows } = tableOf('victims', drained, frame, null);
    assert.deepEqual(rows, [0, 1, 2, 3, 4]);
    const text = (id: string): string => columns.find((column) => column.id === id)?.text(4) ?? '';
    assert.deepEqual(['for', 'budget', 'grace'].map(text), ['a drain', 'shop/checkout', '–']);
    assert.match(text('fate'), /^moves to /);
  });
});

describe('[ED-5] a node of ten thousand pods', () => {
  const many = bigReport(1, 10_000);
  const frame = frameAt(many, many.steps.length);
  const node = many.victims[0]!.node;

  it('has no more tiles than can be told apart, and counts the others', () => {
    const { before, after } = nodeBars(many, frame, node, 'pods', mostOfNode);
    for (const bar of [before, after]) {
      assert.ok(bar.length <= 2 * mostOfNode);
      assert.equal(new Set(bar.map(({ pod, look }) => pod ?? look)).size, bar.length);
    }
    const pods = before.reduce((sum, tile) => sum + tile.pods, 0);
    assert.equal(pods, frame.tilesOn(node).filter(({ look }) => look !== 'arrived').length);
  });

  it('says of victims that stand together how many they are and what becomes of them', () => {
    const one = many.victims[0]!;
    const victims = many.pods.map((_pod, pod) => ({ ...one, pod }));
    const pods = many.pods.map((pod) => ({
      ...pod,
      before: { ...pod.before, node, state: 'running' as const },
      after: { ...pod.after, node: null, state: 'evicted' as const },
    }));
    const changes = pods.map(({ after }, pod) => ({ pod, place: after }));
    const gone = { ...many, victims, pods, steps: [{ ...many.steps[0]!, requested: [], changes }] };
    const { before, links } = nodeBars(gone, frameAt(gone, 1), node, 'pods');
    assert.equal(before.length, mostOfNode);
    const last = before.at(-1)!;
    assert.equal(last.pods, many.pods.length - mostOfNode + 1);
    assert.ok(last.start + last.width <= 1 + 1e-9);
    assert.ok(links.length <= mostOfNode);
    const spoken = spokenTile(gone, shortNames(gone), last, 'pods');
    assert.match(spoken, /^− [\d,]+ more, evicted, /);
  });
});

describe('[ED-5] pods that end without being evicted', () => {
  // As if it had finished, and nobody made room.
  const ended = { ...report, victims: report.victims.filter(({ pod }) => pod !== samplePod('train-1')) };
  const frame = frameAt(ended, 7);

  it('are calm beside those that are evicted, and called what they are', () => {
    const { before } = nodeBars(ended, frame, nodeB, 'cpu');
    const looks = before
      .filter(({ look }) => look !== 'running')
      .map(({ pod, look }) => [report.pods[pod!]!.name, look]);
    assert.deepEqual(looks.at(-1), ['train-1', 'ended']);
    assert.ok(looks.slice(0, -1).every(([, look]) => look === 'evicted'));
    const tile = before.find(({ pod }) => pod === samplePod('train-1'))!;
    assert.match(spokenTile(ended, names, tile, 'cpu'), /^· train-1, ended, /);
    const leaving = frameAt(ended, 1)
      .tilesOn(nodeB)
      .find(({ pod }) => pod === samplePod('train-1'));
    assert.equal(leaving?.look, 'ending');
  });

  it('are told so in the tables, and do not count among those that nodes lose', () => {
    const pods = tableOf('pods', ended, frame, null);
    const state = pods.columns.find(({ id }) => id === 'state')!;
    assert.equal(state.text(samplePod('train-1')), 'ended');
    assert.equal(state.text(samplePod('train-2')), 'evicted');
    const lost = (of: typeof report) =>
      tableOf('nodes', of, frameAt(of, 7), null).columns.find(({ id }) => id === 'lost')!;
    assert.equal(Number(lost(report).text(nodeB)) - Number(lost(ended).text(nodeB)), 1);
  });
});

describe('[ED-5] what is spoken', () => {
  const frame = frameAt(report, 7);
  const map = clusterMap(report, frame, everything);

  it('begins with the visible text of a tile', () => {
    const { before, after } = nodeBars(report, frame, nodeB, 'cpu');
    const spoken = [...before, ...after].map((tile) => {
      const text = spokenTile(report, names, tile, 'cpu');
      assert.ok(text.startsWith(tileText(names, tile)));
      return text;
    });
    assert.ok(
      spoken.includes(
        '− train-1, evicted, 0.7 cpu, for checkout-1, batch/train-1, priority 100 batch-low, Job batch/train',
      ),
    );
    assert.ok(
      spoken.includes(
        '+ checkout-1, new, 2 cpu, shop/checkout-1, priority 100,000 checkout-high, Deployment shop/checkout',
      ),
    );
  });

  it('tells of a node what happens on it, then its use', () => {
    assert.equal(
      spokenNode(report, frame, map, names, nodeB),
      'node-b, 3 evicted, for checkout-1, cpu 2.9 of 4, memory 9 of 16 Gi, pods 3 of 110, zone zone-b',
    );
  });
});

describe('[ED-5] the view', () => {
  it('begins after the last step, with nothing over the answer', () => {
    const state = initialState(report);
    assert.equal(state.step, 7);
    assert.equal(state.selection, null);
    assert.equal(reduce(report, state, { type: 'step', step: 99 }).step, 7);
  });

  it('opens the drawer under a line of the answer, and closes it with the same click', () => {
    const selection = selectPod(report, samplePod('checkout-1'));
    const open = reduce(report, initialState(report), { type: 'answer', selection, anchor: 'evicted-0' });
    assert.equal(open.anchor, 'evicted-0');
    assert.deepEqual(open.selection, selection);
    assert.equal(reduce(report, open, { type: 'answer', selection, anchor: 'evicted-0' }).selection, null);
    assert.equal(reduce(report, open, { type: 'select', selection }).anchor, null);
    assert.equal(reduce(report, open, { type: 'close' }).selection, null);
  });

  it('explains a pod by the decision that made room for it', () => {
    const state = initialState(report);
    assert.equal(decisionOf(report, state, samplePod('checkout-1')), 0);
    assert.equal(attemptsOf(report, samplePod('checkout-1')).length, 2);
    assert.equal(decisionOf(report, { ...state, decision: 4 }, samplePod('checkout-1')), 4);
    assert.equal(decisionOf(report, state, samplePod('db-0')), null);
  });

  it('goes back along the links that were followed', () => {
    const selection = selectPod(report, samplePod('checkout-1'));
    const start = reduce(report, initialState(report), { type: 'select', selection });
    const followed = reduce(report, start, { type: 'follow', selection: { kind: 'node', node: 3 } });
    assert.deepEqual(reduce(report, followed, { type: 'back' }).selection, start.selection);
    assert.equal(reduce(report, start, { type: 'back' }), start);
  });

  it('opens a step into its pods and queues', () => {
    const rows = stepRows(report, new Set([0]), () => true);
    const labels = rows.flatMap((row) => (row.kind === 'line' ? [row.label] : []));
    assert.deepEqual(labels, ['pod', 'evicts', 'evicts', 'evicts', 'queues']);
  });

  it('keeps its place by name when a new report has other indices', () => {
    const state = {
      ...initialState(report),
      step: 3,
      filter: 'train',
      selection: selectPod(report, samplePod('train-3')),
      openZones: new Set(['zone-b']),
      zoom: 0,
    };
    const kept = keepView(report, state);
    const shifted = { ...report, pods: [report.pods[0]!, ...report.pods], nodes: report.nodes.toReversed() };
    const restored = restoreView(shifted, kept);
    assert.equal(restored.step, 3);
    assert.equal(restored.filter, 'train');
    assert.deepEqual(restored.openZones, new Set(['zone-b']));
    assert.equal(restored.zoom, report.nodes.length - 1);
    assert.deepEqual(restored.selection, { kind: 'pod', pod: samplePod('train-3') + 1, node: 1 });
  });

  it('stays at the last step when a new report has more, and forgets what is gone', () => {
    const kept = keepView(report, initialState(report));
    const longer = { ...report, steps: [...report.steps, report.steps[6]!] };
    assert.equal(restoreView(longer, kept).step, 8);
    const empty = { ...report, pods: [], nodes: [], steps: [], victims: [] };
    assert.equal(restoreView(empty, kept).selection, null);
  });

  it('keeps the view for a new run and starts afresh for another question', () => {
    let page = initialPage(null);
    page = reducePage(page, { host: { type: 'scenario', scenario: { kind: 'workspace' } } });
    page = reducePage(page, { host: { type: 'report', report: structuredClone(report) } });
    page = reducePage(page, { user: { type: 'view', view: 'victims' } });
    page = reducePage(page, { host: { type: 'report', report: structuredClone(report) } });
    assert.equal(page.shown?.view.view, 'victims');
    page = reducePage(page, { host: { type: 'scenario', scenario: { kind: 'file', uri: 'file:///a.yaml' } } });
    assert.equal(page.shown, null);
  });
});

describe('[ED-5] geometry of long lists', () => {
  it('draws the rows near the visible part', () => {
    const offsets = offsetsOf(Array.from({ length: 10_000 }, () => 24));
    const { first, end } = rowWindow(offsets, 120_000, 120_480);
    assert.ok(first <= 5_000 && first > 4_900);
    assert.ok(end >= 5_020 && end < 5_100);
    assert.deepEqual(rowWindow([0], 0, 400), { first: 0, end: 0 });
  });

  it('scrolls as little as needed', () => {
    assert.equal(scrollTo(100, 120, 0, 400), null);
    assert.equal(scrollTo(500, 520, 0, 400), 120);
    assert.equal(scrollTo(100, 120, 300, 400), 100);
  });
});

describe('[ED-5] colours', () => {
  const dark = [31, 31, 31] as const;

  for (const theme of ['dark', 'light'] as const) {
    it(`grow lighter with the priority (${theme})`, () => {
      const light = Array.from({ length: 21 }, (_none, index) => {
        const fill = parseColour(rungColour(index / 20, theme).fill, dark);
        return contrastOf(fill, [0, 0, 0]);
      });
      assert.deepEqual(
        light,
        light.toSorted((left, right) => left - right),
      );
    });
  }

  it('are mixed towards the ink until they can be read on every ground, and no further', () => {
    const ink = [204, 204, 204] as const;
    const readable = [248, 81, 73] as const;
    assert.deepEqual(guarded(readable, ink, [dark], 4.5), readable);
    const dim = guarded([90, 30, 30], ink, [dark, [45, 45, 45]], 4.5);
    assert.ok(contrastOf(dim, [45, 45, 45]) >= 4.5);
    assert.ok(contrastOf(dim, [45, 45, 45]) < contrastOf(ink, [45, 45, 45]));
  });

  it('are read as a browser computes them, with what shines through', () => {
    assert.deepEqual(parseColour('rgb(1, 2, 3)', dark), [1, 2, 3]);
    assert.deepEqual(parseColour('rgba(255, 255, 255, 0.5)', [0, 0, 0]), [128, 128, 128]);
    assert.deepEqual(parseColour('color(srgb 1 0 0 / 0.5)', [0, 0, 0]), [128, 0, 0]);
  });
});

describe('[ED-5] the headline in parts', () => {
  it('tells who wins, who loses and what waits apart, each as a whole word and once', () => {
    const sentence = 'web-2 evicts web and cart and breaks 1 budget; 11 pods stay pending.';
    const parts = toned(sentence, [
      { text: 'web-2', tone: 'gain' },
      { text: 'web', tone: 'bad' },
      { text: 'cart', tone: 'bad' },
      { text: '1 budget', tone: 'bad' },
      { text: '1 pods', tone: 'warning' },
      { text: '11 pods', tone: 'warning' },
      { text: '', tone: 'bad' },
      { text: 'not there', tone: 'bad' },
    ]);
    assert.equal(parts.map(({ text }) => text).join(''), sentence);
    assert.deepEqual(
      parts.filter(({ tone }) => tone !== null).map(({ text, tone }) => [text, tone]),
      [
        ['web-2', 'gain'],
        ['web', 'bad'],
        ['cart', 'bad'],
        ['1 budget', 'bad'],
        ['11 pods', 'warning'],
      ],
    );
    assert.deepEqual(
      toned('evicts evicts evicts.', [
        { text: 'evicts', tone: 'gain' },
        { text: 'evicts', tone: 'bad' },
      ]),
      [
        { text: 'evicts', tone: 'gain' },
        { text: ' ', tone: null },
        { text: 'evicts', tone: 'bad' },
        { text: ' evicts.', tone: null },
      ],
    );
  });
});
