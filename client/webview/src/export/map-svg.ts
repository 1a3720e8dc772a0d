import { formatUsage } from '../../../../server/src/kit/amounts.ts';
import { grouped } from '../../../../server/src/kit/words.ts';
import { scenarioText } from '../../../src/report/format.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { Frame, TileLook } from '../model/frame.ts';
import { rungColour } from '../model/ladder.ts';
import { type Box, type CardBox, layoutMap, type TileBox } from '../model/map-layout.ts';
import { spokenTile } from '../model/spoken.ts';

/** The colours and the font of the page, resolved: a file has no theme. */
export interface SvgTheme {
  readonly kind: 'dark' | 'light';
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly border: string;
  readonly bar: string;
  readonly font: string;
}

const namespace = 'http://www.w3.org/2000/svg';
const width = 1200;
const margin = 24;
const lineHeight = 24;
/** A line of the sentence; the file cannot measure text, so this allows for wide letters. */
const lineLength = 100;

/**
 * The map as a picture of its own, with the sentence above and the ladder. Built as nodes and serialised by the
 * browser, so that names stay text.
 */
export function mapSvg(report: Report, frame: Frame, theme: SvgTheme): string {
  const layout = layoutMap(report, frame, { width: width - 2 * margin, scale: 1, openZones: new Set(), filter: null });
  const lines = wrap(report.answer.headline);
  const headHeight = lines.length * lineHeight + 60;
  const height = layout.height + headHeight + 2 * margin;
  const root = element('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': theme.font });
  root.append(definitions(report, theme), element('rect', { width, height, fill: theme.background }));
  root.append(...head(report, frame, lines, theme));

  const map = element('g', { transform: `translate(${margin} ${margin + headHeight})` });
  const colours = report.ladder.map(({ position }) => rungColour(position, theme.kind));
  const drawTile = (tile: TileBox): Element => tileGroup(report, tile, colours, theme);
  if (layout.waiting !== null) {
    map.append(frameBox(layout.waiting.box, theme, true), label('without a node', layout.waiting.box, theme));
    map.append(...layout.waiting.tiles.map(drawTile));
  }
  for (const zone of layout.zones) {
    map.append(frameBox(zone.box, theme, true), label(zone.zone === '' ? 'no zone' : zone.zone, zone.box, theme));
    for (const card of zone.cards) {
      map.append(frameBox(card.box, theme, false), ...cardText(report, frame, card, layout.dense, theme));
      map.append(...card.tiles.map(drawTile));
    }
  }
  root.append(map);
  return new XMLSerializer().serializeToString(root);
}

function head(report: Report, frame: Frame, lines: readonly string[], theme: SvgTheme): readonly Element[] {
  const below = margin + lines.length * lineHeight;
  const legend = element('g', { transform: `translate(${margin} ${below + 36})` });
  let x = 0;
  for (const rung of report.ladder) {
    const name = [...rung.classes, grouped(rung.priority)].join(' ');
    const { fill } = rungColour(rung.position, theme.kind);
    legend.append(
      element('rect', { x, y: -10, width: 11, height: 11, rx: 2, fill }),
      text(name, { x: x + 16, y: 0, 'font-size': 12, fill: theme.foreground }),
    );
    // Without a layout of its own the file allows for the widest letters.
    x += 36 + name.length * 7;
  }
  return [
    ...lines.map((line, index) =>
      text(line, {
        x: margin,
        y: margin + 14 + index * lineHeight,
        'font-size': 18,
        'font-weight': 600,
        fill: theme.foreground,
      }),
    ),
    text(
      `${scenarioText(report.scenario)} · step ${frame.step} of ${report.steps.length} · Kubernetes ${report.kubernetes}`,
      {
        x: margin,
        y: below + 12,
        'font-size': 12,
        fill: theme.muted,
      },
    ),
    legend,
  ];
}

function wrap(sentence: string): readonly string[] {
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= lineLength) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
  }
  return lines;
}

/** A hatch for each rung. */
function definitions(report: Report, theme: SvgTheme): Element {
  const defs = element('defs', {});
  report.ladder.forEach(({ position }, index) => {
    const pattern = element('pattern', {
      id: `hatch-${index}`,
      width: 8,
      height: 8,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    });
    const { fill } = rungColour(position, theme.kind);
    pattern.append(
      element('rect', { width: 8, height: 8, fill: theme.background }),
      element('rect', { width: 4, height: 8, fill, 'fill-opacity': 0.55 }),
    );
    defs.append(pattern);
  });
  return defs;
}

interface TileStyle {
  readonly hatched: boolean;
  readonly filled: boolean;
  readonly dash: string;
  readonly strong: boolean;
}

const styles: Readonly<Record<TileLook, TileStyle>> = {
  running: { hatched: false, filled: true, dash: '', strong: false },
  arrived: { hatched: false, filled: true, dash: '', strong: true },
  terminating: { hatched: true, filled: true, dash: '', strong: false },
  evicted: { hatched: true, filled: true, dash: '', strong: false },
  nominated: { hatched: false, filled: false, dash: '4 3', strong: true },
  pending: { hatched: false, filled: false, dash: '2 3', strong: false },
  gated: { hatched: false, filled: false, dash: '2 3', strong: false },
  rejected: { hatched: false, filled: false, dash: '2 3', strong: false },
};

function tileGroup(
  report: Report,
  { tile, box, labelled }: TileBox,
  colours: readonly { readonly fill: string; readonly text: string }[],
  theme: SvgTheme,
): Element {
  const pod = report.pods[tile.pod];
  const colour = colours[pod?.rung ?? 0] ?? { fill: theme.border, text: theme.foreground };
  const style = styles[tile.look];
  const fill = style.hatched ? `url(#hatch-${pod?.rung ?? 0})` : style.filled ? colour.fill : 'none';
  // A nested picture cuts off what does not fit.
  const group = element('svg', { x: box.x, y: box.y, width: box.width, height: box.height });
  const title = element('title', {});
  title.textContent = spokenTile(report, tile);
  group.append(
    title,
    element('rect', {
      x: 1,
      y: 1,
      width: Math.max(1, box.width - 2),
      height: Math.max(1, box.height - 2),
      rx: 3,
      fill,
      stroke: style.strong ? theme.foreground : colour.fill,
      'stroke-width': style.strong ? 2 : 1,
      ...(style.dash === '' ? {} : { 'stroke-dasharray': style.dash }),
    }),
  );
  if (labelled && pod !== undefined) {
    group.append(
      text(pod.name, {
        x: 5,
        y: box.height / 2 + 4,
        'font-size': 11,
        fill: style.filled && !style.hatched ? colour.text : theme.foreground,
        ...(style.hatched ? { 'text-decoration': 'line-through' } : {}),
      }),
    );
  }
  return group;
}

function cardText(report: Report, frame: Frame, card: CardBox, dense: boolean, theme: SvgTheme): readonly Element[] {
  const node = report.nodes[card.node];
  if (node === undefined) {
    return [];
  }
  const requested = frame.requestedOn(card.node);
  const { x, y, width: cardWidth, height } = card.box;
  const name = text(node.name, {
    x: x + 9,
    y: y + (dense ? 14 : 18),
    'font-size': dense ? 11 : 13,
    'font-weight': 600,
    fill: theme.foreground,
  });
  const resources = ['cpu', 'memory', 'pods'] as const;
  const bars = resources.flatMap((resource, index) => {
    const of = node.allocatable[resource] ?? 0;
    const used = requested[resource] ?? 0;
    const part = of <= 0 ? 0 : Math.min(1, used / of);
    const at = dense ? y + height - 14 + index * 4 : y + height - 52 + index * 17;
    const track = dense ? { x: x + 6, width: cardWidth - 12 } : { x: x + 44, width: cardWidth - 128 };
    const bar = { y: at, height: dense ? 2 : 5, rx: 2 };
    return [
      element('rect', { ...bar, x: track.x, width: track.width, fill: theme.border }),
      element('rect', { ...bar, x: track.x, width: track.width * part, fill: theme.bar }),
      ...(dense
        ? []
        : [
            text(resource === 'memory' ? 'mem' : resource, { x: x + 9, y: at + 6, 'font-size': 11, fill: theme.muted }),
            text(formatUsage(resource, used, of, '/'), {
              x: x + cardWidth - 9,
              y: at + 6,
              'font-size': 11,
              'text-anchor': 'end',
              fill: theme.muted,
            }),
          ]),
    ];
  });
  return [name, ...bars];
}

function frameBox(box: Box, theme: SvgTheme, dashed: boolean): Element {
  return element('rect', {
    ...box,
    rx: 5,
    fill: 'none',
    stroke: theme.border,
    ...(dashed ? { 'stroke-dasharray': '3 3' } : {}),
  });
}

function label(name: string, box: Box, theme: SvgTheme): Element {
  return text(name, { x: box.x + 10, y: box.y + 19, 'font-size': 12, fill: theme.muted });
}

type Attributes = Readonly<Record<string, string | number>>;

function text(content: string, attributes: Attributes): Element {
  const node = element('text', attributes);
  node.textContent = content;
  return node;
}

function element(name: string, attributes: Attributes): Element {
  const node = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
  }
  return node;
}
