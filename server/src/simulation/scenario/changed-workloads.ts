import { applyOver } from '../../admission/request/update.ts';
import { nameOf, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type { Declared, Deployment, Job, KubeObject } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { templateKey } from '../run/controllers/revision.ts';
import { chosenFor } from '../scene/inventory.ts';
import type { SimulationInput } from '../scene/input.ts';

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
  /** The cluster before: workloads that run are as they are stored. */
  readonly before: SimulationInput;
  readonly changed: readonly ChangedWorkload[];
}

/** Kinds whose controllers follow a change of what they made. */
const rolled: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

export function isRolled(kind: string): boolean {
  return rolled.has(kind);
}

/**
 * What a user changes of the workloads of a snapshot: the manifests are applied over what is stored there, as
 * `kubectl apply` does it. What others set of an object is no change.
 */
export function changedWorkloads(input: SimulationInput): Changes {
  if (input.snapshot.length === 0) return { before: input, changed: [] };
  const stored = new Map<string, KubeObject>();
  for (const { object } of input.snapshot) {
    if (rolled.has(object.kind ?? '') && !stored.has(keyOf(object))) stored.set(keyOf(object), object);
  }
  if (stored.size === 0) return { before: input, changed: [] };
  const { release } = chosenFor(input);
  const changed: ChangedWorkload[] = [];
  const seen = new Set<string>();
  const workspace = input.workspace.map((declared): Declared => {
    const { object } = declared;
    const key = keyOf(object);
    const before = rolled.has(object.kind ?? '') && !seen.has(key) ? stored.get(key) : undefined;
    if (before === undefined) return declared;
    seen.add(key);
    const change = changeOf(key, before, object, release);
    if (change === null) return declared;
    changed.push(change);
    return { ...declared, object: before };
  });
  return changed.length === 0 ? { before: input, changed } : { before: { ...input, workspace }, changed };
}

/** Null where its controller has nothing to do. */
function changeOf(key: string, stored: KubeObject, written: KubeObject, release: Release): ChangedWorkload | null {
  const { object: next, refusal, isUnchanged } = applyOver(stored, written, release);
  if (refusal !== undefined) return { key, stored, next: stored, refusal: refusal.message ?? '' };
  if (isUnchanged || !isFollowed(stored, next)) return null;
  return { key, stored, next, refusal: '' };
}

/** Whether pods come or go by it. */
function isFollowed(stored: KubeObject, next: KubeObject): boolean {
  const [was, is] = [(stored as Deployment).spec, (next as Deployment).spec];
  if (was?.template === undefined || is?.template === undefined) return false;
  if (templateKey(was.template) !== templateKey(is.template)) return true;
  if (was.replicas !== is.replicas) return true;
  if (next.kind !== 'Job') return false;
  const [before, after] = [(stored as Job).spec, (next as Job).spec];
  return before?.parallelism !== after?.parallelism || before?.suspend !== after?.suspend;
}

function keyOf(object: KubeObject): string {
  return workloadKey(object.kind ?? '', namespaceOf(object), nameOf(object));
}
