import { formatUsage } from '../../util/amounts.ts';
import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { autoscaledReplicas, boundsOf } from '../../disruption/autoscaling.ts';
import { isHealthy } from '../../disruption/pods.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import type {
  HorizontalPodAutoscaler,
  Node,
  Pod,
  PodDisruptionBudget,
  PriorityClass,
} from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { type Quantity, quantityMilliValue } from '../../kubernetes/quantity.ts';
import { autoscalers } from '../index/autoscalers.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { podPriority } from '../index/priority-classes.ts';
import { requestedOn } from '../rules/support/requested-on.ts';
import { budgetOutlook } from '../rules/support/budgets.ts';
import { quotaDemand } from '../rules/support/quotas.ts';
import { selectedIn, selects } from '../index/selection.ts';
import { isRunning } from '../index/running-pods.ts';
import { rankedWorkloads } from '../index/priority-ranking.ts';

/** What stands above an object that is no workload; empty for one that is not declared. */
export function objectText(kind: string, namespace: string, name: string, uri: string, facts: Facts): string {
  const find = (of: 'PriorityClass' | 'PodDisruptionBudget' | 'Node' | 'ResourceQuota'): Fact | undefined =>
    facts.ofKind(of).find((fact) => fact.uri === uri && fact.namespace === namespace && fact.name === name);
  if (kind === 'PriorityClass') return classText(find(kind), facts);
  if (kind === 'PodDisruptionBudget') return budgetText(find(kind), facts);
  if (kind === 'ResourceQuota') return quotaText(find(kind), facts);
  return kind === 'Node' ? nodeText(find(kind), facts) : '';
}

/** `used by 7 · can evict 23 pods`. */
function classText(fact: Fact | undefined, facts: Facts): string {
  if (fact === undefined) return '';
  const { value = 0, preemptionPolicy } = fact.object as Partial<PriorityClass>;
  const users = rankedWorkloads(facts).filter(({ className }) => className === fact.name).length;
  const used = users === 0 ? say`unused` : say`used by ${users}`;
  if (preemptionPolicy === 'Never') return say`${used} · never evicts`;
  const pods = podsBelow(facts, value);
  return say`${used} · can evict ${pods === 0 ? say`no pod` : count(pods, 'pod')}`;
}

/** Pods at a priority. */
interface Rung {
  readonly priority: number;
  readonly pods: number;
}

const rungs = new WeakMap<Facts, { readonly state: number; readonly rungs: readonly Rung[] }>();

/** Pods of a lower priority: those that run, or where none is known to run those that workloads ask for. */
function podsBelow(facts: Facts, priority: number): number {
  let known = rungs.get(facts);
  if (known?.state !== facts.contentState) {
    const running = facts.ofKind('Pod').filter(isRunning);
    known = { state: facts.contentState, rungs: running.length > 0 ? runningRungs(running, facts) : askedRungs(facts) };
    rungs.set(facts, known);
  }
  return known.rungs.reduce((sum, rung) => (rung.priority < priority ? sum + rung.pods : sum), 0);
}

function runningRungs(running: readonly Fact[], facts: Facts): Rung[] {
  const pods = new Map<number, number>();
  for (const pod of running) {
    const resolved = podPriority(facts, pod);
    if (resolved?.admitted === true) pods.set(resolved.priority, (pods.get(resolved.priority) ?? 0) + 1);
  }
  return [...pods].map(([priority, amount]) => ({ priority, pods: amount }));
}

function askedRungs(facts: Facts): Rung[] {
  const nodes = facts.ofKind('Node').length;
  return rankedWorkloads(facts).map(({ fact: { kind, namespace, name, object }, priority }) => {
    if (kind === 'DaemonSet') return { priority, pods: nodes };
    const scaler = autoscalers(facts).get(workloadKey(kind, namespace, name))?.object as
      HorizontalPodAutoscaler | undefined;
    const written = replicasOf(object);
    return { priority, pods: scaler === undefined ? written : autoscaledReplicas(written, boundsOf(scaler)) };
  });
}

/**
 * `allows 1 of 3 pods`, `allows 0 · blocks drain of node-b`: by the arithmetic of the disruption controller. Pods are
 * ready unless they are known not to be.
 */
function budgetText(fact: Fact | undefined, facts: Facts): string {
  if (fact === undefined) return '';
  const { spec } = fact.object as PodDisruptionBudget;
  if (selectedIn(facts, fact.namespace, spec?.selector).length === 0) return say`selects nothing`;
  const outlook = budgetOutlook(fact, facts);
  if (outlook === undefined) return say`allows as many as the number of its nodes says`;
  const running = facts
    .ofKind('Pod')
    .filter((pod) => pod.namespace === fact.namespace && isRunning(pod) && selects(spec?.selector, pod));
  const allowed = outlook.allowed - running.filter(({ object }) => !isHealthy(object as Pod)).length;
  if (allowed > 0) return say`allows ${allowed} of ${count(outlook.pods, 'pod')}`;
  const nodes = new Set(running.map(({ template }) => template?.spec.nodeName ?? ''));
  const [first] = nodes;
  if (first === undefined) return say`allows 0 · blocks every drain`;
  return say`allows 0 · blocks drain of ${nodes.size === 1 ? first : count(nodes.size, 'node')}`;
}

/** Resources of a quota that its lens names; its hover has all. */
const resourcesInLens = 3;

/** `pods 8 of 20 · cpu 5.6 of 6`: what the declared workloads ask for together, what is exceeded first. */
function quotaText(fact: Fact | undefined, facts: Facts): string {
  if (fact === undefined) return '';
  const { limits, workloads } = quotaDemand(fact, facts);
  if (workloads.length === 0) return say`about no workload that is declared here`;
  const inOrder = limits.toSorted((a, b) => Number(b.isExceeded) - Number(a.isExceeded));
  const shown = inOrder
    .slice(0, resourcesInLens)
    .map(({ usage, isExceeded }) => (isExceeded ? say`${usage}, exceeded` : usage));
  return joined(shown, ' · ');
}

/** `3.2 of 4 cpu · drain`. */
function nodeText(fact: Fact | undefined, facts: Facts): string {
  if (fact === undefined) return '';
  const { status, spec } = fact.object as Node;
  const cpu = readResourceList(status?.allocatable).get('cpu');
  const requested = requestedOn(fact.name, facts).get('cpu');
  const room = cpu === undefined ? say`no cpu` : say`${formatUsage('cpu', milli(requested), milli(cpu))} cpu`;
  return say`${spec?.unschedulable === true ? say`cordoned · ` : ''}${room} · drain`;
}

function milli(amount: Quantity | undefined): number {
  return amount === undefined ? 0 : Number(quantityMilliValue(amount));
}
