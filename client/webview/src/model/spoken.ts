/** What assistive technology says of the things on the page, and what a pointer shows when it rests on them. */
import { formatAmount, formatUsage } from '../../../../server/src/kit/amounts.ts';
import { grouped, qualifiedName, titleOf } from '../../../../server/src/kit/words.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { Frame, Tile, TileLook } from './frame.ts';

const looks: Readonly<Record<TileLook, string>> = {
  running: '',
  arrived: 'arrives',
  terminating: 'being evicted',
  evicted: 'evicted',
  nominated: 'nominated, waits for room',
  pending: 'pending',
  gated: 'held by its scheduling gates',
  rejected: 'refused by the API server',
};

/** `checkout-1, arrives on node-b, priority 100,000 checkout-high, Deployment shop/checkout, 1.5 cpu, 2 Gi memory`. */
export function spokenTile(report: Report, tile: Tile): string {
  const pod = report.pods[tile.pod];
  if (pod === undefined) {
    return '';
  }
  const node = tile.node === null ? '' : (report.nodes[tile.node]?.name ?? '');
  const workload = pod.workload === null ? undefined : report.workloads[pod.workload];
  const place = [looks[tile.look], node === '' ? '' : `on ${node}`].filter((part) => part !== '').join(' ');
  return [
    qualifiedName(pod),
    place,
    `priority ${grouped(pod.priority)}${pod.className === null ? '' : ` ${pod.className}`}`,
    workload === undefined ? '' : titleOf(workload),
    ...Object.entries(pod.requests)
      .filter(([, amount]) => amount !== 0)
      .map(([resource, amount]) => `${formatAmount(resource, amount)} ${resource}`),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** `node-b, zone zone-b, cpu 3.8/4, memory 13.4/16 Gi, pods 6/110`. */
export function spokenNode(report: Report, frame: Frame, index: number): string {
  const node = report.nodes[index];
  if (node === undefined) {
    return '';
  }
  const requested = frame.requestedOn(index);
  const usage = ['cpu', 'memory', 'pods'].map(
    (resource) =>
      `${resource} ${formatUsage(resource, requested[resource] ?? 0, node.allocatable[resource] ?? 0, '/')}`,
  );
  return [
    `node ${node.name}`,
    node.zone === '' ? '' : `zone ${node.zone}`,
    node.assumed ? 'assumed' : '',
    node.unschedulable ? 'unschedulable' : '',
    ...usage,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
