import { say } from '../../util/say.ts';
import { clockText, list } from '../../util/words.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node } from '../../kubernetes/objects.ts';
import type { EvictionRefused } from '../../disruption/eviction.ts';
import type { DrainedNode } from '../report/build-drains.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { isTerminal } from '../cluster/owners.ts';
import type { Inventory } from '../cluster/inventory.ts';
import { type DrainEvent, DrainRun, type DrainSettings } from './drain-run.ts';
import type { LiveBudgets } from './live-budgets.ts';
import type { Operation } from '../operations/operation.ts';

/** What of the objects of a cluster a drain looks at. */
export function drainSurroundings(
  inventory: Inventory,
  now: number,
): Pick<DrainSettings, 'surroundings' | 'terminatingNamespaces' | 'finished'> {
  const daemonSets = new Set(inventory.objects('DaemonSet').map(keyOf));
  const terminating = inventory
    .objects('Namespace')
    .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  return {
    surroundings: {
      now,
      hasDaemonSet: (namespace, name) => daemonSets.has(`${namespace}/${name}`),
      repeatsCannotDelete: inventory.kubernetes.release.behaviours.drainRepeatsCannotDelete,
    },
    terminatingNamespaces: new Set(terminating.map(nameOf)),
    finished: inventory.objects('Pod').filter((pod) => isTerminal(pod) && (pod.spec?.nodeName ?? '') !== ''),
  };
}

/** What a drain has come to so far. */
class DrainOutcome implements DrainedNode {
  readonly node: string;
  readonly asksBudgets: boolean;
  readonly evicted: { pod: SimulatedPod; clock: number }[] = [];
  readonly blocked = new Map<SimulatedPod, EvictionRefused>();
  readonly failed: { pod: SimulatedPod; why: string }[] = [];
  readonly refusals: { why: string; pods: readonly SimulatedPod[] }[] = [];
  readonly races: { budget: string; pods: readonly SimulatedPod[]; evicted: number }[] = [];
  drainedAt: number | null = null;
  readonly #refused = new Map<SimulatedPod, EvictionRefused>();

  constructor(node: string, asksBudgets: boolean) {
    this.node = node;
    this.asksBudgets = asksBudgets;
  }

  add({ kind, clock, pod, text, answer, inTheWay }: DrainEvent): void {
    if (kind === 'drained') this.drainedAt = clock;
    if (inTheWay !== undefined) this.refusals.push({ why: text, pods: inTheWay });
    if (pod === null) return;
    if (kind === 'evicted') this.evicted.push({ pod, clock });
    if (kind === 'hangs' && text !== '') this.failed.push({ pod, why: text });
    if (kind === 'failed') this.failed.push({ pod, why: text });
    if (kind === 'refused' && answer !== undefined) this.#refused.set(pod, answer);
    const refusal = this.#refused.get(pod);
    if (kind === 'hangs' && refusal !== undefined) this.blocked.set(pod, refusal);
  }
}

/** More pods of a race are counted. */
const mostRacing = 6;

/** Drains a node of a cluster in motion. What it comes to is known when the run has settled. */
export function startDrain(
  { options }: Operation & { readonly verb: 'drain' },
  node: Node,
  run: Run,
  inventory: Inventory,
  budgets: LiveBudgets,
  lines: string[],
): DrainedNode {
  const outcome = new DrainOutcome(nameOf(node), !options.disableEviction);
  const drain = new DrainRun(run, {
    ...drainSurroundings(inventory, 0),
    flags: options,
    podSelector: () => true,
    disableEviction: options.disableEviction,
    gracePeriodSeconds: options.gracePeriodSeconds,
    timeoutSeconds: 0,
    dryRun: 'none',
    isOneByOne: false,
    uncordons: false,
    budgets,
    onEvent: (event) => {
      outcome.add(event);
      const { kind, text, clock } = event;
      // What becomes of each pod is told by the drains of the report.
      if (kind === 'evicted' || kind === 'refused' || kind === 'failed') return;
      const line = say`${clockText(clock)}  ${kind === 'hangs' ? say`node/${nameOf(node)} is not empty; the drain hangs` : text}`;
      if (lines.at(-1) !== line) lines.push(line);
    },
    judged: (_node, { races }) => {
      for (const { budget, pods, evicted } of races) {
        const racing = pods.flatMap((pod) => run.find(keyOf(pod)) ?? []);
        outcome.races.push({ budget: keyOf(budget), pods: racing, evicted });
        const names = list(
          racing.map(({ key }) => key),
          mostRacing,
        );
        lines.push(
          say`${clockText(run.clock)}  ${names} race for ${evicted} of PodDisruptionBudget ${keyOf(budget)}; which pod wins is chance`,
        );
      }
    },
  });
  drain.start([node]);
  return outcome;
}
