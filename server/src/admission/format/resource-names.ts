import type { FieldError } from '../../kubernetes/field-error.ts';
import { isPodLevelResource } from '../../kubernetes/pod-resources.ts';
import { invalid, invalidFormat, notSupported } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { qualifiedNameProblems } from './names.ts';

/**
 * Which resource names are known, and where each may stand.
 * Sources: pkg/apis/core/helper/helpers.go; validateResourceName and its callers in
 * pkg/apis/core/validation/validation.go
 */

const hugePagesPrefix = 'hugepages-';
const requestsPrefix = 'requests.';

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Counted objects: their amounts are integers. */
const objectCounts: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const integerResources: ReadonlySet<string> = new Set(objectCounts);

const quotaResources: ReadonlySet<string> = new Set([
  ...['', requestsPrefix, 'limits.'].flatMap((prefix) => [...containerResources].map((name) => prefix + name)),
  'requests.storage',
  ...objectCounts,
]);

const standardResources: ReadonlySet<string> = new Set([...quotaResources, 'storage']);

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** The page size that a huge page resource is named after: `2Mi` of `hugepages-2Mi`. */
export function hugePageSizeText(name: string): string {
  return name.slice(hugePagesPrefix.length);
}

/** A name of Kubernetes' own: without a slash, or under kubernetes.io/. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A device or the like: `nvidia.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(requestsPrefix)) return false;
  return qualifiedNameProblems(requestsPrefix + name).length === 0;
}

/** Whether a request may differ from its limit. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name);
}

/** A name without a slash that a ResourceQuota may limit. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isHugePages(name) || name.startsWith(requestsPrefix + hugePagesPrefix);
}

/** The check of a resource name at some place. */
export type ResourceNameCheck = (name: string, at: FieldPath) => FieldError[];

/** validateResourceName. */
export const validateResourceName: ResourceNameCheck = (name, at) => {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return invalidFormat(at, name, problems);
  if (name.includes('/') || standardResources.has(name) || isStandardQuotaResource(name)) return [];
  return [invalid(at, name, 'must be a standard resource type or fully qualified')];
};

export const validateContainerResourceName: ResourceNameCheck = (name, at) => {
  const errors = validateResourceName(name, at);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      errors.push(invalid(at, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(at, name, "doesn't follow extended resource name standard"));
  }
  return errors;
};

export const validatePodLevelResourceName: ResourceNameCheck = (name, at) => {
  const errors = validateResourceName(name, at);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(at, name, ['cpu', hugePagesPrefix, 'memory'])];
};

export const validateQuotaResourceName: ResourceNameCheck = (name, at) => {
  const errors = validateResourceName(name, at);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    errors.push(invalid(at, name, 'must be a standard resource for quota'));
  }
  return errors;
};
