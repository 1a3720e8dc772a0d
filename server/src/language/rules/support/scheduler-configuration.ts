import { isSchedulerConfiguration } from '../../../kubernetes/decode/index.ts';
import { latestRelease } from '../../../kubernetes/releases/index.ts';
import { readConfiguration, type SchedulerConfiguration } from '../../../scheduler/configuration.ts';
import type { ManifestObject } from '../../../manifests/manifest.ts';
import type { Fact } from '../../facts.ts';

const read = new WeakMap<ManifestObject, SchedulerConfiguration>();

/**
 * What a KubeSchedulerConfiguration makes of the scheduler; undefined for objects of other kinds, and of versions that
 * kube-scheduler does not read.
 */
export function schedulerConfigurationOf({ kind, manifest }: Fact): SchedulerConfiguration | undefined {
  if (kind !== 'KubeSchedulerConfiguration' || !isSchedulerConfiguration(manifest.apiVersion, kind)) return undefined;
  let configuration = read.get(manifest);
  if (configuration === undefined) {
    configuration = readConfiguration(manifest.value, latestRelease);
    read.set(manifest, configuration);
  }
  return configuration;
}
