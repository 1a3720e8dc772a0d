import { taintsOfPools } from '../../../autoscaling/pools/node-marks.ts';
import { isPoolObject } from '../../../kubernetes/pool-kinds.ts';
import { addQuantities, formatQuantity, isQuantityError, parseQuantity } from '../../../kubernetes/quantity.ts';
import { taintText } from '../../../kubernetes/taints.ts';
import type { ReportWorkload } from '../../../report-model/report.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { mayTolerate } from './opening-proposals.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';

/** Pools, told apart by their taints, that are tried for each cause. */
const poolsToOpen = 3;

/** Pools whose limits are tried for each cause. */
const limitsToRaise = 3;

/** What has a pool make a node for pods that it leaves waiting. */
export function poolProposals(
  cluster: ReportedCluster,
  pods: readonly number[],
  workload: ReportWorkload | undefined,
): readonly Proposal[] {
  if (!cluster.grows) return [];
  return [...raisedLimits(cluster, pods), ...(workload === undefined ? [] : openingPools(cluster, workload))];
}

/** Where a limit is all that keeps a pool from making a node: as high as it has to be. */
function raisedLimits(cluster: ReportedCluster, pods: readonly number[]): readonly Proposal[] {
  const limits = (cluster.report.limits ?? []).filter((limit) => limit.pods.some((pod) => pods.includes(pod)));
  return limits.slice(0, limitsToRaise).map(({ pool, amounts }) => ({
    kind: 'fewest',
    family: 'raised limits',
    guess: pods.length,
    whatIf: (nodes) => {
      const raised = amounts.map(({ resource, used, perNode }) => `${resource}=${raisedAmount(used, perNode, nodes)}`);
      return [`limit ${pool} ${raised.join(' ')}`];
    },
  }));
}

/** Pools whose taints keep the pod away could make a node for it. */
function openingPools(cluster: ReportedCluster, workload: ReportWorkload): readonly Proposal[] {
  const sets = new Map<string, readonly string[]>();
  for (const object of cluster.objects) {
    for (const all of isPoolObject(object) ? taintsOfPools(object) : []) {
      const taints = all.filter(({ effect }) => effect !== 'PreferNoSchedule').map(taintText);
      if (taints.length > 0) sets.set(taints.join(), taints);
    }
  }
  return [...sets.values()]
    .filter((taints) => taints.every((taint) => mayTolerate(cluster, workload, taint)))
    .slice(0, poolsToOpen)
    .flatMap((taints) => operations(...taints.map((taint) => `tolerate ${targetOf(workload)} ${taint}`)));
}

function raisedAmount(used: string, perNode: string, nodes: number): string {
  const [base, step] = [parseQuantity(used), parseQuantity(perNode)];
  if (isQuantityError(base) || isQuantityError(step)) return used;
  return formatQuantity({ ...addQuantities(base, step), nanos: base.nanos + step.nanos * BigInt(nodes) });
}
