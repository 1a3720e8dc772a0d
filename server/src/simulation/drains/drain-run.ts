import {
  type DrainFlags,
  type DrainSurroundings,
  type FilteredPods,
  filterPods,
  textsOf,
} from '../../disruption/drain-filters.ts';
import {
  cordonText,
  deadlineText,
  type DryRun,
  dryRunSuffixes,
  evictErrorText,
  timeoutText,
  waitText,
} from '../../disruption/drain-texts.ts';
import { type EvictedNode, evictAll } from '../../disruption/drain.ts';
import { evict, type EvictionRefused } from '../../disruption/eviction.ts';
import { isHeld } from '../../disruption/pod-deletion.ts';
import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { aggregateErrors } from '../../kubernetes/aggregate-errors.ts';
import { formatDuration } from '../../kubernetes/go-duration.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { compareBytewise } from '../../scheduler/index.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { Run } from '../run/run.ts';
import type { LiveBudgets } from './live-budgets.ts';

/** client-go lets ten evictions through at once, then five a second. Source: rest.Config (QPS 5, Burst 10) */
const burst = 10;
const perSecond = 5;
/** Source: kubectl pkg/drain/drain.go (EvictErrorRetryDelay) */
const retrySeconds = 5;
/** A refusal that says when to come back is repeated by client-go itself, ten times. */
const silentSeconds = 100;
/** When nothing has moved for so long, the drain is taken to hang: kubectl would go on asking for ever. */
const patienceSeconds = 600;

/** Something that happens in a drain. */
export interface DrainEvent {
  /** Seconds from the start. */
  readonly clock: number;
  /** `held`: a pod stays, which kubectl waits for no longer. `unfinished`: it gives the node up, with pods on it. */
  readonly kind:
    'cordoned' | 'warned' | 'stopped' | 'evicted' | 'refused' | 'failed' | 'drained' | 'held' | 'unfinished' | 'hangs';
  readonly node: string;
  /** Null where it is about the node. */
  readonly pod: SimulatedPod | null;
  /** What kubectl prints, or the server's answer. */
  readonly text: string;
  /** The server's answer in full, of an eviction that it refused. */
  readonly answer?: EvictionRefused;
  /** Those in the way of a drain that kubectl refuses to begin. */
  readonly inTheWay?: readonly SimulatedPod[];
  /** Of a node that is given up: each error, and the pods that kubectl lists as pending. */
  readonly left?: { readonly errors: readonly string[]; readonly pods: readonly string[] };
}

export interface DrainSettings {
  readonly flags: DrainFlags;
  readonly surroundings: DrainSurroundings;
  readonly podSelector: (pod: Pod) => boolean;
  readonly disableEviction: boolean;
  readonly gracePeriodSeconds: number | undefined;
  /** `--timeout`, of each node; 0 for none. */
  readonly timeoutSeconds: number;
  /**
   * With `client` kubectl says what it would do; with `server` it asks the API server, which charges no budget and
   * changes nothing.
   */
  readonly dryRun: DryRun;
  /** Whether each node is drained by a command of its own: cordoned when its turn comes, and left when it hangs. */
  readonly isOneByOne: boolean;
  /** Whether a node takes pods again once it is drained, before the next is: as after an upgrade in place. */
  readonly uncordons: boolean;
  readonly terminatingNamespaces: ReadonlySet<string>;
  /** Pods that have succeeded or failed and are still there: nothing of a run, yet kubectl evicts them too. */
  readonly finished: readonly Pod[];
  readonly budgets: LiveBudgets;
  onEvent(event: DrainEvent): void;
  /** What each eviction would be answered now, right before the pods of the node are evicted. */
  judged(node: string, evicted: EvictedNode): void;
}

/** A node whose pods are being evicted. */
interface NodeDrain {
  readonly node: Node;
  readonly left: Set<SimulatedPod>;
  /** Finished pods whose eviction is refused: those of a namespace that is being deleted. */
  readonly refused: Pod[];
  /** When kubectl gives up, in seconds from the start. */
  readonly until: number;
  /** What kubectl says of pods that it has given up. */
  readonly errors: string[];
}

/**
 * `kubectl drain` at work in a run: nodes one after the other, the pods of a node at once, refused ones again every five
 * seconds, while controllers replace what is evicted and the disruption controller counts what is ready again. A
 * replacement is ready as soon as it is placed.
 */
export class DrainRun {
  readonly #run: Run;
  readonly #settings: DrainSettings;
  /** Finished pods that are gone. */
  readonly #cleared = new Set<Pod>();
  /** When pods were evicted, in seconds from the start. */
  readonly #evictedAt = new Map<SimulatedPod, number>();
  #lastProgress = 0;

  constructor(run: Run, settings: DrainSettings) {
    this.#run = run;
    this.#settings = settings;
  }

  start(nodes: readonly Node[]): void {
    this.#run.callAt(this.#run.clock, () => {
      if (!this.#settings.isOneByOne) for (const node of nodes) this.#cordon(node);
      this.#next(nodes);
    });
  }

  #cordon(node: Node): void {
    const { dryRun } = this.#settings;
    this.#report('cordoned', node, null, cordonText(node, dryRun));
    if (node.spec?.unschedulable !== true && dryRun === 'none') {
      this.#run.putNode({ ...node, spec: { ...node.spec, unschedulable: true } });
    }
  }

  #report(
    kind: DrainEvent['kind'],
    node: Node,
    pod: SimulatedPod | null,
    text: string,
    more: Pick<DrainEvent, 'answer' | 'inTheWay' | 'left'> = {},
  ): void {
    this.#settings.onEvent({ clock: this.#run.clock, kind, node: nameOf(node), pod, text, ...more });
  }

  #next([node, ...others]: readonly Node[]): void {
    if (node === undefined) return;
    if (this.#settings.isOneByOne) this.#cordon(node);
    const { here, toDelete, warnings, errors } = this.#podsOf(node);
    if (errors.size > 0) {
      for (const error of errors) {
        const inTheWay = error[1].flatMap((pod) => here.get(pod) ?? []);
        for (const text of textsOf([error])) this.#report('stopped', node, null, `cannot delete ${text}`, { inTheWay });
      }
      this.#next(others);
      return;
    }
    if (warnings.size > 0) this.#report('warned', node, null, `Warning: ${textsOf(warnings).join('; ')}`);
    const budgets = this.#settings.disableEviction ? [] : this.#settings.budgets.of(here.values());
    const { gracePeriodSeconds, terminatingNamespaces, timeoutSeconds, disableEviction, dryRun } = this.#settings;
    const { release } = this.#run.cluster.state;
    const evicted = evictAll(toDelete.map(running), { budgets, terminatingNamespaces, gracePeriodSeconds }, release);
    // In a server dry run each eviction is asked for alone.
    this.#settings.judged(nameOf(node), dryRun === 'server' ? { ...evicted, races: [] } : evicted);
    if (dryRun === 'client') {
      this.#drained(node);
      this.#next(others);
      return;
    }
    const delayOf = (index: number): number => (index < burst ? 0 : (index - burst + 1) / perSecond);
    // kubectl first deletes all, and then waits for as long as it is given.
    const beforeWaiting = disableEviction ? delayOf(toDelete.length - 1) : 0;
    const drain: NodeDrain = {
      node,
      left: new Set(toDelete.flatMap((pod) => here.get(pod) ?? [])),
      refused: [],
      until: timeoutSeconds === 0 ? Infinity : this.#run.clock + beforeWaiting + timeoutSeconds,
      errors: [],
    };
    for (const [index, { pod, alone }] of evicted.pods.entries()) {
      if (here.has(toDelete[index]!)) continue;
      if (!alone.allowed && !disableEviction) drain.refused.push(pod);
      else if (dryRun === 'none') this.#cleared.add(pod);
      else if (disableEviction) drain.refused.push(pod);
    }
    this.#lastProgress = this.#run.clock;
    for (const [index, pod] of [...drain.left].entries()) {
      // The deletions of a dry run delete nothing, and kubectl waits for the pods to go all the same.
      if (dryRun === 'server' && disableEviction) break;
      this.#run.callAt(this.#run.clock + delayOf(index), () => {
        this.#try(pod, drain);
      });
    }
    this.#wait(drain, others);
  }

  /** What kubectl makes of the pods that it lists. */
  #podsOf(node: Node): FilteredPods & { readonly here: ReadonlyMap<Pod, SimulatedPod> } {
    const { flags, surroundings, podSelector } = this.#settings;
    const here = new Map(
      [...this.#run.pods.all()]
        .filter((pod) => this.#isOn(pod, node) && podSelector(pod.pod))
        .map((pod) => [pod.pod, pod] as const),
    );
    const finished = this.#settings.finished.filter(
      (pod) => pod.spec?.nodeName === nameOf(node) && podSelector(pod) && !this.#cleared.has(pod),
    );
    const listed = [...here.keys(), ...finished].sort((a, b) => compareBytewise(keyOf(a), keyOf(b)));
    return { here, ...filterPods(listed, flags, surroundings) };
  }

  #drained(node: Node): void {
    this.#report('drained', node, null, `node/${nameOf(node)} drained${dryRunSuffixes[this.#settings.dryRun]}`);
  }

  #isOn(pod: SimulatedPod, node: Node): boolean {
    const { state, node: on } = this.#run.place(pod);
    return on === nameOf(node) && (state === 'running' || state === 'terminating');
  }

  #try(pod: SimulatedPod, drain: NodeDrain): void {
    const { node } = drain;
    const { gracePeriodSeconds, terminatingNamespaces, disableEviction, dryRun } = this.#settings;
    // Its place may have been taken by a preemptor meanwhile, or its node was left.
    if (this.#run.place(pod).state !== 'running' || !drain.left.has(pod)) {
      if (dryRun === 'server') drain.left.delete(pod);
      return;
    }
    if (this.#run.clock >= drain.until && !disableEviction) {
      this.#giveUp(pod, drain, timeoutText(pod.pod, formatDuration(this.#settings.timeoutSeconds)));
      return;
    }
    const namespaceTerminates = terminatingNamespaces.has(pod.info.namespace);
    const budgets = disableEviction ? [] : this.#settings.budgets.of([pod]);
    const answer = evict(
      running(pod.pod),
      budgets,
      { namespaceTerminates: namespaceTerminates && !disableEviction },
      this.#run.cluster.state.release,
    );
    if (answer.allowed && dryRun === 'server') {
      drain.left.delete(pod);
      return;
    }
    if (answer.allowed) {
      this.#report('evicted', node, pod, '');
      this.#evictedAt.set(pod, this.#run.clock);
      this.#lastProgress = this.#run.clock;
      this.#run.delete(pod, gracePeriodSeconds);
      return;
    }
    const retried = answer.code === 429 || answer.namespaceTerminates === true;
    if (!retried) {
      this.#report('failed', node, pod, refusalText(answer), { answer });
      this.#giveUp(pod, drain, evictErrorText(pod.pod, answer.message));
      return;
    }
    this.#report('refused', node, pod, refusalText(answer), { answer });
    if (this.#isStuck(drain)) return;
    const pause = answer.retryAfterSeconds === undefined ? retrySeconds : silentSeconds;
    this.#run.callAt(this.#run.clock + pause, () => {
      this.#try(pod, drain);
    });
  }

  #giveUp(pod: SimulatedPod, { left, errors }: NodeDrain, text: string): void {
    left.delete(pod);
    errors.push(text);
  }

  /** Why a pod that was deleted is still there. */
  #whyThere(pod: SimulatedPod): string {
    const { node } = this.#run.place(pod);
    return this.#run.isNeverEnded(pod)
      ? say`it stays terminating, as no kubelet answers on ${node ?? ''}: delete it by force, or taint the node node.kubernetes.io/out-of-service`
      : heldText(pod.pod);
  }

  /** A drain with a timeout comes to an end. */
  #isStuck({ until }: NodeDrain): boolean {
    return until === Infinity && this.#run.clock - this.#lastProgress > patienceSeconds;
  }

  /** Looks every second, as kubectl does, whether the pods of the node are gone. */
  #wait(drain: NodeDrain, others: readonly Node[]): void {
    const { clock } = this.#run;
    const { node, left, until, errors } = drain;
    const remaining = [...left].filter((pod) => this.#isOn(pod, node));
    const { disableEviction } = this.#settings;
    const isTerminating = (pod: SimulatedPod): boolean => this.#run.place(pod).state === 'terminating';
    if (clock >= until) {
      const waitedFor = disableEviction ? remaining : remaining.filter(isTerminating);
      for (const pod of waitedFor) this.#giveUp(pod, drain, disableEviction ? deadlineText : waitText(pod.pod));
    }
    if (clock >= until) {
      const { timeoutSeconds } = this.#settings;
      const timeout = formatDuration(timeoutSeconds);
      errors.push(
        ...drain.refused.splice(0).map((pod) => (disableEviction ? deadlineText : timeoutText(pod, timeout))),
      );
    }
    if (remaining.every((pod) => !left.has(pod)) && drain.refused.length === 0) {
      if (errors.length === 0) {
        this.#drained(node);
        if (this.#settings.uncordons) this.#run.putNode(node);
      } else {
        const { toDelete } = this.#podsOf(node);
        const pods = toDelete.map(keyOf);
        for (const pod of remaining.filter(
          (each) => isTerminating(each) && (isHeld(each.pod) || this.#run.isNeverEnded(each)),
        )) {
          this.#report('held', node, pod, this.#whyThere(pod));
        }
        // The deletions of a node end in one error.
        const lines = disableEviction ? [...new Set(errors)] : [...errors];
        this.#report('unfinished', node, null, aggregateErrors(errors), { left: { errors: lines, pods } });
      }
      this.#next(others);
      return;
    }
    const ends = (pod: SimulatedPod): boolean =>
      isTerminating(pod) &&
      !this.#run.isNeverEnded(pod) &&
      (!isHeld(pod.pod) || clock < (this.#evictedAt.get(pod) ?? 0) + this.#run.graceOf(pod));
    if (remaining.some(ends)) this.#lastProgress = clock;
    if (this.#isStuck(drain)) {
      for (const pod of remaining) this.#report('hangs', node, pod, isTerminating(pod) ? this.#whyThere(pod) : '');
      if (remaining.length === 0) this.#report('hangs', node, null, '');
      left.clear();
      if (this.#settings.isOneByOne) this.#next(others);
      return;
    }
    this.#run.callAt(clock + 1, () => {
      this.#wait(drain, others);
    });
  }
}

/** A pod that the run has placed runs and is ready, whatever it was when it was written down. */
function running(pod: Pod): Pod {
  const { phase = 'Running', conditions } = pod.status ?? {};
  if (phase !== 'Running') return pod;
  return { ...pod, status: { ...pod.status, phase, conditions: conditions ?? [{ type: 'Ready', status: 'True' }] } };
}

/** Why a pod that has ended is still there. */
function heldText({ metadata }: Pod): string {
  const finalizers = metadata?.finalizers ?? [];
  return finalizers.length === 0
    ? ''
    : say`it has ended and stays, terminating: ${list(finalizers)} ${finalizers.length === 1 ? 'holds' : 'hold'} it`;
}

function refusalText({ message, cause }: EvictionRefused): string {
  return cause === undefined ? message : `${message} ${cause}`;
}
