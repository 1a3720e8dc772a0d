import type { Pod } from '../kubernetes/objects.ts';

/** What becomes of a pod that is deleted. `kept`: nothing. */
export type DeletedPod =
  | { readonly state: 'gone' | 'kept' }
  /** `graceSeconds`: its `deletionGracePeriodSeconds`. */
  | { readonly state: 'terminating'; readonly graceSeconds: number };

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  /** `All`, or nothing. */
  readonly dryRun?: readonly string[] | undefined;
}

/** Whether a pod stays, terminating, until somebody takes its finalizers away. */
export function isHeld({ metadata }: Pod): boolean {
  return (metadata?.finalizers ?? []).length > 0;
}

/** The controller of Jobs takes it away from a pod that has ended. Source: JobTrackingFinalizer in pkg/apis/batch/types.go */
const jobTracking = 'batch.kubernetes.io/job-tracking';

/** As `isHeld`, once its controller has counted a pod that has ended. */
export function isHeldForGood({ metadata }: Pod): boolean {
  return (metadata?.finalizers ?? []).some((finalizer) => finalizer !== jobTracking);
}

/** Source: corev1.DefaultTerminationGracePeriodSeconds */
const defaultGraceSeconds = 30;

/**
 * A DELETE of a pod: gone at once when nothing holds it, else it terminates. The time of one that terminates already can
 * only be shortened.
 * Sources: podStrategy.CheckGracefulDelete in pkg/registry/core/pod/strategy.go; BeforeDelete in
 * staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go
 */
export function deletePod(pod: Pod, options: DeleteOptions = {}): DeletedPod {
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = pod.metadata ?? {};
  const held =
    isHeld(pod) ||
    options.orphanDependents === true ||
    options.propagationPolicy === 'Orphan' ||
    options.propagationPolicy === 'Foreground';
  const asked = options.gracePeriodSeconds === undefined ? undefined : notNegative(options.gracePeriodSeconds);
  const graceSeconds =
    deletionTimestamp === undefined ? graceOf(pod, asked) : Math.min(before, asked ?? Number.POSITIVE_INFINITY);
  return graceSeconds === 0 && !held ? { state: 'gone' } : { state: 'terminating', graceSeconds };
}

function graceOf({ spec, status }: Pod, asked: number | undefined): number {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (isOver || (spec?.nodeName ?? '') === '') return 0;
  return asked ?? notNegative(spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds);
}

/** A negative time is one second. */
function notNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/**
 * What is wrong with the options of a deletion; null when nothing is.
 * Source: ValidateDeleteOptions in staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
 */
export function invalidDeleteOptions({
  propagationPolicy,
  orphanDependents,
  dryRun = [],
}: DeleteOptions): string | null {
  const problems: string[] = [];
  const policy = JSON.stringify(propagationPolicy);
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    problems.push(
      `propagationPolicy: Invalid value: ${policy}: orphanDependents and deletionPropagation cannot be both set`,
    );
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    const supported = [...policies, 'nil'].map((each) => `"${each}"`).join(', ');
    problems.push(`propagationPolicy: Unsupported value: ${policy}: supported values: ${supported}`);
  }
  if (dryRun.some((each) => each !== 'All')) {
    problems.push(`dryRun: Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`);
  }
  if (problems.length === 0) return null;
  const text = problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`;
  return `DeleteOptions.meta.k8s.io "" is invalid: ${text}`;
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];
