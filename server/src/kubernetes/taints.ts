import type { Taint, Toleration } from './objects.ts';

/** The node lifecycle controller's, on a node that is not heard of. Source: well_known_taints.go */
export const unreachableTaint = 'node.kubernetes.io/unreachable';

/** Pods are then deleted by force. Source: pkg/controller/podgc/gc_controller.go */
export const outOfService = 'node.kubernetes.io/out-of-service';

/** Whether nothing tells the API server that a pod has ended there. Source: pkg/controller/nodelifecycle */
export function isLost(taints: readonly Pick<Taint, 'key'>[]): boolean {
  return taints.some(({ key }) => key === unreachableTaint) && !taints.some(({ key }) => key === outOfService);
}

/** Taint effects that keep a pod off a node. Source: helper.DoNotScheduleTaintsFilterFunc */
export const NO_SCHEDULE_EFFECTS: readonly string[] = ['NoSchedule', 'NoExecute'];

/** Of taints, a kubelet minds only those that would end the pod. Source: generalFilter in pkg/kubelet/lifecycle/predicate.go */
export const NO_EXECUTE_EFFECTS: readonly string[] = ['NoExecute'];

/** Source: ErrReasonNotMatch in pkg/scheduler/framework/plugins/tainttoleration */
export const untoleratedText = 'node(s) had untolerated taint(s)';

/** `dedicated=gpu:NoSchedule`, as kubectl writes it. */
export function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/**
 * Whether a toleration covers a taint: an empty effect or key covers all of them, the time limit plays no part. Values
 * are compared as numbers only with the gate TaintTolerationComparisonOperators.
 * Source: staging/src/k8s.io/api/core/v1/toleration.go ToleratesTaint
 */
export function tolerates(toleration: Toleration, taint: Taint, comparesNumbers = false): boolean {
  const { effect = '', key = '', operator = '', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  if (operator === 'Lt' || operator === 'Gt') {
    const [bound, actual] = [decimalInteger(value), decimalInteger(taint.value ?? '')];
    if (!comparesNumbers || bound === null || actual === null) return false;
    return operator === 'Lt' ? actual < bound : actual > bound;
  }
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}

/** Source: IsDecimalInteger in k8s.io/apimachinery/pkg/api/validate/content, then strconv.ParseInt */
function decimalInteger(text: string): bigint | null {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return null;
  const value = BigInt(text);
  return value === BigInt.asIntN(64, value) ? value : null;
}

/**
 * The first taint with one of the effects that no toleration covers.
 * Source: staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go FindMatchingUntoleratedTaint
 */
export function firstUntolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
  comparesNumbers = false,
): Taint | undefined {
  return taints?.find(
    (taint) =>
      effects.includes(taint.effect) &&
      !(tolerations ?? []).some((toleration) => tolerates(toleration, taint, comparesNumbers)),
  );
}
