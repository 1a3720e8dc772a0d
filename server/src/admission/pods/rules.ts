import type { ObjectMeta, PodSpec } from '../../kubernetes/objects.ts';
import { FieldPath } from '../format/field-path.ts';
import { hasInvalidDeletionCost } from './annotations.ts';
import { validateAffinitySelectors } from './affinity.ts';
import { hasInvalidRequiredValue } from './node-affinity.ts';
import { usesIndivisibleHugePages } from './resources.ts';
import { hasHostSysctl, hasUserNamespaceDevices, type SecurityRules } from './security-context.ts';
import { hasInvalidSpreadKeys, hasInvalidSpreadSelector, type SpreadRules } from './topology-spread.ts';
import { hasNonLocalTokenPath } from '../volumes/volume-files.ts';
import type { VolumeRules } from '../volumes/volume-sources.ts';

/**
 * What depends on whether a pod or a template is judged, and on what an update found stored: a rule that came late
 * spares objects that broke it already.
 * Source: PodValidationOptions in pkg/apis/core/validation/validation.go
 */
export interface PodRules extends SecurityRules, SpreadRules, VolumeRules {
  /** A pod itself, not the template of a workload. */
  readonly isPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidAffinitySelectorValues: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowIndivisibleHugePages: boolean;
  /** Addresses may not have leading zeros. */
  readonly strictAddresses: boolean;
}

const strictRules: PodRules = {
  isPod: true,
  allowInvalidDeletionCost: false,
  allowInvalidAffinitySelectorValues: false,
  allowInvalidNodeAffinityValues: false,
  allowInvalidSpreadSelectors: false,
  allowInvalidSpreadKeys: false,
  allowIndivisibleHugePages: false,
  allowNonLocalTokenPaths: false,
  allowHostSysctls: false,
  allowSelinuxMountPolicy: false,
  allowUserNamespaceDevices: false,
  strictAddresses: false,
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
  const { spec } = old;
  const deletionCost = { allowInvalidDeletionCost: hasInvalidDeletionCost(old.metadata?.annotations) };
  if (spec === undefined) return { ...strictRules, ...deletionCost };
  const constraints = spec.topologySpreadConstraints ?? [];
  return {
    isPod: true,
    ...deletionCost,
    allowInvalidAffinitySelectorValues: validateAffinitySelectors(spec.affinity).length > 0,
    allowInvalidNodeAffinityValues: hasInvalidRequiredValue(spec.affinity?.nodeAffinity),
    allowInvalidSpreadSelectors: hasInvalidSpreadSelector(constraints),
    allowInvalidSpreadKeys: hasInvalidSpreadKeys(constraints),
    allowIndivisibleHugePages: usesIndivisibleHugePages(spec),
    allowNonLocalTokenPaths: hasNonLocalTokenPath(spec),
    allowHostSysctls: hasHostSysctl(spec),
    allowSelinuxMountPolicy: spec.securityContext?.seLinuxChangePolicy !== undefined,
    allowUserNamespaceDevices: hasUserNamespaceDevices(spec, FieldPath.root),
    // What is stored already is not judged by stricter rules.
    strictAddresses: false,
  };
}
