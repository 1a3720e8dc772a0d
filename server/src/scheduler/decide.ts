import type {
  AttemptFailure,
  Decision,
  GivenDevices,
  FitsDecision,
  GatedDecision,
  NodeName,
  NodeRefusal,
  NodeScores,
  PodKey,
  PreemptionOutcome,
  SharedRefusals,
  UnschedulableDecision,
} from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import { type Filtered, filterNode, filterNodes, PackedFiltered } from './framework/filter-nodes.ts';
import { countStatuses, fitErrorMessage, preFilterMessage } from './framework/fit-error.ts';
import type { Framework, PreFilterResult } from './framework/framework.ts';
import type { NodeSet } from './framework/node-set.ts';
import { nominatedBefore } from './framework/node-view.ts';
import { compareBytewise } from './framework/order.ts';
import { pickNode, sortedNames } from './framework/pick.ts';
import type { Cycle } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf, type Profile } from './framework/profile.ts';
import { rejectorsOf } from './framework/rejectors.ts';
import { feasibleNodesToFind } from './framework/sampling.ts';
import { LazyNodeScores, scoreNodes, topNodes } from './framework/score-nodes.ts';
import { filterFailure, Status, unresolvable } from './framework/status.ts';
import {
  type ClaimsPostFilter,
  claimsPostFilter,
  devicesFor,
  dynamicResources,
  lacksDeviceEngine,
  stateNotFound,
} from './plugins/dynamic-resources.ts';
import { frameworkOf } from './plugins/registry.ts';
import { gateMessage, schedulingGates } from './plugins/scheduling-gates.ts';
import { evaluatePreemption, type Preemption } from './preemption/evaluate.ts';

export interface DecideOptions {
  /** The profiles of the scheduler; the default profile of the cluster's release when absent. */
  readonly profiles?: readonly Profile[] | undefined;
  /** Draws among equal nodes; without it the bytewise smallest name is taken. */
  readonly seed?: number | undefined;
  /** Milliseconds since 1970; without it every time that is written is long ago. */
  readonly now?: number | undefined;
}

/**
 * One scheduling attempt of one pod: what kube-scheduler of the cluster's release would answer for it in this state.
 * The state is not changed, and the pod need not be part of it (see `ClusterState.arriving`).
 * Every node is looked at; where the real scheduler would sample, the decision says that it may vary.
 * Parts of a decision over many nodes are worked out when they are first read.
 * Source: pkg/scheduler/schedule_one.go (schedulingCycle, schedulePod)
 */
export function decide(cluster: ClusterState, pod: PodInfo, options: DecideOptions = {}): Decision {
  const profiles = options.profiles ?? [defaultProfileOf(cluster.release)];
  const profile = profiles.find((each) => each.schedulerName === pod.schedulerName);
  if (profile === undefined) {
    return notModelled(pod, `no profile is known for scheduler "${pod.schedulerName}"`);
  }
  const gated = gatesOf(pod, profile);
  if (gated !== null) return gated;
  if (lacksDeviceEngine(cluster, pod)) {
    return notModelled(pod, 'the part of the engine that allocates devices is not loaded');
  }
  const framework = frameworkOf(profile);
  const schedulers = new Set(profiles.map((each) => each.schedulerName));
  return new Attempt(
    { cluster, pod, now: options.now, args: framework.profile.args },
    framework,
    schedulers,
    options.seed,
  ).run();
}

/** The answer for a pod that PreEnqueue holds back; null when it may be tried. */
export function gatesOf(pod: PodInfo, profile: Profile): GatedDecision | null {
  const message = frameworkOf(profile).isEnabled('preEnqueue', schedulingGates) ? gateMessage(pod) : null;
  return message === null ? null : { kind: 'gated', pod: pod.key, mayVary: false, gates: pod.gates, message };
}

function notModelled(pod: PodInfo, message: string): Decision {
  return { kind: 'not-modelled', pod: pod.key, mayVary: false, message };
}

class Attempt {
  readonly #cycle: Cycle;
  readonly #framework: Framework;
  readonly #schedulers: ReadonlySet<string>;
  readonly #seed: number | undefined;

  constructor(cycle: Cycle, framework: Framework, schedulers: ReadonlySet<string>, seed: number | undefined) {
    this.#cycle = cycle;
    this.#framework = framework;
    this.#schedulers = schedulers;
    this.#seed = seed;
  }

  run(): Decision {
    const { cluster, pod } = this.#cycle;
    const { nodeSet } = cluster;
    if (nodeSet.size === 0) return new NoNodesDecision(pod.key);
    const active = this.#framework.preFilter(this.#cycle);
    if (active.rejected !== null) return this.#rejected(active, active.rejected);
    const nominated = this.#tryNominatedNode(active);
    if (nominated?.refusal === null) return this.#fitsNominated(active, nominated.node);
    const candidates = candidateNodes(nodeSet, active.nodes);
    const looked = candidates.length;
    const filtered = withTried(filterNodes(this.#cycle, active, this.#schedulers, candidates), nominated);
    const { statuses, feasible } = filtered;
    // Only volumes, devices and a wrong configuration make a filter fail.
    const hasDevices = active.filters.some(({ plugin }) => plugin === dynamicResources);
    if (this.#framework.canFail || hasDevices || (pod.pod.spec?.volumes ?? []).length > 0) {
      const failed = statuses.find((status) => status?.code === 'Error');
      if (failed != null) return this.#failed(filterFailure(failed), filtered);
    }
    if (feasible.length === 0) return this.#fitsNowhere(active, withAbsent(statuses, active, nominated));

    const limit =
      this.#framework.scorers.length === 0
        ? 1
        : feasibleNodesToFind(this.#framework.profile.percentageOfNodesToScore, looked);
    const mayVary = feasible.length > limit;
    if (feasible.length === 1) return this.#fits(() => filtered, null, [feasible[0]!], mayVary);
    const scored = scoreNodes(this.#cycle, this.#framework, feasible);
    if (scored instanceof Status) return this.#failed(scored, filtered);
    const scores = new LazyNodeScores(scored, feasible, nodeSet);
    return this.#fits(() => filtered, scores, topNodes(scored, feasible), mayVary);
  }

  /** The node that the pod is nominated to is taken at once if it passes. Source: evaluateNominatedNode */
  #tryNominatedNode(active: PreFilterResult): Tried | null {
    const { cluster, pod } = this.#cycle;
    if (pod.nominatedNodeName === '') return null;
    const node = cluster.node(pod.nominatedNodeName);
    if (node === undefined) return null;
    const others = nominatedBefore(cluster.nominations, node.index, pod, this.#schedulers);
    return { node: node.index, refusal: filterNode(this.#cycle, active, others, node) };
  }

  /** Upstream looks at no other node then. What they would say is worked out for information, when it is read. */
  #fitsNominated(active: PreFilterResult, node: number): FitsDecision {
    const { cluster, pod } = this.#cycle;
    const now: Cycle = { cluster: cluster.branch(), pod };
    let filtered: Filtered | undefined;
    const look = (): Filtered => {
      filtered ??= filterNodes(now, active, this.#schedulers, candidateNodes(now.cluster.nodeSet, active.nodes));
      return filtered;
    };
    return this.#fits(look, null, [node], false);
  }

  #fits(filtered: () => Filtered, scores: NodeScores | null, best: readonly number[], mayVary: boolean): FitsDecision {
    const { cluster, pod } = this.#cycle;
    const node = pickNode(best, cluster.nodeSet, this.#seed, pod.key);
    const devices = givenDevices(this.#cycle, node);
    return new Fits(pod.key, mayVary, node, filtered, scores, best, cluster.nodeSet, devices);
  }

  #rejected(active: PreFilterResult, status: Status): UnschedulableDecision {
    const { cluster, pod } = this.#cycle;
    const statuses = new Array<Status | null>(cluster.nodeSet.size).fill(status);
    const answer = this.#postFilter(active, statuses);
    const text = preFilterMessage(statuses.length, status, answer.message);
    return new Unschedulable(pod.key, statuses, cluster.nodeSet, status, answer, () => text);
  }

  #fitsNowhere(active: PreFilterResult, statuses: readonly (Status | null)[]): UnschedulableDecision {
    const { cluster, pod } = this.#cycle;
    const answer = this.#postFilter(active, statuses);
    const text = (): string => fitErrorMessage(statuses.length, countStatuses(statuses), answer.message);
    return new Unschedulable(pod.key, statuses, cluster.nodeSet, null, answer, text);
  }

  /** An error ends the attempt, and nothing more is tried. Source: handleSchedulingFailure */
  #failed(status: Status, filtered: Filtered): UnschedulableDecision {
    const { cluster, pod } = this.#cycle;
    const answer = { message: '', preemption: null, losesNomination: true };
    const failure = failureOf(status, filtered, cluster.nodeSet);
    return new Unschedulable(pod.key, [], cluster.nodeSet, null, answer, () => status.message, failure);
  }

  /** Source: pkg/scheduler/framework/runtime/framework.go (RunPostFilterPlugins) */
  #postFilter(active: PreFilterResult, statuses: readonly (Status | null)[]): PostFilterAnswer {
    const reasons: string[] = [];
    let claims: ClaimsPostFilter | undefined;
    const { postFilter } = this.#framework.profile.enabled;
    for (const plugin of postFilter) {
      if (plugin === 'DynamicResources') {
        if (active.rejected !== null && !active.reachedDynamicResources) {
          return { message: stateNotFound, preemption: null, losesNomination: false };
        }
        const state = active.filters.find(({ plugin: each }) => each === dynamicResources)?.state;
        claims = claimsPostFilter(active.rejected === null ? state : undefined, this.#cycle.pod);
        reasons.push(claims.message);
      } else if (plugin === 'DefaultPreemption') {
        const preemption = evaluatePreemption({
          cycle: this.#cycle,
          active,
          statuses,
          schedulers: this.#schedulers,
          args: this.#framework.profile.args.DefaultPreemption,
          seed: this.#seed,
        });
        // Who looked for victims and found none loses the nomination.
        const losesNomination = preemption.outcome.eligible && !preemption.failed;
        const message = preemption.message ?? '';
        if (preemption.succeeded || preemption.failed) return { message, preemption, losesNomination, claims };
        reasons.push(message);
        return { message: reasons.join(', '), preemption, losesNomination, claims };
      }
    }
    const { keepsNominationWithoutPostFilter } = this.#cycle.cluster.release.behaviours;
    const losesNomination = postFilter.length === 0 && !keepsNominationWithoutPostFilter;
    return { message: reasons.join(', '), preemption: null, losesNomination, claims };
  }
}

/** Says of a decision that has just been made that the real scheduler may answer otherwise. */
export function markVarying(decision: Decision): void {
  (decision as { mayVary: boolean }).mayVary = true;
}

/** A pod that has a node, and could not be bound to it. */
export function failedBinding(decision: FitsDecision, message: string): UnschedulableDecision {
  const { pod, mayVary, feasible, refusals, sharedRefusals } = decision;
  return {
    kind: 'unschedulable',
    pod,
    mayVary,
    message,
    refusals,
    sharedRefusals,
    rejectedBy: new Set(),
    preFilter: null,
    preemption: null,
    losesNomination: true,
    failure: { errors: [message], feasible, refusals },
    freedClaims: [],
    deletedClaim: null,
    repeats: null,
  };
}

const noDevices: readonly GivenDevices[] = [];

/** What a pod with claims, or with extended resources behind classes, is given on a node. */
function givenDevices(cycle: Cycle, node: NodeName): readonly GivenDevices[] {
  const { cluster, pod } = cycle;
  if (pod.requests.scalars.size === 0 && (pod.pod.spec?.resourceClaims ?? []).length === 0) return noDevices;
  const devices = devicesFor(cycle, cluster.node(node)!);
  if (devices === null) return noDevices;
  return devices.given.map(({ claim, allocation }) => ({
    claim: claim.name,
    results: allocation.devices?.results ?? [],
  }));
}

interface PostFilterAnswer extends Pick<UnschedulableDecision, 'losesNomination'> {
  readonly message: string;
  readonly preemption: Preemption | null;
  /** Undefined where DynamicResources has no part. */
  readonly claims?: ClaimsPostFilter | undefined;
}

/** What the filters said of the nodes, where one of them, or what scores the nodes, failed. */
function failureOf(status: Status, { statuses, feasible }: Filtered, nodes: NodeSet): AttemptFailure {
  const failing = new Map<Status, Status>();
  const reduced = statuses.map((status) => {
    if (status?.code !== 'Error') return status;
    const failure = failing.get(status) ?? filterFailure(status);
    failing.set(status, failure);
    return failure;
  });
  return {
    errors: failing.size === 0 ? [status.message] : [...new Set([...failing.values()].map(({ message }) => message))],
    feasible: sortedNames(feasible, nodes),
    refusals: refusalsOf(reduced, nodes),
  };
}

function candidateNodes(nodes: NodeSet, names: ReadonlySet<string> | null): Int32Array {
  if (names !== null) {
    const indexes = [...names].map((name) => nodes.indexOf(name)).filter((index) => index !== undefined);
    return Int32Array.from(indexes).sort();
  }
  const all = new Int32Array(nodes.size);
  for (let i = 0; i < all.length; i++) all[i] = i;
  return all;
}

/** The node that the pod is nominated to, and what the filters said of it before any other was looked at. */
interface Tried {
  readonly node: number;
  readonly refusal: Status | null;
}

/** The refusal of the nominated node stays where PreFilter left that node out. Source: evaluateNominatedNode */
function withTried(filtered: Filtered, tried: Tried | null): Filtered {
  const { statuses, feasible } = filtered;
  if (tried === null || statuses[tried.node] !== null) return filtered;
  return { statuses: statuses.with(tried.node, tried.refusal), feasible };
}

/**
 * Nodes that PreFilter left out get a status of their own. It names the plugins that narrowed the nodes down, and the
 * one that refused the nominated node: upstream notes both in one set. Source: findNodesThatFitPod (SetAbsentNodesStatus)
 */
function withAbsent(
  statuses: readonly (Status | null)[],
  { narrowedBy }: PreFilterResult,
  tried: Tried | null,
): readonly (Status | null)[] {
  if (narrowedBy.length === 0) return statuses;
  const plugins = new Set(narrowedBy);
  if (tried?.refusal) plugins.add(tried.refusal.plugin);
  const absent = unresolvable('', `node(s) didn't satisfy plugin(s) [${[...plugins].sort(compareBytewise).join(' ')}]`);
  return statuses.map((status) => status ?? absent);
}

function refusalsOf(statuses: readonly (Status | null)[], nodes: NodeSet): ReadonlyMap<NodeName, NodeRefusal> {
  const refusals = new Map<NodeName, NodeRefusal>();
  for (const [index, status] of statuses.entries()) if (status !== null) refusals.set(nodes.facts[index]!.name, status);
  return refusals;
}

function sharedRefusalsOf(statuses: readonly (Status | null)[], { facts }: NodeSet): SharedRefusals {
  const places = new Map<NodeRefusal, number[]>();
  let last: Status | null = null;
  let ofLast: number[] = [];
  for (let place = 0; place < statuses.length; place++) {
    const status = statuses[place] ?? null;
    if (status === null) continue;
    if (status !== last) {
      last = status;
      ofLast = places.get(status) ?? [];
      places.set(status, ofLast);
    }
    ofLast.push(place);
  }
  return { nodes: facts, places };
}

class Fits implements FitsDecision {
  readonly kind = 'fits';
  readonly pod: PodKey;
  readonly mayVary: boolean;
  readonly node: NodeName;
  readonly scores: NodeScores | null;
  readonly devices: readonly GivenDevices[];
  readonly #filtered: () => Filtered;
  readonly #best: readonly number[];
  readonly #nodes: NodeSet;

  constructor(
    pod: PodKey,
    mayVary: boolean,
    node: NodeName,
    filtered: () => Filtered,
    scores: NodeScores | null,
    best: readonly number[],
    nodes: NodeSet,
    devices: readonly GivenDevices[],
  ) {
    this.pod = pod;
    this.mayVary = mayVary;
    this.node = node;
    this.scores = scores;
    this.devices = devices;
    this.#filtered = filtered;
    this.#best = best;
    this.#nodes = nodes;
  }

  abridged(scored: number): FitsDecision {
    if (this.scores === null) return this;
    const { pod, mayVary, node, devices } = this;
    const filtered = PackedFiltered.of(this.#filtered());
    return new Fits(pod, mayVary, node, () => filtered, this.scores.best(scored), this.#best, this.#nodes, devices);
  }

  get feasible(): readonly NodeName[] {
    return sortedNames(this.#filtered().feasible, this.#nodes);
  }

  get best(): readonly NodeName[] {
    return sortedNames(this.#best, this.#nodes);
  }

  get isTie(): boolean {
    return this.#best.length > 1;
  }

  get refusals(): ReadonlyMap<NodeName, NodeRefusal> {
    return refusalsOf(this.#filtered().statuses, this.#nodes);
  }

  get sharedRefusals(): SharedRefusals {
    return sharedRefusalsOf(this.#filtered().statuses, this.#nodes);
  }
}

class Unschedulable implements UnschedulableDecision {
  readonly kind = 'unschedulable';
  readonly pod: PodKey;
  readonly mayVary: boolean;
  readonly preFilter: NodeRefusal | null;
  readonly preemption: PreemptionOutcome | null;
  readonly losesNomination: boolean;
  readonly failure: AttemptFailure | null;
  readonly freedClaims: readonly string[];
  readonly deletedClaim: string | null;
  readonly repeats = null;
  readonly #statuses: readonly (Status | null)[];
  readonly #nodes: NodeSet;
  readonly #text: () => string;
  #message: string | undefined;
  #rejectedBy: ReadonlySet<string> | undefined;

  constructor(
    pod: PodKey,
    statuses: readonly (Status | null)[],
    nodes: NodeSet,
    preFilter: Status | null,
    { preemption, losesNomination, claims }: PostFilterAnswer,
    text: () => string,
    failure: AttemptFailure | null = null,
  ) {
    this.pod = pod;
    this.mayVary = preemption?.mayVary ?? false;
    this.preFilter = preFilter;
    this.preemption = preemption?.outcome ?? null;
    this.losesNomination = losesNomination;
    this.failure = failure;
    this.freedClaims = claims?.freed ?? [];
    this.deletedClaim = claims?.deleted ?? null;
    this.#statuses = statuses;
    this.#nodes = nodes;
    this.#text = text;
  }

  get message(): string {
    return (this.#message ??= this.#text());
  }

  get refusals(): ReadonlyMap<NodeName, NodeRefusal> {
    return refusalsOf(this.#statuses, this.#nodes);
  }

  get sharedRefusals(): SharedRefusals {
    return sharedRefusalsOf(this.#statuses, this.#nodes);
  }

  get rejectedBy(): ReadonlySet<string> {
    return (this.#rejectedBy ??= rejectorsOf(this.preFilter === null ? this.#statuses : [this.preFilter]));
  }
}

/** Source: pkg/scheduler/schedule_one.go (ErrNoNodesAvailable); PostFilter does not run. */
class NoNodesDecision implements UnschedulableDecision {
  readonly kind = 'unschedulable';
  readonly pod: PodKey;
  readonly mayVary = false;
  readonly message = 'no nodes available to schedule pods';
  readonly refusals: ReadonlyMap<NodeName, NodeRefusal> = new Map();
  readonly sharedRefusals: SharedRefusals = { nodes: [], places: new Map() };
  readonly rejectedBy: ReadonlySet<string> = new Set();
  readonly preFilter = null;
  readonly preemption = null;
  readonly losesNomination = true;
  readonly failure = null;
  readonly freedClaims = [];
  readonly deletedClaim = null;
  readonly repeats = null;

  constructor(pod: PodKey) {
    this.pod = pod;
  }
}
