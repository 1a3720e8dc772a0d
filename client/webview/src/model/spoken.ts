/** What assistive technology says of the things on the map, and what a pointer shows when it rests on them. */
import { own } from '../../../../server/src/util/own.ts';
import { say } from '../../../../server/src/util/say.ts';
import { formatUsage, namedAmount } from '../../../../server/src/util/amounts.ts';
import { count, grouped, list, qualifiedName, titleOf, momentText } from '../../../../server/src/util/words.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import { devicesOf, freeDevicesText } from '../../../../server/src/report-model/devices.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import type { BarTile, ClusterMap } from './cluster-map.ts';
import type { Frame, TileLook } from './frame.ts';

const looks: Readonly<Record<TileLook, string>> = {
  running: say`not touched`,
  arrived: say`new`,
  terminating: say`being evicted`,
  evicted: say`evicted`,
  ending: say`ending`,
  ended: say`ended`,
  nominated: say`nominated, waits for room`,
  pending: say`pending`,
  gated: say`held by its scheduling gates`,
  rejected: say`refused by the API server`,
};

/** What stands before the name on a tile; colour never stands alone. */
const signs: Readonly<Record<TileLook, string>> = {
  running: '',
  arrived: '+',
  terminating: '−',
  evicted: '−',
  ending: '·',
  ended: '·',
  nominated: '○',
  pending: '○',
  gated: '‖',
  rejected: '×',
};

/** `13 pods not touched · 9.45`, `− thumbnailer`. */
export function tileText(names: ShortNames, tile: BarTile): string {
  if (tile.pod === null) {
    if (tile.look === 'running') return say`${count(tile.pods, 'pod')} not touched`;
    return `${signs[tile.look]} ${say`${grouped(tile.pods)} more`}`.trim();
  }
  return [signs[tile.look], names.pod(tile.pod)].filter(Boolean).join(' ');
}

/** Of which pod template a pod is, where its workload is rolled out. */
export function templateText({ template }: { readonly template?: 'old' | 'new' }): string {
  if (template === undefined) return '';
  return template === 'new' ? say`new template` : say`old template`;
}

/** `− thumbnailer, evicted, 0.4 cpu, for checkout-0, shop/thumbnailer-7f9, priority 100 batch-low`. */
export function spokenTile(report: Report, names: ShortNames, tile: BarTile, resource: string): string {
  const text = tileText(names, tile);
  const amount = namedAmount(resource, tile.amount);
  const pod = tile.pod === null ? undefined : report.pods[tile.pod];
  if (pod === undefined) {
    return [text, tile.look === 'running' ? '' : looks[tile.look], amount].filter((part) => part !== '').join(', ');
  }
  const victim = report.victims.find((entry) => entry.pod === tile.pod);
  const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
  return [
    text,
    looks[tile.look],
    templateText(pod),
    amount,
    victim === undefined || tile.look === 'arrived' ? '' : say`for ${names.pod(victim.preemptor)}`,
    qualifiedName(pod),
    say`priority ${grouped(pod.priority)}${pod.className === null ? '' : ` ${pod.className}`}`,
    workload === undefined ? '' : titleOf(workload),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** A part of what happens on a node, and how grave that is. */
interface StoryPart {
  readonly text: string;
  readonly tone: 'bad' | 'warning' | 'muted';
}

/** What happens on a node: `2 evicted`, `for checkout-0`, `budget broken`, `room taken by urgent-worker-1`. */
export function nodeStory(map: ClusterMap, names: ShortNames, node: number): readonly StoryPart[] {
  const change = map.changeOf(node);
  if (change === undefined) return [];
  const { evicted, preemptors, isRoomUsed, arrivals, ended, budgetBroken } = change;
  const others = arrivals.filter((pod) => !preemptors.has(pod));
  const robbed = preemptors.size > 0 && others.length > 0 && arrivals.length === others.length && !isRoomUsed;
  const named = (pods: Iterable<number>): string =>
    list(
      [...pods].map((pod) => names.pod(pod)),
      2,
    );
  return [
    ...(evicted.length === 0 ? [] : [{ text: say`${grouped(evicted.length)} evicted`, tone: 'bad' } as const]),
    ...(preemptors.size === 0 ? [] : [{ text: say`for ${named(preemptors)}`, tone: 'muted' } as const]),
    ...(budgetBroken ? [{ text: say`budget broken`, tone: 'bad' } as const] : []),
    ...(ended.length === 0 ? [] : [{ text: say`${grouped(ended.length)} ended`, tone: 'muted' } as const]),
    ...(robbed ? [{ text: say`room taken by ${named(others)}`, tone: 'warning' } as const] : []),
  ];
}

/** `cpu 3.75 of 3.8`. */
export function usageText(report: Report, frame: Frame, node: number, resource: string): string {
  const used = own(frame.requestedOn(node), resource) ?? 0;
  return `${resource} ${formatUsage(resource, used, own(report.nodes[node]?.allocatable, resource) ?? 0)}`;
}

/** `node-b, 2 evicted, for checkout-0, cpu 3.8 of 4, memory 13.4 of 16 Gi, pods 6 of 110, zone zone-b`. */
export function spokenNode(report: Report, frame: Frame, map: ClusterMap, names: ShortNames, index: number): string {
  const node = report.nodes[index];
  if (node === undefined) return '';
  const short = names.node(index);
  return [
    short,
    ...nodeStory(map, names, index).map((part) => part.text),
    ...['cpu', 'memory', 'pods'].map((resource) => usageText(report, frame, index, resource)),
    freeDevicesText(devicesOf(report, index)),
    node.zone === '' ? '' : say`zone ${node.zone}`,
    node.assumed ? say`assumed` : '',
    node.comes === undefined ? '' : say`comes at ${momentText(report, node.comes)}`,
    node.unschedulable ? say`cordoned` : '',
    short === node.name ? '' : node.name,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
