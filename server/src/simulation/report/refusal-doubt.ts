import { say } from '../../util/say.ts';
import { isLeftToValues, refusalsOf } from '../../admission/request/judgment.ts';
import { areTogether } from '../../kubernetes/nearest-declaration.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
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
    return inventory.classes.refused.includes(missingClass.name)
      ? say`unless the cluster has ${missingClass.kind} ${missingClass.name}, which is refused as it is declared here`
      : say`unless the cluster has ${missingClass.kind} ${missingClass.name}, which is not declared here`;
  }
  const { declared } = workloads[workload] ?? {};
  const [, quota = ''] = / quota: ([^\s:,]+)[:,]/.exec(message) ?? [];
  const kind = quota === '' ? 'LimitRange' : 'ResourceQuota';
  const bound = inventory
    .ofKind(kind)
    .find((each) => (quota === '' || each.object.metadata?.name === quota) && isBesides(declared, each));
  if (
    bound !== undefined &&
    (quota !== '' || / per (?:Container|Pod) is |less than or equal to \S+ limit of /.test(message))
  ) {
    return say`unless ${kind} ${bound.object.metadata?.name ?? ''} is of another namespace: neither names its own`;
  }
  // What it cannot decode is no matter of values.
  if (!refusal.includes(' is invalid: ') || declared?.hasOnlyOwnValues !== true) return '';
  const refusals = refusalsOf(declared.object, inventory.kubernetes.release);
  return refusals.length > 0 && refusals.every(({ error }) => isLeftToValues(error))
    ? say`unless whoever installs the chart gives it other values`
    : '';
}

/** Whether what bounds pods is written in another folder, and neither says in which namespace it is. */
export function isBesides(declared: Declared | undefined, { object, origin }: Declared): boolean {
  if (declared?.origin === undefined || origin === undefined) return false;
  const areUnplaced = declared.object.metadata?.namespace === undefined && object.metadata?.namespace === undefined;
  return areUnplaced && !areTogether(origin.uri, declared.origin.uri);
}
