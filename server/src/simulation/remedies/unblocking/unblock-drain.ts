import { keyOf, nameOf, workloadKey } from '../../../kubernetes/names.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { isWorkloadKind } from '../../../kubernetes/pod-template.ts';
import { parseOperation } from '../../operations/parse-operation.ts';
import { Inventory } from '../../cluster/inventory.ts';
import type { SimulationInput } from '../../cluster/input.ts';
import { autoscalersByTarget } from '../../cluster/autoscaled-workloads.ts';
import { collectWorkloads } from '../../cluster/workload-set.ts';
import { minReplicasOf } from '../../../disruption/autoscaling.ts';
import { budgetArithmetic } from '../../../disruption/budget-status.ts';
import { isHealthy } from '../../../disruption/pods.ts';
import { controllerOf } from '../../../disruption/controllers.ts';
import { wayOfOperator } from '../../../disruption/operators.ts';
import { budgetsOfPod } from '../../../disruption/eviction.ts';
import { applyOperation } from '../../operations/apply-operation.ts';
import { drainNodes, type DrainReport, type DrainRequest } from '../../drains/drain-nodes.ts';

/** A change with which the drain comes to its end. */
export interface Unblocker {
  /** The operations, as `--what-if` takes them: all of them are needed. */
  readonly whatIf: readonly string[];
  /** Seconds until the last node is drained. */
  readonly drainedAt: number;
  /** How many pods have no node then that had one before. */
  readonly pending: number;
  /** HorizontalPodAutoscalers that may take replicas away again, as their `minReplicas` is below. */
  readonly autoscalers?: readonly string[];
}

export interface Unblockers {
  readonly found: readonly Unblocker[];
  /** Changes that were tried, each alone or several together. */
  readonly tried: readonly (readonly string[])[];
  /** What comes of changing every budget that blocks, those too that block once the first are changed. */
  readonly budgetsTogether: (DrainedNodes & { readonly whatIf: readonly string[] }) | null;
  /** What comes of draining the nodes with a command for each, of several. */
  readonly oneByOne: DrainedNodes | null;
  /** The same where each node is uncordoned before the next is drained. */
  readonly uncordoning: DrainedNodes | null;
}

/** What becomes of each node. */
export interface DrainedNodes {
  readonly nodes: readonly Pick<DrainReport['nodes'][number], 'name' | 'state' | 'at'>[];
  /** How many pods have no node in the end that had one before. */
  readonly pending: number;
}

/** Each costs a whole drain. */
const mostTried = 8;
const cordonedTried = 2;
/** In larger clusters nothing is tried. */
const mostObjects = 10_000;

/** Which changes would let a drain that hangs come to its end: each is tried in a drain of its own. */
export function* unblockDrain(
  input: SimulationInput,
  choose: (nodes: readonly Node[]) => readonly Node[],
  request: DrainRequest,
  report: DrainReport,
): Generator<void, Unblockers> {
  // What is not deleted, because it is a dry run, is waited for in vain whatever changes.
  const waitsInVain = request.dryRun === 'server' && request.disableEviction;
  const hangs = report.nodes.some(({ state }) => isLeft(state)) && !waitsInVain;
  if (!hangs || input.workspace.length + input.snapshot.length > mostObjects) {
    return { found: [], tried: [], budgetsTogether: null, oneByOne: null, uncordoning: null };
  }
  const known = new Set(report.nodes.map(({ name }) => name));
  // Nodes that are added are none of those that are drained.
  const same = (nodes: readonly Node[]): readonly Node[] => choose(nodes).filter((node) => known.has(nameOf(node)));
  const stuck = report.pods.filter(({ goneAt, answer }) => goneAt === null && !answer.allowed);
  const lacksPods = stuck.every(({ remedy }) => remedy?.kind === 'ready-pods');
  const tried: (readonly string[])[] = [];
  const found: Unblocker[] = [];
  const judge = (whatIf: readonly string[], { nodes, pending }: DrainedNodes): void => {
    tried.push(whatIf);
    if (areDrained(nodes)) {
      const autoscalers = whatIf.flatMap((each) => autoscalersBelow(input, each));
      const drainedAt = Math.max(...nodes.map(({ at }) => at ?? 0));
      found.push({ whatIf, drainedAt, pending, ...(autoscalers.length === 0 ? {} : { autoscalers }) });
    }
  };
  for (const operation of proposalsFor(input, report)) {
    // A budget is as it should be whose pods can be made ready.
    if (lacksPods && found.length > 0 && isOtherBound(operation)) continue;
    const changed = appliedTo(input, [operation]);
    if (changed !== null) judge([operation], outcomeOf(yield* drainNodes(changed, same, request)));
  }
  for (const nodes of found.length > 0 ? [] : moreNodesLike(report)) {
    const changed = appliedTo(input, [nodes]);
    if (changed !== null) judge([nodes], outcomeOf(yield* drainNodes(changed, same, request)));
    // One more has a place for those that are pending still.
    if (found.length > 1 && found.at(-1)!.pending < found[0]!.pending) found.shift();
    if (found.some(({ pending }) => pending === 0)) break;
  }
  const isWhole = request.dryRun === 'none';
  // What helps alone is not needed together with others.
  let isAlone = found.length > 0;
  // A command for each node meets what blocks every one of them, not the first alone.
  const apart = isWhole && known.size > 1 ? yield* drainNodes(input, same, { ...request, isOneByOne: true }) : null;
  const back =
    apart === null || areDrained(apart.nodes)
      ? null
      : yield* drainNodes(input, same, { ...request, isOneByOne: true, uncordons: true });
  const uncordoning = back === null || !areDrained(back.nodes) ? null : outcomeOf(back);
  isAlone ||= uncordoning !== null;
  const scaled = isAlone ? null : yield* inRounds(input, same, request, report, oneMoreOfEach);
  const looser = isWhole || !isAlone ? yield* inRounds(input, same, request, apart ?? report, looserOfEach) : null;
  for (const together of isAlone ? [] : [scaled, looser]) if (together !== null) judge(together.whatIf, together);
  // Room and budgets may both be lacking.
  for (const room of isAlone || found.length > 0 ? [] : roomFor(input, report)) {
    const changed = appliedTo(input, [room]);
    if (changed === null) continue;
    const withRoom = yield* drainNodes(changed, same, request);
    const rest = yield* inRounds(changed, same, request, withRoom, looserOfEach, 1);
    if (rest !== null) judge([room, ...rest.whatIf], rest);
    if (found.length > 0) break;
  }
  return {
    found,
    tried,
    budgetsTogether: isWhole ? looser : null,
    oneByOne: apart === null ? null : outcomeOf(apart),
    uncordoning,
  };
}

function areDrained(nodes: DrainedNodes['nodes']): boolean {
  return nodes.every(({ state }) => state === 'drained');
}

/** Whether an operation lets more pods of a budget go that are ready. */
export function isOtherBound(operation: string): boolean {
  return operation.startsWith('budget ') && !operation.includes('unhealthyPodEvictionPolicy');
}

/** Whoever changes what blocks finds more behind it: so often that is changed, too. */
const mostRounds = 5;

/** Several changes together, each of what blocks once those before it are made; null where there are fewer than `least`. */
function* inRounds(
  input: SimulationInput,
  choose: (nodes: readonly Node[]) => readonly Node[],
  request: DrainRequest,
  report: DrainReport,
  changesFor: (inventory: Inventory, report: DrainReport) => readonly string[],
  least = 2,
): Generator<void, Unblockers['budgetsTogether']> {
  const changes = new Map<string, string>();
  let now = { input, report };
  for (let round = 0; round < mostRounds; round++) {
    const next = changesFor(new Inventory(now.input), now.report).filter((each) => !changes.has(changedBy(each)));
    const changed = next.length === 0 ? null : appliedTo(now.input, next);
    if (changed === null) break;
    for (const each of next) changes.set(changedBy(each), each);
    now = { input: changed, report: yield* drainNodes(changed, choose, request) };
  }
  return changes.size < least ? null : { whatIf: [...changes.values()], ...outcomeOf(now.report) };
}

/** The object that an operation names: each is changed once. */
function changedBy(operation: string): string {
  return operation.split(' ')[1] ?? '';
}

function looserOfEach(inventory: Inventory, report: DrainReport): readonly string[] {
  const redundant = redundantBudgets(inventory, leftOn(report));
  if (redundant.length > 0) return redundant;
  // The first change of a budget is the least.
  return blockingOf(inventory, report).flatMap((budget) => looserBudgets(inventory, [budget]).slice(0, 1));
}

function outcomeOf({ nodes, pending }: DrainReport): DrainedNodes {
  return { nodes: nodes.map(({ name, state, at }) => ({ name, state, at })), pending: pending.length };
}

/** Budgets that keep pods on a node that is drained. */
function blockingOf(inventory: Inventory, { pods }: Pick<DrainReport, 'pods'>): readonly PodDisruptionBudget[] {
  // A pod of several budgets is refused whatever they say.
  const keys = new Set(pods.flatMap(({ blockedBy }) => (blockedBy.length === 1 ? blockedBy : [])));
  return inventory.objects('PodDisruptionBudget').filter((budget) => keys.has(keyOf(budget)));
}

export function appliedTo(input: SimulationInput, whatIf: readonly string[]): SimulationInput | null {
  let changed = input;
  for (const text of whatIf) {
    const operation = parseOperation(text);
    if ('problem' in operation) return null;
    changed = applyOperation(changed, operation).input;
  }
  return changed;
}

/** Whether pods stay on a node that a drain has looked at. */
function isLeft(state: DrainReport['nodes'][number]['state']): boolean {
  return state === 'hangs' || state === 'unfinished';
}

/** The least first: one replica or one node more, one disruption more. */
function proposalsFor(input: SimulationInput, report: DrainReport): readonly string[] {
  const inventory = new Inventory(input);
  const stuck = stuckOf(report);
  const redundant = redundantBudgets(inventory, leftOn(report));
  if (stuck.length === 0) return redundant;
  const hanging = report.nodes.find(({ state }) => isLeft(state))?.name;
  const drained = new Set(report.nodes.map(({ name }) => name));
  return [
    ...redundant,
    ...uncordoningOthers(inventory, drained),
    ...oneMoreOfEach(inventory, report),
    ...(hanging === undefined ? [] : [`add 1 node like ${hanging}`]),
    ...looserBudgets(inventory, blockingOf(inventory, { pods: stuck })),
  ].slice(0, mostTried);
}

function leftOn({ pods }: DrainReport): ReadonlySet<string> {
  return new Set(pods.flatMap(({ pod, goneAt }) => (goneAt === null ? [pod] : [])));
}

/** Nodes that are added together. */
const mostAdded = 4;

/** More than one node, where replacements have no place and others take that of one, or several nodes are drained. */
export function moreNodes(name: string): readonly string[] {
  return Array.from({ length: mostAdded - 1 }, (_, index) => `add ${index + 2} nodes like ${name}`);
}

function moreNodesLike({ nodes, pending }: DrainReport): readonly string[] {
  const hanging = nodes.find(({ state }) => isLeft(state))?.name;
  return hanging === undefined || pending.length === 0 ? [] : moreNodes(hanging);
}

/** What gives replacements a place. */
function roomFor(input: SimulationInput, report: DrainReport): readonly string[] {
  const hanging = report.nodes.find(({ state }) => isLeft(state))?.name;
  const drained = new Set(report.nodes.map(({ name }) => name));
  return [
    ...uncordoningOthers(new Inventory(input), drained).slice(0, 1),
    ...(hanging === undefined ? [] : [`add 1 node like ${hanging}`]),
    ...moreNodesLike(report),
  ];
}

/** HorizontalPodAutoscalers that keep fewer replicas than an operation asks for. */
function autoscalersBelow(input: SimulationInput, operation: string): readonly string[] {
  const parsed = parseOperation(operation);
  if ('problem' in parsed || parsed.verb !== 'scale') return [];
  const { kind, namespace, name } = parsed.target;
  const scaling = autoscalersByTarget(new Inventory(input)).get(workloadKey(kind, namespace, name)) ?? [];
  return scaling.filter((each) => minReplicasOf(each) < parsed.replicas).map(nameOf);
}

/**
 * The eviction API refuses a pod of several budgets whatever they say. A budget whose pods are all those of another one,
 * which lets no more of them go, protects nothing.
 */
export function redundantBudgets(inventory: Inventory, stuck: ReadonlySet<string>): readonly string[] {
  const all = inventory.objects('PodDisruptionBudget');
  if (all.length < 2) return [];
  const pods = collectWorkloads(inventory, inventory.objects('Node')).flatMap(({ existing, missing }) => [
    ...existing.map(({ object }) => object),
    ...missing,
  ]);
  const overlapping = new Set(
    pods.flatMap((pod) => {
      const its = stuck.has(keyOf(pod)) ? budgetsOfPod(pod, all) : [];
      return its.length > 1 ? its : [];
    }),
  );
  const budgets = [...overlapping];
  const of = (budget: PodDisruptionBudget): ReadonlySet<Pod> =>
    new Set(pods.filter((pod) => budgetsOfPod(pod, [budget]).length > 0));
  const left = new Map(budgets.map((budget) => [budget, of(budget)]));
  for (const [budget, own] of [...left].toReversed()) {
    const isCovered = [...left].some(
      ([other, theirs]) =>
        other !== budget &&
        theirs.size >= own.size &&
        [...own].every((pod) => theirs.has(pod)) &&
        staying(other, own.size) >= staying(budget, own.size),
    );
    if (isCovered) left.delete(budget);
  }
  return budgets.flatMap((budget) => (left.has(budget) ? [] : [`remove pdb/${keyOf(budget)}`]));
}

/** How many of some pods a budget keeps. */
function staying({ spec }: PodDisruptionBudget, pods: number): number {
  const counted = budgetArithmetic(spec, pods, pods);
  return 'failure' in counted ? pods : Math.min(pods, counted.desiredHealthy);
}

/** A pod of several budgets is refused whatever they say. */
function stuckOf({ pods }: DrainReport): DrainReport['pods'] {
  return pods.filter(({ goneAt, answer }) => goneAt === null && (answer.allowed || answer.code !== 500));
}

/** One replica more of each workload whose pods are stuck. */
function oneMoreOfEach(inventory: Inventory, report: DrainReport): readonly string[] {
  return oneMoreFor(inventory, new Set(stuckOf(report).map(({ pod }) => pod)));
}

export function oneMoreFor(inventory: Inventory, stuck: ReadonlySet<string>): readonly string[] {
  return collectWorkloads(inventory, inventory.objects('Node'))
    .filter(
      ({ existing, missing, kind }) =>
        ['Deployment', 'ReplicaSet', 'StatefulSet'].includes(kind) &&
        [...existing.map(({ object }) => object), ...missing].some((pod) => stuck.has(keyOf(pod))),
    )
    .map(({ kind, namespace, name, replicas }) => `scale ${kind.toLowerCase()}/${namespace}/${name} ${replicas + 1}`);
}

/** Pods that wait for a node that was cordoned before are missing from their budgets. */
export function uncordoningOthers(inventory: Inventory, drained: ReadonlySet<string>): readonly string[] {
  return inventory
    .objects('Node')
    .filter((node) => node.spec?.unschedulable === true && !drained.has(nameOf(node)))
    .slice(0, cordonedTried)
    .map((node) => `uncordon node/${nameOf(node)}`);
}

/** Kinds whose number of replicas the disruption controller reads. */
const scaledKinds: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']);

/** Of each of them that pods which are not ready may go, where there are such; else one disruption more; of pods whose number nobody can read, as a number of those that stay. */
export function looserBudgets(inventory: Inventory, budgets: readonly PodDisruptionBudget[]): readonly string[] {
  // What an operator makes, it keeps as it wants it.
  const own = budgets.filter((budget) => wayOfOperator(controllerOf(budget)) === undefined);
  if (own.length === 0) return [];
  const pods = collectWorkloads(inventory, inventory.objects('Node')).flatMap(({ kind, existing, missing }) =>
    [...existing.map(({ object }) => object), ...missing].map((pod) => ({ kind, pod })),
  );
  return own.flatMap((budget): readonly string[] => {
    const selected = pods.filter(({ pod }) => budgetsOfPod(pod, [budget]).length > 0);
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    const name = `pdb/${keyOf(budget)}`;
    const policy = budget.spec?.unhealthyPodEvictionPolicy;
    // It costs nobody anything: pods that do not work may go.
    const isKept = selected.some(({ pod }) => pod.status !== undefined && !isHealthy(pod)) && policy !== 'AlwaysAllow';
    const unready = isKept ? [`budget ${name} unhealthyPodEvictionPolicy=AlwaysAllow`] : [];
    const isScaled = selected.every(({ kind }) => scaledKinds.has(kind));
    if (!isScaled || (typeof minAvailable === 'number' && minAvailable > 1 && selected.length > 1)) {
      const stay = typeof minAvailable === 'number' ? Math.min(minAvailable, selected.length) : selected.length;
      // The last pod of an operator is for that to move.
      const least = selected.every(({ kind }) => isWorkloadKind(kind)) ? 0 : 1;
      return [...unready, ...(stay > least ? [`budget ${name} minAvailable=${stay - 1}`] : [])];
    }
    return [...unready, `budget ${name} maxUnavailable=${typeof maxUnavailable === 'number' ? maxUnavailable + 1 : 1}`];
  });
}
