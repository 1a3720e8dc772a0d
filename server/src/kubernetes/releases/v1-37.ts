import { apiTypes } from '../api/index.ts';
import { alsoServed } from '../api/served.ts';
import type { Release } from '../release.ts';
import { v136 } from './v1-36.ts';

/**
 * Kubernetes 1.37 as its release notes (kubernetes/sig-release, releases/release-1.37/release-notes, of 13 August 2026) and
 * its sources say; not compared with a running one.
 */
export const v137: Release = {
  minor: '1.37',
  version: 'v1.37.0',
  types: apiTypes('1.37'),
  // Source: the release notes (138560, 138676, 139437, 139579), and register.go of the groups
  served: alsoServed(v136.served, {
    'certificates.k8s.io/v1': ['ClusterTrustBundle', 'PodCertificateRequest'],
    'resource.k8s.io/v1': ['DeviceTaintRule'],
    'storagemigration.k8s.io/v1': ['StorageVersionMigration'],
  }),
  // Source: pull requests 138572, 140184
  servedOnDemand: {
    'scheduling.k8s.io/v1alpha3': ['Workload', 'PodGroup'],
    'scheduling.k8s.io/v1beta1': ['Workload', 'PodGroup'],
  },
  plugins: v136.plugins,
  // Source: pkg/scheduler/features; the release notes (139466, 139648)
  featureGates: new Set([
    ...v136.featureGates,
    'DRADeviceTaintRules',
    'DRAFractionalCapacityRange',
    'HPAScaleToZero',
    'MaxUnavailableStatefulSet',
    'StorageCapacityScoring',
    'VolumeLimitScaling',
  ]),
  behaviours: {
    ...v136.behaviours,
    boundsImageVolumes: true,
    gatedNominationsHold: true,
    hintsSeeAnyAntiAffinity: true,
    resizesWholePods: true,
    ignoresEmptyPodResources: true,
    tellsOfPreemption: true,
    wantsImagesOfTemplates: true,
  },
  devices: {
    ...v136.devices,
    countersReachAllNodes: false,
    accountsExactly: true,
    joinsConfigurations: true,
    namesDevicesInErrors: true,
    selectorsReadLists: true,
  },
};
