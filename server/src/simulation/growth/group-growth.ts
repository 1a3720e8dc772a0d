import { joined, say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { DaemonSet } from '../../kubernetes/objects.ts';
import { defaultOptions, type NodeGroup } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { type PodOutcome, reasonsText, scaleUp } from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Pools } from '../../autoscaling/pools/read-pools.ts';
import { isAdded } from '../operations/added-nodes.ts';
import type { ClusterAtEnd } from './cluster-at-end.ts';
import type { Growth, NewNode } from './karpenter-growth.ts';
import type { PoolAnswer } from './pool-answers.ts';

/** What Cluster Autoscaler asks for in one loop, and what it says of the pods that it leaves waiting. */
export function groupGrowth({ groups }: Pools, end: ClusterAtEnd): Growth {
  const groupOf = new Map<string, string>();
  const known = groups.flatMap((group): readonly NodeGroup[] => {
    const stem = stemOf(group.id);
    const added = end.nodes.map(nameOf).filter((name) => isAdded(name, stem));
    for (const name of [...group.nodes, ...added]) groupOf.set(name, group.id);
    const { id, min, max, template } = group;
    return template === undefined ? [] : [{ id, min, max, size: group.size + added.length, template }];
  });
  const result = scaleUp({
    groups: known,
    nodes: end.nodes,
    groupOf,
    pods: end.pods,
    daemonSets: end.others.filter((object): object is DaemonSet => object.kind === 'DaemonSet'),
    options: defaultOptions,
  });
  const nodes = result.scaleUps.flatMap(({ group, from, to }): readonly NewNode[] => {
    const { template: node } = group;
    const pods = (result.best?.pods ?? []).map(keyOf);
    return Array.from({ length: to - from }, () => ({ pool: stemOf(group.id), title: group.id, node, pods }));
  });
  const shapeless = groups.filter(({ template }) => template === undefined).map(({ id }) => id);
  const answers = new Map<string, readonly PoolAnswer[]>();
  for (const [key, outcome] of result.pods) {
    const said = textOf(outcome, shapeless);
    if (said === undefined || !end.waiting.has(key)) continue;
    answers.set(key, [{ tool: 'Cluster Autoscaler', pool: '', makes: false, text: said }]);
  }
  return { nodes, answers };
}

/** Names of groups for each reason. */
const namedGroups = 3;

/** The event, with the groups named beside it that it counts. */
function textOf(outcome: PodOutcome, shapeless: readonly string[]): string | undefined {
  if (outcome.state === 'expendable') {
    return say`its priority is below ${defaultOptions.expendableBelow} (--expendable-pods-priority-cutoff)`;
  }
  if (outcome.state !== 'remains unschedulable') return undefined;
  const reasons = reasonsText(outcome);
  const byReason = new Map<string, string[]>();
  for (const [id, own] of [...(outcome.rejected ?? []), ...(outcome.skipped ?? [])]) {
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
