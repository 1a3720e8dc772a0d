import type { PersistentVolumeClaim, Pod } from './objects.ts';

/**
 * The claims that the controller of ephemeral volumes makes for a pod; the pod owns them.
 * Source: pkg/controller/volume/ephemeral/controller.go (handleVolume)
 */
export function ephemeralClaimsOf({ metadata, spec }: Pod): readonly PersistentVolumeClaim[] {
  const { name = '', namespace, uid } = metadata ?? {};
  return (spec?.volumes ?? []).flatMap(({ name: volume, ephemeral }): PersistentVolumeClaim[] => {
    const template = ephemeral?.volumeClaimTemplate;
    if (template === undefined) return [];
    const owner = { apiVersion: 'v1', kind: 'Pod', name, controller: true, blockOwnerDeletion: true };
    return [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          ...template.metadata,
          name: `${name}-${volume}`,
          ...(namespace === undefined ? {} : { namespace }),
          ownerReferences: [{ ...owner, uid: uid ?? '' }],
        },
        spec: template.spec,
      },
    ];
  });
}
