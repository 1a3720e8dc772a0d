import { say } from '../../../util/say.ts';
import { list } from '../../../util/words.ts';
import { taintOwner } from '../../../kubernetes/taint-owner.ts';
import { outOfService } from '../../../kubernetes/taints.ts';

const nodesNamed = 3;
const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

/** What to do about taints that are there while something is wrong with the node. */
export function taintAdvice(taints: readonly string[], nodes: readonly string[], workload = ''): readonly string[] {
  // Nothing would ever remove the taint.
  const own = taints.filter((taint) => taint.startsWith(uninitialized) && /cloud-controller|\bccm\b/.test(workload));
  if (own.length > 0) return [say`let it tolerate ${list(own)}: it is ${workload} itself that removes it`];
  return taints
    .filter((taint) => taintOwner(taint) === 'condition')
    .map((taint) =>
      // Nothing removes it but who has put it on, once the node is back.
      taint.startsWith(outOfService)
        ? say`once ${list(nodes, nodesNamed)} is back, remove the taint: kubectl taint nodes ${nodes[0]!} ${outOfService}-`
        : isBeingRemoved(taint)
          ? say`Cluster Autoscaler removes ${list(nodes, nodesNamed)} (${taint}): it takes no more pods`
          : say`find out why ${taint} is still on ${list(nodes, nodesNamed)}: ${endOfTaint(taint)}`,
    );
}

/**
 * What is in order again once the taint goes, of those that Kubernetes itself puts on. Sources: pkg/kubelet/eviction,
 * pkg/controller/nodelifecycle, staging/src/k8s.io/cloud-provider/controllers/node
 */
const ends: ReadonlyMap<string, string> = new Map([
  ['node.kubernetes.io/disk-pressure', say`the kubelet removes it once there is disk space again`],
  ['node.kubernetes.io/memory-pressure', say`the kubelet removes it once there is memory again`],
  ['node.kubernetes.io/pid-pressure', say`the kubelet removes it once there are fewer processes`],
  ['node.kubernetes.io/network-unavailable', say`it goes once the network plugin has set up the node's routes`],
  ['node.kubernetes.io/not-ready', say`it goes once the kubelet reports the node as ready (runtime, network plugin)`],
  ['node.kubernetes.io/unreachable', say`it goes once the kubelet reports to the API server again`],
  [
    uninitialized,
    say`the cloud controller manager, which it must not keep away, removes it once it has initialized the node`,
  ],
  ['node.cilium.io/agent-not-ready', say`the Cilium agent removes it once it runs there`],
  ['karpenter.sh/unregistered', say`Karpenter removes it once the node has registered`],
]);

/** Source: ToBeDeletedTaint in cluster-autoscaler/utils/taints/taints.go */
function isBeingRemoved(taint: string): boolean {
  return /^ToBeDeletedByClusterAutoscaler[=:]/.test(taint);
}

/** When whoever put a taint on removes it. */
function endOfTaint(taint: string): string {
  return ends.get(taint.split(/[=:]/, 1)[0]!) ?? say`its controller removes it once the node is in order`;
}
