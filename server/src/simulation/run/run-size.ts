import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import type { RunSize } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

/** Of a run, in microseconds of a usual processor: what a pod of the cluster costs, and a look at a node. */
const perPod = 18;
const perLook = 0.5;

/** What a run costs that makes so many attempts, in microseconds. Counted, not measured: the same input, the same answer. */
export function costOf(attempts: number, pods: number, nodes: number): number {
  return perPod * pods + perLook * attempts * nodes;
}

/** How large a run in a cluster is. If all preempt, it takes twice as long as if nobody does. */
export function sizeOf({ nodes, running, arriving }: SimulatedCluster): RunSize {
  const arrives = arriving.reduce((sum, pods) => sum + pods.length, 0);
  const cost = 2 * costOf(arrives, arrives + running.length, nodes.length);
  return { nodes: nodes.length, arriving: arrives, seconds: cost / 1_000_000 };
}

/** Nobody should wait for more without having been told. */
export function isLarge({ nodes, arriving }: RunSize): boolean {
  return nodes > 5_000 || arriving > 50_000;
}

/** `6,000 nodes and 60,000 new pods: a run may take 3 min`. */
export function sizeText({ nodes, arriving, seconds }: RunSize): string {
  const parts = [count(nodes, 'node'), ...(arriving === 0 ? [] : [count(arriving, 'new pod')])];
  return say`${list(parts)}: a run may take ${estimated(seconds)}`;
}

/** To one digit: it is an estimate. */
function estimated(seconds: number): string {
  if (seconds >= 55) return say`${Math.round(seconds / 60)} min`;
  const unit = seconds < 10 ? 1 : 10;
  return say`${unit * Math.max(1, Math.round(seconds / unit))} s`;
}
