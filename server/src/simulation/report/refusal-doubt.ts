import { say } from '../../util/say.ts';
import { isLeftToValues, refusalsOf } from '../../admission/request/judgment.ts';
import { areTogether } from '../../kubernetes/nearest-declaration.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import type { Inventory } from '../cluster/inventory.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** When a pod is taken all the same that is refused here, as the diagnostics doubt it too; empty where that is sure. */
export function refusalDoubt(
  { missingClass, pod, refusal, workload }: SimulatedPod,
  message: string,
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
  const [, quota = ''] = / quota: ([^\s:,]+)[:,]/.exec(message) ?? [];
  if (quota !== '' && declared !== undefined && isBesides(declared, quota, inventory)) {
    return say`unless ResourceQuota ${quota} is of another namespace: neither names its own`;
  }
  // What it cannot decode is no matter of values.
  if (!refusal.includes(' is invalid: ') || declared?.hasOnlyOwnValues !== true) return '';
  const refusals = refusalsOf(declared.object, inventory.kubernetes.release);
  return refusals.length > 0 && refusals.every(({ error }) => isLeftToValues(error))
    ? say`unless whoever installs the chart gives it other values`
    : '';
}

/** Whether a quota is written in another folder, and neither says in which namespace it is. */
function isBesides({ object, origin }: Declared, quota: string, inventory: Inventory): boolean {
  if (origin === undefined || object.metadata?.namespace !== undefined) return false;
  return inventory
    .ofKind('ResourceQuota')
    .some(
      (each) =>
        each.object.metadata?.name === quota &&
        each.object.metadata.namespace === undefined &&
        each.origin !== undefined &&
        !areTogether(each.origin.uri, origin.uri),
    );
}
