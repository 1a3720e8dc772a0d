import { apiTypes } from '../api/index.ts';
import { alsoServed } from '../api/served.ts';
import type { Release } from '../release.ts';
import { v135 } from './v1-35.ts';

/** Kubernetes 1.36.3. */
export const v136: Release = {
  minor: '1.36',
  version: 'v1.36.3',
  types: apiTypes('1.36'),
  // Source: a running server of 1.36.3
  served: alsoServed(v135.served, {
    'admissionregistration.k8s.io/v1': ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  }),
  servedOnDemand: { 'scheduling.k8s.io/v1alpha2': ['Workload', 'PodGroup'] },
  plugins: {
    ...v135.plugins,
    NodeDeclaredFeatures: { points: ['preFilter', 'filter'] },
  },
  featureGates: new Set([
    ...v135.featureGates,
    'DRAConsumableCapacity',
    'DRADeviceBindingConditions',
    'DRADeviceTaints',
    'DRAExtendedResource',
    'DRAPartitionableDevices',
    'InPlacePodLevelResourcesVerticalScaling',
    'MutablePodResourcesForSuspendedJobs',
    'MutableSchedulingDirectivesForSuspendedJobs',
    'NodeDeclaredFeatures',
    'RelaxedServiceNameValidation',
    'RestartAllContainersOnContainerExits',
    'StrictIPCIDRValidation',
  ]),
  behaviours: {
    ...v135.behaviours,
    bindingEndsNomination: false,
    hintsSeeNominatedPods: true,
    hintsSeeOwnLabels: true,
    hintsSeeAntiAffinityOfOthers: true,
    scoresChangeOfBalance: true,
    countsImageVolumes: true,
    checksScoringStrategy: true,
    countsRestartRules: true,
    warnsOfServices: ['PreferClose', 'externalIPs'],
    refusesResizeOfInitContainers: true,
    drainRepeatsCannotDelete: false,
    wantsMaximumOfAutoscalers: true,
    namesImmutableClassFields: true,
    judgesAttachersFirst: true,
    alwaysMigratesPortworx: true,
  },
  devices: {
    ...v135.devices,
    sortsPools: true,
    capacityRequestsWithoutGate: 'alternative refused',
    distinctAttributeWithoutGate: 'enforced',
    continuesBehindLastDevice: true,
    keepsAlternativeOfAll: true,
    timeoutEndsAttempt: true,
    selectorsInclude: true,
    writesPodLarge: true,
    namesBadKeys: false,
  },
};
