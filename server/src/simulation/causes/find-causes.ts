import { least } from '../../util/extremes.ts';
import type { Cause, CausePart } from '../../report-model/cause.ts';
import { exceededIn } from '../../admission/quota/exceeded.ts';
import { labelValue, compileLabelSelector } from '../../kubernetes/labels.ts';
import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { compareText, count, list } from '../../util/words.ts';
import type { Decision, NodeName } from '../../scheduler/decision.ts';
import {
  type Blockers,
  type ClusterState,
  type DecideOptions,
  everyBlocker,
  type PodInfo,
  podsNeededBy,
} from '../../scheduler/index.ts';
import type { Recorder } from '../run/recorder.ts';
import type { Run } from '../run/run.ts';
import type { Inventory } from '../cluster/inventory.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { Pod, PodSpec } from '../../kubernetes/objects.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { volumeText } from './cause-text.ts';
import { farness, isPinned, kindsOf, missingShare } from './nearness.ts';
import { groupCause, noCause } from './group-cause.ts';
import { volumesOfClass } from './volumes-of-class.ts';
import { notesOn } from './where-from.ts';

/** Of nodes that gave the same answer so many are looked at, those with the most room. */
const alikeNodes = 48;
/** Pods that are named. */
const podsNamed = 3;

export interface Causes {
  readonly causes: readonly Cause[];
  /** By index of the pod. */
  readonly of: ReadonlyMap<number, number>;
}

/** A cluster, as a pod that is pending finds it. */
export interface Surroundings {
  readonly state: ClusterState;
  readonly scheduler: DecideOptions;
  readonly nodes: readonly { readonly name: NodeName }[];
  readonly inventory: Inventory;
  /** What the API server answers to claims for which quotas have no room, by `namespace/name`. */
  readonly refusedClaims: ReadonlyMap<string, string>;
}

export function surroundingsOf({ cluster, quotas }: Run, { nodes, inventory }: SimulatedCluster): Surroundings {
  const refusedClaims = new Map([...inventory.claims.refused, ...quotas.refused]);
  return { state: cluster.state, scheduler: cluster.scheduler, nodes, inventory, refusedClaims };
}

/** Why the pods that are still pending are, as things stand at the end. Yields between kinds of pods. */
export function* findCauses(recorder: Recorder, run: Run, simulated: SimulatedCluster): Generator<void, Causes> {
  const causes: Cause[] = [];
  const of = new Map<number, number>();
  const known = new Map<object, number>();
  const around = surroundingsOf(run, simulated);
  const held = new Map<number, number>();
  for (const { workload } of run.toCome.followers()) held.set(workload, (held.get(workload) ?? 0) + 1);
  for (const [index, { pod }] of recorder.pods.entries()) {
    const { state } = run.place(pod);
    if (state !== 'pending' && state !== 'nominated') continue;
    let cause = known.get(pod.shape);
    if (cause === undefined) {
      cause =
        causes.push(
          withOwn(
            causeOf(
              pendingPod(pod.pod, around.state),
              recorder.lastDecision(pod),
              around,
              templateOf(pod.workload, simulated),
            ),
            held.get(pod.workload) ?? 0,
            simulated.workloads[pod.workload]?.kind === 'Job' ? runningOf(pod.workload, recorder, run) : 0,
          ),
        ) - 1;
      known.set(pod.shape, cause);
      yield;
    }
    of.set(index, cause);
  }
  return { causes, of };
}

/** With the claims that were made for it. */
export function pendingPod(pod: Pod, state: ClusterState): PodInfo {
  return state.pod(keyOf(pod)) ?? state.arriving(pod);
}

/** A StatefulSet makes no further pods while one of its pods is pending; those of a Job follow when others end. */
function withOwn(cause: Cause, held: number, ofJob: number): Cause {
  const notes = [
    ...(held === 0
      ? []
      : [say`its StatefulSet makes ${count(held, 'more pod', 'more pods')} only once this one runs (OrderedReady)`]),
    ...(ofJob === 0 || !cause.parts.every(isTakenByPods)
      ? []
      : [say`${count(ofJob, 'pod')} of its Job ${ofJob === 1 ? 'runs' : 'run'}, and it follows when one ends`]),
  ];
  return notes.length === 0 ? cause : { ...cause, notes: [...cause.notes, ...notes] };
}

function runningOf(workload: number, recorder: Recorder, run: Run): number {
  return recorder.pods.filter(({ pod }) => pod.workload === workload && run.place(pod).state === 'running').length;
}

/** What the manifest of a workload says of its pods, before anything is added to it. */
export function templateOf(workload: number, { workloads }: Pick<SimulatedCluster, 'workloads'>): PodSpec | undefined {
  const { declared } = workloads[workload] ?? {};
  return declared === undefined ? undefined : podTemplateOf(declared.object)?.spec;
}

interface Placed {
  readonly name: NodeName;
  readonly parts: readonly CausePart[];
  readonly far: number;
  readonly short: number;
}

/** Of a claim that is not there as a quota has no room for it, the quota. */
function withQuota(part: CausePart, { namespace }: PodInfo, { refusedClaims }: Surroundings): CausePart {
  if (part.kind !== 'claim' || part.problem !== 'missing') return part;
  const exceeded = exceededIn(refusedClaims.get(`${namespace}/${part.claim}`) ?? '');
  return exceeded === null ? part : { ...part, names: [exceeded.quota] };
}

/**
 * The one answer to why a pod is pending, which every face says in its way: of all nodes those that are nearest to taking
 * it, and everything that keeps it from there.
 */
export function causeOf(pod: PodInfo, decision: Decision | null, around: Surroundings, template?: PodSpec): Cause {
  const failed = failureOf(decision);
  if (failed !== null) return failed;
  const { group } = decision?.kind === 'unschedulable' ? decision : {};
  if (group !== undefined) {
    return groupCause(group, (blocked, state) => causeOf(blocked, null, { ...around, state }, template));
  }
  const found = everyBlocker(around.state, pod, around.scheduler);
  const blockers = { ...found, ofPod: found.ofPod.map((part) => withQuota(part, pod, around)) };
  const places = new Map(around.nodes.map(({ name }, index) => [name, index]));
  const placed = candidates(decision, around).map((name) => placedOn(name, blockers));
  // What keeps it from every node is all that keeps it from those.
  const isOpenElse = blockers.ofPod.length > 0 && placed.some(({ parts }) => parts.length === 0);
  const judged = (isOpenElse ? [] : placed)
    .filter(({ parts }) => parts.length > 0)
    .sort((a, b) => a.far - b.far || a.short - b.short || compareText(a.name, b.name));
  const [nearest] = judged;
  if (nearest === undefined) {
    const { ofPod: parts } = blockers;
    return { ...noCause, parts, notes: volumesOfClass(parts, pod, around) };
  }
  const kinds = kindsOn(nearest);
  const indexes = (placed: readonly Placed[]): readonly number[] =>
    placed.flatMap(({ name }) => places.get(name) ?? []).sort((a, b) => a - b);
  const alike = judged.filter((placed) => kindsOn(placed) === kinds);
  const rest = new Map<string, Placed[]>();
  for (const placed of judged) {
    const key = kindsOn(placed);
    if (key === kinds) continue;
    addTo(rest, key, placed);
  }
  return {
    parts: [...blockers.ofPod, ...nearest.parts.map((part) => overAll(part, alike))],
    node: places.get(nearest.name) ?? null,
    nodes: indexes(alike),
    others: [...rest.values()].map((placed) => ({ parts: placed[0]!.parts, nodes: indexes(placed) })),
    fewest: fewestOf(nearest.parts, blockers, around, places),
    needs: neededVictims(pod, nearest.name, decision, around),
    resized: resizedOn(nearest, around),
    notes: [
      ...notesOn(nearest.parts, pod.pod, template, around.inventory),
      ...volumesOfClass([...blockers.ofPod, ...nearest.parts], pod, around),
      ...volumesApart(nearest, judged),
      ...selectedElsewhere(nearest, judged),
      ...valuesThere(judged, around),
      ...countedBesides(judged, pod, around),
      ...nobodyBelow(pod, nearest, around),
      ...evictedInVain(decision),
    ],
    group: null,
  };
}

/** An error ended the attempt, though nodes would take the pod. */
function failureOf(decision: Decision | null): Cause | null {
  const failure = decision?.kind === 'unschedulable' ? decision.failure : null;
  if (failure === null || failure.feasible.length === 0) return null;
  const parts: readonly CausePart[] = [{ kind: 'other', plugin: 'DynamicResources', reasons: failure.errors }];
  return { ...noCause, parts };
}

/** Nodes that refuse for the same kinds of things, and for the same volumes and labels. */
function kindsOn({ parts }: Placed): string {
  const own = parts.flatMap((part) =>
    part.kind === 'volume' ? [part.volume] : part.kind === 'labels' && !isPinned(part) ? part.wanted : [],
  );
  return [kindsOf(parts), ...own].join();
}

/** Volumes of which each is where another is not: no node can use all of them. */
function volumesApart(nearest: Placed, judged: readonly Placed[]): readonly string[] {
  const own = nearest.parts.find((part) => part.kind === 'volume');
  if (own === undefined || !judged.every(({ parts }) => parts.some(({ kind }) => kind === 'volume'))) return [];
  const apart = judged
    .flatMap(({ parts }) => parts)
    .find((part) => part.kind === 'volume' && part.claim !== own.claim && areApart(part.wanted, own.wanted));
  return apart?.kind === 'volume' ? [say`${volumeText(apart)}, so that no node can use both`] : [];
}

/** What the pod itself selects, where a volume of its own is elsewhere: no node has both. */
function selectedElsewhere({ parts }: Placed, judged: readonly Placed[]): readonly string[] {
  if (!parts.some(({ kind }) => kind === 'volume') || parts.some(({ kind }) => kind === 'labels')) return [];
  const wanted = judged.flatMap((each) =>
    each.parts.some(({ kind }) => kind === 'volume')
      ? []
      : each.parts.flatMap((part) => (part.kind === 'labels' && !isPinned(part) ? part.wanted : [])),
  );
  return wanted.length === 0 ? [] : [say`it selects ${list([...new Set(wanted)])} itself, and no node has both`];
}

/** Other values that nodes have of a label which none has as it is asked for. */
function valuesThere(judged: readonly Placed[], { state, nodes }: Surroundings): readonly string[] {
  const [first, ...others] = judged.map(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'labels' && !isPinned(part) ? part.wanted : [])),
  );
  const everywhere = (first ?? []).filter((wanted) => others.every((each) => each.includes(wanted)));
  return everywhere.flatMap((wanted) => {
    const [key = ''] = wanted.split(/[ =]/, 1);
    if (key === '' || key === 'kubernetes.io/hostname') return [];
    const values = nodes.flatMap(({ name }) => labelValue(state.node(name)?.facts.labels, key) ?? []);
    const different = [...new Set(values)].sort(compareText);
    return different.length === 0 ? [] : [say`of ${key} nodes have ${list(different, valuesNamed)}`];
  });
}

const valuesNamed = 4;

/** Pods of others that a spread constraint counts: its selector asks for too little. */
function countedBesides(judged: readonly Placed[], pod: PodInfo, { state }: Surroundings): readonly string[] {
  const spread = judged.flatMap(({ parts }) => parts).find((part) => part.kind === 'spread');
  if (spread?.kind !== 'spread' || spread.minDomains > 0) return [];
  const { spec, metadata } = pod.pod;
  const constraint = spec?.topologySpreadConstraints?.find(
    ({ topologyKey, whenUnsatisfiable }) => topologyKey === spread.topologyKey && whenUnsatisfiable === 'DoNotSchedule',
  );
  if (constraint === undefined || (constraint.matchLabelKeys ?? []).length > 0) return [];
  const counts = compileLabelSelector(constraint.labelSelector);
  const others = [...state.running()].filter(
    ({ namespace, pod: other }) =>
      namespace === pod.namespace &&
      counts.matches(other.metadata?.labels ?? {}) &&
      Object.entries(metadata?.labels ?? {}).some(
        ([key, value]) => !isOfOnePod(key) && labelValue(other.metadata?.labels, key) !== value,
      ),
  );
  return others.length === 0
    ? []
    : [
        say`its selector also counts ${count(others.length, 'pod')} with other labels, such as ${list(others.slice(0, podsNamed).map(({ key }) => key))}`,
      ];
}

/** Labels by which pods of one workload differ. */
function isOfOnePod(key: string): boolean {
  return key.endsWith('-hash') || key.includes('kubernetes.io/') || key === 'controller-uid' || key === 'job-name';
}

/** Whether the same labels are wanted with other values. */
function areApart(one: readonly string[], other: readonly string[]): boolean {
  const keys = (wanted: readonly string[]): string =>
    [...new Set(wanted.map((each) => each.split(/[ =]/, 1)[0]))].join();
  return keys(one) === keys(other) && !one.some((each) => other.includes(each));
}

/** Pods that keep it from each of the nodes that are as near. */
export function overAll(part: CausePart, alike: readonly Pick<Placed, 'parts'>[]): CausePart {
  if (part.kind === 'port') {
    const pods = alike.flatMap(({ parts }) => parts.flatMap((other) => (other.kind === 'port' ? other.pods : [])));
    return { ...part, pods: [...new Set(pods)].slice(0, podsNamed) };
  }
  if (part.kind !== 'anti-affinity') return part;
  const isSame = (other: CausePart): other is typeof part =>
    other.kind === part.kind && other.theirs === part.theirs && other.topologyKey === part.topologyKey;
  const pods = new Set(alike.flatMap(({ parts }) => parts.filter(isSame).flatMap((each) => each.pods)));
  return { ...part, pods: [...pods].slice(0, podsNamed), count: Math.max(pods.size, part.count) };
}

function placedOn(name: NodeName, blockers: Blockers): Placed {
  const parts = blockers.on(name);
  return { name, parts, far: farness(parts), short: missingShare(parts) };
}

/** All nodes; of thousands that gave the same answer those with the most room. */
function candidates(decision: Decision | null, around: Surroundings): readonly NodeName[] {
  const names = around.nodes.map(({ name }) => name);
  if (names.length <= alikeNodes * 4 || decision?.kind !== 'unschedulable') return names;
  const { nodes, places } = decision.sharedRefusals;
  return [...places.values()].flatMap((alike) => {
    const own = alike.map((place) => nodes[place]!.name);
    if (own.length <= alikeNodes) return own;
    const room = new Map(own.map((name) => [name, roomOf(name, around)]));
    return own.sort((a, b) => room.get(b)! - room.get(a)!).slice(0, alikeNodes);
  });
}

function roomOf(name: NodeName, { state }: Surroundings): number {
  const node = state.node(name);
  if (node === undefined) return 0;
  const { milliCpu, memory } = node.facts.allocatable;
  return Math.min(1 - node.requestedMilliCpu / (milliCpu || 1), 1 - node.requestedMemory / (memory || 1));
}

/** A constraint is met again when the domain with the fewest pods takes one more: what keeps it from there. */
function fewestOf(
  parts: readonly CausePart[],
  blockers: Blockers,
  { state, nodes }: Surroundings,
  places: ReadonlyMap<NodeName, number>,
): Cause['fewest'] {
  const spread = parts.find((part) => part.kind === 'spread');
  if (spread === undefined || spread.minDomains > 0) return null;
  const inFewest = nodes.filter(({ name }) => {
    const value = labelValue(state.node(name)?.facts.labels, spread.topologyKey);
    return value !== undefined && spread.fewest.includes(value);
  });
  const [nearest] = inFewest
    .slice(0, alikeNodes)
    .map(({ name }) => placedOn(name, blockers))
    .sort((a, b) => a.far - b.far || a.short - b.short);
  if (nearest === undefined) return null;
  return {
    parts: nearest.parts.filter((part) => part.kind !== 'spread' || part.topologyKey !== spread.topologyKey),
    nodes: inFewest.flatMap(({ name }) => places.get(name) ?? []),
  };
}

/** Evicting everybody who may be would also take away those that the pod must be placed with. */
function neededVictims(
  pod: PodInfo,
  node: NodeName,
  decision: Decision | null,
  { state }: Surroundings,
): readonly string[] {
  const refusal = decision?.kind === 'unschedulable' ? decision.preemption?.dryRun.get(node) : undefined;
  if (refusal?.plugin !== 'InterPodAffinity') return [];
  const needed = podsNeededBy(state, pod);
  return (state.node(node)?.pods ?? [])
    .filter((each) => each.priority < pod.priority && needed(each))
    .slice(0, podsNamed)
    .map(({ key }) => key);
}

/** A priority that somebody chose takes room from nobody: what runs on the nearest node has the same, or more. */
function nobodyBelow(pod: PodInfo, { name, parts }: Placed, { state }: Surroundings): readonly string[] {
  const there = state.node(name)?.pods ?? [];
  if (there.length === 0 || !parts.every(isTakenByPods)) return [];
  const lowest = least(there.map(({ priority }) => priority));
  if (lowest < pod.priority) {
    return pod.pod.spec?.preemptionPolicy === 'Never'
      ? [say`pods there have a lower priority than its ${pod.priority}, but its preemptionPolicy is Never`]
      : [];
  }
  if (pod.priority <= 0) return [];
  return [
    lowest > pod.priority
      ? say`the pods there have a higher priority than its ${pod.priority}`
      : say`no pod there has a lower priority than its ${pod.priority}`,
  ];
}

function evictedInVain(decision: Decision | null): readonly string[] {
  const times = decision?.kind === 'unschedulable' ? (decision.evictedInVain ?? 0) : 0;
  return times === 0
    ? []
    : [
        say`it has evicted pods ${times} times, and what replaces them keeps it away each time: kube-scheduler goes on like that, and here it is left`,
      ];
}

/** What evicting pods could give back. */
function isTakenByPods(part: CausePart): boolean {
  switch (part.kind) {
    case 'amount':
      return part.need <= part.capacity;
    case 'port':
    case 'anti-affinity':
      return true;
    default:
      return false;
  }
}

/** Pods that count with what they asked for, and not with what they have. */
function resizedOn({ name, parts }: Placed, { state }: Surroundings): readonly string[] {
  if (!parts.some(({ kind }) => kind === 'amount')) return [];
  return (state.node(name)?.pods ?? [])
    .filter(({ pod }) => pod.status?.conditions?.some(isDeferredResize))
    .slice(0, podsNamed)
    .map(({ key }) => key);
}

/** Source: pkg/apis/core/types.go (PodReasonDeferred) */
function isDeferredResize({ type, reason }: { readonly type: string; readonly reason?: string }): boolean {
  return type === 'PodResizePending' && reason === 'Deferred';
}

/** Whether no node can ever use all volumes of a pod. */
export function areVolumesApart({ parts, others }: Pick<Cause, 'parts' | 'others'>): boolean {
  const volumes = [parts, ...others.map((other) => other.parts)].map((each) =>
    each.flatMap((part) => (part.kind === 'volume' ? [part] : [])),
  );
  const [own] = volumes[0] ?? [];
  return (
    own !== undefined &&
    volumes.every(({ length }) => length > 0) &&
    volumes.flat().some(({ claim, wanted }) => claim !== own.claim && areApart(wanted, own.wanted))
  );
}
