import { WhyPending } from '../causes/why-pending.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import type { NodeModel } from '../operations/operation.ts';
import { settleCluster } from './settled-workspace.ts';

/** How many nodes it takes until as many pods run as such nodes can help. */
export interface NodesNeeded {
  readonly like: NodeModel;
  /** Pods that wait without them. */
  readonly waiting: number;
  /** Nodes; 0 where none helps. */
  readonly nodes: number;
  /** Pods that wait even with as many, by workload; more nodes were tried in vain. */
  readonly left: readonly {
    readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
    readonly count: number;
    readonly message: string;
  }[];
  /** The most nodes that were tried. */
  readonly tried: number;
}

/** More nodes are not tried. */
const mostNodes = 4096;

/**
 * The fewest nodes like one, or of a size, with which as few pods as possible wait. Each number is a run of everything
 * that is declared: first twice as many each time, until nobody waits or twice as many twice change nothing, then halved.
 * Throws `UnknownObjectError`.
 */
export function* nodesNeeded(input: SimulationInput, like: NodeModel): Generator<void, NodesNeeded> {
  const runs = new Map<number, Waiting>();
  const runWith = function* (count: number): Generator<void, Waiting> {
    const known = runs.get(count);
    if (known !== undefined) return known;
    const changed = count === 0 ? input : applyOperation(input, { verb: 'add', count, like }).input;
    const made = yield* waitingIn(changed);
    runs.set(count, made);
    return made;
  };
  // Whether there is such a node, also where nobody waits.
  applyOperation(input, { verb: 'add', count: 0, like });
  const { waiting } = yield* runWith(0);
  let best = { nodes: 0, waiting };
  for (let nodes = 1, inVain = 0; best.waiting > 0 && nodes <= mostNodes && inVain < 2; nodes *= 2) {
    const now = (yield* runWith(nodes)).waiting;
    inVain = now < best.waiting ? 0 : inVain + 1;
    if (now < best.waiting) best = { nodes, waiting: now };
  }
  let [enough, tooFew] = [best.nodes, Math.floor(best.nodes / 2)];
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if ((yield* runWith(middle)).waiting <= best.waiting) enough = middle;
    else tooFew = middle;
  }
  return { like, waiting, nodes: enough, left: (yield* runWith(enough)).left, tried: Math.max(...runs.keys()) };
}

type Waiting = Pick<NodesNeeded, 'left'> & { readonly waiting: number };

function* waitingIn(input: SimulationInput): Generator<void, Waiting> {
  const simulated = yield* buildCluster(input);
  const { run, waiting } = yield* settleCluster(simulated);
  const why = new WhyPending(run, simulated);
  const byWorkload = new Map<number, { count: number; message: string }>();
  for (const [pod, decision] of waiting) {
    const known = byWorkload.get(pod.workload);
    if (known === undefined) byWorkload.set(pod.workload, { count: 1, message: why.of(pod, decision) });
    else known.count += 1;
  }
  const left = [...byWorkload].map(([index, shortage]) => {
    const { kind, namespace, name } = simulated.workloads[index]!;
    return { workload: { kind, namespace, name }, ...shortage };
  });
  return { waiting: waiting.size, left: left.sort((a, b) => b.count - a.count) };
}
