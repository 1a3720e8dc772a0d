import { addDefaultTolerations } from '../../kubernetes/defaults/default-tolerations.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject, PersistentVolumeClaim, Pod } from '../../kubernetes/objects.ts';
import { withDefaultClass } from '../../kubernetes/storage-class-of.ts';
import { forbiddenText } from '../format/forbidden.ts';
import { secondGlobalDefault } from '../priority/priority-class.ts';
import { priorityRefusalText, resolvePriority, withResolvedPriority } from '../priority/priority.ts';
import { reviewQuotas } from '../quota/quota.ts';
import { type Answer, refused } from './answer.ts';
import { applyLimitRanges, claimRangeProblems, limitRangeProblems, refusalText } from './limit-ranger.ts';
import { withRuntimeClass } from './runtime-class.ts';
import type { StoredState } from './state.ts';

/**
 * The admission plugins that are on by default, as far as they know the kinds that Podium reads. Service accounts are
 * left out: which exist is not known.
 * Source: AllOrderedPlugins in pkg/kubeapiserver/options/plugins.go
 */

type Admitted = { readonly object: JsonObject } | { readonly refusal: Answer };

/** What plugins change in a new object, or refuse before it is judged. */
export function admitCreation(object: JsonObject, namespace: string | undefined, state: StoredState): Admitted {
  const typed = object as unknown as KubeObject;
  switch (typed.kind) {
    case 'Pod':
      return admitPod(typed, namespace ?? '', state);
    case 'PersistentVolumeClaim':
      return { object: withDefaultClass([typed], state.storageClasses)[0] as unknown as JsonObject };
    default:
      return { object };
  }
}

function admitPod(written: Pod, namespace: string, state: StoredState): Admitted {
  const limited = applyLimitRanges(written, inNamespace(state.limitRanges, namespace));
  const resolution = resolvePriority(limited.spec ?? {}, state.classes);
  if (!resolution.admitted) {
    return { refusal: refused(403, 'Forbidden', priorityRefusalText(written, resolution)) };
  }
  const pod = addDefaultTolerations(withResolvedPriority(limited, resolution));
  const className = pod.spec?.runtimeClassName;
  if (className === undefined || pod.spec === undefined) return { object: pod as unknown as JsonObject };
  if (!state.runtimeClasses.has(className)) {
    return { refusal: forbiddenPod(written, `pod rejected: RuntimeClass ${JSON.stringify(className)} not found`) };
  }
  const overhead = state.runtimeClasses.get(className);
  const classed = withRuntimeClass(pod, overhead === undefined ? {} : { overhead: { podFixed: overhead } });
  return 'problem' in classed
    ? { refusal: forbiddenPod(written, classed.problem) }
    : { object: classed.pod as unknown as JsonObject };
}

/** What plugins refuse of an object that is valid. */
export function admitValid(object: KubeObject, namespace: string | undefined, state: StoredState): Answer | undefined {
  if (object.kind === 'PriorityClass') {
    const second = secondGlobalDefault(object, state.classes, 'create');
    return second === undefined ? undefined : refused(403, 'Forbidden', second.text);
  }
  if (object.kind === 'PersistentVolumeClaim') {
    const outOfRange = claimOutOfRange(object, namespace, state);
    if (outOfRange !== undefined) return outOfRange;
    const { refusal } = reviewQuotas(object, state.quotas);
    return refusal === undefined ? undefined : refused(403, 'Forbidden', refusal);
  }
  if (object.kind !== 'Pod') return undefined;
  const pod: Pod = { ...object, metadata: { ...object.metadata, namespace: namespace ?? 'default' } };
  const outOfRange = refusalText('pods', pod, limitRangeProblems(pod, inNamespace(state.limitRanges, namespace ?? '')));
  if (outOfRange !== '') return refused(403, 'Forbidden', outOfRange);
  const overhead = pod.spec?.overhead;
  const className = pod.spec?.runtimeClassName ?? '';
  if (state.runtimeClasses.get(className) === undefined && overhead !== undefined && Object.keys(overhead).length > 0) {
    return forbiddenPod(pod, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
  const { refusal } = reviewQuotas(pod, state.quotas);
  return refusal === undefined ? undefined : refused(403, 'Forbidden', refusal);
}

/** Claims are compared with the ranges of their namespace whenever they are written, pods when they are new. */
export function claimOutOfRange(
  claim: PersistentVolumeClaim,
  namespace: string | undefined,
  { limitRanges }: StoredState,
): Answer | undefined {
  const problems = claimRangeProblems(claim, inNamespace(limitRanges, namespace ?? ''));
  const text = refusalText('persistentvolumeclaims', claim, problems);
  return text === '' ? undefined : refused(403, 'Forbidden', text);
}

function forbiddenPod(pod: Pod, detail: string): Answer {
  return refused(403, 'Forbidden', forbiddenText('pods', pod.metadata, detail));
}

function inNamespace<T extends KubeObject>(objects: readonly T[], namespace: string): readonly T[] {
  return objects.filter(({ metadata }) => (metadata?.namespace ?? 'default') === namespace);
}
