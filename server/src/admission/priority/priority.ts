import type { Pod, PodSpec, PriorityClass } from '../../kubernetes/objects.ts';
import { forbiddenText } from '../format/forbidden.ts';
import { goNumber, goString } from '../format/go-zero.ts';

/** What the Priority admission plugin makes of a new pod. Source: plugin/pkg/admission/priority/admission.go */
export type PriorityResolution = ResolvedPriority | PriorityRefusal;

export interface ResolvedPriority {
  readonly admitted: true;
  readonly priority: number;
  /** The name the stored pod carries: the one it asked for, or the default class's; empty without either. */
  readonly className: string;
  /** `PreemptLowerPriority` or `Never`, unless a class that was never validated says something else. */
  readonly preemptionPolicy: string;
  /** `system`: one of the two built-in classes. `none`: no class was named and no default exists. */
  readonly source: 'class' | 'system' | 'global-default' | 'none';
  /** The class behind the number; absent for `none`, and for a built-in class that nobody wrote down. */
  readonly priorityClass?: PriorityClass;
}

export interface PriorityRefusal {
  readonly admitted: false;
  readonly reason: 'unknown-class' | 'priority-mismatch' | 'policy-mismatch';
  /** The field of the pod's spec at fault. */
  readonly field: 'priorityClassName' | 'priority' | 'preemptionPolicy';
  /** Upstream's words, without the `pods "…" is forbidden: ` in front; see `priorityRefusalText`. */
  readonly detail: string;
  /** What the classes alone would have given; absent when the class is unknown. */
  readonly computed?: ResolvedPriority;
}

/** The part of a pod's spec that decides its priority: pods and pod templates both have it. */
export type PriorityFields = Pick<PodSpec, 'priorityClassName' | 'priority' | 'preemptionPolicy'>;

/**
 * The classes that exist without being declared, by name.
 * Source: SystemPriorityClasses in pkg/apis/scheduling/v1/helpers.go
 */
export const systemPriorityClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** The policy of classes and pods that name none. Source: pkg/apis/scheduling/v1/defaults.go */
export const defaultPreemptionPolicy = 'PreemptLowerPriority';

/** The priority of pods where no default class exists. Source: pkg/apis/scheduling/types.go */
const priorityWithoutDefault = 0;

/**
 * The class that pods without a class get: of several that are marked, the one with the lowest value; of several with
 * that value, the one whose name sorts first (upstream: whichever its cache lists first).
 */
export function globalDefaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const candidate of classes) {
    if (candidate.globalDefault !== true) continue;
    if (lowest === undefined || comesBefore(candidate, lowest)) lowest = candidate;
  }
  return lowest;
}

/** Resolves the priority of a new pod against the classes that are stored at that moment. */
export function resolvePriority(spec: PriorityFields, classes: readonly PriorityClass[]): PriorityResolution {
  const className = goString(spec.priorityClassName);
  const computed = className === '' ? resolveDefault(classes) : resolveNamed(className, classes);
  if (computed === undefined) {
    const detail = `no PriorityClass with name ${className} was found`;
    return { admitted: false, reason: 'unknown-class', field: 'priorityClassName', detail };
  }
  if (spec.priority !== undefined && spec.priority !== computed.priority) {
    const detail = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed.priority} from the given PriorityClass name`;
    return { admitted: false, reason: 'priority-mismatch', field: 'priority', detail, computed };
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== computed.preemptionPolicy) {
    const detail = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${computed.preemptionPolicy} from the given PriorityClass name`;
    return { admitted: false, reason: 'policy-mismatch', field: 'preemptionPolicy', detail, computed };
  }
  return computed;
}

/** The whole answer that a client gets for a refused pod. */
export function priorityRefusalText(pod: Pod, refusal: PriorityRefusal): string {
  return forbiddenText('pods', pod.metadata, refusal.detail);
}

/** The pod as it would be stored, with its priority, class and policy filled in. */
export function withResolvedPriority(pod: Pod, resolved: ResolvedPriority): Pod {
  const { priority, className, preemptionPolicy } = resolved;
  const spec = { ...(pod.spec ?? { containers: [] }), priority, preemptionPolicy };
  return { ...pod, spec: className === '' ? spec : { ...spec, priorityClassName: className } };
}

/**
 * The pod with the priority that it has in the cluster. Admission wrote it there, and without one it counts as 0. Only a
 * pod that was written by hand names a class and no number: then the class is asked.
 */
export function withStoredPriority(pod: Pod, classes: readonly PriorityClass[]): Pod {
  const resolved = storedPriority(pod.spec ?? {}, classes);
  if (resolved === undefined) return pod;
  const preemptionPolicy = pod.spec?.preemptionPolicy ?? resolved.preemptionPolicy;
  return withResolvedPriority(pod, { ...resolved, preemptionPolicy });
}

/** What the class of a stored pod gives it; undefined where the pod says itself what it has. */
export function storedPriority(spec: PriorityFields, classes: readonly PriorityClass[]): ResolvedPriority | undefined {
  const priorityClassName = goString(spec.priorityClassName);
  if (spec.priority !== undefined || priorityClassName === '') return undefined;
  const resolution = resolvePriority({ priorityClassName }, classes);
  return resolution.admitted ? resolution : undefined;
}

function resolveDefault(classes: readonly PriorityClass[]): ResolvedPriority {
  const found = globalDefaultClass(classes);
  if (found !== undefined) return resolvedFrom(found, 'global-default');
  return {
    admitted: true,
    priority: priorityWithoutDefault,
    className: '',
    preemptionPolicy: defaultPreemptionPolicy,
    source: 'none',
  };
}

function resolveNamed(className: string, classes: readonly PriorityClass[]): ResolvedPriority | undefined {
  const declared = classes.find((candidate) => candidate.metadata?.name === className);
  const systemValue = systemPriorityClasses.get(className);
  if (declared !== undefined) return resolvedFrom(declared, systemValue === undefined ? 'class' : 'system');
  if (systemValue === undefined) return undefined;
  return {
    admitted: true,
    priority: systemValue,
    className,
    preemptionPolicy: defaultPreemptionPolicy,
    source: 'system',
  };
}

function resolvedFrom(priorityClass: PriorityClass, source: ResolvedPriority['source']): ResolvedPriority {
  return {
    admitted: true,
    priority: goNumber(priorityClass.value),
    className: goString(priorityClass.metadata?.name),
    preemptionPolicy: priorityClass.preemptionPolicy ?? defaultPreemptionPolicy,
    source,
    priorityClass,
  };
}

function comesBefore(one: PriorityClass, other: PriorityClass): boolean {
  const difference = goNumber(one.value) - goNumber(other.value);
  if (difference !== 0) return difference < 0;
  return goString(one.metadata?.name) < goString(other.metadata?.name);
}
