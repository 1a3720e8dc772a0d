import { goSort } from '../../scheduler/index.ts';
import type { NodeGroup } from './groups.ts';

export interface ScaleUp {
  readonly group: NodeGroup;
  readonly from: number;
  to: number;
}

/** Shares new nodes out, to the smallest group first. Source: cluster-autoscaler/processors/nodegroupset/balancing_processor.go */
export function balance(groups: readonly NodeGroup[], wanted: number): ScaleUp[] {
  const infos: ScaleUp[] = groups
    .filter(({ size, max }) => size !== max)
    .map((group) => ({ group, from: group.size, to: group.size }));
  goSort(infos, (a, b) => a.from < b.from);
  const room = infos.reduce((sum, { group, from }) => sum + Math.max(0, group.max - from), 0);
  let start = 0;
  let current = 0;
  for (let left = Math.min(wanted, room); left > 0;) {
    const info = infos[current]!;
    if (info.to < info.group.max) {
      info.to++;
      left--;
    } else {
      infos[current] = infos[start]!;
      infos[start] = info;
      start++;
    }
    const next = infos[current + 1];
    current = next !== undefined && info.to > next.to ? current + 1 : start;
  }
  return infos.filter(({ from, to }) => from !== to);
}
