import type { CompiledSelector, Labels } from '../../kubernetes/labels.ts';
import type { Affinity, Pod } from '../../kubernetes/objects.ts';
import { addTo } from '../../util/maps.ts';

/**
 * Pods that no selector and no affinity term can tell apart: same namespace, labels, pod (anti-)affinity, and whether
 * they are terminating. The replicas of a workload make one class, so counting goes by class instead of by pod.
 * Two classes are the same when they are the same object (within one cluster state and its branches).
 */
export interface PodClass {
  /** Dense, from 0. */
  readonly id: number;
  readonly namespace: string;
  readonly labels: Labels;
  /** Has `deletionTimestamp`. */
  readonly terminating: boolean;
  readonly podAffinity: Affinity['podAffinity'];
  readonly podAntiAffinity: Affinity['podAntiAffinity'];
}

interface PodAffinities {
  readonly podAffinity?: Affinity['podAffinity'] | undefined;
  readonly podAntiAffinity?: Affinity['podAntiAffinity'] | undefined;
}

const noLabels: Labels = Object.freeze({});
const noClasses: readonly PodClass[] = [];

/** Gives equal pods the same class. Only grows; shared by a cluster state and its branches. */
export class PodClassRegistry {
  readonly #byKey = new Map<string, PodClass>();
  readonly #all: PodClass[] = [];
  readonly #withAffinity: PodClass[] = [];
  readonly #byNamespace = new Map<string, PodClass[]>();
  /** By namespace and label. */
  readonly #byLabel = new Map<string, PodClass[]>();

  /** Every class so far, by id. Some may have no pods. */
  get all(): readonly PodClass[] {
    return this.#all;
  }

  /** The classes whose pods have pod affinity or anti-affinity of any kind. */
  get withAffinity(): readonly PodClass[] {
    return this.#withAffinity;
  }

  /** The classes of a namespace that a selector may match: those with the rarest of the labels that it asks for. */
  mayMatch(namespace: string, { requirements }: CompiledSelector): readonly PodClass[] {
    let fewest = this.#byNamespace.get(namespace) ?? noClasses;
    for (const { key, operator, values } of requirements) {
      if (operator !== 'In' || values.length !== 1) continue;
      const having = this.#byLabel.get(labelKey(namespace, key, values[0]!)) ?? noClasses;
      if (having.length < fewest.length) fewest = having;
    }
    return fewest;
  }

  classOf(pod: Pod, namespace: string): PodClass {
    const terminating = pod.metadata?.deletionTimestamp !== undefined;
    const affinity = pod.spec?.affinity;
    return this.#intern(namespace, pod.metadata?.labels ?? noLabels, terminating, affinity);
  }

  /** The class that pods of `podClass` go to when they are deleted. */
  terminatingOf(podClass: PodClass): PodClass {
    return podClass.terminating ? podClass : this.#intern(podClass.namespace, podClass.labels, true, podClass);
  }

  #intern(namespace: string, labels: Labels, terminating: boolean, affinity: PodAffinities | undefined): PodClass {
    const key = classKey(namespace, labels, terminating, affinity);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const added: PodClass = {
      id: this.#all.length,
      namespace,
      labels,
      terminating,
      podAffinity: affinity?.podAffinity,
      podAntiAffinity: affinity?.podAntiAffinity,
    };
    this.#byKey.set(key, added);
    this.#all.push(added);
    if (added.podAffinity !== undefined || added.podAntiAffinity !== undefined) this.#withAffinity.push(added);
    addTo(this.#byNamespace, namespace, added);
    for (const [key, value] of Object.entries(labels)) addTo(this.#byLabel, labelKey(namespace, key, value), added);
    return added;
  }
}

/** Neither a namespace nor the name of a label has a line break. */
function labelKey(namespace: string, key: string, value: string): string {
  return `${namespace}\n${key}\n${value}`;
}

function classKey(
  namespace: string,
  labels: Labels,
  terminating: boolean,
  affinity: PodAffinities | undefined,
): string {
  // Lengths in front, so that no two classes have one key.
  let key = `${terminating ? 't' : 'r'}${namespace.length}"${namespace}`;
  for (const name of Object.keys(labels).sort()) {
    const value = labels[name]!;
    key += `${name.length}"${name}${value.length}"${value}`;
  }
  if (affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined) {
    key += JSON.stringify([affinity.podAffinity ?? null, affinity.podAntiAffinity ?? null]);
  }
  return key;
}
