/** What assistive technology says of the things on the map, and what a pointer shows when it rests on them. */
import { formatUsage, namedAmount } from '../../../../server/src/kit/amounts.ts';
import { count, grouped, list, qualifiedName, titleOf } from '../../../../server/src/kit/words.ts';
import type { ShortNames } from '../../../../server/src/contract/short-names.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { BarTile, ClusterMap } from './cluster-map.ts';
import type { Frame, TileLook } from './frame.ts';

const looks: Readonly<Record<TileLook, string>> = {
  running: 'not touched',
  arrived: 'arrives',
  terminating: 'being evicted',
  evicted: 'evicted',
  nominated: 'nominated, waits for room',
  pending: 'pending',
  gated: 'held by its scheduling gates',
  rejected: 'refused by the API server',
};

/** What stands before the name on a tile; colour never stands alone. */
const signs: Readonly<Record<TileLook, string>> = {
  running: '',
  arrived: '+',
  terminating: '−',
  evicted: '−',
  nominated: '○',
  pending: '○',
  gated: '‖',
  rejected: '×',
};

/** `13 pods not touched · 9.45`, `− thumbnailer`. */
export function tileText(names: ShortNames, tile: BarTile): string {
  if (tile.pod === null) return `${count(tile.pods, 'pod')} not touched`;
  return [signs[tile.look], names.pod(tile.pod)].filter(Boolean).join(' ');
}

/** `− thumbnailer, evicted, 0.4 cpu, for checkout-0, shop/thumbnailer-7f9, priority 100 batch-low`. */
export function spokenTile(report: Report, names: ShortNames, tile: BarTile, resource: string): string {
  const text = tileText(names, tile);
  const amount = namedAmount(resource, tile.amount);
  const pod = tile.pod === null ? undefined : report.pods[tile.pod];
  if (pod === undefined) return `${text}, ${amount}`;
  const victim = report.victims.find((entry) => entry.pod === tile.pod);
  const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
  return [
    text,
    looks[tile.look],
    amount,
    victim === undefined || tile.look === 'arrived' ? '' : `for ${names.pod(victim.preemptor)}`,
    qualifiedName(pod),
    `priority ${grouped(pod.priority)}${pod.className === null ? '' : ` ${pod.className}`}`,
    workload === undefined ? '' : titleOf(workload),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What happens on a node: `2 evicted`, `for checkout-0`, `budget broken`, `room taken by urgent-worker-1`. */
export function nodeStory(map: ClusterMap, names: ShortNames, node: number): readonly string[] {
  const change = map.changeOf(node);
  if (change === undefined) return [];
  const { evicted, preemptors, arrivals, budgetBroken } = change;
  const others = arrivals.filter((pod) => !preemptors.has(pod));
  const robbed = preemptors.size > 0 && others.length > 0 && arrivals.length === others.length;
  return [
    ...(evicted.length === 0 ? [] : [`${grouped(evicted.length)} evicted`]),
    ...(preemptors.size === 0
      ? []
      : [
          `for ${list(
            [...preemptors].map((pod) => names.pod(pod)),
            2,
          )}`,
        ]),
    ...(budgetBroken ? ['budget broken'] : []),
    ...(robbed
      ? [
          `room taken by ${list(
            others.map((pod) => names.pod(pod)),
            2,
          )}`,
        ]
      : []),
  ];
}

/** `cpu 3.75 of 3.8`. */
export function usageText(report: Report, frame: Frame, node: number, resource: string): string {
  const used = frame.requestedOn(node)[resource] ?? 0;
  return `${resource} ${formatUsage(resource, used, report.nodes[node]?.allocatable[resource] ?? 0)}`;
}

/** `node-b, 2 evicted, for checkout-0, cpu 3.8 of 4, memory 13.4 of 16 Gi, pods 6 of 110, zone zone-b`. */
export function spokenNode(report: Report, frame: Frame, map: ClusterMap, names: ShortNames, index: number): string {
  const node = report.nodes[index];
  if (node === undefined) return '';
  const short = names.node(index);
  return [
    short,
    ...nodeStory(map, names, index),
    ...['cpu', 'memory', 'pods'].map((resource) => usageText(report, frame, index, resource)),
    node.zone === '' ? '' : `zone ${node.zone}`,
    node.assumed ? 'assumed' : '',
    node.unschedulable ? 'cordoned' : '',
    short === node.name ? '' : node.name,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
