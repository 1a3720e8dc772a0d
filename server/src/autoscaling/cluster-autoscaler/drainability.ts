import { compileLabelSelector, labelValue } from '../../kubernetes/labels.ts';
import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';

export const annotation = 'cluster-autoscaler.kubernetes.io';

/** Pods that go with the node, or are about to end: mirror pods, those of DaemonSets, and those that have ended. */
export function stays({ metadata, status }: Pod): boolean {
  const isMirror = labelValue(metadata?.annotations, 'kubernetes.io/config.mirror') !== undefined;
  const isOfDaemonSet = (metadata?.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet');
  const isTerminal = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return isMirror || isOfDaemonSet || isTerminal;
}

/** The first rule that blocks, in the order of drainability/rules.Default. */
export function obstacleOf(pod: Pod, budgets: readonly PodDisruptionBudget[] | 'not asked'): string | undefined {
  const { metadata, spec } = pod;
  const name = nameOf(pod);
  const asked = budgets === 'not asked' ? [] : budgets;
  const matching = asked.filter(
    (budget) =>
      namespaceOf(budget) === namespaceOf(pod) && compileLabelSelector(budget.spec?.selector).matches(metadata?.labels),
  );
  const isSafe = labelValue(metadata?.annotations, `${annotation}/safe-to-evict`);
  if (isSafe !== 'true') {
    const isReplicated = (metadata?.ownerReferences ?? []).some(({ controller }) => controller === true);
    if (!isReplicated) return `${keyOf(pod)} is not replicated`;
    if (namespaceOf(pod) === 'kube-system' && budgets !== 'not asked' && matching.length === 0) {
      return `non-daemonset, non-mirrored, non-pdb-assigned kube-system pod present: ${name}`;
    }
    if (isSafe === 'false') return `pod annotated as not safe to evict present: ${name}`;
    const spared = (labelValue(metadata?.annotations, `${annotation}/safe-to-evict-local-volumes`) ?? '').split(',');
    const isLocal = (spec?.volumes ?? []).some(
      ({ name: volume, hostPath, emptyDir }) =>
        !spared.includes(volume) &&
        (hostPath !== undefined || (emptyDir !== undefined && emptyDir.medium !== 'Memory')),
    );
    if (isLocal) return `pod with local storage present: ${name}`;
  }
  const isBlocked = matching.some(({ status }) => (status?.disruptionsAllowed ?? 0) < 1);
  return isBlocked ? `not enough pod disruption budget to move ${keyOf(pod)}` : undefined;
}
