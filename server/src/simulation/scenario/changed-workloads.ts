import { undecodableText } from '../../admission/request/judgment.ts';
import { applyOver } from '../../admission/request/update.ts';
import { boundsOf } from '../../disruption/autoscaling.ts';
import { isOtherVersion } from '../../kubernetes/decode/index.ts';
import { isMadeAnew } from '../../kubernetes/hooks.ts';
import { keyOf, keyOfObject, nameOf, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type {
  DaemonSet,
  Declared,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  KubeObject,
  ReplicaSet,
  StatefulSet,
} from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { isStored, replicasOf } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { templateKey, withoutHash } from '../run/controllers/revision.ts';
import { knownSnapshot } from '../cluster/known-snapshot.ts';
import { templateLike, withLeftOut } from '../../kubernetes/left-out.ts';
import { chosenFor } from '../cluster/inventory.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { poolAppliedOver } from '../cluster/pool-objects.ts';

/** A workload that runs, and is written otherwise than it is stored. */
export interface ChangedWorkload {
  /** `workloadKey` */
  readonly key: string;
  readonly stored: KubeObject;
  /** As the API server stores it once it is applied. */
  readonly next: KubeObject;
  /** What the server refuses the change with: then nothing comes of it. Empty where it takes it. */
  readonly refusal: string;
  /** Whether it is deleted and created again. */
  readonly isMadeAnew?: boolean;
  /** The changed autoscaler that alone changes it. */
  readonly by?: string;
}

export interface Changes {
  /** The cluster before: workloads that run are as they are stored, everything else as it is once it is applied. */
  readonly before: SimulationInput;
  readonly changed: readonly ChangedWorkload[];
  /** Changes of other objects that the server refuses. */
  readonly refused: readonly RefusedChange[];
}

export interface RefusedChange {
  /** `Kind/namespace/name` */
  readonly key: string;
  /** In the words of the API server. */
  readonly refusal: string;
}

/** Kinds whose controllers follow a change of what they made. */
const rolled: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
]);

/** Other kinds of which the server refuses some changes, or keeps what it has written itself. */
const kept: ReadonlySet<string> = new Set([
  'Pod',
  'PriorityClass',
  'PersistentVolumeClaim',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'StorageClass',
]);

export function isRolled(kind: string): boolean {
  return rolled.has(kind);
}

/**
 * What another version of a workload is to its controllers; undefined where they have nothing to do.
 * @param before how it was written before
 */
export function changeOfWorkload(
  stored: KubeObject,
  written: KubeObject,
  before: KubeObject | undefined,
  input: SimulationInput,
): ChangedWorkload | undefined {
  const { live, next, refusal, ...how } = changeOf(stored, written, chosenFor(input).release, before);
  if (refusal === '' && how.isMadeAnew !== true && (next === stored || !hasWork(live, next))) return undefined;
  return { key: keyOfObject(stored), stored, next, refusal, ...how };
}

/**
 * What a user changes of the objects of a cluster: the manifests are applied over what is stored there, as
 * `kubectl apply` does it. What others set of an object is no change.
 */
export function changedWorkloads(input: SimulationInput): Changes {
  const unchanged: Changes = { before: input, changed: [], refused: [] };
  if (input.snapshot.length === 0) return unchanged;
  const stored = new Map<string, Declared>();
  for (const declared of input.snapshot) {
    const key = keyOfObject(declared.object);
    if (!stored.has(key)) stored.set(key, declared);
  }
  if (stored.size === 0) return unchanged;
  const chosen = chosenFor(input);
  // Of a snapshot without pods nobody knows what runs: its workloads come as they are written now.
  const runs = input.earlierCluster !== undefined || input.snapshot.some(({ object }) => object.kind === 'Pod');
  const isCaptured = knownSnapshot(input) !== null;
  const changed: ChangedWorkload[] = [];
  const refused: RefusedChange[] = [];
  const seen = new Set<string>();
  const workspace = input.workspace.map((declared): Declared => {
    const { object } = declared;
    const { kind = '' } = object;
    const isPool = isPoolObject(object);
    const key = keyOfObject(object);
    // Of those that are written more than once the first counts.
    const there = seen.has(key) ? undefined : stored.get(key)?.object;
    if (there === undefined) return declared;
    const earlier = input.earlierCluster?.written.get(key);
    if (!rolled.has(kind) && !kept.has(kind) && !isPool) {
      if (there === object || kind === 'Node' || JSON.stringify(there) === JSON.stringify(object)) return declared;
      const live = isCaptured ? withLeftOut(there, earlier ?? object) : there;
      const refusal = unreadable(declared, chosen) ?? changeOf(live, object, chosen.release, earlier).refusal;
      if (refusal === '') return declared;
      seen.add(key);
      refused.push({ key, refusal });
      return withObject(declared, there);
    }
    seen.add(key);
    // A pod that says how it runs is a part of the cluster, and nothing that is applied.
    if (there === object || (kind === 'Pod' && isStored(object))) return declared;
    if (isPool) {
      return isPoolObject(there) ? withObject(declared, poolAppliedOver(there, object, earlier)) : declared;
    }
    const before = isCaptured ? withLeftOut(there, earlier ?? object) : there;
    const change = changeOf(before, object, chosen.release, earlier);
    const { live, next, refusal, ...how } =
      change.next === before ? change : readable(declared, change, before, chosen);
    if (refusal !== '' && !rolled.has(kind)) refused.push({ key, refusal });
    const isFollowed =
      rolled.has(kind) &&
      (refusal !== '' ||
        how.isMadeAnew === true ||
        (runs &&
          next !== before &&
          (hasWork(live, next) || isRollingOtherwise(before, next, input.snapshot, isCaptured))));
    if (isFollowed) changed.push({ key, stored: before, next, refusal, ...how });
    return withObject(declared, isFollowed ? before : next);
  });
  const scaled = runs ? withinBounds(input, stored, changed) : changed;
  for (const { key } of scaled) {
    if (seen.has(key)) continue;
    seen.add(key);
    workspace.push(stored.get(key)!);
  }
  if (seen.size === 0) return unchanged;
  return { before: { ...input, workspace, written: input.written ?? input.workspace }, changed: scaled, refused };
}

/**
 * The changes with those that autoscalers make whose bounds are others: what is outside of them is scaled at once, and
 * nothing at zero. Source: reconcileAutoscaler in pkg/controller/podautoscaler/horizontal.go
 */
function withinBounds(
  { workspace, snapshot }: SimulationInput,
  stored: ReadonlyMap<string, Declared>,
  changed: readonly ChangedWorkload[],
): readonly ChangedWorkload[] {
  const was = autoscalersIn(snapshot);
  const now = autoscalersIn(workspace);
  const all = [...new Map([...was, ...now]).values()];
  const next = new Map(changed.map((each) => [each.key, each]));
  for (const [key, autoscaler] of now) {
    const before = was.get(key);
    if (before === autoscaler || (before !== undefined && areSameBounds(before, autoscaler))) continue;
    const scaled = targetOf(autoscaler);
    const bounds = all.filter((each) => targetOf(each) === scaled).map(boundsOf);
    const min = Math.max(...bounds.map((each) => each.min));
    const max = Math.min(...bounds.map((each) => each.max));
    const there = stored.get(scaled)?.object;
    if (there === undefined || min > max) continue;
    const own = next.get(scaled);
    const object = own?.refusal === '' ? own.next : there;
    const replicas = replicasOf(object);
    const wanted = Math.max(min, Math.min(max, replicas));
    if (replicas === 0 || wanted === replicas || (own !== undefined && own.refusal !== '')) continue;
    const { spec } = object as Deployment;
    const by = own === undefined ? { by: keyOf(autoscaler) } : {};
    const scaledTo = { ...object, spec: { ...spec, replicas: wanted } } as KubeObject;
    next.set(scaled, { key: scaled, stored: there, next: scaledTo, refusal: '', ...by });
  }
  return [...next.values()];
}

/** Of those that are written more than once the first counts; of a version that is not served nothing is read. */
function autoscalersIn(declared: readonly Declared[]): ReadonlyMap<string, HorizontalPodAutoscaler> {
  const found = new Map<string, HorizontalPodAutoscaler>();
  for (const { object } of declared) {
    if (object.kind !== 'HorizontalPodAutoscaler' || isOtherVersion(object.apiVersion ?? '', object.kind)) continue;
    const key = keyOfObject(object);
    if (!found.has(key)) found.set(key, object as HorizontalPodAutoscaler);
  }
  return found;
}

function areSameBounds(a: HorizontalPodAutoscaler, b: HorizontalPodAutoscaler): boolean {
  const [one, other] = [boundsOf(a), boundsOf(b)];
  return one.min === other.min && one.max === other.max && targetOf(a) === targetOf(b);
}

function targetOf(autoscaler: HorizontalPodAutoscaler): string {
  const { kind, name } = autoscaler.spec.scaleTargetRef;
  return workloadKey(kind, namespaceOf(autoscaler), name);
}

/** The cluster once the server has taken the changes: later ones are made to these. */
export function afterChanges({ before, changed }: Pick<Changes, 'before' | 'changed'>): SimulationInput {
  const accepted = new Map(changed.flatMap(({ key, next, refusal }) => (refusal === '' ? [[key, next]] : [])));
  if (accepted.size === 0) return before;
  const workspace = before.workspace.map((declared) => {
    const next = accepted.get(keyOfObject(declared.object));
    return next === undefined ? declared : withObject(declared, next);
  });
  return { ...before, workspace };
}

/**
 * A cluster in which the manifests have been applied over what is stored, for whoever asks about it as it stands then: a
 * workload keeps the number of pods that an autoscaler has set, and that no manifest says.
 */
export function onceApplied(input: SimulationInput): SimulationInput {
  return afterChanges(changedWorkloads(input));
}

/** As it is stored: what is wrong with how it is written does not count any more. */
function withObject({ value: _value, ...declared }: Declared, object: KubeObject): Declared {
  return { ...declared, object };
}

interface Change extends Pick<ChangedWorkload, 'next' | 'refusal' | 'isMadeAnew'> {
  /** What is stored, with what the API server fills in. */
  readonly live: KubeObject;
}

/** By what is written, for one that is stored: what-ifs ask again and again. */
const known = new WeakMap<KubeObject, Question & Change>();

interface Question {
  readonly stored: KubeObject;
  readonly release: Release;
  readonly before: KubeObject | undefined;
}

function changeOf(stored: KubeObject, written: KubeObject, release: Release, before: KubeObject | undefined): Change {
  const last = known.get(written);
  if (last?.stored === stored && last.release === release && last.before === before) return last;
  const { live, object, refusal, isUnchanged } = applyOver(stored, written, release, before);
  // A claim and a pod stay as they are: what uses them would have to go first.
  const isReplaced = !['Pod', 'PersistentVolumeClaim', 'ResourceClaim'].includes(written.kind ?? '');
  const change: Change =
    refusal === undefined || !isMadeAnew(written)
      ? { live, next: refusal !== undefined || isUnchanged ? stored : object, refusal: refusal?.message ?? '' }
      : { live, next: isReplaced ? written : stored, refusal: '', isMadeAnew: true };
  known.set(written, { stored, release, before, ...change });
  return change;
}

type Chosen = Parameters<typeof undecodableText>[1];

function unreadable({ value, isOpen }: Declared, chosen: Chosen): string | undefined {
  return value === undefined || isOpen === true ? undefined : undecodableText(value, chosen);
}

/** The change, unless the API server cannot read what is written: then that is its answer, and nothing comes of it. */
function readable(declared: Declared, change: Change, stored: KubeObject, chosen: Chosen): Change {
  const refusal = unreadable(declared, chosen);
  return refusal === undefined ? change : { live: change.live, next: stored, refusal };
}

/** Whether pods of another template are there, and how they are replaced is another question now. */
function isRollingOtherwise(
  stored: KubeObject,
  next: KubeObject,
  snapshot: SimulationInput['snapshot'],
  isCaptured: boolean,
): boolean {
  if (next.kind === 'StatefulSet' || next.kind === 'DaemonSet') return isUpdatedOtherwise(stored, next);
  if (next.kind !== 'Deployment') return false;
  const [was, is] = [(stored as Deployment).spec, (next as Deployment).spec];
  const how = ({ strategy, paused, minReadySeconds }: NonNullable<Deployment['spec']>): string =>
    JSON.stringify([strategy, paused === true, minReadySeconds ?? 0]);
  if (was === undefined || is === undefined || how(was) === how(is)) return false;
  const present = templateKey(is.template);
  return snapshot.some(({ object }) => {
    if (object.kind !== 'ReplicaSet' || namespaceOf(object) !== namespaceOf(next)) return false;
    const { spec, metadata } = object as ReplicaSet;
    const isOwn = metadata?.ownerReferences?.some(({ kind, name }) => kind === 'Deployment' && name === nameOf(next));
    const template = isCaptured ? templateLike(object, stored) : spec?.template;
    return (
      isOwn === true &&
      template !== undefined &&
      (spec?.replicas ?? 1) > 0 &&
      templateKey(withoutHash(template)) !== present
    );
  });
}

function isUpdatedOtherwise(stored: KubeObject, next: KubeObject): boolean {
  const [was, is] = [stored as StatefulSet, next as StatefulSet];
  const { currentRevision, updateRevision } = was.status ?? {};
  const { updatedNumberScheduled = 0, desiredNumberScheduled = 0 } = (stored as DaemonSet).status ?? {};
  const isRolling = currentRevision !== updateRevision || updatedNumberScheduled < desiredNumberScheduled;
  return isRolling && JSON.stringify(was.spec?.updateStrategy) !== JSON.stringify(is.spec?.updateStrategy);
}

/** Whether its controller has something to do. */
function hasWork(stored: KubeObject, next: KubeObject): boolean {
  const [was, is] = [(stored as Deployment).spec, (next as Deployment).spec];
  if (was?.template === undefined || is?.template === undefined) return false;
  if (templateKey(was.template) !== templateKey(is.template)) return true;
  if (was.replicas !== is.replicas) return true;
  if (next.kind !== 'Job') return false;
  const [before, after] = [(stored as Job).spec, (next as Job).spec];
  return before?.parallelism !== after?.parallelism || before?.suspend !== after?.suspend;
}
