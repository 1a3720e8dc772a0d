import { jsonText } from '../terminal/json.ts';
import { count } from '../../kit/words.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { terminalStyle } from '../terminal/style.ts';
import { columnsOf, padStart, printable } from '../terminal/text.ts';
import type { PressurePod, PressureRanking } from './rank-node.ts';

const header = ['#', 'pod', 'priority', 'uses', 'requests', ''] as const;

/** A table, first to go first. Equals share a number. */
export function renderRanking({ node, groups, unknown }: PressureRanking, colour: boolean): string {
  const style = terminalStyle(colour);
  const rows = groups.flatMap((group, index) => group.map((pod) => cells(pod, index + 1)));
  const without = groups.flat().filter(({ usage }) => usage === undefined).length;
  const widths = header.map((title, column) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isText(column)
          ? cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell))
          : padStart(cell, widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const lines = [
    style.strong(`Memory pressure on ${printable(node)}: ${count(rows.length, 'pod')}, first to go first`),
    ...(rows.length === 0 ? [] : [style.faint(line(header))]),
    ...rows.map((row) => line(row)),
    ...(without === 0 || without === rows.length
      ? []
      : [
          style.warning(
            `Nobody says what ${count(without, 'pod')} ${without === 1 ? 'uses' : 'use'}: as pods without statistics, they go first`,
          ),
        ]),
    ...(unknown.length === 0
      ? []
      : [style.warning(`Usage of pods that are not declared: ${printable(unknown.join(', '))}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function isText(column: number): boolean {
  return column === 1 || column === header.length - 1;
}

function cells(pod: PressurePod, place: number): string[] {
  return [
    String(place),
    printable(`${pod.namespace}/${pod.name}`),
    String(pod.priority),
    pod.usage === undefined ? 'unknown' : formatQuantity(pod.usage),
    formatQuantity(pod.request),
    note(pod),
  ];
}

function note({ critical, usage, exceedsRequest }: PressurePod): string {
  if (critical) return 'critical, passed over';
  if (usage === undefined) return 'no statistics';
  return exceedsRequest ? 'over its request' : 'within its request: goes after those over theirs';
}

export function renderRankingJson({ node, groups, unknown }: PressureRanking): string {
  const pods = groups.flatMap((group, index) =>
    group.map(({ namespace, name, priority, usage, request, exceedsRequest, critical }) => ({
      rank: index + 1,
      namespace,
      name,
      priority,
      usage: usage === undefined ? null : formatQuantity(usage),
      request: formatQuantity(request),
      exceedsRequest,
      critical,
    })),
  );
  return `${jsonText({ node, pods, unknown })}\n`;
}
