import type { ObjectMeta, PodSpec } from '../kubernetes/objects.ts';
import { FieldPath } from './field-path.ts';
import { hasInvalidDeletionCost } from './pod-annotations.ts';
import { validateAffinitySelectors } from './pod-affinity.ts';
import { validateNodeSelectorTerm } from './pod-node-affinity.ts';
import { usesIndivisibleHugePages } from './pod-resources.ts';
import { hasInvalidSpreadSelector } from './pod-topology-spread.ts';

/**
 * What depends on whether a pod or a template is judged, and on what an update found stored: a rule that came late
 * spares objects that broke it already.
 * Source: PodValidationOptions in pkg/apis/core/validation/validation.go
 */
export interface PodRules {
  /** A pod itself, not the template of a workload. */
  readonly isPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidAffinitySelectorValues: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowInvalidSpreadSelectors: boolean;
  readonly allowIndivisibleHugePages: boolean;
}

const strictRules: PodRules = {
  isPod: true,
  allowInvalidDeletionCost: false,
  allowInvalidAffinitySelectorValues: false,
  allowInvalidNodeAffinityValues: false,
  allowInvalidSpreadSelectors: false,
  allowIndivisibleHugePages: false,
};

/** The rules for creating a pod. */
export const podCreationRules: PodRules = strictRules;

/** The rules for creating a workload that holds a pod template. */
export const podTemplateRules: PodRules = { ...strictRules, isPod: false };

/**
 * The rules for updating a pod that is stored as `old`.
 * Source: GetValidationOptionsFromPodSpecAndMeta in pkg/api/pod/util.go
 */
export function podUpdateRules(old: { readonly metadata?: ObjectMeta; readonly spec?: PodSpec }): PodRules {
  const spec = old.spec;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  return {
    isPod: true,
    allowInvalidDeletionCost: hasInvalidDeletionCost(old.metadata?.annotations),
    allowInvalidAffinitySelectorValues: validateAffinitySelectors(spec?.affinity).length > 0,
    allowInvalidNodeAffinityValues: terms.some(
      (term) => validateNodeSelectorTerm(term, false, FieldPath.root).length > 0,
    ),
    allowInvalidSpreadSelectors: hasInvalidSpreadSelector(spec?.topologySpreadConstraints ?? []),
    allowIndivisibleHugePages: spec !== undefined && usesIndivisibleHugePages(spec),
  };
}
