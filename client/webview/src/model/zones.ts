import type { Report } from '../../../../server/src/contract/report.ts';
import type { Frame } from './frame.ts';

/** What the nodes of a zone add up to, for zones that are not drawn node by node. */
export interface ZoneSummary {
  readonly requested: Readonly<Record<SummedResource, number>>;
  readonly allocatable: Readonly<Record<SummedResource, number>>;
  /** Pods that hold a place, by rung. */
  readonly byRung: readonly number[];
  readonly evicted: number;
  readonly arrived: number;
  readonly touchedNodes: number;
}

const summedResources = ['cpu', 'memory', 'pods'] as const;
type SummedResource = (typeof summedResources)[number];

export function summarizeZone(report: Report, frame: Frame, nodes: readonly number[]): ZoneSummary {
  const requested = { cpu: 0, memory: 0, pods: 0 };
  const allocatable = { cpu: 0, memory: 0, pods: 0 };
  const byRung = report.ladder.map(() => 0);
  let evicted = 0;
  let arrived = 0;
  let touchedNodes = 0;
  for (const node of nodes) {
    const amounts = frame.requestedOn(node);
    for (const resource of summedResources) {
      requested[resource] += amounts[resource] ?? 0;
      allocatable[resource] += report.nodes[node]?.allocatable[resource] ?? 0;
    }
    touchedNodes += frame.isTouched(node) ? 1 : 0;
    for (const { pod, look } of frame.tilesOn(node)) {
      if (look === 'evicted' || look === 'terminating') {
        evicted++;
      } else {
        const rung = report.pods[pod]?.rung ?? -1;
        if (byRung[rung] !== undefined) {
          byRung[rung]++;
        }
        arrived += look === 'arrived' || look === 'nominated' ? 1 : 0;
      }
    }
  }
  return { requested, allocatable, byRung, evicted, arrived, touchedNodes };
}
