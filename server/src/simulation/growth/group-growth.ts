import { say } from '../../kit/say.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { DaemonSet } from '../../kubernetes/objects.ts';
import { defaultOptions, type NodeGroup } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { reasonsText, scaleUp } from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Pools } from '../../autoscaling/pools/read-pools.ts';
import { isAdded } from '../scenario/added-nodes.ts';
import type { ClusterAtEnd } from './cluster-at-end.ts';
import type { Growth, NewNode } from './karpenter-growth.ts';

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
  const texts = new Map<string, string>();
  for (const [key, outcome] of result.pods) {
    if (outcome.state !== 'remains unschedulable' || !end.waiting.has(key)) continue;
    const text = `pod didn't trigger scale-up: ${reasonsText(outcome)}`;
    texts.set(key, say`a new node; Cluster Autoscaler adds none: ${text}`);
  }
  return { nodes, refusals: new Map(), texts };
}

function stemOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}
