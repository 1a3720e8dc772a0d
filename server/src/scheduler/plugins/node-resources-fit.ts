import { incomingRequests } from '../framework/pod-requests.ts';
import { exactly, type NodeInfo } from '../framework/node-info.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import type { Cycle, Plugin, PreFilterAnswer } from '../framework/plugin.ts';
import type { NodeResourcesFitArgs } from '../framework/profile.ts';
import { areSafe, type ExactResources, int64, type Resources, toExact, toNumbers } from '../framework/resources.ts';
import { isExtendedResourceName } from '../framework/scalar-resource-name.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { deviceResourcesOf } from './device-resources.ts';
import { AllocationScorer, type ScoredRequests } from './resource-allocation.ts';

const name = 'NodeResourcesFit';

/** What the pod asks for, and the statuses made so far, so that nodes with the same answer share one. */
export interface FitState {
  readonly requests: Resources;
  /** Set when `requests` are not safe as doubles. */
  readonly exact: ExactResources | null;
  readonly asksForNothing: boolean;
  /** Resources that DynamicResources looks after on nodes that do not have them. */
  readonly delegated: ReadonlyMap<string, string>;
  /** By reasons (and the bit for unresolvable), where no scalar is missing. */
  readonly statuses: (Status | undefined)[];
  readonly scalarStatuses: Map<string, Status>;
}

/** Bits of an answer. */
const tooManyPods = 1;
const noCpu = 2;
const noMemory = 4;
const noStorage = 8;
/** The pod asks for more than the whole node has. */
const beyondNode = 16;

/**
 * Whether the node has room. A reason that no removal of pods can change makes the answer unresolvable.
 * Source: pkg/scheduler/framework/plugins/noderesources/fit.go
 */
export class NodeResourcesFitPlugin implements Plugin<FitState, ScoredRequests> {
  readonly name = name;
  readonly dependsOnPods = true;
  readonly #ignored: ReadonlySet<string>;
  readonly #ignoredGroups: ReadonlySet<string>;
  readonly #scorer: AllocationScorer;

  constructor(args: NodeResourcesFitArgs) {
    this.#ignored = new Set(args.ignoredResources);
    this.#ignoredGroups = new Set(args.ignoredResourceGroups);
    this.#scorer = AllocationScorer.forFit(args.scoringStrategy);
  }

  preFilter(cycle: Cycle): PreFilterAnswer<FitState> {
    return { state: this.stateOf(cycle) };
  }

  stateOf({ cluster, pod }: Cycle): FitState {
    const exact = incomingRequests(pod.pod);
    const requests = this.#withoutIgnored(exact);
    const asksForNothing =
      exact.milliCpu === 0n && exact.memory === 0n && exact.ephemeralStorage === 0n && exact.scalars.size === 0;
    const safe = areSafe(requests);
    return {
      requests: toNumbers(requests),
      exact: safe ? null : requests,
      asksForNothing,
      delegated: deviceResourcesOf(cluster, pod),
      statuses: [],
      scalarStatuses: new Map(),
    };
  }

  filter(_cycle: Cycle, state: FitState, node: NodeInfo): Status | null {
    if (state.exact !== null || node.exact !== null) return filterExactly(state, node);
    return checkFit(
      state,
      node.facts,
      node.pods.length,
      node.requestedMilliCpu,
      node.requestedMemory,
      node.requestedEphemeralStorage,
      node.requestedScalars,
    );
  }

  filterNodes(
    cycle: Cycle,
    state: FitState,
    nodes: readonly NodeInfo[],
    candidates: Int32Array,
    count: number,
    statuses: (Status | null)[],
  ): number {
    const { milliCpu, memory, ephemeralStorage, scalars } = state.requests;
    const isPlain = state.exact === null && scalars.size === 0 && milliCpu > 0 && memory > 0 && ephemeralStorage === 0;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const index = candidates[i]!;
      const node = nodes[index]!;
      let status: Status | null | undefined;
      if (isPlain && node.exact === null) {
        let answer = node.pods.length >= node.facts.allowedPods ? tooManyPods : 0;
        if (milliCpu > node.allocatableMilliCpu - node.requestedMilliCpu) answer |= noCpu;
        if (memory > node.allocatableMemory - node.requestedMemory) answer |= noMemory;
        if (answer === 0) {
          candidates[kept++] = index;
          continue;
        }
        if (milliCpu <= node.allocatableMilliCpu && memory <= node.allocatableMemory) status = state.statuses[answer];
      }
      status ??= this.filter(cycle, state, node);
      if (status === null) candidates[kept++] = index;
      else statuses[index] = status;
    }
    return kept;
  }

  preScore(cycle: Cycle): ScoredRequests {
    return this.#scorer.requestsOf(cycle.pod);
  }

  score(_cycle: Cycle, requests: ScoredRequests, node: NodeInfo): number {
    return this.#scorer.score(requests, node);
  }

  scoreNodes(
    _cycle: Cycle,
    requests: ScoredRequests,
    nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    this.#scorer.scoreNodes(requests, nodes, feasible, scores);
  }

  /** Extended resources that an extender manages are not looked at. */
  #withoutIgnored(requests: ExactResources): ExactResources {
    if (requests.scalars.size === 0 || (this.#ignored.size === 0 && this.#ignoredGroups.size === 0)) return requests;
    const kept = [...requests.scalars].filter(
      ([scalar]) =>
        !isExtendedResourceName(scalar) ||
        (!this.#ignored.has(scalar) && !this.#ignoredGroups.has(scalar.split('/')[0]!)),
    );
    return { ...requests, scalars: new Map(kept) };
  }
}

const noNames: readonly string[] = [];

/**
 * The check of Filter on a node with so many pods that take so much.
 * Source: pkg/scheduler/framework/plugins/noderesources/fit.go (fitsRequest)
 */
export function checkFit(
  state: FitState,
  { allocatable, allowedPods }: NodeFacts,
  pods: number,
  usedMilliCpu: number,
  usedMemory: number,
  usedStorage: number,
  usedScalars: ReadonlyMap<string, number>,
): Status | null {
  let answer = pods + 1 > allowedPods ? tooManyPods : 0;
  if (state.asksForNothing) return answer === 0 ? null : statusOf(state, answer, noNames);
  const { milliCpu, memory, ephemeralStorage, scalars } = state.requests;
  if (milliCpu > 0 && milliCpu > allocatable.milliCpu - usedMilliCpu) {
    answer |= milliCpu > allocatable.milliCpu ? noCpu | beyondNode : noCpu;
  }
  if (memory > 0 && memory > allocatable.memory - usedMemory) {
    answer |= memory > allocatable.memory ? noMemory | beyondNode : noMemory;
  }
  if (ephemeralStorage > 0 && ephemeralStorage > allocatable.ephemeralStorage - usedStorage) {
    answer |= ephemeralStorage > allocatable.ephemeralStorage ? noStorage | beyondNode : noStorage;
  }
  if (scalars.size === 0) return answer === 0 ? null : statusOf(state, answer, noNames);
  const missing: string[] = [];
  for (const [scalar, request] of scalars) {
    if (request === 0) continue;
    const has = allocatable.scalars.get(scalar) ?? 0;
    if (has <= 0 && state.delegated.has(scalar)) continue;
    if (request <= has - (usedScalars.get(scalar) ?? 0)) continue;
    missing.push(scalar);
    if (request > has) answer |= beyondNode;
  }
  return answer === 0 && missing.length === 0 ? null : statusOf(state, answer, missing);
}

function statusOf(state: FitState, answer: number, scalars: readonly string[]): Status {
  if (scalars.length === 0) return (state.statuses[answer] ??= makeStatus(answer, scalars));
  const key = `${answer}:${scalars.join()}`;
  let status = state.scalarStatuses.get(key);
  if (status === undefined) {
    status = makeStatus(answer, scalars);
    state.scalarStatuses.set(key, status);
  }
  return status;
}

function makeStatus(answer: number, scalars: readonly string[]): Status {
  const reasons: string[] = [];
  if ((answer & tooManyPods) !== 0) reasons.push('Too many pods');
  if ((answer & noCpu) !== 0) reasons.push('Insufficient cpu');
  if ((answer & noMemory) !== 0) reasons.push('Insufficient memory');
  if ((answer & noStorage) !== 0) reasons.push('Insufficient ephemeral-storage');
  for (const scalar of scalars) reasons.push(`Insufficient ${scalar}`);
  return (answer & beyondNode) !== 0 ? unresolvable(name, ...reasons) : unschedulable(name, ...reasons);
}

/** The same in int64 arithmetic, overflow included. */
function filterExactly(state: FitState, node: NodeInfo): Status | null {
  const request = state.exact ?? toExact(state.requests);
  const { allocatable, requested, allowedPods } = exactly(node);
  let answer = BigInt(node.pods.length + 1) > allowedPods ? tooManyPods : 0;
  if (state.asksForNothing) return answer === 0 ? null : statusOf(state, answer, noNames);
  const lacks = (wanted: bigint, has: bigint, used: bigint): boolean => {
    if (wanted <= int64(has - used)) return false;
    if (wanted > has) answer |= beyondNode;
    return true;
  };
  if (request.milliCpu > 0n && lacks(request.milliCpu, allocatable.milliCpu, requested.milliCpu)) answer |= noCpu;
  if (request.memory > 0n && lacks(request.memory, allocatable.memory, requested.memory)) answer |= noMemory;
  const storage = request.ephemeralStorage;
  if (storage > 0n && lacks(storage, allocatable.ephemeralStorage, requested.ephemeralStorage)) answer |= noStorage;
  const missing: string[] = [];
  for (const [scalar, wanted] of request.scalars) {
    if (wanted === 0n) continue;
    const has = allocatable.scalars.get(scalar) ?? 0n;
    if (has <= 0n && state.delegated.has(scalar)) continue;
    if (lacks(wanted, has, requested.scalars.get(scalar) ?? 0n)) missing.push(scalar);
  }
  return answer === 0 && missing.length === 0 ? null : statusOf(state, answer, missing);
}
