import { namespaceOf } from '../../kubernetes/names.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota } from '../../kubernetes/objects.ts';
import { readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { addQuantities, compareQuantities, formatQuantity } from '../../kubernetes/quantity.ts';
import { getOrInsert } from '../../util/maps.ts';
import { forbiddenText } from '../format/forbidden.ts';
import { goString } from '../format/go-zero.ts';
import { systemPriorityClasses } from '../priority/priority.ts';
import { claimUsage, matchClaimScope, matchingClaimResources } from './claims.ts';
import { matchScope, quotaScopes, type ScopeMatch, type ScopeRequirement } from './scopes.ts';
import { matchingResources, missingResources, podUsage } from './usage.ts';
import { validateQuota } from './validation.ts';

/** What the API server limits by configuration: pods in these scopes, or with these resources, need a quota. */
export interface LimitedResource {
  readonly matchScopes?: readonly ScopeRequirement[];
  /** Parts of resource names. */
  readonly matchContains?: readonly string[];
}

/**
 * The usual configuration of managed clusters: system classes may be used only where a quota allows them.
 * Source: "Limit Priority Class consumption by default" in the Kubernetes documentation of resource quotas
 */
export const limitedSystemClasses: readonly LimitedResource[] = [
  { matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: [...systemPriorityClasses.keys()] }] },
];

/** What quotas count of a new object. Source: Evaluator in staging/src/k8s.io/apiserver/pkg/quota/v1/interfaces.go */
interface Asked {
  readonly plural: 'pods' | 'persistentvolumeclaims';
  readonly object: Pod | PersistentVolumeClaim;
  /** Everything it would be charged for. */
  readonly usage: ResourceAmounts;
  readonly matching: (names: readonly string[]) => readonly string[];
  /** What it must state and does not. */
  readonly missing: (names: readonly string[]) => string | undefined;
  readonly match: (scope: ScopeRequirement) => ScopeMatch;
}

function askedBy(object: Pod | PersistentVolumeClaim): Asked {
  if (isClaim(object)) {
    const claim = object;
    return {
      plural: 'persistentvolumeclaims',
      object,
      usage: claimUsage(claim),
      matching: matchingClaimResources,
      missing: () => undefined,
      match: (scope) => matchClaimScope(claim, scope),
    };
  }
  const pod = object;
  return {
    plural: 'pods',
    object,
    usage: podUsage(pod),
    matching: matchingResources,
    missing: (names) => missingResources(pod, names),
    match: (scope) => matchScope(pod, scope),
  };
}

function isClaim(object: Pod | PersistentVolumeClaim): object is PersistentVolumeClaim {
  return object.kind === 'PersistentVolumeClaim';
}

/** What one quota says to a pod, or a claim. */
export interface QuotaVerdict {
  readonly quota: ResourceQuota;
  /** Why the quota itself could not be created; it then takes no part. */
  readonly invalid: readonly FieldError[];
  /** The quota applies to the pod: same namespace, all scopes match, and it limits something that pods use. */
  readonly matches: boolean;
  /** For each of `spec.scopes`, then of `spec.scopeSelector`, whether the pod is in it; empty in another namespace. */
  readonly scopes: readonly boolean[];
  /** The part of the pod's usage that the quota counts; empty when it does not apply. */
  readonly charged: ResourceAmounts;
}

export interface QuotaReview {
  readonly usage: ResourceAmounts;
  /** In the order of the quotas given. */
  readonly verdicts: readonly QuotaVerdict[];
  /** The whole answer that a client gets when the pod is refused. */
  readonly refusal?: string;
  /** When it is not: the new `status.used` of each quota that changes. */
  readonly used: ReadonlyMap<ResourceQuota, ResourceAmounts>;
}

/**
 * Checks a new pod, its priority already resolved, or a new claim against quotas, in the order given; the first refusal
 * counts.
 * Enforced is `status.hard` against `status.used`: a quota without a status applies to nothing.
 * Source: CheckRequest in staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go
 */
export function reviewQuotas(
  object: Pod | PersistentVolumeClaim,
  quotas: readonly ResourceQuota[],
  limited: readonly LimitedResource[] = [],
): QuotaReview {
  const asked = askedBy(object);
  const { usage } = asked;
  const verdicts = quotas.map((quota) => judge(quota, asked));
  const candidates = verdicts.filter(
    ({ quota, invalid }) => invalid.length === 0 && namespaceOf(quota) === namespaceOf(object),
  );
  // A configured scope that cannot be read switches enforcement off, as in CheckRequest.
  const limitedScopes = limited.flatMap(({ matchScopes }) => matchScopes ?? []);
  if (limitedScopes.some((scope) => 'invalid' in asked.match(scope))) return { usage, verdicts, used: new Map() };
  const refusal = refuse(asked, candidates, limited);
  const used = refusal === undefined ? newUsage(candidates) : new Map<ResourceQuota, ResourceAmounts>();
  return { usage, verdicts, used, ...(refusal === undefined ? {} : { refusal }) };
}

/** As if nothing were used yet: the server enforces `status`, which manifests rarely have. */
export function unusedQuota(quota: ResourceQuota): ResourceQuota {
  const hard = quota.spec?.hard;
  if (hard === undefined) return quota;
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  return { ...quota, status: { hard, used } };
}

const known = new WeakMap<ResourceQuota, readonly FieldError[]>();

/** What is wrong with a quota itself, looked for once and not with every pod. */
function errorsOf(quota: ResourceQuota): readonly FieldError[] {
  return getOrInsert(known, quota, () => validateQuota(quota));
}

function judge(quota: ResourceQuota, asked: Asked): QuotaVerdict {
  const invalid = errorsOf(quota);
  const elsewhere = { quota, invalid, matches: false, scopes: [], charged: new Map() };
  if (invalid.length > 0 || namespaceOf(quota) !== namespaceOf(asked.object)) return elsewhere;
  const scopes = quotaScopes(quota).map((scope) => isIn(asked, scope));
  const hard = [...readResourceList(quota.status?.hard).keys()];
  const matches = asked.matching(hard).length > 0 && scopes.every(Boolean);
  return { quota, invalid, matches, scopes, charged: matches ? mask(asked.usage, hard) : new Map() };
}

/** The text of the refusal, if the object is refused. */
function refuse(
  asked: Asked,
  candidates: readonly QuotaVerdict[],
  limited: readonly LimitedResource[],
): string | undefined {
  const forbid = (detail: string): string => forbiddenText(asked.plural, asked.object.metadata, detail);
  const coveredScopes = new Set<string>();
  const coveredResources = new Set<string>();

  for (const { quota, matches } of candidates) {
    const name = goString(quota.metadata?.name);
    for (const scope of quotaScopes(quota)) {
      const match = asked.match(scope);
      if ('invalid' in match) {
        return `error matching scopes of quota ${name}, err: error on matching scope ${scopeText(scope)}: ${match.invalid}`;
      }
      if (match.matches) coveredScopes.add(scope.scopeName);
    }
    if (!matches) continue;
    const resources = asked.matching([...readResourceList(quota.status?.hard).keys()]);
    const missing = asked.missing(resources);
    if (missing !== undefined) return forbid(`failed quota: ${name}: ${missing}`);
    const counted = readResourceList(quota.status?.used);
    if (resources.some((resource) => !counted.has(resource))) {
      return forbid(`status unknown for quota: ${name}, resources: ${[...resources].sort().join(',')}`);
    }
    for (const resource of resources) coveredResources.add(resource);
  }

  const negative = [...asked.usage].filter(([, amount]) => amount.nanos < 0n).map(([resource]) => resource);
  if (negative.length > 0) return forbid(`quota usage is negative for resource(s): ${negative.sort().join(',')}`);

  const uncovered = limitedResources(asked.usage, limited).filter((resource) => !coveredResources.has(resource));
  if (uncovered.length > 0) return forbid(`insufficient quota to consume: ${uncovered.sort().join(',')}`);
  const uncoveredScopes = limited
    .flatMap(({ matchScopes }) => matchScopes ?? [])
    .filter((scope) => isIn(asked, scope) && !coveredScopes.has(scope.scopeName));
  if (uncoveredScopes.length > 0) {
    // Upstream gives this one without the usual `pods "…" is forbidden`.
    return `insufficient quota to match these scopes: [${uncoveredScopes.map(scopeText).join(' ')}]`;
  }

  for (const { quota, charged } of candidates) {
    const exceeded = exceededText(quota, charged);
    if (exceeded !== undefined) return forbid(exceeded);
  }
  return undefined;
}

function exceededText(quota: ResourceQuota, charged: ResourceAmounts): string | undefined {
  const hard = readResourceList(quota.status?.hard);
  const used = readResourceList(quota.status?.used);
  const exceeded = [...withoutZeros(charged)]
    .filter(([resource, amount]) => {
      const before = used.get(resource);
      const after = before === undefined ? amount : addQuantities(before, amount);
      const limit = hard.get(resource);
      return limit !== undefined && compareQuantities(after, limit) > 0;
    })
    .map(([resource]) => resource);
  if (exceeded.length === 0) return undefined;
  const name = goString(quota.metadata?.name);
  const [requested, taken, limits] = [charged, used, hard].map((list) => amountsText(mask(list, exceeded)));
  return `exceeded quota: ${name}, requested: ${requested ?? ''}, used: ${taken ?? ''}, limited: ${limits ?? ''}`;
}

/** The new `status.used` of the quotas that the object changes. */
function newUsage(candidates: readonly QuotaVerdict[]): ReadonlyMap<ResourceQuota, ResourceAmounts> {
  const changed = new Map<ResourceQuota, ResourceAmounts>();
  for (const { quota, charged } of candidates) {
    const additions = withoutZeros(charged);
    if (additions.size === 0) continue;
    const used = new Map(readResourceList(quota.status?.used));
    for (const [resource, amount] of additions) {
      const before = used.get(resource);
      used.set(resource, before === undefined ? amount : addQuantities(before, amount));
    }
    changed.set(quota, used);
  }
  return changed;
}

/** The resources of the object that only a quota may permit. Source: limitedByDefault. */
function limitedResources(usage: ResourceAmounts, limited: readonly LimitedResource[]): readonly string[] {
  const parts = limited.flatMap(({ matchContains }) => matchContains ?? []);
  return [...usage]
    .filter(([resource, amount]) => amount.nanos > 0n && parts.some((part) => resource.includes(part)))
    .map(([resource]) => resource);
}

function isIn(asked: Asked, scope: ScopeRequirement): boolean {
  const match = asked.match(scope);
  return 'matches' in match && match.matches;
}

function mask(amounts: ResourceAmounts, names: readonly string[]): ResourceAmounts {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
}

function withoutZeros(amounts: ResourceAmounts): ResourceAmounts {
  return new Map([...amounts].filter(([, amount]) => amount.nanos !== 0n));
}

/** Source: prettyPrint in the same file. */
function amountsText(amounts: ResourceAmounts): string {
  return [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${formatQuantity(amounts.get(name)!)}`)
    .join(',');
}

/** A requirement as Go prints the struct. */
function scopeText({ scopeName, operator, values }: ScopeRequirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`;
}
