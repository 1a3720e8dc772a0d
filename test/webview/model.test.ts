import assert from 'node:assert/strict';
import { compileFilter } from '../../client/webview/src/model/filter.ts';
import { frameAt, type TileLook } from '../../client/webview/src/model/frame.ts';
import { keepView, restoreView } from '../../client/webview/src/model/kept-state.ts';
import { rungColour } from '../../client/webview/src/model/ladder.ts';
import { layoutMap, type MapLayout } from '../../client/webview/src/model/map-layout.ts';
import { initialPage, reducePage } from '../../client/webview/src/model/page.ts';
import { spokenNode, spokenTile } from '../../client/webview/src/model/spoken.ts';
import { stepRows } from '../../client/webview/src/model/step-rows.ts';
import { sortRows } from '../../client/webview/src/model/table.ts';
import { tableOf } from '../../client/webview/src/model/tables.ts';
import { attemptsOf, decisionOf, initialState, reduce, selectPod } from '../../client/webview/src/model/view-state.ts';
import { cellsOf, walk } from '../../client/webview/src/model/walk.ts';
import { offsetsOf, rowWindow, scrollTo } from '../../client/webview/src/model/window.ts';
import { summarizeZone } from '../../client/webview/src/model/zones.ts';
import { bigReport } from './big-report.ts';
import { samplePod, sampleReport } from './sample-report.ts';

const report = sampleReport();
const [nodeA, nodeB, , nodeD] = [0, 1, 2, 3];
const noZones: ReadonlySet<string> = new Set();

function looksOn(
  node: number,
  step: number,
  mode: 'before' | 'after' | 'difference',
): Readonly<Record<string, TileLook>> {
  const tiles = frameAt(report, step, mode).tilesOn(node);
  return Object.fromEntries(tiles.map(({ pod, look }) => [report.pods[pod]!.name, look]));
}

function layoutAt(step: number, width = 1000): MapLayout {
  const frame = frameAt(report, step, 'difference');
  return layoutMap(report, frame, { width, scale: 1, openZones: noZones, filter: null });
}

describe('[ED-5] the frame after a step', () => {
  it('shows the cluster before the first step, whatever the step', () => {
    assert.deepEqual(looksOn(nodeB, 7, 'before'), {
      'ingress-9kc': 'running',
      'cache-1': 'running',
      'train-1': 'running',
      'train-2': 'running',
      'thumb-7': 'running',
    });
  });

  it('keeps victims in their place while their grace period runs', () => {
    const looks = looksOn(nodeB, 1, 'after');
    assert.equal(looks['train-1'], 'terminating');
    assert.equal(looks['checkout-1'], 'nominated');
  });

  it('shows in the difference what a node has lost and won', () => {
    const looks = looksOn(nodeB, 7, 'difference');
    assert.equal(looks['train-1'], 'evicted');
    assert.equal(looks['checkout-1'], 'arrived');
    assert.equal(looks['cache-1'], 'running');
  });

  it('shows after the last step only what is there', () => {
    assert.deepEqual(looksOn(nodeB, 7, 'after'), {
      'ingress-9kc': 'running',
      'checkout-1': 'running',
      'cache-1': 'running',
    });
  });

  it('does not show the replacement of a victim before it exists', () => {
    const replacement = samplePod('train-4');
    const waiting = (step: number): readonly number[] =>
      frameAt(report, step, 'difference').waiting.map(({ pod }) => pod);
    assert.ok(!waiting(2).includes(replacement));
    assert.ok(waiting(3).includes(replacement));
    assert.equal(frameAt(report, 0, 'before').placeOf(replacement), null);
  });

  it('gives the requested amounts of the step', () => {
    assert.equal(frameAt(report, 0, 'before').requestedOn(nodeB)['cpu'], 2600);
    assert.equal(frameAt(report, 3, 'after').requestedOn(nodeB)['cpu'], 900);
    assert.equal(frameAt(report, 7, 'after').requestedOn(nodeB)['cpu'], 2900);
  });

  it('puts the highest priority first', () => {
    const priorities = frameAt(report, 7, 'difference')
      .tilesOn(nodeD)
      .map(({ pod }) => report.pods[pod]!.priority);
    assert.deepEqual(
      priorities,
      priorities.toSorted((left, right) => right - left),
    );
  });

  it('knows which nodes change', () => {
    const frame = frameAt(report, 7, 'difference');
    assert.deepEqual(
      [0, 1, 2, 3].map((node) => frame.isTouched(node)),
      [false, true, false, true],
    );
  });

  it('leaves the report as it is', () => {
    const copy = structuredClone(report);
    frameAt(report, 7, 'difference').tilesOn(nodeB);
    assert.deepEqual(report, copy);
  });
});

describe('[ED-5] the layout of the map', () => {
  it('groups nodes by zone, side by side while there is room', () => {
    const { zones } = layoutAt(7);
    assert.deepEqual(
      zones.map(({ zone, cards }) => [zone, cards.length]),
      [
        ['zone-a', 1],
        ['zone-b', 1],
        ['zone-c', 2],
      ],
    );
    assert.equal(new Set(zones.map(({ box }) => box.y)).size, 1);
    assert.ok(new Set(layoutAt(7, 500).zones.map(({ box }) => box.y)).size > 1);
  });

  it('sizes tiles by their share', () => {
    const tiles = layoutAt(7).zones.flatMap(({ cards }) => cards.flatMap((card) => card.tiles));
    const widthOf = (name: string): number =>
      tiles.find(({ tile }) => report.pods[tile.pod]?.name === name)?.box.width ?? 0;
    const ratio = report.pods[samplePod('train-3')]!.share / report.pods[samplePod('cache-0')]!.share;
    assert.ok(Math.abs(widthOf('train-3') / widthOf('cache-0') - ratio) < 0.01);
  });

  for (const width of [320, 700, 1000, 1800]) {
    it(`keeps everything inside and nothing on top of each other at ${width} px`, () => {
      const layout = layoutAt(7, width);
      for (const zone of layout.zones) {
        assert.ok(zone.box.x + zone.box.width <= width + 1, 'zone inside the map');
        for (const card of zone.cards) {
          assert.ok(card.box.x >= zone.box.x && card.box.x + card.box.width <= zone.box.x + zone.box.width + 1);
          for (const [index, { box }] of card.tiles.entries()) {
            assert.ok(box.x + box.width <= card.box.x + card.box.width + 1, 'tile inside its card');
            for (const other of card.tiles.slice(index + 1)) {
              const apart = other.box.y >= box.y + box.height || other.box.x >= box.x + box.width - 0.01;
              assert.ok(apart, 'tiles apart');
            }
          }
        }
      }
    });
  }

  it('draws of thousands of nodes only those with changes, and a zone on demand', () => {
    const big = bigReport(300, 900);
    const frame = frameAt(big, big.steps.length, 'difference');
    const cards = (openZones: ReadonlySet<string>): readonly number[] =>
      layoutMap(big, frame, { width: 1000, scale: 1, openZones, filter: null }).zones.map((zone) => zone.cards.length);
    assert.deepEqual(cards(noZones), [10, 10, 10]);
    assert.deepEqual(cards(new Set(['zone-b'])), [10, 100, 10]);
  });

  it('narrows to the nodes that the filter leaves', () => {
    const frame = frameAt(report, 7, 'difference');
    const filter = compileFilter(report, 'DB-0');
    const { zones, waiting } = layoutMap(report, frame, { width: 1000, scale: 1, openZones: noZones, filter });
    assert.deepEqual(
      zones.map(({ zone, cards }) => [zone, cards.length]),
      [['zone-c', 1]],
    );
    assert.equal(waiting, null);
  });

  it('sums up a zone', () => {
    const frame = frameAt(report, 7, 'difference');
    const sum = summarizeZone(report, frame, [nodeB, nodeD]);
    assert.equal(sum.evicted, 4);
    assert.equal(sum.arrived, 3);
    assert.equal(sum.touchedNodes, 2);
    assert.equal(sum.requested.cpu, 5900);
    assert.deepEqual(sum.byRung, [2, 2, 2, 0, 1]);
  });
});

describe('[ED-5] walking the map', () => {
  const cells = cellsOf(layoutAt(7));
  const at = (node: number | null, name: string | null): number =>
    cells.findIndex((cell) => cell.node === node && (cell.pod === null ? null : report.pods[cell.pod]?.name) === name);

  it('reaches every cell with the right arrow alone', () => {
    let position = 0;
    const seen = new Set([position]);
    while (seen.size < cells.length && position < cells.length - 1) {
      position = walk(cells, position, 'ArrowRight');
      seen.add(position);
    }
    assert.equal(seen.size, cells.length);
  });

  it('goes up and down to what stands there', () => {
    const tile = at(nodeA, 'web-5f6-1');
    assert.equal(walk(cells, tile, 'ArrowDown'), at(nodeA, 'web-5f6-2'));
    assert.equal(walk(cells, walk(cells, tile, 'ArrowDown'), 'ArrowUp'), tile);
    assert.equal(walk(cells, at(nodeA, 'ingress-7d4'), 'ArrowUp'), at(nodeA, null));
    assert.equal(walk(cells, at(nodeA, null), 'ArrowUp'), at(null, 'train-4'));
  });

  it('goes to the ends of a card and to the next one', () => {
    const tile = at(nodeB, 'checkout-1');
    assert.equal(walk(cells, tile, 'Home'), at(nodeB, null));
    assert.equal(cells[walk(cells, tile, 'End')]?.node, nodeB);
    assert.equal(walk(cells, tile, 'PageDown'), at(2, null));
    assert.equal(walk(cells, tile, 'PageUp'), at(nodeA, null));
  });

  it('stays at the ends', () => {
    assert.equal(walk(cells, 0, 'ArrowLeft'), 0);
    assert.equal(walk(cells, cells.length - 1, 'ArrowRight'), cells.length - 1);
    assert.equal(walk(cells, cells.length - 1, 'PageDown'), cells.length - 1);
  });
});

describe('[ED-5] tables, filter and sorting', () => {
  const frame = frameAt(report, 7, 'difference');

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
    const nodes = tableOf('nodes', big, frameAt(big, 0, 'before'), null);
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
});

describe('[ED-5] what is spoken', () => {
  const frame = frameAt(report, 7, 'difference');

  it('names a pod with its place, priority and workload', () => {
    const tile = frame.tilesOn(nodeB).find(({ pod }) => pod === samplePod('checkout-1'));
    assert.equal(
      spokenTile(report, tile!),
      'shop/checkout-1, arrives on node-b, priority 100,000 checkout-high, Deployment shop/checkout, 2 cpu, 6Gi memory',
    );
  });

  it('names a node with its use', () => {
    assert.equal(spokenNode(report, frame, nodeB), 'node node-b, zone zone-b, cpu 2.9/4, memory 9/16 Gi, pods 3/110');
  });
});

describe('[ED-5] the view', () => {
  it('begins with the difference after the last step and the pod that evicts', () => {
    const state = initialState(report);
    assert.equal(state.mode, 'difference');
    assert.equal(state.step, 7);
    assert.deepEqual(state.selection, selectPod(report, samplePod('checkout-1')));
  });

  it('leaves Before when the slider moves', () => {
    const before = reduce(report, initialState(report), { type: 'mode', mode: 'before' });
    const moved = reduce(report, before, { type: 'step', step: 3 });
    assert.equal(moved.mode, 'difference');
    assert.equal(moved.step, 3);
    assert.equal(reduce(report, moved, { type: 'step', step: 99 }).step, 7);
  });

  it('explains a pod by the decision that made room for it', () => {
    const state = initialState(report);
    assert.equal(decisionOf(report, state, samplePod('checkout-1')), 0);
    assert.equal(attemptsOf(report, samplePod('checkout-1')).length, 2);
    assert.equal(decisionOf(report, { ...state, decision: 4 }, samplePod('checkout-1')), 4);
    assert.equal(decisionOf(report, state, samplePod('db-0')), null);
  });

  it('goes back along the links that were followed', () => {
    const start = initialState(report);
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
    };
    const kept = keepView(report, state);
    const shifted = { ...report, pods: [report.pods[0]!, ...report.pods], nodes: report.nodes.toReversed() };
    const restored = restoreView(shifted, kept);
    assert.equal(restored.step, 3);
    assert.equal(restored.filter, 'train');
    assert.deepEqual(restored.openZones, new Set(['zone-b']));
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

describe('[ED-5] the colours of the ladder', () => {
  const luminance = (css: string): number => {
    const [r = 0, g = 0, b = 0] = (css.match(/\d+/g) ?? []).map((value) => {
      const channel = Number(value) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const theme of ['dark', 'light'] as const) {
    it(`grow lighter with the priority and carry readable text (${theme})`, () => {
      const positions = Array.from({ length: 21 }, (_none, index) => index / 20);
      const colours = positions.map((position) => rungColour(position, theme));
      const light = colours.map(({ fill }) => luminance(fill));
      assert.deepEqual(
        light,
        light.toSorted((left, right) => left - right),
      );
      for (const [index, { text }] of colours.entries()) {
        const [low, high] = [light[index]!, text === '#ffffff' ? 1 : 0].toSorted((left, right) => left - right);
        assert.ok((high! + 0.05) / (low! + 0.05) >= 4.5, 'contrast of WCAG AA');
      }
    });
  }
});
