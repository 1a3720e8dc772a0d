import { own, put } from '../../util/own.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import {
  LiveRun,
  type ClusterState,
  type LiveEvent,
  type PlannedChange,
  type PodInfo,
  type PodKey,
  type UnschedulableDecision,
} from '../../scheduler/index.ts';
import { objectAt, objectsAt } from './case-input.ts';
import { clusterOf } from './cluster.ts';

/** Mode `live`: the scheduler over time, as docs/maintainers/over-time.md describes it. */
export function decideLive(input: JsonObject): JsonObject {
  const cluster = clusterOf(input);
  const run = new LiveRun(cluster, { maxSeconds: numberAt(input, 'endMs') / 1000, retriesInVain: true });
  const record = new LiveRecord(cluster);
  for (const event of objectsAt(input, 'events')) for (const planned of plannedOf(event)) run.plan(planned);
  for (const event of run.settle()) record.note(event);
  return record.print();
}

function numberAt(input: JsonObject, key: string): number {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'number' ? value : 0;
}

/** A line of the case's events as what is planned in a run. */
function plannedOf(event: JsonObject): readonly Parameters<LiveRun['plan']>[0][] {
  const at = numberAt(event, 'atMs') / 1000;
  const [created, updated, deleted] = ['create', 'update', 'delete'].map((key) => {
    const value = objectAt(event, key);
    return value === undefined ? undefined : decodeObject(value).object;
  });
  if (deleted !== undefined) {
    const kind = deleted.kind as PlannedKind;
    const key = namespaced.has(kind) ? keyOf(deleted) : (deleted.metadata?.name ?? '');
    return [{ at, deleted: { kind, key } }];
  }
  if (created?.kind === 'Pod') return [{ at, pod: created }];
  const object = created ?? updated;
  return object === undefined ? [] : [{ at, change: { kind: object.kind, object } as PlannedPut }];
}

type PlannedPut = Extract<PlannedChange, { readonly change: unknown }>['change'];
type PlannedKind = PlannedPut['kind'];

const namespaced: ReadonlySet<string> = new Set(['Pod', 'PersistentVolumeClaim', 'PodDisruptionBudget']);

/** What the steps of a run say of each pod. */
class LiveRecord {
  readonly #cluster: ClusterState;
  readonly #steps: JsonObject[] = [];
  readonly #attempts: Record<PodKey, number> = nothing();
  readonly #evicted: Record<PodKey, PodKey> = nothing();
  readonly #seen = new Set<PodKey>();
  /** The last failure of each pod. */
  readonly #failures = new Map<PodKey, UnschedulableDecision>();

  /** `cluster` is the one that the run changes. */
  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
    for (const { key } of [...cluster.running(), ...cluster.pending(), ...cluster.orphans]) this.#seen.add(key);
  }

  note(event: LiveEvent): void {
    const { kind, pod, decision } = event;
    if (kind === 'arrived' || kind === 'gated' || kind === 'bound') {
      this.#seen.add(pod);
      this.#failures.delete(pod);
    }
    if (decision?.kind === 'gated' || decision === null) return;
    put(this.#attempts, pod, (own(this.#attempts, pod) ?? 0) + 1);
    if (decision.kind === 'unschedulable') this.#failures.set(pod, decision);
    for (const victim of event.victims) put(this.#evicted, victim.pod, pod);
    this.#steps.push(this.#step(event));
  }

  #step({ clock, pod, node, victims, cleared, message, kind }: LiveEvent): JsonObject {
    const head = { atMs: Math.round(clock * 1000), pod };
    if (kind === 'scheduled') return { ...head, result: 'Scheduled', node };
    const nominated = this.#cluster.pod(pod)?.nominatedNodeName ?? '';
    return {
      ...head,
      result: victims.length > 0 ? 'Nominated' : 'Unschedulable',
      message,
      ...(nominated === '' ? {} : { nominated }),
      ...(victims.length === 0 ? {} : { victims: victims.map((victim) => victim.pod) }),
      ...(cleared.length === 0 ? {} : { cleared: [...cleared].sort() }),
    };
  }

  print(): JsonObject {
    const final: Record<PodKey, JsonObject> = nothing();
    for (const key of this.#seen) put(final, key, this.#finalOf(key, this.#cluster.pod(key)));
    return { steps: this.#steps, final, attempts: this.#attempts, evicted: this.#evicted };
  }

  #finalOf(key: PodKey, pod: PodInfo | undefined): JsonObject {
    if (pod === undefined) return { state: 'deleted' };
    const { nodeName, nominatedNodeName, terminating, gates } = pod;
    if (nodeName !== '') return { state: 'bound', node: nodeName, ...(terminating ? { terminating } : {}) };
    if (gates.length > 0) return { state: 'gated' };
    const failure = this.#failures.get(key);
    return {
      ...(nominatedNodeName === '' ? { state: 'pending' } : { state: 'nominated', node: nominatedNodeName }),
      ...(failure === undefined ? {} : { reason: 'Unschedulable', message: failure.message }),
    };
  }
}

/** Pod names come from the input: an object without a prototype takes any of them. */
function nothing<Value extends Json>(): Record<PodKey, Value> {
  return Object.create(null) as Record<PodKey, Value>;
}
