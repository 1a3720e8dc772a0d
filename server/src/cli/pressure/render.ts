import { count, grouped, list } from '../../util/words.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import type { CommandAnswer } from '../answer/answer.ts';
import type { PressurePod, PressureRanking } from './rank-node.ts';

const header = ['#', 'pod', 'priority', 'uses', 'requests', ''] as const;
/** Equals that are named. */
const longest = 3;

/** Which pods go first, and all of them in a table. Equals share a number. */
export function rankingAnswer({ node, groups, unknown, left }: PressureRanking): CommandAnswer {
  const rows = groups.flatMap((group, index) => group.map((pod) => cells(pod, index + 1)));
  const without = groups.flat().filter(({ usage }) => usage === undefined).length;
  const first = groups.map((group) => group.filter(({ critical }) => !critical)).find(({ length }) => length > 0) ?? [];
  const names = list(
    first.map(({ namespace, name }) => `${namespace}/${name}`),
    longest,
  );
  const verdict =
    first.length === 0
      ? `Under memory pressure the kubelet evicts no pod of ${node}: ${rows.length === 0 ? 'none runs there' : `${count(rows.length, 'pod')} are critical`}.`
      : `Under memory pressure on ${node} ${names} ${first.length === 1 ? 'goes' : 'go'} first, of ${count(rows.length, 'pod')}${first.length === 1 ? '' : '; which of these is chance'}.`;
  const warnings = [
    ...(without === 0 || without === rows.length
      ? []
      : [
          `What ${count(without, 'pod')} ${without === 1 ? 'uses' : 'use'} is not known: as pods without statistics, they go first`,
        ]),
    ...(left.length === 0 ? [] : [`The taint of ${node} evicts ${list(left, 12)} first`]),
    ...(unknown.length === 0 ? [] : [`Usage of pods that are not declared: ${list(unknown, 12)}`]),
  ];
  return {
    verdict,
    tone: 'plain',
    parts: [
      ...(rows.length === 0 ? [] : [{ title: '', lines: [], rows: [header, ...rows] }]),
      ...(warnings.length === 0
        ? []
        : [{ title: '', lines: warnings.map((text) => ({ text, tone: 'warning' as const })) }]),
    ],
  };
}

function cells(pod: PressurePod, place: number): string[] {
  return [
    String(place),
    `${pod.namespace}/${pod.name}`,
    grouped(pod.priority),
    pod.usage === undefined ? 'unknown' : formatQuantity(pod.usage),
    formatQuantity(pod.request),
    note(pod),
  ];
}

function note({ critical, usage, exceedsRequest }: PressurePod): string {
  if (critical) return 'critical, passed over';
  if (usage === undefined) return 'no statistics';
  return exceedsRequest ? 'over its request' : 'within its request: after those over theirs';
}

/** The same as data. */
export function rankingData({ node, groups, unknown, left }: PressureRanking) {
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
  return { node, pods, unknown, ...(left.length === 0 ? {} : { evictedByTaint: left }) };
}
