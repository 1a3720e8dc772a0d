import { joined, say } from '../../kit/say.ts';
import { formatAmount } from '../../kit/amounts.ts';
import type { UnschedulableDecision } from '../../scheduler/decision.ts';
import type { Cluster } from '../scene/cluster.ts';
import type { Amounts } from '../../contract/report.ts';
import type { Scene } from '../scene/scene.ts';
import type { SimulatedPod } from '../scene/simulated-pod.ts';

interface Shortage {
  readonly node: string;
  readonly resource: string;
  readonly missing: number;
  readonly free: number;
  /** The node would not have enough even when empty. */
  readonly hopeless: boolean;
}

/** How much is missing where amounts are what is in the way: on the node that is closest, or on any node at all. */
export function shortages(
  pod: SimulatedPod,
  decision: UnschedulableDecision,
  cluster: Cluster,
  scene: Scene,
): string[] {
  const found: Shortage[][] = [];
  for (const [node, refusal] of decision.refusals) {
    if (refusal.plugin !== 'NodeResourcesFit') continue;
    const missing = missingOn(node, pod.requests, cluster);
    if (missing.length > 0) found.push(missing);
  }
  if (found.length === 0) return [];
  const open = found.filter((missing) => !missing.some(({ hopeless }) => hopeless));
  if (open.length === 0) {
    return [
      ...new Set(
        found
          .flat()
          .filter(({ hopeless }) => hopeless)
          .map(({ resource }) => resource),
      ),
    ].map((resource) => tooLarge(resource, pod, scene, found));
  }
  const closest = open.reduce((best, missing) =>
    relative(missing, pod.requests) < relative(best, pod.requests) ? missing : best,
  );
  return [
    say`${joined(
      closest.map(({ resource, missing }) => say`${formatAmount(resource, missing)} more ${resource}`),
      ' and ',
    )} free on ${closest[0]?.node ?? ''}`,
  ];
}

function missingOn(node: string, requests: Amounts, cluster: Cluster): Shortage[] {
  const allocatable = cluster.allocatable(node);
  const requested = cluster.requested(node);
  return Object.entries(requests).flatMap(([resource, amount]) => {
    const capacity = allocatable[resource] ?? 0;
    const free = capacity - (requested[resource] ?? 0);
    return amount > free ? [{ node, resource, missing: amount - free, free, hopeless: amount > capacity }] : [];
  });
}

/** The share of its request that is missing, over all resources. */
function relative(missing: readonly Shortage[], requests: Amounts): number {
  return missing.reduce((sum, shortage) => sum + shortage.missing / (requests[shortage.resource] ?? 1), 0);
}

function tooLarge(resource: string, pod: SimulatedPod, scene: Scene, found: readonly Shortage[][]): string {
  const refusing = new Set(found.flat().map(({ node }) => node));
  const most = scene.nodes.reduce(
    (largest, { name, allocatable }) => (refusing.has(name) ? Math.max(largest, allocatable[resource] ?? 0) : largest),
    0,
  );
  const wanted = formatAmount(resource, pod.requests[resource] ?? 0);
  return say`a node with ${wanted} ${resource}: those that it may use have ${formatAmount(resource, most)} at most`;
}
