import { count } from '../../../../server/src/util/words.ts';
import { say } from '../../../../server/src/util/say.ts';
import { scenarioText } from '../../../src/report/format.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import { type BarTile, clusterMap, nodeBars, resourcesOf } from '../model/cluster-map.ts';
import { type Frame, isVictim, leaves } from '../model/frame.ts';
import { nodeStory, spokenTile, tileText, usageText } from '../model/spoken.ts';

/** The colours and the font of the page, resolved: a file has no theme. */
export interface SvgTheme {
  readonly background: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly bad: string;
  readonly victim: TileColours;
  readonly arrival: TileColours;
  readonly calm: TileColours;
  readonly font: string;
}

interface TileColours {
  readonly fill: string;
  readonly text: string;
  readonly edge: string;
}

const namespace = 'http://www.w3.org/2000/svg';
const width = 1200;
const margin = 24;
const lineHeight = 24;
/** A line of the sentence; the file cannot measure text, so this allows for wide letters. */
const lineLength = 100;
const card = { header: 26, bar: 24, gap: 8, space: 10, label: 60 } as const;
/** A picture is looked at as a whole: more nodes are counted. */
const mostCards = 60;

/**
 * The nodes that change, before and after, as a picture of its own with the sentence above. Built as nodes and
 * serialised by the browser, so that names stay text.
 */
export function mapSvg(report: Report, frame: Frame, names: ShortNames, theme: SvgTheme): string {
  const map = clusterMap(report, frame, { toggled: new Set(), filter: null, node: null });
  const resource = resourcesOf(report)[0] ?? 'cpu';
  const all = map.zones.flatMap(({ cards }) => cards);
  const nodes = all.slice(0, mostCards);
  const lines = wrap(report.answer.headline);
  const head = margin + lines.length * lineHeight + 40;
  const cardHeight = card.header + 2 * card.bar + card.gap + card.space;
  const rest = report.nodes.length - nodes.length;
  const height = head + nodes.length * cardHeight + 2 * margin;
  const looks = new Set(nodes.flatMap((node) => frame.tilesOn(node).map(({ look }) => look)));
  const marks = [
    say`− evicted`,
    ...(looks.has('ended') ? [say`· ended`] : []),
    ...(looks.has('ending') ? [say`· ending`] : []),
    say`+ new`,
  ];
  const root = element('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': theme.font });
  root.append(
    element('rect', { width, height, fill: theme.background }),
    ...lines.map((line, index) =>
      text(line, theme.ink, { x: margin, y: margin + 14 + index * lineHeight, 'font-size': 18, 'font-weight': 600 }),
    ),
    text(
      `${scenarioText(report.scenario)} · Kubernetes ${report.kubernetes} · ${say`width = ${resource}`} · ${marks.join(', ')}`,
      theme.muted,
      { x: margin, y: head - 24, 'font-size': 12 },
    ),
    ...nodes.map((node, index) => {
      const group = element('g', { transform: `translate(${margin} ${head + index * cardHeight})` });
      const bars = nodeBars(report, frame, node, resource);
      const story = nodeStory(map, names, node)
        .map((part) => part.text)
        .join(' · ');
      const barWidth = width - 2 * margin - card.label;
      const drawBar = (label: string, tiles: readonly BarTile[], y: number): readonly Element[] => [
        text(label, theme.muted, { x: 0, y: y + 16, 'font-size': 12 }),
        element('rect', {
          x: card.label,
          y,
          width: barWidth,
          height: card.bar,
          rx: 3,
          fill: 'none',
          stroke: theme.line,
          'stroke-dasharray': '3 3',
        }),
        ...tiles.map((tile) => drawTile(tile, y, barWidth)),
      ];
      const below = card.header + card.bar;
      group.append(
        text(names.node(node), theme.ink, { x: 0, y: 16, 'font-size': 13, 'font-weight': 600 }),
        text(story, theme.bad, { x: 20 + names.node(node).length * 8, y: 16, 'font-size': 12 }),
        text(usageText(report, frame, node, resource), theme.muted, {
          x: width - 2 * margin,
          y: 16,
          'font-size': 12,
          'text-anchor': 'end',
        }),
        ...drawBar(say`before`, bars.before, card.header),
        ...drawBar(say`after`, bars.after, below + card.gap),
        ...bars.links.map(({ from, to }) =>
          element('path', {
            d: `M${card.label + from * barWidth} ${below}L${card.label + to * barWidth} ${below + card.gap}`,
            stroke: theme.victim.edge,
            'stroke-width': 2,
          }),
        ),
      );
      return group;
    }),
    text(rest === 0 ? '' : say`${count(rest, 'more node')}, not drawn`, theme.muted, {
      x: margin,
      y: height - margin,
      'font-size': 12,
    }),
  );
  return new XMLSerializer().serializeToString(root);

  function drawTile(tile: BarTile, y: number, barWidth: number): Element {
    const colours = isVictim(tile.look)
      ? theme.victim
      : tile.look === 'running' || leaves(tile.look)
        ? theme.calm
        : theme.arrival;
    const tileWidth = Math.max(3, tile.width * barWidth);
    // A nested picture cuts off what does not fit.
    const group = element('svg', { x: card.label + tile.start * barWidth, y, width: tileWidth, height: card.bar });
    const title = element('title', {});
    title.textContent = spokenTile(report, names, tile, resource);
    group.append(
      title,
      element('rect', {
        x: 0.5,
        y: 0.5,
        width: tileWidth - 1,
        height: card.bar - 1,
        rx: 3,
        fill: colours.fill,
        stroke: colours.edge,
        ...(tile.look === 'nominated' ? { 'stroke-dasharray': '4 3' } : {}),
      }),
      text(tileWidth < 26 ? '' : tileText(names, tile), colours.text, { x: 5, y: 16, 'font-size': 11 }),
    );
    return group;
  }
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

type Attributes = Readonly<Record<string, string | number>>;

function text(content: string, fill: string, attributes: Attributes): Element {
  const node = element('text', { ...attributes, fill });
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
