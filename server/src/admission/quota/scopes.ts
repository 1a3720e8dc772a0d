import { compileRequirements, isLabelOperator } from '../../kubernetes/labels.ts';
import type { Affinity, Pod, PodAffinityTerm, ResourceQuota } from '../../kubernetes/objects.ts';
import { qosClass } from '../../kubernetes/qos-class.ts';
import { goList, goString } from '../format/go-zero.ts';

/** One condition that a quota, or the server's configuration, puts on the pods it is about. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a pod is in a scope; a requirement that cannot be read has upstream's reason. */
export type ScopeMatch = { readonly matches: boolean } | { readonly invalid: string };

/**
 * The scopes of a quota in the order of its spec: `scopes`, then `scopeSelector`.
 * Source: getScopeSelectorsFromQuota in staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go
 */
export function quotaScopes(quota: ResourceQuota): readonly ScopeRequirement[] {
  return [
    ...goList(quota.spec?.scopes).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
    ...goList(quota.spec?.scopeSelector?.matchExpressions).map((expression) => ({
      scopeName: goString(expression.scopeName),
      operator: goString(expression.operator),
      values: goList(expression.values),
    })),
  ];
}

/** Source: podMatchesScopeFunc in pkg/quota/v1/evaluator/core/pods.go. Scopes other than these match no pod. */
export function matchScope(pod: Pod, requirement: ScopeRequirement): ScopeMatch {
  switch (requirement.scopeName) {
    case 'Terminating':
      return { matches: isTerminating(pod) };
    case 'NotTerminating':
      return { matches: !isTerminating(pod) };
    case 'BestEffort':
      return { matches: isBestEffort(pod) };
    case 'NotBestEffort':
      return { matches: !isBestEffort(pod) };
    case 'PriorityClass':
      return matchPriorityClass(goString(pod.spec?.priorityClassName), requirement);
    case 'CrossNamespacePodAffinity':
      return { matches: usesOtherNamespaces(pod.spec?.affinity) };
    default:
      return { matches: false };
  }
}

/** A pod without a class lacks the label that the selector is matched against; NotIn and DoesNotExist match it. */
function matchPriorityClass(className: string, { operator, values }: ScopeRequirement): ScopeMatch {
  if (operator === 'Exists') return { matches: className !== '' };
  if (!isLabelOperator(operator)) {
    return { invalid: `failed to parse and convert selector: "${operator}" is not a valid scope selector operator` };
  }
  const selector = compileRequirements([{ key: 'PriorityClass', operator, values }]);
  if (selector.invalid !== undefined) {
    return { invalid: `failed to parse and convert selector: ${selector.invalid}` };
  }
  return { matches: selector.matches(className === '' ? {} : { PriorityClass: className }) };
}

function isTerminating(pod: Pod): boolean {
  const deadline = pod.spec?.activeDeadlineSeconds;
  return deadline !== undefined && deadline >= 0;
}

/** Source: isBestEffort in pkg/quota/v1/evaluator/core/pods.go */
function isBestEffort(pod: Pod): boolean {
  const stored = goString(pod.status?.qosClass);
  return (stored === '' ? qosClass(pod.spec) : stored) === 'BestEffort';
}

/** Source: usesCrossNamespacePodAffinity in pkg/quota/v1/evaluator/core/pods.go */
function usesOtherNamespaces(affinity: Affinity | undefined): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((terms) => {
    const required = goList(terms?.requiredDuringSchedulingIgnoredDuringExecution);
    const preferred = goList(terms?.preferredDuringSchedulingIgnoredDuringExecution);
    return [...required, ...preferred.map((weighted) => weighted.podAffinityTerm)].some(namesNamespaces);
  });
}

function namesNamespaces(term: PodAffinityTerm | undefined): boolean {
  return goList(term?.namespaces).length > 0 || term?.namespaceSelector !== undefined;
}
