import { isHook } from '../../kubernetes/hooks.ts';
import { keyOfObject, workloadKey } from '../../kubernetes/names.ts';
import type { CronJob, Declared, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { isStored } from '../../kubernetes/pod-template.ts';
import { assumedNodesFor } from '../cluster/assumed-nodes.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { areNodesAssumed } from '../cluster/inventory.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { withDeclaredNodes } from '../operations/apply-operation.ts';
import { finishedJob } from '../operations/object-changes.ts';
import { happensInRun, type ScenarioEvent, type Target } from '../operations/operation.ts';
import { isEdit } from './as-manifest.ts';
import { changedWorkloads } from './changed-workloads.ts';
import { settleCluster } from '../capacity/settled-workspace.ts';
import { withGrownNodes } from './with-grown-nodes.ts';

/**
 * A cluster in which what was written earlier runs, also on nodes that autoscalers have added: every pod that finds a
 * place, ready, and the others pending.
 */
export interface SettledCluster {
  /** As it stands: nothing is to come. */
  readonly before: SimulationInput;
  /** Whether some of its pods had to go for others. */
  readonly evicts: boolean;
  /** Workloads, by `workloadKey`, that were there before that: a snapshot has them, or pods of them run. */
  readonly ran: ReadonlySet<string>;
  /** The same cluster, to which other manifests are applied. */
  applied(now: SimulationInput): SimulationInput;
  /** What is compared of it and of what it was made to be: objects as they are written, without what the server adds. */
  asWritten(cluster: SimulationInput): SimulationInput;
  /** Objects that were written earlier and are not written now: they stay. */
  left(now: SimulationInput): readonly string[];
}

/**
 * @param since what was written earlier, to be read after "compared with"
 * @param isHeld whether a workload, by `keyOfObject`, has not come yet
 */
export function* settledCluster(
  earlier: SimulationInput,
  since: string,
  isHeld: (key: string) => boolean = () => false,
): Generator<void, SettledCluster> {
  const written = new Map<string, KubeObject>();
  for (const { object } of earlier.workspace) {
    const key = keyOfObject(object);
    if (!written.has(key)) written.set(key, object);
  }
  const hasSnapshot = earlier.snapshot.length > 0;
  const comparedWith = { since, written, hasSnapshot };
  // What a snapshot says of what is written earlier is how it stands.
  const { before: stored } = changedWorkloads({ ...earlier, earlierCluster: comparedWith });
  const arrived = stored.workspace.filter(({ object }) => !isHeld(keyOfObject(object)));
  const { input, nodes: added } = yield* withGrownNodes({ ...stored, workspace: arrived, basis: undefined });
  const there = input.workspace;
  const simulatedCluster = yield* buildCluster(input);
  const hasClock = earlier.calendar?.start != null;
  const later = new Set(
    simulatedCluster.arriving
      .flat()
      .filter(
        ({ workload, pod }) => hasClock && simulatedCluster.workloads[workload]!.kind === 'CronJob' && !isStored(pod),
      ),
  );
  const { run, evicted } = yield* settleCluster(simulatedCluster, later);
  yield;

  /** What the cluster has of an object otherwise than it is written; null for what is gone. */
  const stands = new Map<string, Declared | null>();
  const { objects } = run.cluster.state;
  for (const claim of objects.persistentVolumeClaims.values()) stands.set(keyOfObject(claim), { object: claim });
  for (const volume of objects.persistentVolumes.values()) stands.set(keyOfObject(volume), { object: volume });
  for (const claim of objects.resourceClaims) stands.set(keyOfObject(claim), { object: claim });
  const refused = new Set<unknown>();
  for (const simulated of run.pods.touched()) {
    if (run.place(simulated).state === 'rejected') refused.add(simulatedCluster.workloads[simulated.workload]);
    const made = simulatedCluster.workloads[simulated.workload]?.declared?.object;
    const stand = podAsItStands(simulated, run.place(simulated), made !== undefined && isHook(made));
    if (stand !== undefined) stands.set(`Pod/${simulated.key}`, stand);
  }
  const withSets = new Set(earlier.snapshot.flatMap(({ object }) => deploymentOf(object)));
  for (const workload of simulatedCluster.workloads) {
    const { declared, made, refusal, kind, namespace, name } = workload;
    if (refusal !== '') {
      if (declared !== undefined) stands.set(keyOfObject(declared.object), null);
    } else if (!withSets.has(workloadKey(kind, namespace, name))) {
      for (const object of made.intermediates) stands.set(keyOfObject(object), { object });
    }
    if (
      kind === 'Job' &&
      declared !== undefined &&
      isHook(declared.object) &&
      !refused.has(workload) &&
      !stands.has(keyOfObject(declared.object))
    ) {
      stands.set(keyOfObject(declared.object), { object: finishedJob(declared.object) });
    }
  }

  const isGone = ({ object }: Declared): boolean => stands.get(keyOfObject(object)) === null;
  const snapshot: Declared[] = [];
  for (const declared of stands.values()) if (declared !== null) snapshot.push(declared);
  for (const { object } of there) {
    const { kind } = object;
    // Nodes are what the cluster consists of; nobody applies them.
    if (kind === 'Node' || kind === 'Pod' || (kind === 'CronJob' && hasClock)) continue;
    if (!stands.has(keyOfObject(object))) snapshot.push({ object });
  }
  const names = new Set(snapshot.map(({ object }) => keyOfObject(object)));
  for (const declared of earlier.snapshot) {
    if (!isGone(declared) && !names.has(keyOfObject(declared.object))) snapshot.push(declared);
  }

  /** What a CronJob has started, by the CronJob. */
  const started = new Map<string, Set<KubeObject>>();
  for (const { kind, declared, made } of simulatedCluster.workloads) {
    if (kind !== 'CronJob' || declared === undefined) continue;
    started.set(keyOfObject(declared.object), new Set(made.intermediates));
  }
  for (const { workload, key } of started.size === 0 ? [] : run.pods.touched()) {
    const { declared } = simulatedCluster.workloads[workload]!;
    const pod = stands.get(`Pod/${key}`)?.object;
    if (declared !== undefined && pod !== undefined) started.get(keyOfObject(declared.object))?.add(pod);
  }

  const applied = (now: SimulationInput): SimulationInput => {
    // A changed template is that of the next run, which comes once the last has ended.
    const ended = new Set<KubeObject>();
    // Of a version that is not served nothing is read.
    const templateOf = ({ spec }: Partial<CronJob>): object => spec?.jobTemplate ?? {};
    for (const { object } of now.workspace) {
      const was = written.get(keyOfObject(object)) as CronJob | undefined;
      if (object.kind !== 'CronJob' || was === undefined) continue;
      const isOther = !isSame(templateOf(was), templateOf(object));
      if (isOther) for (const each of started.get(keyOfObject(object)) ?? []) ended.add(each);
    }
    const byKey = new Map<string, Declared>();
    for (const declared of there) {
      if (!byKey.has(keyOfObject(declared.object))) byKey.set(keyOfObject(declared.object), declared);
    }
    // Pods that run on assumed nodes are no reason to assume others.
    const standIns = areNodesAssumed(now) ? assumedNodesFor(now) : undefined;
    const named = added.length === 0 ? now : withDeclaredNodes({ ...now, standIns });
    const nodes = new Set(
      [...named.workspace, ...added, ...now.snapshot].flatMap(({ object }) =>
        object.kind === 'Node' ? [object.metadata?.name] : [],
      ),
    );
    const workspace = named.workspace.flatMap((declared): readonly Declared[] => {
      const { object } = declared;
      const key = keyOfObject(object);
      const was = written.get(key);
      if (was === undefined || object.kind === 'Node' || !isSame(was, object)) return [declared];
      const stand = stands.get(key);
      if (object.kind === 'Pod' && (stand !== undefined || isHeld(key))) return stand === undefined ? [declared] : [];
      if (stand === null || stand === undefined) {
        const kept = byKey.get(key);
        // As the snapshot has it.
        return kept === undefined || kept.object === was ? [declared] : [{ ...declared, object: kept.object }];
      }
      return [{ ...declared, object: stand.object }];
    });
    workspace.push(...added.filter((node) => !now.workspace.includes(node)));
    const here = snapshot.filter(
      ({ object }) =>
        !ended.has(object) && (nodes.size === 0 || object.kind !== 'Pod' || isOnOneOf(object as Pod, nodes)),
    );
    return { ...named, workspace, snapshot: here, earlierCluster: comparedWith, standIns };
  };
  const before = applied(input);
  const runs = new Set([...started.values()].flatMap((objects) => [...objects]));
  const asWritten = (declared: Declared): Declared => {
    const key = keyOfObject(declared.object);
    const was = written.get(key);
    return was === undefined || stands.get(key)?.object !== declared.object ? declared : { ...declared, object: was };
  };
  const standing = new Set(there.map(({ object }) => object));
  const ofWorkspace = (declared: Declared): Declared => {
    const { object } = declared;
    const was = standing.has(object) ? written.get(keyOfObject(object)) : undefined;
    return was === undefined ? asWritten(declared) : { ...declared, object: was };
  };
  return {
    before,
    evicts: evicted.size > 0,
    ran: new Set([
      ...earlier.snapshot.map(({ object }) => keyOfObject(object)),
      ...simulatedCluster.workloads.flatMap(({ existing, kind, namespace, name }) =>
        existing.length === 0 ? [] : [workloadKey(kind, namespace, name)],
      ),
    ]),
    applied: (now) => ({ ...applied(now), basis: before }),
    asWritten: (cluster) => ({
      ...cluster,
      workspace: cluster.workspace.map(ofWorkspace),
      // Runs of CronJobs come and go by themselves.
      snapshot: cluster.snapshot.filter(({ object }) => !runs.has(object)).map(asWritten),
    }),
    left: (now) => {
      const names = new Set(now.workspace.map(({ object }) => keyOfObject(object)));
      return there.flatMap(({ object }) => {
        const key = keyOfObject(object);
        return object.kind === 'Node' || names.has(key) ? [] : [key];
      });
    },
  };
}

/**
 * The cluster that what-ifs change: what is written runs, and then they happen. Undefined where they are about what
 * arrives: where a snapshot says what runs, where the clock makes pods, and where what is written runs only with
 * evictions, which a what-if is to prevent; unless one edits what runs from the start. Nodes that are there stay whatever
 * the limits of their pools are.
 * @param settle gives the cluster in which the input runs
 */
export function* settledForWhatIfs(
  input: SimulationInput,
  events: readonly ScenarioEvent[],
  settle: () => Generator<void, SettledCluster>,
): Generator<void, SettledCluster | undefined> {
  const [first] = events;
  const areNow = events.some(({ at }) => at === 0) || (first?.at === null && !happensInRun(first.operation));
  if (!areNow || events.every(({ operation }) => operation.verb === 'limit')) return undefined;
  const isBeside = input.calendar !== undefined || input.snapshot.length > 0;
  const edited = events.flatMap(({ operation }) => (isEdit(operation) ? [operation.target] : []));
  if (isBeside && edited.length === 0) return undefined;
  const cluster = yield* settle();
  const ran = ({ kind, namespace, name }: Target): boolean => cluster.ran.has(workloadKey(kind, namespace, name));
  // A pod that runs cannot be edited so: it is about the pod that arrives.
  const isArrival = isBeside || cluster.evicts || edited.some(({ kind }) => kind === 'Pod');
  return isArrival && !edited.some(ran) ? undefined : cluster;
}

/** Undefined for one that was there from the start, and is as it was. */
function podAsItStands(
  { pod, origin, refusal }: SimulatedPod,
  { state, node }: { readonly state: string; readonly node: string | null },
  isOfHook: boolean,
): Declared | null | undefined {
  if (refusal !== '' || state === 'rejected') return undefined;
  if (state === 'evicted' || state === 'terminating') return null;
  const isBare = (pod.metadata?.ownerReferences ?? []).length === 0;
  const metadata = { creationTimestamp: longAgo, ...pod.metadata };
  const place = isBare && origin !== null ? { origin } : {};
  if (state !== 'running' || node === null) return { object: { ...pod, metadata }, ...place };
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: longAgo }];
  // One that has waited until now says nothing of how it runs.
  const told = (pod.spec?.nodeName ?? '') === '' ? { ...pod.status, conditions } : { conditions, ...pod.status };
  const status = { startTime: longAgo, ...told, phase: isOfHook ? 'Succeeded' : 'Running' };
  return {
    object: { ...pod, metadata, spec: { ...pod.spec, nodeName: node }, status } as unknown as KubeObject,
    ...place,
  };
}

/** The Deployment that a ReplicaSet belongs to, by `workloadKey`; none for another object. */
function deploymentOf({ kind, metadata }: KubeObject): readonly string[] {
  if (kind !== 'ReplicaSet') return [];
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'Deployment' ? [workloadKey('Deployment', metadata?.namespace ?? 'default', owner.name)] : [];
}

/** Nobody knows since when. */
const longAgo = '2000-01-01T00:00:00Z';

/** What is read anew is another object. */
export function isSame(a: object, b: object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** A pod of a node that is not there any more has gone with it. */
function isOnOneOf({ spec }: Pod, nodes: ReadonlySet<string | undefined>): boolean {
  return (spec?.nodeName ?? '') === '' || nodes.has(spec?.nodeName);
}
