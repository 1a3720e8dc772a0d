import { namespaceOf } from '../../kubernetes/names.ts';
import { getOrInsert } from '../../util/maps.ts';
import { forbiddenText } from '../format/forbidden.ts';
import type {
  Container,
  KubeObject,
  LimitRange,
  PersistentVolumeClaim,
  Pod,
  ResourceList,
} from '../../kubernetes/objects.ts';
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
  readResourceList,
  type ResourceAmounts,
} from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';

interface ContainerDefaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * Fills in what containers do not say, as the LimitRanger admission plugin does for a new pod.
 * Source: plugin/pkg/admission/limitranger/admission.go (mergePodResourceRequirements)
 */
export function applyLimitRanges(pod: Pod, limitRanges: readonly LimitRange[]): Pod {
  const { spec } = pod;
  const defaults = defaultsOf(limitRanges).get(namespaceOf(pod));
  if (defaults === undefined || spec === undefined) return pod;
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map((container) => withDefaults(container, defaults)),
      ...(spec.initContainers === undefined
        ? {}
        : { initContainers: spec.initContainers.map((container) => withDefaults(container, defaults)) }),
    },
  };
}

const known = new WeakMap<readonly LimitRange[], ReadonlyMap<string, ContainerDefaults>>();

/** What the ranges of each namespace fill in one after the other, put together once for all pods. */
function defaultsOf(limitRanges: readonly LimitRange[]): ReadonlyMap<string, ContainerDefaults> {
  return getOrInsert(known, limitRanges, () => {
    const byNamespace = new Map<string, ContainerDefaults>();
    for (const limitRange of limitRanges) {
      const namespace = namespaceOf(limitRange);
      const filled = byNamespace.get(namespace);
      const { requests, limits } = containerDefaults(limitRange);
      byNamespace.set(namespace, {
        requests: { ...requests, ...filled?.requests },
        limits: { ...limits, ...filled?.limits },
      });
    }
    return byNamespace;
  });
}

/** Source: SetDefaults_LimitRangeItem in pkg/apis/core/v1/defaults.go, defaultContainerResourceRequirements in limitranger */
function containerDefaults(limitRange: LimitRange): ContainerDefaults {
  let requests: ResourceList = {};
  let limits: ResourceList = {};
  for (const item of limitRange.spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    const limit = { ...item.max, ...item.default } as ResourceList;
    const request = { ...item.min, ...limit, ...item.defaultRequest } as ResourceList;
    requests = { ...requests, ...request };
    limits = { ...limits, ...limit };
  }
  return { requests, limits };
}

function withDefaults(container: Container, defaults: ContainerDefaults): Container {
  const { resources } = container;
  return {
    ...container,
    resources: {
      ...resources,
      requests: { ...defaults.requests, ...resources?.requests } as Record<string, string>,
      limits: { ...defaults.limits, ...resources?.limits } as Record<string, string>,
    },
  };
}

/**
 * What the plugin refuses of a pod that is valid: amounts outside of the bounds. The first range that refuses something is
 * the last one that is asked.
 * Source: runLimitFunc and PodValidateLimitFunc in plugin/pkg/admission/limitranger/admission.go
 */
export function limitRangeProblems({ spec }: Pod, limitRanges: readonly LimitRange[]): string[] {
  if (spec === undefined) return [];
  return firstProblems(limitRanges, (item) => {
    if (item.type === 'Container') {
      return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
        itemProblems(item, readResourceList(resources?.requests), readResourceList(resources?.limits)),
      );
    }
    if (item.type !== 'Pod') return [];
    return itemProblems(
      item,
      ofWholePod(aggregateContainerRequests(spec), spec.resources?.requests),
      ofWholePod(aggregateContainerLimits(spec), spec.resources?.limits),
    );
  });
}

/** As `limitRangeProblems`, of a claim. Source: PersistentVolumeClaimValidateLimitFunc */
export function claimRangeProblems({ spec }: PersistentVolumeClaim, limitRanges: readonly LimitRange[]): string[] {
  const requests = readResourceList(spec?.resources?.requests);
  return firstProblems(limitRanges, ({ type, min, max }) => {
    if (type !== 'PersistentVolumeClaim') return [];
    return [
      ...itemProblems({ type, ...(min === undefined ? {} : { min }) }, requests, new Map()),
      ...[...readResourceList(max)].flatMap(([name, most]) => {
        const request = requests.get(name);
        const bound = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
        if (request === undefined) return [`${bound}.  No request is specified`];
        return isLess(most, request) ? [`${bound}, but request is ${formatQuantity(request)}`] : [];
      }),
    ];
  });
}

function firstProblems(limitRanges: readonly LimitRange[], judge: (item: Item) => string[]): string[] {
  for (const { spec } of limitRanges) {
    const problems = (spec?.limits ?? []).flatMap(judge);
    // What several containers do is told once.
    if (problems.length > 0) return [...new Set(problems)];
  }
  return [];
}

/** What the pod as a whole says instead of its containers. Source: supportedPodLevelResources in the same file */
function ofWholePod(amounts: ResourceAmounts, written: ResourceList | undefined): ResourceAmounts {
  const own = [...readResourceList(written)].filter(([name]) => name === 'cpu' || name === 'memory');
  return new Map([...amounts, ...own]);
}

/** The answer to a pod that asks for amounts outside of the bounds of its namespace; empty where it does not. */
export function outOfLimitRange(pod: Pod, limitRanges: readonly LimitRange[]): string {
  if (limitRanges.length === 0) return '';
  const own = limitRanges.filter((each) => namespaceOf(each) === namespaceOf(pod));
  return refusalText('pods', pod, limitRangeProblems(pod, own));
}

/** What the plugin answers; empty where it refuses nothing. */
export function refusalText(resource: string, { metadata }: KubeObject, problems: readonly string[]): string {
  if (problems.length === 0) return '';
  return forbiddenText(resource, metadata, problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
}

type Item = NonNullable<LimitRange['spec']>['limits'][number];

function itemProblems(item: Item, requests: ResourceAmounts, limits: ResourceAmounts): string[] {
  const problems: string[] = [];
  for (const [name, least] of readResourceList(item.min)) {
    const bound = `minimum ${name} usage per ${item.type} is ${formatQuantity(least)}`;
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request === undefined) {
      problems.push(`${bound}.  No request is specified`);
    } else if (isLess(request, least)) {
      problems.push(`${bound}, but request is ${formatQuantity(request)}`);
    } else if (limit !== undefined && isLess(limit, least)) {
      problems.push(`${bound}, but limit is ${formatQuantity(limit)}`);
    }
  }
  for (const [name, most] of readResourceList(item.max)) {
    const bound = `maximum ${name} usage per ${item.type} is ${formatQuantity(most)}`;
    const request = requests.get(name);
    const limit = limits.get(name);
    if (limit === undefined) {
      problems.push(`${bound}.  No limit is specified`);
    } else if (isLess(most, limit)) {
      problems.push(`${bound}, but limit is ${formatQuantity(limit)}`);
    } else if (request !== undefined && isLess(most, request)) {
      problems.push(`${bound}, but request is ${formatQuantity(request)}`);
    }
  }
  for (const [name, ratio] of readResourceList(item.maxLimitRequestRatio)) {
    const problem = ratioProblem(name, item.type, ratio, requests.get(name), limits.get(name));
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** limitRequestRatioConstraint. */
function ratioProblem(
  name: string,
  type: string,
  ratio: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  const bound = `${name} max limit to request ratio per ${type} is ${formatQuantity(ratio)}`;
  if (request === undefined || request.nanos === 0n) return `${bound}, but no request is specified or request is 0`;
  if (limit === undefined || limit.nanos === 0n) return `${bound}, but no limit is specified or limit is 0`;
  const observed = Number(limit.nanos) / Number(request.nanos);
  return observed > Number(ratio.nanos) / 1e9 ? `${bound}, but provided ratio is ${observed.toFixed(6)}` : undefined;
}

function isLess(one: Quantity, other: Quantity): boolean {
  return compareQuantities(one, other) < 0;
}
