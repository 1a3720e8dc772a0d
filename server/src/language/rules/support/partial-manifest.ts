import { isObject } from '../../../kit/values.ts';
import { valueAt } from '../../value-at.ts';
import type { Fact } from '../../facts.ts';

/** Kinds whose `spec.selector` is required. Source: ValidateDeploymentSpec and its like in pkg/apis/apps/validation */
const selecting: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

/**
 * Whether a manifest is only a part of one: a patch of Kustomize names the object and what it changes, and leaves out
 * what no whole object could be without. What such a manifest lacks is no mistake.
 */
export function isPartial(fact: Fact): boolean {
  const { kind, manifest, template } = fact;
  const { value } = manifest;
  if (selecting.has(kind)) return lacksSelector(fact);
  if (kind !== 'Job' && kind !== 'CronJob') return false;
  const containers = template === undefined ? undefined : valueAt(value, [...template.path, 'spec', 'containers']);
  return Array.isArray(containers) && containers.some((container) => isObject(container) && !('image' in container));
}

/** Whether a selector is required, and none is written. */
export function lacksSelector({ kind, manifest }: Fact): boolean {
  return selecting.has(kind) && valueAt(manifest.value, ['spec', 'selector']) === undefined;
}
