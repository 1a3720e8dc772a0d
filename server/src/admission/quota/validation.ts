import { append } from '../../kit/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { invalid, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { dnsSubdomainProblems } from '../format/names.ts';
import { type MetaRules, validateObjectMeta } from '../format/object-meta.ts';
import { isStandardQuotaResource, validateQuotaResourceName } from '../format/resource-names.ts';
import { validateAmount } from '../format/resource-quantities.ts';

const metaRules: MetaRules = { namespaced: true, nameProblems: dnsSubdomainProblems, coreFinalizers: true };

/** Sources: standardResourceQuotaScopes, IsStandardResourceQuotaScope in pkg/apis/core/helper/helpers.go */
const knownScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

/** The scopes that a pod is either in or not: their selectors have no other operator than Exists. */
const plainScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]);

const conflictingScopes: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

const podCounts: ReadonlySet<string> = new Set(['pods']);
const podResources: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
const volumeResources: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);

/** What may be limited within a scope; unknown scopes exclude nothing. Source: IsResourceQuotaScopeValidForResource */
const resourcesOfScope: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['BestEffort', podCounts],
  ['VolumeAttributesClass', volumeResources],
]);

/**
 * Judges a quota that is created; its status is not looked at.
 * Source: ValidateResourceQuota in pkg/apis/core/validation/validation.go
 */
export function validateQuota(quota: ResourceQuota): FieldError[] {
  const errors = validateObjectMeta(quota.metadata, metaRules, FieldPath.to('metadata'));
  const hard = FieldPath.to('spec', 'hard');
  for (const [name, quantity] of readResourceList(quota.spec?.hard)) {
    append(errors, validateQuotaResourceName(name, hard.key(name)), validateAmount(name, quantity, hard.key(name)));
  }
  append(errors, validateScopes(quota), validateScopeSelector(quota));
  return errors;
}

/** validateResourceQuotaScopes: each finding stands at the whole list. */
function validateScopes(quota: ResourceQuota): FieldError[] {
  const at = FieldPath.to('spec', 'scopes');
  const scopes = goList(quota.spec?.scopes);
  const errors: FieldError[] = [];
  scopes.forEach((scope, index) => {
    const place = at.index(index).printedAs(at);
    if (!knownScopes.has(scope)) errors.push(invalid(place, scopes, 'unsupported scope'));
    append(errors, validateScopedResources(quota, scope, scopes, place));
  });
  append(errors, validateConflicts(scopes, scopes, at));
  return errors;
}

/** validateScopedResourceSelectorRequirement: upstream's paths have no index. */
function validateScopeSelector(quota: ResourceQuota): FieldError[] {
  const at = FieldPath.to('spec', 'scopeSelector', 'matchExpressions');
  const expressions = goList(quota.spec?.scopeSelector?.matchExpressions);
  const errors: FieldError[] = [];
  expressions.forEach((expression, index) => {
    const place = (field: string): FieldPath => at.index(index).child(field).printedAs(at.child(field));
    const scope = goString(expression.scopeName);
    const operator = goString(expression.operator);
    const values = goList(expression.values);
    if (!knownScopes.has(scope)) errors.push(invalid(place('scopeName'), scope, 'unsupported scope'));
    append(errors, validateScopedResources(quota, scope, quota.spec?.scopeSelector, at.index(index).printedAs(at)));
    if (plainScopes.has(scope) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(place('operator'), operator, detail));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(required(place('values'), detail));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(invalid(place('values'), values, detail));
      }
    } else {
      errors.push(invalid(place('operator'), operator, 'not a valid selector operator'));
    }
  });
  const names = expressions.map((expression) => goString(expression.scopeName));
  // Upstream reports a conflict in the selector under `scopeSelector.matchExpressions`, too.
  append(errors, validateConflicts(names, quota.spec?.scopeSelector, at));
  return errors;
}

/** One error for each limited resource that the scope does not apply to. */
function validateScopedResources(quota: ResourceQuota, scope: string, value: unknown, at: FieldPath): FieldError[] {
  const allowed = resourcesOfScope.get(scope);
  if (allowed === undefined) return [];
  return [...readResourceList(quota.spec?.hard).keys()]
    .filter((name) => isStandardQuotaResource(name) && !allowed.has(name))
    .map(() => invalid(at, value, 'unsupported scope applied to resource'));
}

function validateConflicts(scopes: readonly string[], value: unknown, at: FieldPath): FieldError[] {
  return conflictingScopes
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalid(at, value, 'conflicting scopes'));
}
