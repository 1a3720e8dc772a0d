import { applyOver } from '../../admission/request/update.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { Declared, Deployment, Job, KubeObject } from '../../kubernetes/objects.ts';
import { isStored } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { templateKey } from '../run/controllers/revision.ts';
import { chosenFor } from '../cluster/inventory.ts';
import type { SimulationInput } from '../cluster/input.ts';

/** A workload that runs, and is written otherwise than it is stored. */
export interface ChangedWorkload {
  /** `workloadKey` */
  readonly key: string;
  readonly stored: KubeObject;
  /** As the API server stores it once it is applied. */
  readonly next: KubeObject;
  /** What the server refuses the change with: then nothing comes of it. Empty where it takes it. */
  readonly refusal: string;
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
const rolled: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job']);

/** Other kinds of which the server refuses some changes, or keeps what it has written itself. */
const kept: ReadonlySet<string> = new Set(['Pod', 'PriorityClass', 'PersistentVolumeClaim', 'StorageClass']);

export function isRolled(kind: string): boolean {
  return rolled.has(kind);
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
    const { kind = '' } = declared.object;
    if (!rolled.has(kind) && !kept.has(kind)) continue;
    const key = keyOfObject(declared.object);
    if (!stored.has(key)) stored.set(key, declared);
  }
  if (stored.size === 0) return unchanged;
  const { release } = chosenFor(input);
  // Of a snapshot without pods nobody knows what runs: its workloads come as they are written now.
  const runs = input.earlierCluster !== undefined || input.snapshot.some(({ object }) => object.kind === 'Pod');
  const changed: ChangedWorkload[] = [];
  const refused: RefusedChange[] = [];
  const seen = new Set<string>();
  const workspace = input.workspace.map((declared): Declared => {
    const { object } = declared;
    const { kind = '' } = object;
    if (!rolled.has(kind) && !kept.has(kind)) return declared;
    const key = keyOfObject(object);
    // Of those that are written more than once the first counts.
    const before = seen.has(key) ? undefined : stored.get(key)?.object;
    if (before === undefined) return declared;
    seen.add(key);
    // A pod that says how it runs is a part of the cluster, and nothing that is applied.
    if (before === object || (kind === 'Pod' && isStored(object))) return declared;
    const { next, refusal } = changeOf(before, object, release, input.earlierCluster?.written.get(key));
    if (refusal !== '' && !rolled.has(kind)) refused.push({ key, refusal });
    const isFollowed = rolled.has(kind) && (refusal !== '' || (runs && next !== before && hasWork(before, next)));
    if (isFollowed) changed.push({ key, stored: before, next, refusal });
    return withObject(declared, isFollowed ? before : next);
  });
  if (seen.size === 0) return unchanged;
  return { before: { ...input, workspace, written: input.written ?? input.workspace }, changed, refused };
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

/** As it is stored: what is wrong with how it is written does not count any more. */
function withObject({ value: _value, ...declared }: Declared, object: KubeObject): Declared {
  return { ...declared, object };
}

interface Change {
  readonly next: KubeObject;
  readonly refusal: string;
}

/** By what is written, for one that is stored: what-ifs ask again and again. */
const known = new WeakMap<KubeObject, { readonly stored: KubeObject; readonly release: Release } & Change>();

function changeOf(stored: KubeObject, written: KubeObject, release: Release, before: KubeObject | undefined): Change {
  const last = known.get(written);
  if (last?.stored === stored && last.release === release) return last;
  const { object, refusal, isUnchanged } = applyOver(stored, written, release, before);
  const change: Change = {
    next: refusal !== undefined || isUnchanged ? stored : object,
    refusal: refusal?.message ?? '',
  };
  known.set(written, { stored, release, ...change });
  return change;
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
