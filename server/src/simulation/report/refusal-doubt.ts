import { say } from '../../util/say.ts';
import { isLeftToValues, refusalsOf } from '../../admission/request/judgment.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** When a pod is taken all the same that is refused here, as the diagnostics doubt it too; empty where that is sure. */
export function refusalDoubt(
  { missingClass, pod, refusal, workload }: SimulatedPod,
  { inventory, workloads }: SimulatedCluster,
): string {
  const { priorityClassName, runtimeClassName, nodeName } = pod.spec ?? {};
  const open = [priorityClassName, runtimeClassName, nodeName].find(
    (name = '') => isPlaceholder(name) && (refusal === '' || refusal.includes(name)),
  );
  if (open !== undefined) return say`unless something else fills in ${open}`;
  if (missingClass !== null) {
    return say`unless the cluster has ${missingClass.kind} ${missingClass.name}, which is not declared here`;
  }
  const { declared } = workloads[workload] ?? {};
  // What it cannot decode is no matter of values.
  if (!refusal.includes(' is invalid: ') || declared?.hasOnlyOwnValues !== true) return '';
  const refusals = refusalsOf(declared.object, inventory.kubernetes.release);
  return refusals.length > 0 && refusals.every(({ error }) => isLeftToValues(error))
    ? say`unless whoever installs the chart gives it other values`
    : '';
}
