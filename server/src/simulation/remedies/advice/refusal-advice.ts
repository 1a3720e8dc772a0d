import { say } from '../../../util/say.ts';
import { serverAdvice } from '../../causes/server-advice.ts';
import type { ReportedCluster } from '../reported-cluster.ts';

/** What to do about pods that the API server refuses, or that are refused on the node that they name. */
export function refusalAdvice(cluster: ReportedCluster, pods: readonly number[]): readonly string[] {
  const onNode = pods.filter((pod) => isRefusedOnNode(cluster.messageOf(pod)));
  const isOfOtherSystem = (pod: number): boolean => cluster.messageOf(pod).startsWith('PodOSNotSupported');
  const byServer = pods.filter((pod) => !onNode.includes(pod));
  return [
    ...(onNode.some(isOfOtherSystem)
      ? [
          say`select nodes of its operating system (nodeSelector kubernetes.io/os), which the scheduler does not look at`,
        ]
      : []),
    ...(onNode.every(isOfOtherSystem)
      ? []
      : [say`nodeName leaves the scheduler out: take it out, and the pod gets a node that has room`]),
    ...new Set(
      byServer.flatMap((pod) => {
        const namespace = cluster.report.pods[pod]?.namespace ?? '';
        return serverAdvice(namespace, cluster.messageOf(pod), cluster.inventory);
      }),
    ),
  ];
}

/** Source: pkg/kubelet/kubelet.go (rejectPod), and what is said of a node that is not there. */
function isRefusedOnNode(message: string): boolean {
  return message.includes(': Pod was rejected: ') || message.startsWith('spec.nodeName ');
}
