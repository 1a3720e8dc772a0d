import type { Taint, Toleration } from '../../kubernetes/objects.ts';
import { tolerates, untoleratedText } from '../../kubernetes/taints.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import { defaultNormalize, maxNodeScore } from '../framework/normalize.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import { type Status, unresolvable } from '../framework/status.ts';

const name = 'TaintToleration';

/** Whether `Gt` and `Lt` of tolerations are looked at. */
export function comparesNumbers({ release }: ClusterState): boolean {
  return release.featureGates.has('TaintTolerationComparisonOperators');
}

const refusal = unresolvable(name, untoleratedText);

/** Taints that keep pods away (Filter) and taints that put them off (Score). Source: pkg/scheduler/framework/plugins/tainttoleration */
export const taintToleration: Plugin<undefined, readonly Toleration[]> = {
  name,
  dependsOnPods: false,

  // Upstream has no PreFilter here; leaving Filter out changes no answer when no node has such a taint.
  preFilter({ cluster }: Cycle): PreFilterAnswer<undefined> {
    return cluster.nodeSet.anyHardTaint ? { state: undefined } : skip;
  },

  filter({ cluster, pod }: Cycle, _state: undefined, node: NodeInfo): Status | null {
    const taints = node.facts.hardTaints;
    if (taints.length === 0) return null;
    const tolerations = pod.pod.spec?.tolerations ?? [];
    return firstUntolerated(taints, tolerations, comparesNumbers(cluster)) === undefined ? null : refusal;
  },

  /** Only tolerations of effect PreferNoSchedule or of any effect count here. */
  preScore({ pod }: Cycle): readonly Toleration[] {
    return (pod.pod.spec?.tolerations ?? []).filter(
      ({ effect }) => effect === undefined || effect === '' || effect === 'PreferNoSchedule',
    );
  },

  score({ cluster }: Cycle, tolerations: readonly Toleration[], node: NodeInfo): number {
    let untolerated = 0;
    const numeric = comparesNumbers(cluster);
    for (const taint of node.facts.softTaints) {
      if (!tolerations.some((toleration) => tolerates(toleration, taint, numeric))) untolerated++;
    }
    return untolerated;
  },

  uniformScore({ cluster }: Cycle): number | null {
    return cluster.nodeSet.anySoftTaint ? null : maxNodeScore;
  },

  normalize(_cycle, _state, _nodes, _feasible, scores): void {
    defaultNormalize(scores, true);
  },
};

function firstUntolerated(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  numeric: boolean,
): Taint | undefined {
  return taints.find((taint) => !tolerations.some((toleration) => tolerates(toleration, taint, numeric)));
}
