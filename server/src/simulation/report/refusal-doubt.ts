import { say } from '../../util/say.ts';
import { isLeftToValues, refusalsOf } from '../../admission/request/judgment.ts';
import { countedKinds } from '../../admission/quota/usage.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { own } from '../../util/own.ts';
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

/** Workloads of which a quota lets in fewer than are declared: which of them, depends on what is created first. */
export interface OverQuota {
  readonly quota: string;
  readonly kind: string;
  readonly allowed: number;
  readonly refused: number;
  /** Those that are to be created, among all that it counts. */
  readonly workloads: readonly number[];
  readonly counted: number;
}

export function workloadsOverQuota({ inventory, workloads }: SimulatedCluster): readonly OverQuota[] {
  return inventory.ofKind('ResourceQuota').flatMap((quota) =>
    Object.entries(countedKinds).flatMap(([resource, kind]): readonly OverQuota[] => {
      const hard = own(quota.object.spec?.hard, resource);
      if (hard === undefined) return [];
      const allowed = Number(hard);
      const counted = [...workloads.entries()].filter(
        ([, { kind: other, namespace, declared, refusal }]) =>
          other === kind &&
          namespace === namespaceOf(quota.object) &&
          declared !== undefined &&
          refusal === '' &&
          !isBesides(declared, quota),
      );
      const created = counted.filter(
        ([, { declared, existing }]) => declared?.object.metadata?.uid === undefined && existing.length === 0,
      );
      const refused = Math.min(created.length, counted.length - allowed);
      const name = quota.object.metadata?.name ?? '';
      return refused > 0
        ? [{ quota: name, kind, allowed, refused, workloads: created.map(([index]) => index), counted: counted.length }]
        : [];
    }),
  );
}
