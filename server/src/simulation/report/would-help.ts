import { joined, say } from '../../util/say.ts';
import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import { list } from '../../util/words.ts';
import type { Pod, PodSpec } from '../../kubernetes/objects.ts';
import type { Decision, NodeName } from '../../scheduler/decision.ts';
import type { Recorder } from '../run/recorder.ts';
import { omit } from '../../util/omit.ts';
import type { Cause } from '../../report-model/cause.ts';
import { formatAmount } from '../../util/amounts.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import type { Causes } from '../causes/find-causes.ts';
import { amountsOf, isOffered } from '../causes/shortages-of.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** Each kind of pod that waits costs a handful of decisions; with more kinds than this, the rest get no advice. */
const helpLimit = 50;

/**
 * What would help the pods that still wait: missing amounts, and each change of the pod that alone would find it a
 * place, tried with the scheduler as things stand at the end. By index of the decision.
 */
export function* findHelp(
  recorder: Recorder,
  run: Run,
  simulated: SimulatedCluster,
  { causes, of }: Causes,
): Generator<void, ReadonlyMap<number, readonly string[]>> {
  const help = new Map<number, readonly string[]>();
  const known = new Map<object, readonly string[]>();
  for (const [index, { pod, decision }] of recorder.pods.entries()) {
    const { state } = run.place(pod);
    if (decision === null || (state !== 'pending' && state !== 'nominated' && state !== 'gated')) continue;
    let lines = known.get(pod.shape);
    if (lines === undefined && known.size < helpLimit) {
      lines = helpFor(pod, run, simulated, causes[of.get(index) ?? -1]);
      known.set(pod.shape, lines);
      yield;
    }
    if (lines !== undefined) help.set(decision, lines);
  }
  return help;
}

function helpFor(
  pod: SimulatedPod,
  run: Run,
  simulated: SimulatedCluster,
  cause: Cause | undefined,
): readonly string[] {
  const gates = pod.pod.spec?.schedulingGates ?? [];
  if (gates.length > 0) {
    return [
      afterGates(
        pod,
        run,
        gates.map(({ name }) => name),
      ),
    ];
  }
  const decision = run.cluster.decideFor(pod.pod);
  if (decision.kind !== 'unschedulable') return [];
  const taintsOf = (node: NodeName) => simulated.nodes.find(({ name }) => name === node)?.taints ?? [];
  return [
    ...(cause === undefined ? [] : room(cause, simulated)),
    ...changes.flatMap((change) => tryChange(change, pod, run, taintsOf) ?? []),
    ...higherPriority(pod, run),
  ];
}

/** How much more would have to be free, where that is all that is in the way of the nearest node. */
function room(cause: Cause, { nodes }: SimulatedCluster): readonly string[] {
  const amounts = amountsOf(cause);
  if (amounts.length === 0 || amounts.length < cause.parts.length || !amounts.every(isOffered)) return [];
  const hopeless = amounts.filter(({ need, capacity }) => need > capacity);
  if (hopeless.length > 0) {
    return hopeless.map(
      ({ resource, need, capacity }) =>
        say`a node with ${formatAmount(resource, need)} ${resource}: those that it may use have ${formatAmount(resource, capacity)} at most`,
    );
  }
  const more = amounts.map(({ resource, need, free }) => say`${formatAmount(resource, need - free)} more ${resource}`);
  return [say`${joined(more, ' and ')} free on ${nodes[cause.node ?? -1]?.name ?? ''}`];
}

function afterGates(pod: SimulatedPod, run: Run, gates: readonly string[]): string {
  const decision = run.cluster.decideFor(withSpec(pod.pod, { schedulingGates: [] }));
  const removed = say`once ${list(gates)} ${gates.length === 1 ? 'is' : 'are'} removed`;
  const outcome = outcomeOf(decision, run, pod.workload);
  return outcome === null ? say`nothing yet: ${removed} it would still be pending` : say`${removed}, ${outcome}`;
}

interface Change {
  /** The pod with the change; undefined when there is nothing to change. */
  apply(pod: Pod, simulated: SimulatedPod): Pod | undefined;
  /** How the change is told; `taintsOf` gives the taints of a node. Null where it is none to advise. */
  text(decision: Decision, taintsOf: (node: NodeName) => readonly string[]): string | null;
}

const changes: readonly Change[] = [
  {
    apply: (pod) => withSpec(pod, { tolerations: [...(pod.spec?.tolerations ?? []), { operator: 'Exists' }] }),
    text: (decision, taintsOf) => {
      const node =
        decision.kind === 'fits'
          ? decision.node
          : decision.kind === 'unschedulable'
            ? (decision.preemption?.choice?.node ?? '')
            : '';
      // The taint of a cordoned node comes and goes with `unschedulable`.
      const taints = taintsOf(node).filter((taint) => !taint.startsWith('node.kubernetes.io/unschedulable'));
      if (taints.length === 0) return say`uncordoning ${node}`;
      return taints.every((taint) => taintOwner(taint) === 'own') ? say`a toleration for ${list(taints)}` : null;
    },
  },
  {
    apply: (pod) => {
      const { spec } = pod;
      const affinity = spec?.affinity;
      const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      if (spec === undefined || (spec.nodeSelector === undefined && required === undefined)) return undefined;
      return { ...pod, spec: { ...omit(spec, 'nodeSelector'), affinity: omit(affinity ?? {}, 'nodeAffinity') } };
    },
    text: () => say`a node selector and node affinity that match other nodes`,
  },
  {
    apply: (pod) => {
      const { podAffinity, podAntiAffinity, ...kept } = pod.spec?.affinity ?? {};
      if (podAffinity === undefined && podAntiAffinity === undefined) return undefined;
      return withSpec(pod, { affinity: kept });
    },
    text: () => say`weaker affinity to other pods`,
  },
  {
    apply: (pod) =>
      (pod.spec?.topologySpreadConstraints ?? []).length === 0
        ? undefined
        : withSpec(pod, { topologySpreadConstraints: [] }),
    text: () => say`whenUnsatisfiable: ScheduleAnyway in its spread constraints`,
  },
  {
    apply: (pod, { preemptionPolicy }) =>
      preemptionPolicy === 'Never' ? withSpec(pod, { preemptionPolicy: 'PreemptLowerPriority' }) : undefined,
    text: () => say`a class that may preempt`,
  },
];

function tryChange(
  change: Change,
  pod: SimulatedPod,
  run: Run,
  taintsOf: (node: NodeName) => readonly string[],
): string | undefined {
  const changed = change.apply(pod.pod, pod);
  if (changed === undefined) return undefined;
  const decision = run.cluster.decideFor(changed);
  const outcome = outcomeOf(decision, run, pod.workload);
  const text = change.text(decision, taintsOf);
  return outcome === null || text === null ? undefined : say`${text}: ${outcome}`;
}

/** The lowest priority with which it would get a place, and whom it would evict then. */
function higherPriority(pod: SimulatedPod, run: Run): string[] {
  if (pod.priority >= highestUserDefinablePriority) return [];
  const preempting = { preemptionPolicy: 'PreemptLowerPriority' };
  const top = run.cluster.decideFor(withSpec(pod.pod, { ...preempting, priority: highestUserDefinablePriority }));
  const outranked = top.kind === 'unschedulable' ? (top.preemption?.leastImportant ?? null) : null;
  // Victims below its own priority are spared because its policy is Never, which another line says already.
  if (outranked === null || outranked < pod.priority) return [];
  const changed = withSpec(pod.pod, { ...preempting, priority: outranked + 1 });
  const outcome = outcomeOf(run.cluster.decideFor(changed), run, pod.workload);
  return outcome === null ? [] : [say`a priority above ${outranked}: ${outcome}`];
}

/** Null where it would find no place, or only that of another pod of its own workload. */
function outcomeOf(decision: Decision, run: Run, workload: number): string | null {
  if (decision.kind === 'fits') return say`${decision.node} would take it`;
  if (decision.kind !== 'unschedulable') return null;
  const choice = decision.preemption?.choice;
  if (choice == null) return null;
  const candidate = decision.preemption?.candidates.get(choice.node);
  if (candidate?.victims.some((key) => run.find(key)?.workload === workload)) return null;
  const victims = (candidate?.victims ?? []).map((key) => run.find(key)?.pod.metadata?.name ?? key);
  const violated = candidate?.violatedBudgets ?? [];
  const budgets = violated.length === 0 ? '' : say`, violating ${list(violated)}`;
  return say`it would evict ${list(victims)} on ${choice.node}${budgets}`;
}

function withSpec(pod: Pod, changed: Partial<PodSpec>): Pod {
  return pod.spec === undefined ? pod : { ...pod, spec: { ...pod.spec, ...changed } };
}
