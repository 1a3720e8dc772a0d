import { mapChanged } from '../../kubernetes/defaults/map-changed.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { goList } from '../format/go-zero.ts';

/**
 * The spec as the API server keeps it: fields whose feature gate is off are gone before anything is judged, unless the
 * stored object has them already. Image volumes stay here, marked by nobody: see `withoutImageVolumes`.
 * Source: dropDisabledFields in pkg/api/pod/util.go
 */
export function withoutDisabledFields(written: PodSpec, { featureGates }: Release, old?: PodSpec): PodSpec {
  let spec = written;
  if (!featureGates.has('ContainerRestartRules') && !usesRestartRules(old)) spec = withoutRestartRules(spec);
  if (!stopsBySignal(old)) spec = withoutStopSignals(spec);
  if (!featureGates.has('HostnameOverride') && old?.hostnameOverride === undefined) {
    spec = without(spec, 'hostnameOverride');
  }
  if (!featureGates.has('GenericWorkload')) {
    if (old?.schedulingGroup === undefined) spec = without(spec, 'schedulingGroup');
    if (old?.workloadRef === undefined) spec = without(spec, 'workloadRef');
  }
  if (!featureGates.has('MatchLabelKeysInPodTopologySpread') && !usesLabelKeys(old)) {
    const constraints = goList(spec.topologySpreadConstraints);
    const kept = mapChanged(constraints, (constraint) => without(constraint, 'matchLabelKeys'));
    if (kept !== constraints) spec = { ...spec, topologySpreadConstraints: kept };
  }
  return spec;
}

type Lists = Pick<PodSpec, 'containers' | 'initContainers'>;

function stopsBySignal(spec: PodSpec | undefined): boolean {
  return [...goList(spec?.containers), ...goList(spec?.initContainers)].some(
    ({ lifecycle }) => lifecycle?.stopSignal !== undefined,
  );
}

/** Source: dropContainerStopSignals; its gate is off in every minor */
function withoutStopSignals(spec: PodSpec): PodSpec {
  if (!stopsBySignal(spec)) return spec;
  const dropped = (container: Container): Container => {
    if (container.lifecycle?.stopSignal === undefined) return container;
    const lifecycle = without(container.lifecycle, 'stopSignal');
    return Object.keys(lifecycle).length === 0 ? without(container, 'lifecycle') : { ...container, lifecycle };
  };
  const lists: Lists = {
    containers: goList(spec.containers).map(dropped),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(dropped) }),
  };
  return { ...spec, ...lists };
}

function usesLabelKeys(spec: PodSpec | undefined): boolean {
  return goList(spec?.topologySpreadConstraints).some(({ matchLabelKeys }) => goList(matchLabelKeys).length > 0);
}

/** The spec without image volumes and what mounts them, where the API server drops them. */
export function withoutImageVolumes(spec: PodSpec, { featureGates }: Release, old?: PodSpec): PodSpec {
  if (featureGates.has('ImageVolume') || goList(old?.volumes).some(({ image }) => image !== undefined)) return spec;
  const names = new Set(goList(spec.volumes).flatMap(({ name, image }) => (image === undefined ? [] : [name])));
  if (names.size === 0) return spec;
  const withoutMounts = <T extends Pick<Container, 'volumeMounts'>>(container: T): T =>
    container.volumeMounts === undefined
      ? container
      : { ...container, volumeMounts: container.volumeMounts.filter(({ name }) => !names.has(name)) };
  return {
    ...spec,
    volumes: goList(spec.volumes).filter(({ image }) => image === undefined),
    containers: spec.containers.map(withoutMounts),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withoutMounts) }),
    ...(spec.ephemeralContainers === undefined
      ? {}
      : { ephemeralContainers: spec.ephemeralContainers.map(withoutMounts) }),
  };
}

/** Whether containers say of themselves when they restart. Source: containerRestartRulesInUse */
export function usesRestartRules(spec: PodSpec | undefined): boolean {
  return (
    goList(spec?.containers).some(
      ({ restartPolicy, restartPolicyRules }) => restartPolicy !== undefined || goList(restartPolicyRules).length > 0,
    ) ||
    goList(spec?.initContainers).some(
      ({ restartPolicy, restartPolicyRules }) =>
        (restartPolicy !== undefined && restartPolicy !== 'Always') || goList(restartPolicyRules).length > 0,
    )
  );
}

function withoutRestartRules(spec: PodSpec): PodSpec {
  const containers = mapChanged(goList(spec.containers), (container) =>
    without(without(container, 'restartPolicy'), 'restartPolicyRules'),
  );
  const initContainers = mapChanged(goList(spec.initContainers), (container) => {
    const kept = container.restartPolicy === 'Always' ? container : without(container, 'restartPolicy');
    return without(kept, 'restartPolicyRules');
  });
  return { ...spec, containers, ...(spec.initContainers === undefined ? {} : { initContainers }) };
}

/** The object itself where it does not have the field. */
function without<T extends object>(object: T, field: keyof T): T {
  if (object[field] === undefined) return object;
  const copy = { ...object };
  Reflect.deleteProperty(copy, field);
  return copy;
}
