import type { Container, Pod } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import { controllerOf, isOfDaemonSet } from './templates.ts';

/** Pods of one controller that are alike: what holds for the first holds for all. */
export interface PodGroup {
  readonly pods: readonly Pod[];
  /** Group of nodes → why the pods cannot be on a node of it. */
  readonly refusals: Map<string, readonly string[]>;
  /** Groups of nodes that take them. */
  readonly schedulableOn: string[];
  isSchedulable: boolean;
}

/** More kinds of pods of one controller stand each for itself. Source: maxEquivalenceGroupsByController */
const mostOfController = 10;

/** Source: cluster-autoscaler/core/scaleup/equivalence/groups.go; upstream goes through them in the order of a Go map. */
export function podGroupsOf(pods: readonly Pod[]): PodGroup[] {
  const groups: Pod[][] = [];
  const byController = new Map<string, Map<string, Pod[]>>();
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined || isOfDaemonSet(pod)) {
      groups.push([pod]);
      continue;
    }
    const known = getOrInsert(byController, controller.uid, () => new Map());
    const identity = schedulingIdentity(pod);
    const alike = known.get(identity);
    if (alike !== undefined) {
      alike.push(pod);
      continue;
    }
    const own = [pod];
    if (known.size < mostOfController) known.set(identity, own);
    groups.push(own);
  }
  return groups.map((own) => ({ pods: own, refusals: new Map(), schedulableOn: [], isSchedulable: false }));
}

/**
 * The same for pods with equal labels and specs; names of hosts, environment and projected volumes play no part.
 * Source: PodSpecSemanticallyEqual in cluster-autoscaler/utils/utils.go
 */
export function schedulingIdentity({ metadata, spec }: Pod): string {
  const { volumes = [], containers = [], initContainers = [], hostname: _hostname, ...rest } = spec ?? {};
  const projected = new Set(volumes.filter(({ projected: each }) => each !== undefined).map(({ name }) => name));
  const bare = ({ env: _env, volumeMounts = [], ...container }: Container): object => ({
    ...container,
    volumeMounts: volumeMounts.filter(({ name }) => !projected.has(name)),
  });
  return JSON.stringify(
    [
      metadata?.labels ?? {},
      rest,
      containers.map(bare),
      initContainers.map(bare),
      volumes.filter(({ name }) => !projected.has(name)),
    ],
    sortedKeys,
  );
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
