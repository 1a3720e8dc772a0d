/** What is written most comes first. What is not named here follows in its own order. */

export const kindsInOrder: readonly string[] = [
  ...['Deployment', 'Service', 'ConfigMap', 'Secret', 'Ingress', 'StatefulSet', 'CronJob', 'Job', 'DaemonSet', 'Pod'],
  ...['Namespace', 'ServiceAccount', 'PersistentVolumeClaim', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'],
  ...['PriorityClass', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'Role', 'RoleBinding', 'ClusterRole'],
  ...['ClusterRoleBinding', 'StorageClass', 'PersistentVolume', 'Node', 'CustomResourceDefinition', 'RuntimeClass'],
];

const fields: Readonly<Record<string, readonly string[]>> = {
  Volume: [
    ...['name', 'configMap', 'secret', 'emptyDir', 'persistentVolumeClaim', 'projected', 'hostPath', 'downwardAPI'],
    ...['csi', 'ephemeral', 'nfs', 'image'],
  ],
  Container: [
    ...['name', 'image', 'command', 'args', 'ports', 'env', 'envFrom', 'resources', 'volumeMounts', 'readinessProbe'],
    ...['livenessProbe', 'startupProbe', 'securityContext', 'lifecycle', 'imagePullPolicy', 'workingDir'],
  ],
  PodSpec: [
    ...['containers', 'initContainers', 'volumes', 'serviceAccountName', 'priorityClassName', 'nodeSelector'],
    ...['affinity', 'tolerations', 'topologySpreadConstraints', 'securityContext', 'imagePullSecrets', 'restartPolicy'],
    'terminationGracePeriodSeconds',
  ],
  ResourceRequirements: ['requests', 'limits'],
  ServiceSpec: ['selector', 'ports', 'type', 'clusterIP', 'externalTrafficPolicy', 'sessionAffinity'],
};

/** The place of a field among those of its struct; undefined for those that follow. */
export function placeInUse(struct: string, field: string): number | undefined {
  const at = Object.hasOwn(fields, struct) ? fields[struct]!.indexOf(field) : -1;
  return at === -1 ? undefined : at;
}
