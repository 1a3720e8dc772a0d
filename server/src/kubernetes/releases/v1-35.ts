import { apiTypes } from '../api/index.ts';
import type { Release } from '../release.ts';
import { v134 } from './v1-34.ts';

/** Kubernetes 1.35.6. */
export const v135: Release = {
  minor: '1.35',
  version: 'v1.35.6',
  types: apiTypes('1.35'),
  // None was recorded for 1.35; its changelog adds none.
  served: v134.served,
  servedOnDemand: { 'scheduling.k8s.io/v1alpha1': ['Workload'] },
  plugins: {
    ...v134.plugins,
    DynamicResources: {
      points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind'],
      weight: 2,
    },
    NodeDeclaredFeatures: { points: ['preFilter', 'filter'], optional: true },
  },
  featureGates: new Set([
    ...v134.featureGates,
    'CSIServiceAccountTokenSecrets',
    'ClearingNominatedNodeNameAfterBinding',
    'ContainerRestartRules',
    'EnvFiles',
    'HPAConfigurableTolerance',
    'HostnameOverride',
    'ImageVolume',
    'MutableCSINodeAllocatableCount',
    'PodTopologyLabelsAdmission',
  ]),
  behaviours: {
    ...v134.behaviours,
    preemptsTerminatingVictims: false,
    keepsNominationWithoutPostFilter: false,
    knowsNumericTolerations: true,
    sparesStoredHostNetworkUsers: true,
    explainsRefusedEvictions: true,
    jobsKeepFailedPods: false,
    countsLabelsInBytes: true,
    formatsEmptyDrivers: false,
    warnsOfQuotas: true,
    warnsOfDrivers: true,
    warnsOfServices: ['PreferClose'],
    judgesUpdatesTwice: false,
  },
  devices: {
    ...v134.devices,
    refusesNoValueAs: 'invalid',
    judgesLongLists: false,
    countsSlicesOfOtherNodes: true,
    skipsBadPools: true,
    countersOfSlices: false,
    countersReachAllNodes: true,
    capacityRequestsWithoutGate: 'ignored',
    newSelectorsKnowLists: true,
    distinctAttributeWithoutGate: 'refused',
    resultsCarryTolerations: true,
  },
};
