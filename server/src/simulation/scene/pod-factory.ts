import { namespaceOf } from '../../kubernetes/names.ts';
import { priorityRefusalText, resolvePriority, withResolvedPriority } from '../../admission/priority/priority.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import type { LimitRange, Origin, Pod } from '../../kubernetes/objects.ts';
import { gracePeriodSeconds, type PodInfo } from '../../scheduler/index.ts';
import { amountsOf } from '../report/amounts.ts';
import type { DeclaredClasses } from './declared-classes.ts';
import { applyLimitRanges } from '../../admission/request/limit-ranger.ts';
import type { SimulatedPod } from './simulated-pod.ts';

interface Belonging {
  readonly workload: number;
  /** Where it, or what it is made from, is written. */
  readonly origin: Origin | null;
  readonly shape: object;
}

/** Turns pods as they are written into pods as the API server would store them. */
export class PodFactory {
  readonly #classes: DeclaredClasses;
  readonly #limitRanges: readonly LimitRange[];
  readonly #toInfo: (pod: Pod) => PodInfo;

  /** `toInfo` gives the scheduler's view of a pod. */
  constructor(classes: DeclaredClasses, limitRanges: readonly LimitRange[], toInfo: (pod: Pod) => PodInfo) {
    this.#classes = classes;
    this.#limitRanges = limitRanges;
    this.#toInfo = toInfo;
  }

  /** A pod that is created now: the classes, defaults and limits of now count. */
  create(pod: Pod, belonging: Belonging): SimulatedPod {
    const limited = applyLimitRanges(defaultPod(pod), this.#limitRanges);
    const resolution = resolvePriority(limited.spec ?? { containers: [] }, this.#classes.for(belonging.origin));
    if (resolution.admitted) return this.#finish(withResolvedPriority(limited, resolution), belonging, '');
    return this.#finish(limited, belonging, priorityRefusalText(limited, resolution));
  }

  /**
   * A pod that is in the cluster. Its priority was settled when it was created, and no class that was added, changed or
   * deleted since touches it; without one it counts as 0. Only a pod that was written by hand names a class and no
   * number: then the class is asked.
   */
  adopt(pod: Pod, belonging: Belonging): SimulatedPod {
    const defaulted = defaultPod(pod);
    const { spec } = defaulted;
    if (spec === undefined || spec.priority !== undefined || (spec.priorityClassName ?? '') === '') {
      return this.#finish(defaulted, belonging, '');
    }
    const resolution = resolvePriority(spec, this.#classes.for(belonging.origin));
    return this.#finish(resolution.admitted ? withResolvedPriority(defaulted, resolution) : defaulted, belonging, '');
  }

  #finish(pod: Pod, belonging: Belonging, refusal: string): SimulatedPod {
    const namespace = namespaceOf(pod);
    const named = { ...pod, metadata: { ...pod.metadata, namespace } };
    const info = withAge(this.#toInfo(named));
    const className = pod.spec?.priorityClassName ?? '';
    return {
      key: `${namespace}/${pod.metadata?.name ?? ''}`,
      pod: named,
      info,
      ...belonging,
      priority: pod.spec?.priority ?? 0,
      className: className === '' ? null : className,
      preemptionPolicy: pod.spec?.preemptionPolicy === 'Never' ? 'Never' : 'PreemptLowerPriority',
      requests: amountsOf(info.requests),
      gracePeriodSeconds: gracePeriodSeconds(pod),
      refusal,
    };
  }
}

/** A pod that is only written down is created now, after all that exist. */
function withAge(info: PodInfo): PodInfo {
  return info.pod.metadata?.creationTimestamp === undefined ? { ...info, createdAt: Number.MAX_SAFE_INTEGER } : info;
}
