import { joined, say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { DaemonSet } from '../../kubernetes/objects.ts';
import type { AutoscalerOptions, NodeGroup, ScaleUpInput } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { schedulingIdentity } from '../../autoscaling/cluster-autoscaler/pod-groups.ts';
import { type PodOutcome, reasonsText, scaleUp } from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Pools } from '../../autoscaling/pools/read-pools.ts';
import { isAdded } from '../operations/added-nodes.ts';
import type { ClusterAtEnd } from './cluster-at-end.ts';
import type { Growth, NewNode } from './karpenter-growth.ts';
import type { PoolAnswer, PoolLimit } from './pool-answers.ts';

/** What Cluster Autoscaler asks for in one loop, and what it says of the pods that it leaves waiting. */
export function groupGrowth({ groups }: Pools, options: AutoscalerOptions, end: ClusterAtEnd): Growth {
  const groupOf = new Map<string, string>();
  const known = groups.flatMap((group): readonly NodeGroup[] => {
    const stem = stemOf(group.id);
    const added = end.nodes.map(nameOf).filter((name) => isAdded(name, stem) && !group.nodes.has(name));
    for (const name of [...group.nodes, ...added]) groupOf.set(name, group.id);
    const { id, min, max, template } = group;
    return template === undefined ? [] : [{ id, min, max, size: group.size + added.length, template }];
  });
  const loop: ScaleUpInput = {
    groups: known,
    nodes: end.nodes,
    groupOf,
    pods: end.pods,
    daemonSets: end.others.filter((object): object is DaemonSet => object.kind === 'DaemonSet'),
    options,
  };
  const result = scaleUp(loop);
  const nodes = result.scaleUps.flatMap(({ group, from, to }): readonly NewNode[] => {
    const { template: node } = group;
    const pods = (result.best?.pods ?? []).map(keyOf);
    return Array.from({ length: to - from }, () => ({ pool: stemOf(group.id), title: group.id, node, pods }));
  });
  const shapeless = groups.filter(({ template }) => template === undefined).map(({ id }) => id);
  const answers = new Map<string, readonly PoolAnswer[]>();
  const withOneMore = new Map<string, ReadonlySet<string>>();
  for (const [key, outcome] of result.pods) {
    const pod = end.waiting.get(key);
    if (pod === undefined) continue;
    const make = `${pod.workload} ${schedulingIdentity(outcome.pod)}`;
    let full = withOneMore.get(make);
    if (full === undefined) withOneMore.set(make, (full = fullFor(outcome, loop)));
    const said = textOf(outcome, shapeless, full, options);
    if (said === undefined) continue;
    const limits = known
      .filter(({ id }) => full.has(id))
      .map(({ id, size }): PoolLimit => {
        const [kind = '', ...name] = id.split('/');
        const amounts = [{ resource: 'nodes', used: String(size), perNode: '1' }];
        return { pool: `${kind.toLowerCase()}/${name.join('/')}`, amounts };
      });
    answers.set(key, [{ tool: 'Cluster Autoscaler', pool: '', makes: false, text: said, limits }]);
  }
  return { nodes, answers };
}

/** Groups at their maximum of which it is tried whether one more node would take a pod. */
const groupsTried = 8;

/** Groups that would take a pod if they could grow. */
function fullFor({ pod, skipped = new Map() }: PodOutcome, loop: ScaleUpInput): ReadonlySet<string> {
  const bound = loop.pods.filter(({ spec }) => (spec?.nodeName ?? '') !== '');
  const full = loop.groups.filter(({ id, size, max }) => skipped.has(id) && size >= max).slice(0, groupsTried);
  const taking = full.filter((group) => {
    const alone = { ...loop, pods: [...bound, pod], groups: [{ ...group, max: group.size + 1 }] };
    return scaleUp(alone).result === 'Successful';
  });
  return new Set(taking.map(({ id }) => id));
}

/** Names of groups for each reason. */
const namedGroups = 3;

/** The event, with the groups named beside it that it counts. */
function textOf(
  outcome: PodOutcome,
  shapeless: readonly string[],
  full: ReadonlySet<string>,
  { expendableBelow }: AutoscalerOptions,
): string | undefined {
  if (outcome.state === 'expendable') {
    return say`its priority is below ${expendableBelow} (--expendable-pods-priority-cutoff)`;
  }
  if (outcome.state !== 'remains unschedulable') return undefined;
  const reasons = reasonsText(outcome);
  const byReason = new Map<string, string[]>();
  const all = [...(outcome.rejected ?? []), ...(outcome.skipped ?? [])];
  // The nearest to taking it first.
  const distance = ([id, own]: (typeof all)[number]): number => (full.has(id) ? 0 : own.length);
  for (const [id, own] of all.toSorted((a, b) => distance(a) - distance(b))) {
    for (const reason of own) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  }
  const named = [...byReason].map(([reason, ids]) => {
    const groups = list(ids, namedGroups);
    return byReason.size === 1 ? groups : `${groups}: ${reason}`;
  });
  const unknown =
    shapeless.length === 0 ? [] : [say`${list(shapeless, namedGroups)}: how large its nodes are is not written`];
  const aside = joined([...named, ...unknown], '; ');
  const event = reasons === '' ? "pod didn't trigger scale-up" : `pod didn't trigger scale-up: ${reasons}`;
  return aside === '' ? event : `${event} (${aside})`;
}

function stemOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}
