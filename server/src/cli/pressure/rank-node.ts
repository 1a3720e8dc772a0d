import { compareText, qualifiedName } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { isCriticalPod, type RankedPod, rankForMemoryPressure } from '../../disruption/node-pressure.ts';
import type { StandingCluster } from '../../simulation/cluster/standing-cluster.ts';
import type { MemoryUsage } from './read-usage.ts';

export interface PressurePod extends RankedPod {
  readonly namespace: string;
  readonly name: string;
  /** Passed over when its turn comes. */
  readonly critical: boolean;
}

export interface PressureRanking {
  readonly node: string;
  /** First to go first; pods of one group are equals. */
  readonly groups: readonly (readonly PressurePod[])[];
  /** Pods whose usage was given and that nobody declares. */
  readonly unknown: readonly string[];
  /** Pods that the taints of the node evict: they do not use it any more. */
  readonly left: readonly string[];
}

/** The kubelet's order on one node. Pods that have ended are none of its concern. */
export function rankNode(cluster: StandingCluster, node: string, usage: MemoryUsage): PressureRanking {
  const known = new Set([...cluster.pods, ...cluster.leaving].map(({ pod }) => keyOf(pod)));
  const running = cluster.pods
    .map(({ pod }) => pod)
    .filter(
      ({ spec, status }) => spec?.nodeName === node && status?.phase !== 'Succeeded' && status?.phase !== 'Failed',
    );
  const groups = rankForMemoryPressure(running, (pod) => usage.get(keyOf(pod)));
  return {
    node,
    groups: groups.map((group) =>
      group.map(pressurePod).sort((a, b) => compareText(qualifiedName(a), qualifiedName(b))),
    ),
    unknown: [...usage.keys()].filter((key) => !known.has(key)).sort(),
    left: cluster.leaving.flatMap(({ pod, leaves }) => (leaves === node ? [keyOf(pod)] : [])).sort(),
  };
}

function pressurePod(ranked: RankedPod): PressurePod {
  const { namespace = 'default', name = '' } = ranked.pod.metadata ?? {};
  return { ...ranked, namespace, name, critical: isCriticalPod(ranked.pod) };
}
