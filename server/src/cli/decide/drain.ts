import { own } from '../../util/own.ts';
import { releaseOf } from '../../kubernetes/releases/index.ts';
import { deleteAll, type EvictedNode, evictAll } from '../../disruption/drain.ts';
import { type DrainFlags, type FilteredPods, filterPods, isSkipped, textsOf } from '../../disruption/drain-filters.ts';
import {
  cordonText,
  deadlineText,
  evictErrorText,
  retryText,
  timeoutText,
  waitText,
} from '../../disruption/drain-texts.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { parseSelector } from '../../kubernetes/selector-text.ts';
import { compareBytewise } from '../../scheduler/index.ts';
import { decodeAs, decodeKind, decodePod, objectAt, objectsAt, releaseAt, textAt } from './case-input.ts';
import { printAnswer } from './evict.ts';

/** The three runs of one command that a case tells of. `--timeout` was given where a number stands. */
const runs = {
  client: { dryRun: 'client', timeout: null },
  server: { dryRun: 'server', timeout: 4 },
  run: { dryRun: 'none', timeout: 14 },
} as const;
type RunName = keyof typeof runs;

/** What a case is about. */
interface DrainCase {
  readonly node: Node;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly flags: DrainFlags;
  readonly gracePeriodSeconds: number | undefined;
  readonly disableEviction: boolean;
  readonly filtered: FilteredPods;
  readonly evicted: EvictedNode;
}

/** Mode `drain`: what kubectl prints, and what becomes of the pods of a node. */
export function decideDrain(input: JsonObject): JsonObject {
  const flags = objectAt(input, 'flags') ?? {};
  const selector = parseSelector(textAt(flags, 'pod-selector') ?? '');
  const name = textAt(input, 'node') ?? '';
  const node = nodesOf(input).find(({ metadata }) => metadata?.name === name);
  if (selector === null) {
    return refusedCommand('error: --pod-selector=<pod_selector> must be a valid label selector', node);
  }
  if (node === undefined) return refusedCommand(`Error from server (NotFound): nodes "${name}" not found`, node);
  const pods = objectsAt(input, 'objects')
    .filter((object) => object['kind'] === 'Pod')
    .map(decodePod)
    .filter(({ spec, metadata }) => spec?.nodeName === name && selector.matches(metadata?.labels))
    .sort((a, b) => compareBytewise(keyOf(a), keyOf(b)));
  const drained = drainCase(input, flags, node, pods);
  return {
    client: printRun(drained, 'client'),
    server: printRun(drained, 'server'),
    alone: printAlone(drained),
    run: { ...printRun(drained, 'run'), ...printOutcome(drained) },
  };
}

function nodesOf(input: JsonObject): readonly Node[] {
  return objectsAt(input, 'objects')
    .filter((object) => object['kind'] === 'Node')
    .map((object) => decodeAs(object, 'Node'));
}

function drainCase(input: JsonObject, flags: JsonObject, node: Node, pods: readonly Pod[]): DrainCase {
  const objects = objectsAt(input, 'objects');
  const named = (kind: string): readonly JsonObject[] => objects.filter((object) => object['kind'] === kind);
  const daemonSets = new Set(named('DaemonSet').map((object) => keyOf(object)));
  const budgets = decodeKind(objects, 'PodDisruptionBudget');
  const numberOf = (key: string): number | undefined => {
    const flag = own(flags, key);
    return typeof flag === 'number' ? flag : undefined;
  };
  const now = Date.parse(textAt(input, 'now') ?? '');
  const chosen: DrainFlags = {
    ignoreDaemonSets: flags['ignore-daemonsets'] === true,
    deleteEmptyDirData: flags['delete-emptydir-data'] === true,
    force: flags['force'] === true,
    skipWaitForDeleteTimeout: numberOf('skip-wait-for-delete-timeout') ?? 0,
  };
  const filtered = filterPods(pods, chosen, {
    now,
    hasDaemonSet: (namespace, name) => daemonSets.has(`${namespace}/${name}`),
    repeatsCannotDelete: releaseOf('1.34').behaviours.drainRepeatsCannotDelete,
  });
  const gracePeriodSeconds = numberOf('grace-period');
  const toDelete = filtered.errors.size > 0 ? [] : filtered.toDelete;
  const terminatingNamespaces = new Set(
    named('Namespace').map((object) => textAt(objectAt(object, 'metadata'), 'name') ?? ''),
  );
  return {
    node,
    now,
    flags: chosen,
    gracePeriodSeconds,
    disableEviction: flags['disable-eviction'] === true,
    filtered,
    evicted: evictAll(toDelete, { budgets, terminatingNamespaces, gracePeriodSeconds }, releaseAt(input)),
  };
}

/** kubectl stops before it does anything. */
function refusedCommand(text: string, node: Node | undefined): JsonObject {
  const refusal = { exit: 1, cordon: null, evicting: [], drained: false, warnings: [], fatal: [], other: [text] };
  const unschedulable = node === undefined ? {} : { unschedulable: node.spec?.unschedulable === true };
  return { client: refusal, server: refusal, alone: {}, run: { ...refusal, pods: {}, ...unschedulable } };
}

function printRun(drained: DrainCase, name: RunName): JsonObject {
  const { node, filtered, evicted } = drained;
  const cordon = cordonText(node, runs[name].dryRun);
  const errors = textsOf(filtered.errors).map((text) => `cannot delete ${text}`);
  if (errors.length > 0) {
    return { exit: 1, cordon, evicting: [], drained: false, warnings: [], fatal: errors };
  }
  const warnings = textsOf(filtered.warnings);
  const names = evicted.pods.map(({ pod }) => keyOf(pod));
  const evicting = drained.disableEviction && name !== 'client' ? [] : names;
  const work = workOf(drained, name);
  const failed = work.fatal.length > 0 || work.hasRaces;
  return {
    exit: failed ? 1 : 0,
    cordon,
    evicting,
    ...(work.printed.length > 0 || work.hasRaces ? { printed: work.printed } : {}),
    drained: !failed,
    warnings,
    fatal: work.fatal,
    ...(work.retry.length > 0 || work.hasRaces ? { retry: work.retry } : {}),
    ...(failed && !work.hasRaces ? { pendingPods: work.pending.map((pod) => `pod/${pod.metadata?.name ?? ''}`) } : {}),
  };
}

/** What kubectl says while it evicts or deletes. */
interface Work {
  readonly fatal: readonly string[];
  readonly retry: readonly string[];
  readonly printed: readonly string[];
  /** Pods that are left when it gives up. */
  readonly pending: readonly Pod[];
  /** Lines that name a pod of a race are left out: which pod wins is chance. */
  readonly hasRaces: boolean;
}

const nothing: Work = { fatal: [], retry: [], printed: [], pending: [], hasRaces: false };

function workOf(drained: DrainCase, name: RunName): Work {
  const { timeout } = runs[name];
  if (timeout === null) return nothing;
  const { pods } = drained.evicted;
  if (drained.disableEviction) return name === 'server' ? deletedInDryRun(drained, timeout) : deleted(drained, timeout);
  const fatal: string[] = [];
  const retry: string[] = [];
  const printed: string[] = [];
  const pending: Pod[] = [];
  for (const { pod, alone, state } of pods) {
    const podName = pod.metadata?.name ?? '';
    const isLeft = name === 'server' || state !== 'gone';
    if (isLeft && !skippedBy(drained, pod, timeout)) pending.push(pod);
    // In a dry run budgets are not charged: each pod is asked for alone.
    if (state === 'race' || (name === 'server' && alone.allowed)) continue;
    if (state === 'gone') printed.push(`pod/${podName} evicted`);
    if (state === 'retried' && !alone.allowed) {
      retry.push(retryText(pod, alone));
      fatal.push(timeoutText(pod, `${timeout}s`));
    }
    if (state === 'failed' && !alone.allowed) fatal.push(evictErrorText(pod, alone.message));
    if (state === 'terminating' && name === 'run') {
      if (skippedBy(drained, pod, timeout)) printed.push(skipText(drained, podName));
      else fatal.push(waitText(pod));
    }
  }
  const hasRaces = name === 'run' && drained.evicted.races.length > 0;
  return { fatal, retry, printed: [...new Set(printed)], pending, hasRaces };
}

function skipText({ flags }: DrainCase, podName: string): string {
  return `pod "${podName}" has DeletionTimestamp older than ${flags.skipWaitForDeleteTimeout ?? 0} seconds, skipping`;
}

/** Whether kubectl stops waiting for a pod that terminates before its own time is over. */
function skippedBy({ flags, now, gracePeriodSeconds }: DrainCase, pod: Pod, timeout: number): boolean {
  const grace = gracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30;
  const deletionTimestamp = pod.metadata?.deletionTimestamp ?? new Date(now + grace * 1000).toISOString();
  const terminating: Pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp } };
  return isSkipped(terminating, flags.skipWaitForDeleteTimeout ?? 0, now + timeout * 1000);
}

/** With `--disable-eviction`: one common wait. */
function deleted(drained: DrainCase, timeout: number): Work {
  const all = deleteAll(
    drained.evicted.pods.map(({ pod }) => pod),
    drained.gracePeriodSeconds,
  );
  const left = all.filter(([, state]) => state === 'terminating').map(([pod]) => pod);
  const skipped = left.filter((pod) => skippedBy(drained, pod, timeout));
  const pending = left.filter((pod) => !skipped.includes(pod));
  const printed = [
    ...all.filter(([, state]) => state === 'gone').map(([pod]) => `pod/${pod.metadata?.name ?? ''} deleted`),
    ...skipped.map((pod) => skipText(drained, pod.metadata?.name ?? '')),
  ];
  return { ...nothing, printed, pending, fatal: pending.length > 0 ? [deadlineText] : [] };
}

/** Nothing is deleted, and all are waited for. */
function deletedInDryRun(drained: DrainCase, timeout: number): Work {
  const pending = drained.evicted.pods
    .map(({ pod }) => pod)
    .filter((pod) => pod.metadata?.deletionTimestamp === undefined || !skippedBy(drained, pod, timeout));
  return { ...nothing, pending, fatal: pending.length > 0 ? [deadlineText] : [] };
}

function printAlone({ disableEviction, evicted }: DrainCase): JsonObject {
  if (disableEviction) return {};
  return Object.fromEntries(evicted.pods.map(({ pod, alone }) => [keyOf(pod), printAnswer(alone)]));
}

function printOutcome({ disableEviction, evicted, gracePeriodSeconds }: DrainCase): JsonObject {
  const states = disableEviction
    ? deleteAll(
        evicted.pods.map(({ pod }) => pod),
        gracePeriodSeconds,
      )
        // To delete what terminates already changes nothing.
        .filter(([pod, state]) => state === 'gone' || pod.metadata?.deletionTimestamp === undefined)
        .map(([pod, state]) => [keyOf(pod), state] as const)
    : evicted.pods.map(({ pod, state }) => [keyOf(pod), state] as const);
  const races = disableEviction ? [] : evicted.races;
  const charged = disableEviction ? [] : [...evicted.allowedAfter];
  return {
    pods: Object.fromEntries(states),
    unschedulable: true,
    ...(races.length === 0
      ? {}
      : {
          races: races.map(({ budget, pods, evicted: winners }) => ({
            budget: keyOf(budget),
            pods: pods.map(keyOf),
            evicted: winners,
          })),
        }),
    ...(charged.length === 0
      ? {}
      : { budgets: Object.fromEntries(charged.map(([budget, allowed]) => [keyOf(budget), allowed])) }),
  };
}
