import { namespaceOf } from '../../kubernetes/names.ts';
import {
  priorityRefusalText,
  resolvePriority,
  withResolvedPriority,
  withStoredPriority,
} from '../../admission/priority/priority.ts';
import { systemPriorityClassPrefix } from '../../admission/priority/priority-class.ts';
import { addDefaultTolerations, defaultPod } from '../../kubernetes/defaults/index.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { LimitRange, Origin, Pod } from '../../kubernetes/objects.ts';
import { changedPod, gracePeriodSeconds, type PodInfo } from '../../scheduler/index.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { AddedByAdmission } from './added-by-admission.ts';
import { amountsOf } from './amounts.ts';
import type { Creation } from './creation.ts';
import type { DeclaredClasses } from './declared-classes.ts';
import { applyLimitRanges, outOfLimitRange } from '../../admission/request/limit-ranger.ts';
import type { MissingClass, SimulatedPod } from './simulated-pod.ts';
import type { SimulatedWorkload } from './workload-set.ts';

interface Belonging {
  readonly workload: number;
  /** Where it, or what it is made from, is written. */
  readonly origin: Origin | null;
  readonly shape: object;
}

/** What new pods are admitted with. */
interface CreationParts {
  readonly classes: DeclaredClasses;
  readonly limitRanges: readonly LimitRange[];
  readonly creation: Creation;
  readonly added: AddedByAdmission;
  /** Running pods that were adopted before, in another cluster. */
  readonly adopted?: WeakMap<Pod, SimulatedPod>;
  /** Another with the same classes, limits and workloads. */
  readonly like?: PodFactory | undefined;
}

/** Turns pods as they are written into pods as the API server would store them. */
export class PodFactory {
  readonly #classes: DeclaredClasses;
  readonly #limitRanges: readonly LimitRange[];
  readonly #creation: Creation;
  readonly #added: AddedByAdmission;
  readonly #adopted: WeakMap<Pod, SimulatedPod>;
  readonly #workloads: readonly SimulatedWorkload[];
  readonly #toInfo: (pod: Pod) => PodInfo;
  /** What is wrong with pods of a workload, which differ in nothing that is judged but the length of their names. */
  readonly #errors: Map<string, readonly FieldError[]>;

  /** `toInfo` gives the scheduler's view of a pod. */
  constructor(
    { classes, limitRanges, creation, added, adopted = new WeakMap(), like }: CreationParts,
    workloads: readonly SimulatedWorkload[],
    toInfo: (pod: Pod) => PodInfo,
  ) {
    this.#classes = classes;
    this.#limitRanges = limitRanges;
    this.#creation = creation;
    this.#added = added;
    this.#adopted = adopted;
    this.#workloads = workloads;
    this.#toInfo = toInfo;
    this.#errors = like === undefined ? new Map<string, readonly FieldError[]>() : like.#errors;
  }

  /** A pod that is created now: the classes, defaults and limits of now count. */
  create(pod: Pod, belonging: Belonging): SimulatedPod {
    const whole = this.#added.withAddition(defaultPod(pod), this.#workloads[belonging.workload]);
    const limited = applyLimitRanges(whole, this.#limitRanges);
    const resolution = resolvePriority(limited.spec ?? { containers: [] }, this.#classes.for(belonging.origin));
    const { declared, refusal = '' } = this.#workloads[belonging.workload] ?? {};
    if (!resolution.admitted) {
      if (refusal !== '') return this.#finish(limited, belonging, refusal);
      const name = limited.spec?.priorityClassName ?? '';
      const isDoubtful =
        resolution.reason === 'unknown-class' && !this.#classes.complete && !name.startsWith(systemPriorityClassPrefix);
      const missingClass = isDoubtful ? ({ kind: 'PriorityClass', name } as const) : null;
      return this.#finish(limited, belonging, priorityRefusalText(limited, resolution), missingClass);
    }
    const {
      pod: admitted,
      refusal: misfit,
      missingClass,
    } = this.#creation.withRuntimeClass(addDefaultTolerations(withResolvedPriority(limited, resolution)));
    if (misfit !== '') return this.#finish(admitted, belonging, misfit, missingClass);
    if (refusal !== '') return this.#finish(admitted, belonging, refusal);
    const errors = this.#errorsOf(admitted, declared, belonging.workload);
    const text =
      errors.length === 0
        ? outOfLimitRange(admitted, this.#limitRanges) || this.#creation.forbiddenText(admitted)
        : this.#creation.textOf(admitted, errors);
    return this.#finish(admitted, belonging, text);
  }

  #errorsOf(pod: Pod, declared: SimulatedWorkload['declared'], workload: number): readonly FieldError[] {
    if (declared === undefined) return this.#creation.errorsOf(pod, undefined);
    const key = `${workload}/${pod.metadata?.name?.length ?? 0}`;
    return getOrInsert(this.#errors, key, () => this.#creation.errorsOf(pod, declared));
  }

  /**
   * A pod that is in the cluster. Its priority was settled when it was created, and no class that was added, changed or
   * deleted since touches it.
   */
  adopt(pod: Pod, belonging: Belonging): SimulatedPod {
    const known = this.#adopted.get(pod);
    if (known !== undefined) {
      // The very same, so that what clusters made of it can be shared as well.
      if (known.workload === belonging.workload && known.origin === belonging.origin) return known;
      return { ...known, ...belonging };
    }
    const stored = withStoredPriority(defaultPod(pod), this.#classes.for(belonging.origin));
    const adopted = { ...this.#finish(stored, belonging, ''), isStored: true };
    if (pod.spec?.priority !== stored.spec?.priority) return { ...adopted, hasDerivedPriority: true };
    // With a number of its own, or without a class, it is the same whatever classes there are.
    if (pod.spec?.priority !== undefined || adopted.className === null) this.#adopted.set(pod, adopted);
    return adopted;
  }

  /** Whom a pod of a template would outrank, whether it is admitted or not. */
  rankOf(template: Pod, origin: Origin | null): Pick<SimulatedPod, 'priority' | 'className' | 'preemptionPolicy'> {
    const limited = applyLimitRanges(defaultPod(template), this.#limitRanges);
    const resolution = resolvePriority(limited.spec ?? { containers: [] }, this.#classes.for(origin));
    return rankIn(resolution.admitted ? withResolvedPriority(limited, resolution) : limited);
  }

  #finish(pod: Pod, belonging: Belonging, refusal: string, missingClass: MissingClass | null = null): SimulatedPod {
    const namespace = namespaceOf(pod);
    const named = { ...pod, metadata: { ...pod.metadata, namespace } };
    const info = withAge(this.#toInfo(named));
    return {
      key: `${namespace}/${pod.metadata?.name ?? ''}`,
      pod: named,
      info,
      ...belonging,
      ...rankIn(pod),
      hasDerivedPriority: false,
      requests: amountsOf(info.requests),
      gracePeriodSeconds: gracePeriodSeconds(pod),
      isStored: false,
      refusal,
      missingClass,
    };
  }
}

function rankIn({ spec }: Pod): Pick<SimulatedPod, 'priority' | 'className' | 'preemptionPolicy'> {
  const className = spec?.priorityClassName ?? '';
  return {
    priority: spec?.priority ?? 0,
    className: className === '' ? null : className,
    preemptionPolicy: spec?.preemptionPolicy === 'Never' ? 'Never' : 'PreemptLowerPriority',
  };
}

/** A pod that is only written down is created now, after all that exist. */
function withAge(info: PodInfo): PodInfo {
  return info.pod.metadata?.creationTimestamp === undefined
    ? changedPod(info, { createdAt: Number.MAX_SAFE_INTEGER })
    : info;
}
