import type { Pod } from '../kubernetes/objects.ts';
import { addTo } from '../util/maps.ts';
import { controllerOf } from './controllers.ts';
import { namespaceOf } from '../kubernetes/names.ts';

/** kubectl's flags, as far as they choose pods. Source for this file: kubectl pkg/drain/filters.go */
export interface DrainFlags {
  readonly ignoreDaemonSets?: boolean;
  readonly deleteEmptyDirData?: boolean;
  readonly force?: boolean;
  /** Pods that terminate for longer are left out; 0 for none. */
  readonly skipWaitForDeleteTimeout?: number;
}

export interface DrainSurroundings {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly hasDaemonSet: (namespace: string, name: string) => boolean;
  /** "cannot delete" is written twice before "Pods that declare no controller". */
  readonly repeatsCannotDelete: boolean;
}

/** The pods of a node as `kubectl drain` sorts them. */
export interface FilteredPods {
  /** Those to be evicted, in order. */
  readonly toDelete: readonly Pod[];
  /** Text → pods, in order: `Warning: …`. Not printed when there are errors. */
  readonly warnings: ReadonlyMap<string, readonly Pod[]>;
  /** Text → pods, in order: with one of them nothing is evicted. */
  readonly errors: ReadonlyMap<string, readonly Pod[]>;
}

interface Verdict {
  readonly deletes: boolean;
  readonly warning?: string;
  readonly error?: string;
}

const okay: Verdict = { deletes: true };
const skip: Verdict = { deletes: false };

const daemonSetWarning = 'ignoring DaemonSet-managed Pods';
const daemonSetError = 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)';
const localStorageWarning = 'deleting Pods with local storage';
const localStorageError = 'Pods with local storage (use --delete-emptydir-data to override)';
const unmanagedWarning = 'deleting Pods that declare no controller';
const unmanagedError = 'Pods that declare no controller (use --force to override)';

/** Sorts the pods of a node, which are given as the API server lists them. */
export function filterPods(pods: readonly Pod[], flags: DrainFlags, surroundings: DrainSurroundings): FilteredPods {
  const toDelete: Pod[] = [];
  const warnings = new Map<string, Pod[]>();
  const errors = new Map<string, Pod[]>();
  for (const pod of pods) {
    const { deletes, warning, error } = judge(pod, flags, surroundings);
    if (deletes) toDelete.push(pod);
    if (warning !== undefined) addTo(warnings, warning, pod);
    if (error !== undefined) addTo(errors, error, pod);
  }
  return { toDelete, warnings, errors };
}

/** The first filter that says no ends it. Only what the last one said counts: a warning before it is lost. */
function judge(pod: Pod, flags: DrainFlags, surroundings: DrainSurroundings): Verdict {
  let verdict = okay;
  for (const filter of [deletedFilter, daemonSetFilter, mirrorFilter, localStorageFilter, unmanagedFilter]) {
    verdict = filter(pod, flags, surroundings);
    if (!verdict.deletes) break;
  }
  return verdict;
}

function deletedFilter(pod: Pod, { skipWaitForDeleteTimeout = 0 }: DrainFlags, { now }: DrainSurroundings): Verdict {
  return isSkipped(pod, skipWaitForDeleteTimeout, now) ? skip : okay;
}

/** Whether a pod has been terminating for so long that nobody waits for it. Source: shouldSkipPod */
export function isSkipped({ metadata }: Pod, skipWaitForDeleteTimeout: number, now: number): boolean {
  if (skipWaitForDeleteTimeout <= 0 || metadata?.deletionTimestamp === undefined) return false;
  return Math.trunc((now - Date.parse(metadata.deletionTimestamp)) / 1000) > skipWaitForDeleteTimeout;
}

function daemonSetFilter(pod: Pod, flags: DrainFlags, { hasDaemonSet }: DrainSurroundings): Verdict {
  const controller = controllerOf(pod);
  if (controller?.kind !== 'DaemonSet' || controller.apiVersion !== 'apps/v1' || isOver(pod)) return okay;
  if (!hasDaemonSet(namespaceOf(pod), controller.name)) {
    const text = `daemonsets.apps "${controller.name}" not found`;
    return flags.force === true ? { deletes: true, warning: text } : { deletes: false, error: text };
  }
  return flags.ignoreDaemonSets === true
    ? { deletes: false, warning: daemonSetWarning }
    : { deletes: false, error: daemonSetError };
}

/** Pods that a kubelet reads from a file. */
function mirrorFilter({ metadata }: Pod): Verdict {
  const annotations = metadata?.annotations;
  return annotations !== undefined && Object.hasOwn(annotations, 'kubernetes.io/config.mirror') ? skip : okay;
}

function localStorageFilter(pod: Pod, { deleteEmptyDirData }: DrainFlags): Verdict {
  if (isOver(pod) || !(pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir !== undefined)) return okay;
  return deleteEmptyDirData === true
    ? { deletes: true, warning: localStorageWarning }
    : { deletes: false, error: localStorageError };
}

function unmanagedFilter(pod: Pod, { force }: DrainFlags, { repeatsCannotDelete }: DrainSurroundings): Verdict {
  if (isOver(pod) || controllerOf(pod) !== undefined) return okay;
  if (force === true) return { deletes: true, warning: unmanagedWarning };
  return { deletes: false, error: `${repeatsCannotDelete ? 'cannot delete ' : ''}${unmanagedError}` };
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** `MESSAGE: NS/A, NS/B` for each group. */
export function textsOf(groups: Iterable<readonly [string, readonly Pod[]]>): readonly string[] {
  return [...groups].map(
    ([text, pods]) => `${text}: ${pods.map((pod) => `${namespaceOf(pod)}/${pod.metadata?.name ?? ''}`).join(', ')}`,
  );
}
