import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec, ResourceRequirements } from '../../kubernetes/objects.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
  readResourceList,
  type ResourceAmounts,
} from '../../kubernetes/pod-resources.ts';
import { getOrInsert } from '../../util/maps.ts';
import { duplicate, forbidden, invalid, invalidFormat, notFound, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { dnsLabelProblems } from '../format/names.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  type ResourceNameCheck,
  validateContainerResourceName,
  validatePodLevelResourceName,
} from '../format/resource-names.ts';
import { isWholePages, validateAmount } from '../format/resource-quantities.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

export interface ResourceRules {
  /** Names of `spec.resourceClaims`, which `claims` may point to. */
  readonly claimNames: ReadonlySet<string>;
  readonly allowIndivisibleHugePages: boolean;
}

/** Judges the resources of one container (ValidateContainerResourceRequirements). */
export function validateContainerResources(
  resources: ResourceRequirements | undefined,
  rules: ResourceRules,
  at: FieldPath,
): FieldError[] {
  return resources === undefined ? [] : validateRequirements(resources, validateContainerResourceName, rules, at);
}

/** Judges `spec.overhead`: as if it were limits, under their path (validateOverhead). */
export function validateOverhead(spec: PodSpec, rules: ResourceRules, at: FieldPath): FieldError[] {
  const place = at.child('overhead');
  return validateOverheadAmounts(spec.overhead, rules, { at: place, printedAt: place });
}

/** Judges amounts of an overhead. Upstream prints them as limits of the field that it judges. */
export function validateOverheadAmounts(
  overhead: PodSpec['overhead'],
  rules: ResourceRules,
  { at, printedAt }: { readonly at: FieldPath; readonly printedAt: FieldPath },
): FieldError[] {
  if (overhead === undefined) return [];
  const errors: FieldError[] = [];
  for (const [name, quantity] of readResourceList(overhead)) {
    const entry = at.key(name).printedAs(printedAt.child('limits').key(name));
    append(
      errors,
      validateContainerResourceName(name, entry),
      validateAmount(name, quantity, entry),
      validatePages(name, quantity, rules, entry),
    );
  }
  if (hugePagesStandAlone([overhead])) {
    errors.push(forbidden(at.printedAs(printedAt), 'HugePages require cpu or memory'));
  }
  return errors;
}

/** Judges the resources of the pod as a whole, against those of its containers (validatePodResources). */
export function validatePodLevelResources(spec: PodSpec, rules: ResourceRules, specPath: FieldPath): FieldError[] {
  const resources = spec.resources;
  if (resources === undefined) return [];
  const at = specPath.child('resources');
  if (spec.os?.name === 'windows') return [forbidden(at, 'may not be set for a windows pod')];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    errors.push(forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level'));
  }
  append(errors, validateRequirements(resources, validatePodLevelResourceName, rules, at));

  const requests = readResourceList(resources.requests);
  const limits = readResourceList(resources.limits);
  for (const [name, sum] of aggregateContainerRequests(spec)) {
    append(errors, atLeast(name, requests, sum, 'requests', at));
  }
  for (const [name, sum] of aggregateContainerLimits(spec)) {
    if (isHugePages(name)) append(errors, atLeast(name, limits, sum, 'limits', at));
  }
  goList(spec.containers).forEach((container, index) => {
    for (const [name, limit] of readResourceList(container.resources?.limits)) {
      const podLimit = limits.get(name);
      if (podLimit === undefined || compareQuantities(limit, podLimit) <= 0) continue;
      const written = specPath.child('containers').index(index).child('resources', 'limits').key(name);
      // Upstream hangs the container's path below the pod's resources.
      const printed = at.child('containers').index(index).key(name).child('limits');
      const detail = `must be less than or equal to pod limits of ${formatQuantity(podLimit)}`;
      errors.push(invalid(written.printedAs(printed), formatQuantity(limit), detail));
    }
  });
  return errors;
}

/** Whether some amount of huge pages is not a whole number of pages: an update then goes easy on them. */
export function usesIndivisibleHugePages(spec: PodSpec): boolean {
  const containers: readonly Container[] = [...goList(spec.initContainers), ...goList(spec.containers)];
  const lists = containers.flatMap((container) => [container.resources?.limits, container.resources?.requests]);
  return [...lists, spec.overhead].some((list) =>
    [...readResourceList(list)].some(([name, quantity]) => isHugePages(name) && !isWholePages(name, quantity)),
  );
}

/** validateResourceRequirements. */
function validateRequirements(
  resources: ResourceRequirements,
  validateName: ResourceNameCheck,
  rules: ResourceRules,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const limits = readResourceList(resources.limits);
  for (const [name, quantity] of limits) {
    const place = at.child('limits').key(name);
    append(
      errors,
      validateName(name, place),
      validateAmount(name, quantity, place),
      validatePages(name, quantity, rules, place),
    );
  }
  for (const [name, quantity] of readResourceList(resources.requests)) {
    const place = at.child('requests').key(name);
    append(
      errors,
      validateName(name, place),
      validateAmount(name, quantity, place),
      validateAgainstLimit(name, quantity, limits.get(name), at),
      validatePages(name, quantity, rules, place),
    );
  }
  if (hugePagesStandAlone([resources.limits, resources.requests])) {
    errors.push(forbidden(at, 'HugePages require cpu or memory'));
  }
  append(errors, validateClaims(resources.claims, rules.claimNames, at.child('claims')));
  return errors;
}

/** Huge pages come whole. */
function validatePages(name: string, quantity: Quantity, rules: ResourceRules, at: FieldPath): FieldError[] {
  if (!isHugePages(name) || rules.allowIndivisibleHugePages || isWholePages(name, quantity)) return [];
  const text = formatQuantity(quantity);
  return [invalid(at, text, `${text} is not positive integer multiple of ${name}`)];
}

/** A request stays within its limit; what cannot be overcommitted must have a limit, and equal it. */
function validateAgainstLimit(
  name: string,
  request: Quantity,
  limit: Quantity | undefined,
  at: FieldPath,
): FieldError[] {
  const overcommit = isOvercommitAllowed(name);
  if (limit === undefined) {
    return overcommit ? [] : [required(at.child('limits'), 'Limit must be set for non overcommitable resources')];
  }
  const order = compareQuantities(request, limit);
  if (order === 0 || (overcommit && order < 0)) return [];
  const place = at.child('requests').key(name).printedAs(at.child('requests'));
  const relation = overcommit ? 'less than or equal to' : 'equal to';
  const detail = `must be ${relation} ${name} limit of ${formatQuantity(limit)}`;
  return [invalid(place, formatQuantity(request), detail)];
}

function hugePagesStandAlone(lists: readonly (Readonly<Record<string, unknown>> | undefined)[]): boolean {
  const names = lists.flatMap((list) => Object.keys(list ?? {}));
  return names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
}

function atLeast(
  name: string,
  podLevel: ResourceAmounts,
  sum: Quantity,
  list: 'requests' | 'limits',
  at: FieldPath,
): FieldError[] {
  const own = podLevel.get(name);
  if (own === undefined || compareQuantities(sum, own) <= 0) return [];
  const detail = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`;
  return [invalid(at.child(list).key(name), formatQuantity(own), detail)];
}

/** Characters of a claim and its request; both are labels, so that no valid ones are longer. */
const longestClaim = 253;

const lists = new WeakMap<ReadonlySet<string>, string>();

/** The claims of a pod, put together once for all that name another. */
function listed(claimNames: ReadonlySet<string>): string {
  return getOrInsert(lists, claimNames, () =>
    claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`,
  );
}

/** validateResourceClaimNames. */
function validateClaims(
  claims: ResourceRequirements['claims'],
  claimNames: ReadonlySet<string>,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const requestsOf = new Map<string, number>();
  goList(claims).forEach((claim, index) => {
    const place = at.index(index);
    const name = goString(claim.name);
    const request = goString(claim.request);
    if (name === '') {
      errors.push(required(place));
      return;
    }
    if (seen.has(name)) {
      errors.push(duplicate(place, name));
    } else {
      if (request !== '') append(errors, invalidFormat(place.child('request'), request, dnsLabelProblems(request)));
      const key = request === '' ? name : `${name}/${request}`;
      if (seen.has(key)) {
        errors.push(duplicate(place, key));
      } else if (request === '') {
        // The whole claim after some of its requests: one error for each of these.
        for (let left = requestsOf.get(name) ?? 0; left > 0; left -= 1) errors.push(duplicate(place, name));
      }
      seen.add(key);
      for (const { index: length } of key.slice(0, longestClaim).matchAll(/\//g)) {
        const whole = key.slice(0, length);
        requestsOf.set(whole, (requestsOf.get(whole) ?? 0) + 1);
      }
    }
    if (!claimNames.has(name)) {
      errors.push(notFound(place, name, `must be one of the names in pod.spec.resourceClaims${listed(claimNames)}`));
    }
  });
  return errors;
}
