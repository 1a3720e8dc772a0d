import { sameItems } from '../../util/same-items.ts';
import type { NodeInfo } from './node-info.ts';
import type { Nominations } from './nominations.ts';
import type { PodInfo } from './pod-info.ts';

/**
 * The pods nominated to a node that count against `pod`: of its priority or higher, itself excepted, and handled by one
 * of the schedulers that run.
 * Source: pkg/scheduler/framework/runtime/framework.go (addGENominatedPods)
 */
export function nominatedBefore(
  nominations: Nominations,
  node: number,
  pod: PodInfo,
  schedulers: ReadonlySet<string>,
): readonly PodInfo[] {
  const nominated = nominations.to(node);
  if (nominated.length === 0) return nominated;
  for (const each of nominated) {
    if (!counts(each, pod, schedulers)) return nominated.filter((other) => counts(other, pod, schedulers));
  }
  return nominated;
}

function counts(nominated: PodInfo, pod: PodInfo, schedulers: ReadonlySet<string>): boolean {
  return nominated.priority >= pod.priority && nominated.uid !== pod.uid && schedulers.has(nominated.schedulerName);
}

const viewer = {};

/** `node` with `nominated` added; remembered, since a run of pods meets the same nominations. */
export function withNominated(node: NodeInfo, nominated: readonly PodInfo[]): NodeInfo {
  const known = node.withNominated;
  if (known !== null && sameItems(known.nominated, nominated)) return known.node;
  const view = node.clone(viewer);
  for (const pod of nominated) view.addPod(pod);
  node.withNominated = { nominated, node: view };
  return view;
}
