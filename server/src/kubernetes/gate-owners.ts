import { say } from '../util/say.ts';

/**
 * Scheduling gates of which it is known who removes them, and when. Sources: kubernetes-sigs/kueue (pkg/controller/jobs/pod/constants,
 * apis/kueue/v1beta2), volcano-sh/apis (QueueAllocationGateKey)
 */
const owners: ReadonlyMap<string, string> = new Map([
  ['kueue.x-k8s.io/admission', say`Kueue removes it when the pod's LocalQueue admits its workload`],
  ['kueue.x-k8s.io/topology', say`Kueue removes it when it has assigned a topology domain, and adds the node selector`],
  ['kueue.x-k8s.io/elastic-job', say`Kueue removes it when the pod's workload slice is admitted`],
  ['scheduling.volcano.sh/queue-allocation-gate', say`Volcano removes it when the queue has room for the pod`],
]);

/** Who removes a gate, and when; undefined of one that nothing is known of. */
export function openerOf(gate: string): string | undefined {
  return owners.get(gate);
}

/** With this label Kueue keeps a workload suspended, or gates its pods, until a queue admits it. */
export const kueueQueueLabel = 'kueue.x-k8s.io/queue-name';
