import type { ObjectMeta, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { FieldPath } from '../format/field-path.ts';
import { hasInvalidDeletionCost } from './annotations.ts';
import { validateAffinitySelectors } from './affinity.ts';
import { restartsInitContainersToResize } from './containers.ts';
import { usesRestartRules } from './disabled-fields.ts';
import { hasInvalidRequiredValue } from './node-affinity.ts';
import { usesIndivisibleHugePages } from './resources.ts';
import { restartsAllContainers } from './restart-rules.ts';
import { hasHostSysctl, hasUserNamespaceDevices, type SecurityRules } from './security-context.ts';
import { hasInvalidSpreadKeys, hasInvalidSpreadSelector, type SpreadRules } from './topology-spread.ts';
import { isNumericToleration } from './tolerations.ts';
import { hasNonLocalTokenPath } from '../volumes/volume-files.ts';
import type { VolumeRules } from '../volumes/volume-sources.ts';

/**
 * What depends on whether a pod or a template is judged, and on what an update found stored: a rule that came late
 * spares objects that broke it already.
 * Source: PodValidationOptions in pkg/apis/core/validation/validation.go
 */
export interface PodRules extends SecurityRules, SpreadRules, VolumeRules {
  readonly isPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidAffinitySelectorValues: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowIndivisibleHugePages: boolean;
  /** Containers may have a restart policy of their own. */
  readonly allowRestartRules: boolean;
  /** Operators `Gt` and `Lt` of tolerations are judged by their values. */
  readonly allowNumericTolerations: boolean;
  readonly allowRestartAllContainers: boolean;
  readonly allowResizeOfInitContainers: boolean;
  /** Addresses may not have leading zeros. */
  readonly strictAddresses: boolean;
}

function strictRules(release: Release): PodRules {
  const { featureGates, behaviours } = release;
  return {
    isPod: true,
    wantsImages: true,
    allowRestartRules: featureGates.has('ContainerRestartRules'),
    allowImageVolumes: featureGates.has('ImageVolume'),
    allowNumericTolerations: featureGates.has('TaintTolerationComparisonOperators'),
    allowRestartAllContainers: featureGates.has('RestartAllContainersOnContainerExits'),
    allowHostNetworkUsers: false,
    allowResizeOfInitContainers: !behaviours.refusesResizeOfInitContainers,
    release,
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
    strictAddresses: featureGates.has('StrictIPCIDRValidation'),
  };
}

/** The rules for creating a pod. */
export function podCreationRules(release: Release): PodRules {
  return strictRules(release);
}

/** What is stored of a pod, or of the template of a workload. */
interface StoredPod {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** The rules for a workload that holds a pod template, and is stored with `old`. Source: GetValidationOptionsFromPodTemplate */
export function podTemplateRules(release: Release, old: StoredPod = {}): PodRules {
  return { ...podUpdateRules(old, release), isPod: false, wantsImages: release.behaviours.wantsImagesOfTemplates };
}

/**
 * The rules for updating a pod that is stored as `old`.
 * Source: GetValidationOptionsFromPodSpecAndMeta in pkg/api/pod/util.go
 */
export function podUpdateRules(old: StoredPod, release: Release): PodRules {
  const strict = strictRules(release);
  const { behaviours } = release;
  const { spec } = old;
  const deletionCost = { allowInvalidDeletionCost: hasInvalidDeletionCost(old.metadata?.annotations) };
  if (spec === undefined) return { ...strict, ...deletionCost };
  const constraints = spec.topologySpreadConstraints ?? [];
  return {
    ...strict,
    ...deletionCost,
    allowRestartRules: strict.allowRestartRules || usesRestartRules(spec),
    allowRestartAllContainers: strict.allowRestartAllContainers || restartsAllContainers(spec),
    allowImageVolumes: strict.allowImageVolumes || (spec.volumes ?? []).some(({ image }) => image !== undefined),
    allowNumericTolerations:
      strict.allowNumericTolerations ||
      (behaviours.knowsNumericTolerations && (spec.tolerations ?? []).some(isNumericToleration)),
    allowHostNetworkUsers:
      behaviours.sparesStoredHostNetworkUsers && spec.hostNetwork === true && spec.hostUsers === false,
    allowResizeOfInitContainers: strict.allowResizeOfInitContainers || restartsInitContainersToResize(spec),
    allowInvalidAffinitySelectorValues: validateAffinitySelectors(spec.affinity).length > 0,
    allowInvalidNodeAffinityValues: hasInvalidRequiredValue(spec.affinity?.nodeAffinity),
    allowInvalidSpreadSelectors: hasInvalidSpreadSelector(constraints),
    allowInvalidSpreadKeys: hasInvalidSpreadKeys(constraints),
    allowIndivisibleHugePages: usesIndivisibleHugePages(spec),
    allowNonLocalTokenPaths: hasNonLocalTokenPath(spec),
    allowHostSysctls: hasHostSysctl(spec),
    allowSelinuxMountPolicy: spec.securityContext?.seLinuxChangePolicy !== undefined,
    allowUserNamespaceDevices: hasUserNamespaceDevices(spec, FieldPath.root),
  };
}
