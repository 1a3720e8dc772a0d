import { say } from '../../util/say.ts';

/** Refusals of a change that the same object, made anew, does not meet. */
const ofUpdates =
  /field is immutable|updates to statefulset spec for fields|pod updates may not change fields|may not be changed in an update|updates to (?:provisioner|parameters|reclaimPolicy|volumeBindingMode) are forbidden/;

/** `kubectl delete job migrate -n shop` */
export function deletingCommand(kind: string, namespace: string, name: string): string {
  return `kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`}`;
}

/** How to have a change that the API server refuses of what is there, and what that does to pods; empty where that is no way. */
export function anewText(key: string, refusal: string): readonly string[] {
  if (!ofUpdates.test(refusal)) return [];
  const [kind = '', namespace = '', name = ''] = key.split('/');
  const command = deletingCommand(kind, namespace, name);
  switch (kind) {
    case 'Job':
      return [say`To have it all the same: ${command}, then apply it; its pods end, and its work begins anew`];
    case 'StatefulSet':
      return refusal.includes('spec.selector')
        ? [goesDown(command)]
        : [say`To have it all the same: ${command} --cascade=orphan, then apply it; its pods and claims stay`];
    case 'Deployment':
    case 'DaemonSet':
    case 'ReplicaSet':
      return [goesDown(command)];
    case 'Pod':
      return [
        say`To have it all the same: ${command}, then apply it; requests and limits alone can be changed while it runs, with kubectl patch pod ${name} --subresource resize`,
      ];
    case 'ResourceClaimTemplate':
      return [
        say`To have it all the same: give it another name, which the pods then name, or ${command}, then apply it; claims that are there stay as they are`,
      ];
    case 'ResourceClaim':
      return [
        say`To have it all the same: give it another name, which the pods then name; one that is deleted stays as long as a pod uses it`,
      ];
    case 'PriorityClass':
      return [
        say`To have it all the same: ${command}, then apply it; pods that run keep their priority, and each that is recreated gets the new one`,
      ];
    case 'StorageClass':
      return [say`To have it all the same: ${command}, then apply it; volumes that are there stay as they are`];
    default:
      return [];
  }
}

function goesDown(command: string): string {
  return say`To have it all the same: ${command}, then apply it; its pods end first, and none serves meanwhile`;
}
