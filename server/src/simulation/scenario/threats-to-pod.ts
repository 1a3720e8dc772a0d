import { greatest, least } from '../../util/extremes.ts';
import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { runToEnd } from '../../util/steps.ts';
import type { CompiledSelector } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { PodState } from '../../report-model/report.ts';
import type { NodeName } from '../../scheduler/decision.ts';
import { pinnedTo } from '../report/threats.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { nodeOfDaemonPod } from '../cluster/workload-set.ts';
import type { Run } from '../run/run.ts';
import { UnknownObjectError } from '../operations/apply-operation.ts';
import { parseTarget } from '../operations/parse-operation.ts';
import { titleOf } from '../../util/words.ts';
import { changedWorkloads } from './changed-workloads.ts';
import { type EvictedBy, settleCluster } from '../capacity/settled-workspace.ts';

/** A declared workload, one more pod of which would evict the pod. */
export interface ThreateningWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** Whether the scheduler itself would choose this victim now; else only if it had to use this node. */
  readonly isNext: boolean;
  /** `namespace/name` of the budgets that this would break. */
  readonly breaks: readonly string[];
}

export interface ThreatsReport {
  readonly pod: string;
  readonly state: PodState;
  readonly node: NodeName | null;
  readonly priority: number;
  readonly className: string | null;
  /** Classes whose pods outrank it, highest first; those of policy Never evict no pod. */
  readonly classes: readonly { readonly name: string; readonly value: number; readonly preempts: boolean }[];
  /** The node whose taint evicts it, whatever its priority. */
  readonly taintOf: NodeName | null;
  /** Highest priority first. */
  readonly workloads: readonly ThreateningWorkload[];
  /** With this priority of its own none of these workloads would evict it; null where none does, or no class goes so far. */
  readonly safeAt: number | null;
  /** Budgets that select it: they hold for evictions, and preemption only avoids to break them. */
  readonly budgets: readonly { readonly name: string; readonly disruptionsAllowed: number }[];
  /** Workloads of higher priority that were not tried, for there are too many. */
  readonly untried: number;
}

export function isThreatened({ workloads, taintOf }: ThreatsReport): boolean {
  return workloads.length > 0 || taintOf !== null;
}

/** Pods that are told of for the name of a workload. */
const mostPods = 20;
/** Each pod and workload costs a decision. */
const mostDecisions = 20_000;

/**
 * Who could evict a pod once everything that is declared has arrived: one more pod of every workload is tried on its
 * node alone. Throws `UnknownObjectError`.
 * @param name `NAMESPACE/NAME` or `KIND/NAMESPACE/NAME` of a pod, or of the workload that makes it; or labels of pods
 */
export function threatsTo(input: SimulationInput, name: string | CompiledSelector): readonly ThreatsReport[] {
  const simulated = runToEnd(buildCluster(input));
  const { run, evicted } = runToEnd(settleCluster(simulated));
  const rolled = evictedByRollOuts(input, simulated);
  const all = new Map(evicted);
  for (const pod of run.pods.all()) {
    const by = rolled.get(pod.key);
    if (by !== undefined && !all.has(pod)) all.set(pod, by);
  }
  return threatsIn(simulated, run, name, all);
}

/** Pods that run, by `namespace/name`, and which pod evicts them while what is changed is rolled out. */
function evictedByRollOuts(input: SimulationInput, { workloads }: SimulatedCluster): ReadonlyMap<string, EvictedBy> {
  const { before, changed } = changedWorkloads(input);
  if (changed.length === 0) return new Map();
  const simulated = runToEnd(buildCluster(before));
  const { evicted } = runToEnd(settleCluster(simulated, new Set(), changed));
  const places = new Map(workloads.map((each, index) => [titleOf(each), index]));
  return new Map(
    [...evicted].flatMap(([{ key }, by]) => {
      const workload = by.preemptor === null ? -1 : places.get(titleOf(simulated.workloads[by.preemptor.workload]!));
      if (by.preemptor === null || workload === undefined) return [];
      return [[key, { ...by, preemptor: { ...by.preemptor, workload } }] as const];
    }),
  );
}

/**
 * As a run stands now.
 * @param evicted pods that were evicted before: whoever did so is the first threat
 */
export function threatsIn(
  simulated: SimulatedCluster,
  run: Run,
  name: string | CompiledSelector,
  evicted: ReadonlyMap<SimulatedPod, EvictedBy> = new Map(),
): readonly ThreatsReport[] {
  const pods = podsNamed(simulated, run, name, evicted);
  const untold = new Set(pods.slice(mostPods));
  const shown = pods.filter((pod) => !untold.has(pod));
  const lowest = least(shown.map(({ priority }) => priority));
  const preemptors = simulated.workloads
    .flatMap((_, index) => simulated.prototypeOf(index) ?? [])
    .filter((pod) => pod.refusal === '' && pod.preemptionPolicy !== 'Never' && pod.priority > lowest);
  const tried = preemptors.slice(0, Math.floor(mostDecisions / Math.max(1, shown.length)));
  const next = new Map(tried.map((pod) => [pod, new Set(victimsOf(run, pod, null).victims)]));
  return shown.map((pod): ThreatsReport => {
    const by = evicted.get(pod);
    const { node: place, state } = run.place(pod);
    const node = place ?? by?.node ?? null;
    const workloads =
      by !== undefined
        ? evicting(simulated, by)
        : node === null || state !== 'running'
          ? []
          : tried.flatMap((preemptor) => threatOf(simulated, run, preemptor, pod, node, next.get(preemptor)!));
    const needed = greatest(workloads.map(({ priority }) => priority));
    const { state: cluster } = run.cluster;
    const budgets = cluster.budgets.matchesOf((cluster.pod(pod.key) ?? pod.info).class);
    return {
      pod: pod.key,
      state,
      node,
      priority: pod.priority,
      className: pod.className,
      classes: classesAbove(simulated, pod.priority),
      taintOf: by?.preemptor === null ? by.node : null,
      workloads: workloads.toSorted((a, b) => b.priority - a.priority || Number(b.isNext) - Number(a.isNext)),
      safeAt: workloads.length === 0 || needed > highestUserDefinablePriority ? null : needed,
      budgets: budgets.map((index) => ({
        name: cluster.budgets.budgets[index]!.key,
        disruptionsAllowed: cluster.disruptionsAllowed[index] ?? 0,
      })),
      untried: preemptors.length - tried.length,
    };
  });
}

/** Who evicted the pod in the run. */
function evicting(simulated: SimulatedCluster, { preemptor, breaks }: EvictedBy): readonly ThreateningWorkload[] {
  if (preemptor === null) return [];
  const { kind, namespace, name } = simulated.workloads[preemptor.workload]!;
  return [{ kind, namespace, name, priority: preemptor.priority, isNext: true, breaks }];
}

function podsNamed(
  simulated: SimulatedCluster,
  run: Run,
  name: string | CompiledSelector,
  evicted: ReadonlyMap<SimulatedPod, EvictedBy>,
): readonly SimulatedPod[] {
  const pods = [...run.pods.all()].filter((pod) => evicted.has(pod) || run.place(pod).state !== 'evicted');
  if (typeof name !== 'string') {
    const selected = pods.filter(({ pod }) => name.matches(pod.metadata?.labels));
    if (selected.length > 0) return selected;
    throw new UnknownObjectError('pod with these labels', []);
  }
  const target = parseTarget(name);
  const named = target === null ? name : `${target.namespace}/${target.name}`;
  const own = target === null || target.kind === 'Pod' ? pods.filter(({ key }) => key === named) : [];
  if (own.length > 0) return own;
  const isMeant = ({ workload }: SimulatedPod): boolean => {
    const { kind, namespace, name: made } = simulated.workloads[workload]!;
    return `${namespace}/${made}` === named && (target === null || target.kind === kind);
  };
  const made = pods.filter(isMeant);
  if (made.length > 0) return made;
  // A name alone is enough where one pod, or the pods of one workload, are called so.
  const alike = pods.filter(({ info, workload }) => info.name === name || simulated.workloads[workload]!.name === name);
  if (new Set(alike.map(({ workload }) => workload)).size === 1) return alike;
  const known = new Set([
    ...pods.map(({ key }) => key),
    ...simulated.workloads.map(({ namespace, name: each }) => `${namespace}/${each}`),
  ]);
  throw new UnknownObjectError(`pod ${name}`, nearestNames(named, known).slice(0, 3));
}

function threatOf(
  simulated: SimulatedCluster,
  run: Run,
  preemptor: SimulatedPod,
  pod: SimulatedPod,
  node: NodeName,
  next: ReadonlySet<string>,
): readonly ThreateningWorkload[] {
  if (preemptor.priority <= pod.priority || preemptor === pod) return [];
  const { kind, namespace, name } = simulated.workloads[preemptor.workload]!;
  if (kind === 'DaemonSet' && nodeOfDaemonPod(preemptor.pod) !== node) return [];
  const { victims, breaks } = victimsOf(run, preemptor, node);
  if (!victims.includes(pod.key)) return [];
  return [{ kind, namespace, name, priority: preemptor.priority, isNext: next.has(pod.key), breaks }];
}

/** Whom one more such pod would evict, on a node or wherever the scheduler likes. */
function victimsOf(
  run: Run,
  { pod }: SimulatedPod,
  node: NodeName | null,
): { readonly victims: readonly string[]; readonly breaks: readonly string[] } {
  const decision = run.cluster.decideFor(node === null ? pod : pinnedTo(pod, node));
  const preemption = decision.kind === 'unschedulable' ? decision.preemption : null;
  const candidate = preemption?.candidates.get(node ?? preemption.choice?.node ?? '');
  return { victims: candidate?.victims ?? [], breaks: candidate?.violatedBudgets ?? [] };
}

function classesAbove(simulated: SimulatedCluster, priority: number): ThreatsReport['classes'] {
  const declared = simulated.inventory.classes.for(null).map((each) => ({
    name: nameOf(each),
    value: each.value ?? 0,
    preempts: each.preemptionPolicy !== 'Never',
  }));
  const names = new Set(declared.map(({ name }) => name));
  const system = [...systemPriorityClasses].map(([name, value]) => ({ name, value, preempts: true }));
  return [...declared, ...system.filter(({ name }) => !names.has(name))]
    .filter(({ value }) => value > priority)
    .sort((a, b) => b.value - a.value);
}
