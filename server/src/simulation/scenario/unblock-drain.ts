import { keyOf } from '../../kubernetes/names.ts';
import type { Node, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { Inventory } from '../scene/inventory.ts';
import type { SimulationInput } from '../scene/input.ts';
import { collectWorkloads } from '../scene/workload-set.ts';
import { applyOperation } from './apply-operation.ts';
import { drainNodes, type DrainReport, type DrainRequest } from './drain-nodes.ts';
import { parseOperation } from './parse-operation.ts';

/** A change with which the drain comes to its end. */
export interface Unblocker {
  /** The operation, as `--what-if` takes it. */
  readonly whatIf: string;
  /** Seconds until the last node is drained. */
  readonly drainedAt: number;
}

export interface Unblockers {
  readonly found: readonly Unblocker[];
  /** Changes that were tried. */
  readonly tried: readonly string[];
}

/** Each costs a whole drain. */
const mostTried = 8;
/** In larger clusters nothing is tried. */
const mostObjects = 10_000;

/** Which single change would let a drain that hangs come to its end: each is tried in a drain of its own. */
export function* unblockDrain(
  input: SimulationInput,
  choose: (nodes: readonly Node[]) => readonly Node[],
  request: DrainRequest,
  report: DrainReport,
): Generator<void, Unblockers> {
  // What is not deleted, because it is a dry run, is waited for in vain whatever changes.
  const waitsInVain = request.dryRun === 'server' && request.disableEviction;
  const hangs = report.nodes.some(({ state }) => isLeft(state)) && !waitsInVain;
  if (!hangs || input.workspace.length + input.snapshot.length > mostObjects) return { found: [], tried: [] };
  const tried = proposalsFor(input, report).slice(0, mostTried);
  const found: Unblocker[] = [];
  for (const whatIf of tried) {
    const operation = parseOperation(whatIf);
    if ('problem' in operation) continue;
    const changed = applyOperation(input, operation).input;
    // Nodes that are added are none of those that are drained.
    const known = new Set(report.nodes.map(({ name }) => name));
    const same = (nodes: readonly Node[]): readonly Node[] =>
      choose(nodes).filter(({ metadata }) => known.has(metadata?.name ?? ''));
    const { nodes } = yield* drainNodes(changed, same, request);
    if (!nodes.every(({ state }) => state === 'drained')) continue;
    found.push({ whatIf, drainedAt: Math.max(...nodes.map(({ at }) => at ?? 0)) });
  }
  return { found, tried };
}

/** Whether pods stay on a node that a drain has looked at. */
function isLeft(state: DrainReport['nodes'][number]['state']): boolean {
  return state === 'hangs' || state === 'unfinished';
}

/** The least first: one replica or one node more, one disruption more, no budget. */
function proposalsFor(input: SimulationInput, { pods, nodes }: DrainReport): readonly string[] {
  const inventory = new Inventory(input);
  const stuck = pods.filter(({ goneAt }) => goneAt === null);
  const workloads = collectWorkloads(inventory, inventory.objects('Node'));
  const owners = workloads.filter(({ existing, missing, kind }) => {
    const keys = new Set([...existing.map(({ object }) => keyOf(object)), ...missing.map(keyOf)]);
    return ['Deployment', 'ReplicaSet', 'StatefulSet'].includes(kind) && stuck.some(({ pod }) => keys.has(pod));
  });
  const blocking = new Set(stuck.flatMap(({ answer }) => (answer.allowed ? [] : answer.blocking.map(keyOf))));
  const budgets = inventory.objects('PodDisruptionBudget').filter((budget) => blocking.has(keyOf(budget)));
  const hanging = nodes.find(({ state }) => isLeft(state))?.name;
  return [
    ...owners.map(
      ({ kind, namespace, name, replicas }) => `scale ${kind.toLowerCase()}/${namespace}/${name} ${replicas + 1}`,
    ),
    ...(hanging === undefined ? [] : [`add 1 node like ${hanging}`]),
    ...looserBudgets(budgets),
  ];
}

/** One disruption more of each of them; then none of them. */
export function looserBudgets(budgets: readonly PodDisruptionBudget[]): readonly string[] {
  return [
    ...budgets.map((budget) => {
      const { minAvailable, maxUnavailable } = budget.spec ?? {};
      const name = `pdb/${keyOf(budget)}`;
      return typeof minAvailable === 'number' && minAvailable > 0
        ? `budget ${name} minAvailable=${minAvailable - 1}`
        : `budget ${name} maxUnavailable=${typeof maxUnavailable === 'number' ? maxUnavailable + 1 : 1}`;
    }),
    ...budgets.map((budget) => `remove pdb/${keyOf(budget)}`),
  ];
}
