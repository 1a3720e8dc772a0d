import type { Node, Pod } from '../../kubernetes/objects.ts';
import { podRequests, readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import { goSort } from '../../scheduler/index.ts';
import type { PodGroup } from './pod-groups.ts';
import type { Snapshot } from './snapshot.ts';
import { type NodeTemplate, renamed } from './templates.ts';

export interface Estimate {
  /** Nodes that got at least one pod. */
  readonly nodes: number;
  readonly pods: readonly Pod[];
}

// Source: ErrReasonConstraintsNotMatch in pkg/scheduler/framework/plugins/podtopologyspread
const spreadRefusal = "node(s) didn't match pod topology spread constraints";
const hostnameKey = 'kubernetes.io/hostname';

/**
 * How many nodes like the template the pods need: the largest first, onto new nodes where they fit, else onto the last,
 * else onto one more. Source: cluster-autoscaler/estimator/binpacking_estimator.go
 */
export function estimate(
  snapshot: Snapshot,
  groups: readonly PodGroup[],
  template: NodeTemplate,
  mostNodes: number,
): Estimate {
  return new Estimation(snapshot.fork(), template, mostNodes).run(inOrder(groups, template.node));
}

/** Source: cluster-autoscaler/estimator/decreasing_pod_orderer.go; ties come in any order there, here as they are given. */
function inOrder(groups: readonly PodGroup[], node: Node): readonly PodGroup[] {
  const allocatable = readResourceList(node.status?.allocatable);
  const scored = groups.map((group) => ({ group, score: scoreOf(group.pods[0]!, allocatable) }));
  goSort(scored, (a, b) => a.score > b.score);
  return scored.map(({ group }) => group);
}

function scoreOf(pod: Pod, allocatable: ResourceAmounts): number {
  const requests = podRequests(pod.spec ?? {}, pod.status === undefined ? {} : { status: pod.status });
  const share = (name: string, valueOf: typeof quantityValue): number => {
    const total = allocatable.get(name);
    const amount = requests.get(name);
    if (total === undefined || valueOf(total) <= 0n || amount === undefined) return 0;
    return Number(valueOf(amount)) / Number(valueOf(total));
  };
  return share('cpu', quantityMilliValue) + share('memory', quantityValue);
}

class Estimation {
  readonly #snapshot: Snapshot;
  readonly #template: NodeTemplate;
  /** Below 0 none may be added, 0 is no limit. */
  readonly #most: number;
  readonly #nodes = new Set<string>();
  readonly #withPods = new Set<string>();
  readonly #scheduled: Pod[] = [];
  #last = '';

  constructor(snapshot: Snapshot, template: NodeTemplate, most: number) {
    this.#snapshot = snapshot;
    this.#template = template;
    this.#most = most;
  }

  run(groups: readonly PodGroup[]): Estimate {
    let mayAdd = true;
    for (const { pods } of groups) {
      const left = this.#onNewNodes(pods);
      if (mayAdd) mayAdd = this.#onMoreNodes(left);
    }
    return { nodes: this.#withPods.size, pods: this.#scheduled };
  }

  /** Pods from the first that fits none of the nodes added so far. Source: tryToScheduleOnExistingNodes */
  #onNewNodes(pods: readonly Pod[]): readonly Pod[] {
    for (const [at, pod] of pods.entries()) {
      const name = this.#snapshot.scheduleOnAny(pod, (each) => this.#nodes.has(each));
      if (name === undefined) return pods.slice(at);
      this.#track(pod, name);
    }
    return [];
  }

  /** False when no more nodes may be added. Source: tryToScheduleOnNewNodes */
  #onMoreNodes(pods: readonly Pod[]): boolean {
    for (const pod of pods) {
      if (this.#last !== '' && this.#onLast(pod)) continue;
      // What does not fit an empty node fits no further one.
      if (this.#last !== '' && !this.#withPods.has(this.#last)) return true;
      if (this.#most < 0 || (this.#most > 0 && this.#nodes.size >= this.#most)) return false;
      this.#addNode();
      if (this.#snapshot.schedule(pod, this.#last) !== null) return true;
      this.#track(pod, this.#last);
    }
    return true;
  }

  #onLast(pod: Pod): boolean {
    const refusal = this.#snapshot.schedule(pod, this.#last);
    if (refusal === null) {
      this.#track(pod, this.#last);
      return true;
    }
    // One that is spread over hosts may go to any other node of the cluster.
    const spreads = (pod.spec?.topologySpreadConstraints ?? []).some(({ topologyKey }) => topologyKey === hostnameKey);
    if (!spreads || !refusal.includes(spreadRefusal)) return false;
    const name = this.#snapshot.scheduleOnAny(pod, (each) => each !== this.#last);
    if (name !== undefined) this.#track(pod, name);
    return name !== undefined;
  }

  #addNode(): void {
    const { node, pods } = renamed(this.#template, `${this.#template.node.metadata?.name ?? ''}-e-${this.#nodes.size}`);
    this.#last = node.metadata?.name ?? '';
    this.#snapshot.addNode(node, pods);
    this.#nodes.add(this.#last);
  }

  #track(pod: Pod, name: string): void {
    this.#withPods.add(name);
    this.#scheduled.push(pod);
  }
}

/** The smallest of several limits, of which 0 is none and a negative one allows nothing. Source: getMinLimit */
export function smallestLimit(...limits: readonly number[]): number {
  let least = 0;
  for (const limit of limits) {
    if (least < 0 || limit < 0) return -1;
    if (limit > 0 && (least === 0 || limit < least)) least = limit;
  }
  return least;
}
