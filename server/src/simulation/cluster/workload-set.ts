import { completionIndexOf } from '../../kubernetes/job-indexes.ts';
import { namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { Job, KubeObject, Node, Pod } from '../../kubernetes/objects.ts';
import { isStored, isWorkloadKind, replicasOf, workloadKinds } from '../../kubernetes/pod-template.ts';
import { expandWorkload, type ExpandedWorkload } from '../../kubernetes/workloads.ts';
import { getOrInsert } from '../../util/maps.ts';
import { sameItems } from '../../util/same-items.ts';
import { runToEnd } from '../../util/steps.ts';
import type { Inventory, Sourced } from './inventory.ts';
import { isTerminal, type Top, topControllers } from './owners.ts';

/** A workload with the pods it has and those it still makes. */
export interface SimulatedWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined for a controller that only its pods tell of. */
  readonly declared: Sourced | undefined;
  /** Pods that are in the cluster already, running or pending. They stand for the workload. */
  readonly existing: readonly Sourced<Pod>[];
  /** Pods that its controller would make now. */
  readonly missing: readonly Pod[];
  /** All pods that it would make in an empty cluster, to make replacements from; empty when it is not declared. */
  readonly blueprint: readonly Pod[];
  readonly replicas: number;
  /** Pods beyond what is simulated of one workload. */
  readonly leftOut: number;
  /** The API server's answer where it refuses the workload, so that it has no pods; empty where it does not. */
  readonly refusal: string;
  /** Objects between the workload and its pods, and claims of a StatefulSet. */
  readonly made: Pick<ExpandedWorkload, 'intermediates' | 'claims'>;
}

const madeNothing = { intermediates: [], claims: [] } as const;

/** Every workload, in the order of its declaration, then the controllers that only pods tell of. */
export function collectWorkloads(inventory: Inventory, nodes: readonly Node[]): readonly SimulatedWorkload[] {
  return runToEnd(workloadsInSteps(inventory, nodes));
}

/** Objects between two yields. */
const atOnce = 1_000;

/** Workloads of an input before operations. */
interface EarlierWorkloads {
  readonly workloads: readonly SimulatedWorkload[];
  readonly inventory: Inventory;
}

/**
 * As `collectWorkloads`.
 * @param earlier those that operations leave as they are, and whose pods too, are taken from there
 * @param hasSameNodes whether the nodes are those of the earlier ones
 */
export function* workloadsInSteps(
  inventory: Inventory,
  nodes: readonly Node[],
  earlier?: EarlierWorkloads,
  hasSameNodes = false,
): Generator<void, readonly SimulatedWorkload[]> {
  const rests = earlier !== undefined && inventory.creation.judgesAs(earlier.inventory.creation);
  /** Pods of a DaemonSet go by the nodes. */
  const stays = ({ kind }: KubeObject): boolean => hasSameNodes || kind !== 'DaemonSet';
  if (rests && inventory.hasSame(workloadKinds, earlier.inventory)) {
    const { workloads } = earlier;
    if (workloads.every(({ declared }) => declared === undefined || stays(declared.object))) return workloads;
    return workloads.map((workload) => {
      const { declared, existing, refusal } = workload;
      if (declared === undefined || stays(declared.object)) return workload;
      return expand(declared, existing, nodes, refusal);
    });
  }
  const before = new Map<Sourced | WorkloadKey, SimulatedWorkload>();
  if (rests) for (const each of earlier.workloads) before.set(each.declared ?? topKey(each), each);
  let looked = 0;
  const declared = declaredWorkloads(inventory);
  const find = (key: WorkloadKey): KubeObject | undefined => declared.get(key)?.object;
  const topOf = topControllers(find);
  const refusalOf = (workload: Sourced): string =>
    workload.source === 'snapshot' ? '' : inventory.creation.refusalOf(workload);
  const existing = new Map<WorkloadKey, Sourced<Pod>[]>();
  const podsOf = new Map<Top, Sourced<Pod>[]>();
  const undeclared = new Map<WorkloadKey, { kind: string; namespace: string; name: string }>();
  for (const pod of inventory.ofKind('Pod')) {
    if (++looked % atOnce === 0) yield;
    if (isTerminal(pod.object)) continue;
    const top = topOf(pod.object);
    if (top === null) continue;
    let pods = podsOf.get(top);
    if (pods === undefined) {
      const key = topKey(top);
      if (!declared.has(key)) undeclared.set(key, top);
      pods = existing.get(key) ?? [];
      existing.set(key, pods);
      podsOf.set(top, pods);
    }
    pods.push(pod);
  }
  const workloads: SimulatedWorkload[] = [];
  for (const [key, workload] of declared) {
    // One may make thousands of pods.
    if (++looked % atOnce === 0 || (workloads.at(-1)?.missing.length ?? 0) > 100) yield;
    const top = topOf(workload.object);
    if (workload.object.kind === 'Pod') {
      if (top !== null || isTerminal(workload.object)) continue;
      workloads.push(before.get(workload) ?? loosePod(workload, refusalOf(workload)));
      continue;
    }
    // A ReplicaSet of a declared Deployment, a Job of a declared CronJob: it is told of as part of its owner.
    if (top !== null && declared.has(topKey(top))) continue;
    const pods = existing.get(key) ?? [];
    const known = stays(workload.object) ? before.get(workload) : undefined;
    const isSame = known !== undefined && sameItems(known.existing, pods);
    workloads.push(isSame ? known : expand(workload, pods, nodes, refusalOf(workload)));
  }
  for (const [key, { kind, namespace, name }] of undeclared) {
    const pods = existing.get(key) ?? [];
    const known = before.get(key);
    if (known !== undefined && sameItems(known.existing, pods)) {
      workloads.push(known);
      continue;
    }
    workloads.push({
      kind,
      namespace,
      name,
      declared: undefined,
      existing: pods,
      missing: [],
      blueprint: [],
      replicas: pods.length,
      leftOut: 0,
      refusal: '',
      made: madeNothing,
    });
  }
  return workloads;
}

function topKey({ kind, namespace, name }: Pick<SimulatedWorkload, 'kind' | 'namespace' | 'name'>): WorkloadKey {
  return workloadKey(kind, namespace, name);
}

function declaredWorkloads(inventory: Inventory): Map<WorkloadKey, Sourced> {
  const declared = new Map<WorkloadKey, Sourced>();
  for (const kind of workloadKinds) {
    for (const [index, workload] of inventory.ofKind(kind).entries()) {
      declared.set(keyOf(kind, workload.object, index), workload);
    }
  }
  return declared;
}

const keys = new WeakMap<KubeObject, WorkloadKey>();

/** Those without a name are told apart by their place among their kind. */
function keyOf(kind: string, object: KubeObject, index: number): WorkloadKey {
  const { name, generateName = '' } = object.metadata ?? {};
  if (name === undefined) return workloadKey(kind, namespaceOf(object), `${generateName}#${index}`);
  return getOrInsert(keys, object, () => workloadKey(kind, namespaceOf(object), name));
}

function loosePod(pod: Sourced<Pod>, refusal: string): SimulatedWorkload {
  const { pods } = expandWorkload(pod.object, { nodes: [] });
  const inCluster = pod.source === 'snapshot' || isStored(pod.object);
  return {
    kind: 'Pod',
    namespace: namespaceOf(pod.object),
    name: pods[0]?.metadata?.name ?? pod.object.metadata?.name ?? '',
    declared: pod,
    existing: inCluster ? [pod] : [],
    missing: inCluster ? [] : pods,
    // Nothing recreates a pod that nobody controls.
    blueprint: [],
    replicas: 1,
    leftOut: 0,
    refusal,
    made: madeNothing,
  };
}

function expand(
  workload: Sourced,
  existing: readonly Sourced<Pod>[],
  nodes: readonly Node[],
  refusal: string,
): SimulatedWorkload {
  const { object } = workload;
  const { pods, leftOut, ...made } = expanded(object, nodes);
  const missing = isDone(workload, existing)
    ? []
    : missingPods(
        object,
        pods,
        existing.map(({ object: pod }) => pod),
      );
  return {
    kind: object.kind ?? '',
    namespace: namespaceOf(object),
    name: object.metadata?.name ?? object.metadata?.generateName ?? '',
    declared: workload,
    existing,
    missing,
    blueprint: pods,
    replicas: isWorkloadKind(object.kind) && object.kind !== 'DaemonSet' ? replicasOf(object) : pods.length,
    leftOut,
    refusal,
    made,
  };
}

const known = new WeakMap<KubeObject, ExpandedWorkload>();

/** What a workload makes. But for a DaemonSet it rests on the object alone, which most clusters have in common. */
function expanded(object: KubeObject, nodes: readonly Node[]): ExpandedWorkload {
  if (object.kind === 'DaemonSet') return expandWorkload(object, { nodes });
  return getOrInsert(known, object, () => expandWorkload(object, { nodes }));
}

/** A Job that has ended makes no more pods; a CronJob that is only in the cluster waits for its time. */
function isDone({ object, source }: Sourced, existing: readonly unknown[]): boolean {
  if (object.kind === 'CronJob') return source === 'snapshot' && existing.length === 0;
  if (object.kind !== 'Job') return false;
  return ((object as Job).status?.conditions ?? []).some(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
}

/** What is left to make: by name where names are fixed, by node for a DaemonSet, else by number. */
function missingPods(workload: KubeObject, wanted: readonly Pod[], existing: readonly Pod[]): readonly Pod[] {
  if (existing.length === 0) return remainingOfJob(workload, wanted);
  const names = new Set(existing.map((pod) => pod.metadata?.name));
  switch (workload.kind) {
    case 'StatefulSet':
      return wanted.filter((pod) => !names.has(pod.metadata?.name));
    case 'DaemonSet': {
      const nodes = new Set(existing.map((pod) => nodeOfDaemonPod(pod)));
      return wanted.filter((pod) => !nodes.has(nodeOfDaemonPod(pod)));
    }
    default: {
      const active = existing.filter((pod) => pod.metadata?.deletionTimestamp === undefined).length;
      const remaining = remainingOfJob(workload, wanted);
      const indexes = new Set(existing.map(completionIndexOf));
      const free = remaining.filter((pod) => {
        const index = completionIndexOf(pod);
        return index === undefined ? !names.has(pod.metadata?.name) : !indexes.has(index);
      });
      return free.slice(0, Math.max(0, remaining.length - active));
    }
  }
}

/** Completions that a Job has reached need no pod any more. */
function remainingOfJob(workload: KubeObject, wanted: readonly Pod[]): readonly Pod[] {
  if (workload.kind !== 'Job') return wanted;
  const { spec, status } = workload as Job;
  const succeeded = status?.succeeded ?? 0;
  // Where one success is enough, none is made after it.
  if (spec?.completions === undefined) return succeeded > 0 ? [] : wanted;
  return wanted.slice(0, Math.max(0, spec.completions - succeeded));
}

/** The node a DaemonSet's pod runs on or is made for. Source: pkg/controller/daemon/util (GetTargetNodeName) */
export function nodeOfDaemonPod(pod: Pod): string {
  if ((pod.spec?.nodeName ?? '') !== '') return pod.spec?.nodeName ?? '';
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { matchFields } of terms) {
    const field = matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (field?.values?.[0] !== undefined) return field.values[0];
  }
  return '';
}
