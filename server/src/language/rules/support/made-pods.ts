import { applyLimitRanges } from '../../../admission/request/limit-ranger.ts';
import { withRuntimeClass } from '../../../admission/request/runtime-class.ts';
import { defaultPod } from '../../../kubernetes/defaults/index.ts';
import type { LimitRange, Pod, RuntimeClass } from '../../../kubernetes/objects.ts';
import { getOrInsert, groupBy } from '../../../util/maps.ts';
import { derived } from '../../index/derived.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import { livingWith } from '../../index/living-apart.ts';
import { isStoredPod } from '../../index/priority-classes.ts';

const limitRanges = derived(['LimitRange'], (declared) => {
  return groupBy(declared, (fact) => fact.namespace);
});

const runtimeClasses = derived(
  ['RuntimeClass'],
  (declared) => new Map(declared.map(({ name, object }): [string, RuntimeClass] => [name, object as RuntimeClass])),
);

const none: readonly Fact[] = [];

/** The limit ranges of a namespace. */
export function limitRangesIn(facts: FactsReader, namespace: string): readonly Fact[] {
  return limitRanges(facts).get(namespace) ?? none;
}

/** Those that bound the pods of a workload. */
export function limitRangesFor(workload: Fact, facts: FactsReader): readonly Fact[] {
  return livingWith(limitRangesIn(facts, workload.namespace), workload, facts);
}

const objects = new WeakMap<readonly Fact[], readonly LimitRange[]>();

function rangesFor(workload: Fact, facts: FactsReader): readonly LimitRange[] {
  const ranges = limitRangesFor(workload, facts);
  return getOrInsert(objects, ranges, () => ranges.map(({ object }): LimitRange => object));
}

/**
 * One pod of a workload as the API server makes it, but for its priority: with defaults, those of limit ranges, and the
 * what its RuntimeClass adds. A pod that exists already is as it is. Undefined for what makes no pods.
 */
export function madePod(workload: Fact, facts: FactsReader): Pod | undefined {
  if (workload.template === undefined) return undefined;
  const pod = podAsWritten(workload);
  if (isStoredPod(workload)) return defaultPod(pod);
  return withItsClass(defaultPod(applyLimitRanges(pod, rangesFor(workload, facts))), facts);
}

/** One pod of a workload as its template says it. */
export function podAsWritten({ kind, name, namespace, object, template }: Fact): Pod {
  const { metadata, spec } = template!;
  if (kind === 'Pod') return { ...object, metadata: { ...metadata, name, namespace }, spec };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: `${name}-`, namespace }, spec };
}

function withItsClass(pod: Pod, facts: FactsReader): Pod {
  const declared = runtimeClasses(facts).get(pod.spec?.runtimeClassName ?? '');
  const classed = declared === undefined ? { pod } : withRuntimeClass(pod, declared);
  return 'problem' in classed ? pod : classed.pod;
}
