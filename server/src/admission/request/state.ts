import type { LimitRange, PriorityClass, ResourceList, ResourceQuota, StorageClass } from '../../kubernetes/objects.ts';
import { dnsLabelProblems } from '../format/names.ts';

/** What is stored already, as far as the judgment of one more object depends on it. */
export interface StoredState {
  readonly classes: readonly PriorityClass[];
  readonly quotas: readonly ResourceQuota[];
  readonly limitRanges: readonly LimitRange[];
  /** Name → overhead, where the class has one. */
  readonly runtimeClasses: ReadonlyMap<string, ResourceList | undefined>;
  readonly storageClasses: readonly StorageClass[];
  /** Namespaces that do not exist. All others do, if their name can be one. */
  readonly missingNamespaces: ReadonlySet<string>;
}

export function knowsNamespace({ missingNamespaces }: StoredState, name: string): boolean {
  return !missingNamespaces.has(name) && dnsLabelProblems(name).length === 0;
}
