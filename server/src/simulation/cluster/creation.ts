import { invalidText, refusalsOf, type Refusal, undecodableText } from '../../admission/request/judgment.ts';
import { sameItems } from '../../util/same-items.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Declared, Pod, ResourceQuota, RuntimeClass } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { forbiddenText } from '../../admission/format/forbidden.ts';
import { type AdmissionPlugin, farAntiAffinity } from '../../admission/pods/hard-anti-affinity.ts';
import { type LimitedResource, reviewQuotas, unusedQuota } from '../../admission/quota/quota.ts';
import { withRuntimeClass } from '../../admission/request/runtime-class.ts';
import { Wholeness } from '../../admission/format/written.ts';
import type { MissingClass } from './simulated-pod.ts';

/** How the API server is set up. */
interface CreationSettings {
  readonly release: Release;
  /** Whether the minor is no more than a guess. */
  readonly isAssumed: boolean;
  /** Whether everything that is a patch has been left out already. */
  readonly knowsPatches: boolean;
  /** Plugins that are on besides those that are by default. */
  readonly plugins: readonly AdmissionPlugin[];
  /** What its configuration limits without a quota. */
  readonly limited: readonly LimitedResource[];
  readonly quotas: readonly ResourceQuota[];
  readonly runtimeClasses: readonly RuntimeClass[];
  /** Whether these are all that the cluster has. */
  readonly knowsRuntimeClasses: boolean;
}

/**
 * What the API server refuses of what is created: the same judgment as that of the diagnostics. What may be a patch, or
 * has parts that are still to be filled in, is not refused for what it lacks.
 */
export class Creation {
  readonly #release: Release;
  readonly #knowsPatches: boolean;
  readonly #server: CreationSettings;

  readonly #runtimeClasses: ReadonlyMap<string, RuntimeClass>;

  constructor(settings: CreationSettings) {
    this.#runtimeClasses = new Map(settings.runtimeClasses.map((each) => [each.metadata?.name ?? '', each]));
    this.#release = settings.release;
    this.#knowsPatches = settings.knowsPatches;
    this.#server = settings;
  }

  /** Whether objects are refused for the same in both; pods that are made may still differ by quotas and RuntimeClasses. */
  judgesAs(another: Creation): boolean {
    const own = this.#server;
    const other = another.#server;
    return (
      own.release === other.release &&
      own.isAssumed === other.isAssumed &&
      own.knowsPatches === other.knowsPatches &&
      sameItems(own.plugins, other.plugins)
    );
  }

  /** A pod with what its RuntimeClass adds, or why it is refused. */
  withRuntimeClass(pod: Pod): {
    readonly pod: Pod;
    readonly refusal: string;
    readonly missingClass?: MissingClass | null;
  } {
    const name = pod.spec?.runtimeClassName ?? '';
    const declared = this.#runtimeClasses.get(name);
    if (declared === undefined && name !== '') {
      // Source: plugin/pkg/admission/runtimeclass/admission.go (prepareObjects)
      const problem = `pod rejected: RuntimeClass "${name}" not found`;
      const missingClass = this.#server.knowsRuntimeClasses ? null : ({ kind: 'RuntimeClass', name } as const);
      return { pod, refusal: forbiddenText('pods', pod.metadata, problem), missingClass };
    }
    const classed = declared === undefined ? { pod } : withRuntimeClass(pod, declared);
    return 'problem' in classed
      ? { pod, refusal: forbiddenText('pods', pod.metadata, classed.problem) }
      : { pod: classed.pod, refusal: '' };
  }

  /** What plugins of the API server refuse of a pod, its priority resolved; empty where they accept it. */
  forbiddenText(pod: Pod): string {
    const { plugins, limited, quotas } = this.#server;
    const far = plugins.includes('LimitPodHardAntiAffinityTopology')
      ? farAntiAffinity(pod.spec ?? { containers: [] })
      : undefined;
    if (far !== undefined) return forbiddenText('pods', pod.metadata, far.detail);
    if (limited.length === 0) return '';
    // Quotas are not charged; that one is lacking which the server is configured to want is told.
    const { refusal = '' } = reviewQuotas(pod, quotas.map(unusedQuota), limited);
    return refusal.includes('insufficient quota') ? refusal : '';
  }

  /** The answer to an object that is written; empty where it is accepted. */
  refusalOf({ object, value, isOpen }: Declared): string {
    if (object.metadata?.uid !== undefined || isOpen === true) return '';
    const undecodable = value === undefined ? undefined : undecodableText(value, this.#server);
    if (undecodable !== undefined) return undecodable;
    const errors = this.#counting(refusalsOf(object, this.#release));
    return errors.length === 0 ? '' : invalidText(object, errors, this.#release);
  }

  /** What is wrong with a pod that a controller makes of a workload, though the workload is accepted. */
  errorsOf(pod: Pod, workload: Declared | undefined): readonly FieldError[] {
    const refusals = workload?.isOpen === true ? [] : refusalsOf(pod, this.#release);
    if (refusals.length === 0 || workload === undefined || workload.object.kind === 'Pod') {
      return this.#counting(refusals);
    }
    const wholeness = new Wholeness(workload.object);
    const { kind } = workload.object;
    return this.#counting(
      refusals
        .filter(({ error }) => !isMade(error, kind))
        .map((refusal) => ({
          ...refusal,
          doubt: wholeness.doubtOf({ ...refusal.error, ofTemplate: true }),
        })),
    );
  }

  textOf(pod: Pod, errors: readonly FieldError[]): string {
    return invalidText({ ...pod, apiVersion: 'v1', kind: 'Pod' }, errors, this.#release);
  }

  #counting(refusals: readonly Refusal[]): readonly FieldError[] {
    return refusals.flatMap(({ error, doubt }) => (doubt === 'none' || this.#knowsPatches ? [error] : []));
  }
}

/**
 * Whether an error is about what a controller makes up: a name with letters drawn by chance, and the node of a DaemonSet's
 * pod, which may be one that is only thought of.
 */
function isMade({ at: { path }, detail }: FieldError, kind: string | undefined): boolean {
  // Its keys are in the selectors already.
  if (detail.startsWith('exists in both matchLabelKeys')) return true;
  if (path[0] === 'metadata') return path[1] === 'name' && kind !== 'StatefulSet';
  return kind === 'DaemonSet' && path.includes('matchFields');
}
