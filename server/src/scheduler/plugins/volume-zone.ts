import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { type Labels, labelValue } from '../../kubernetes/labels.ts';
import type { PersistentVolume } from '../../kubernetes/objects.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, type Rejected, skip } from '../framework/plugin.ts';
import { type Status, unresolvable } from '../framework/status.ts';
import { claimNotFound, claimOf, claimUsesOf } from './volume-claims.ts';

const name = 'VolumeZone';
const refused = unresolvable(name, 'node(s) had no available volume zone');

/** Label key → the key that replaced it. */
const currentKeys: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
]);
export const topologyKeys: readonly string[] = [...currentKeys.keys(), ...currentKeys.values()];

/** A node must carry one of these values. */
interface Requirement {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/**
 * Zone and region labels of bound volumes. Nodes without any such label pass.
 * Source: pkg/scheduler/framework/plugins/volumezone/volume_zone.go
 */
export const volumeZone: Plugin<readonly Requirement[]> = {
  name,
  dependsOnPods: false,

  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<readonly Requirement[]> {
    const requirements: Requirement[] = [];
    for (const use of claimUsesOf(pod)) {
      if (use.ephemeral) continue;
      if (use.claimName === '') return rejected('PersistentVolumeClaim had no name');
      const claim = claimOf(cluster.objects, pod, use);
      if (claim === undefined) return rejected(claimNotFound(use.claimName));
      const volumeName = claim.spec?.volumeName ?? '';
      if (volumeName === '') {
        const className = classOfClaim(claim);
        if (className === '') return rejected('PersistentVolumeClaim had no pv name and storageClass name');
        const storageClass = cluster.objects.fixed.storageClasses.get(className);
        if (storageClass === undefined) return rejected(`storageclass.storage.k8s.io "${className}" not found`);
        if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') continue;
        return rejected('PersistentVolume had no name');
      }
      const volume = cluster.objects.persistentVolumes.get(volumeName);
      if (volume === undefined) return rejected(`persistentvolume "${volumeName}" not found`);
      requirements.push(...requirementsOf(volume));
    }
    return requirements.length === 0 ? skip : { state: requirements };
  },

  filter(_cycle: Cycle, requirements: readonly Requirement[], { facts: { labels } }: NodeInfo): Status | null {
    if (!topologyKeys.some((key) => labelValue(labels, key) !== undefined)) return null;
    return requirements.every((requirement) => isMet(requirement, labels)) ? null : refused;
  },
};

function rejected(reason: string): Rejected {
  return { rejected: unresolvable(name, reason) };
}

function isMet({ key, values }: Requirement, labels: Labels): boolean {
  const value = labelValue(labels, key) ?? labelValue(labels, currentKeys.get(key) ?? key);
  return value !== undefined && values.has(value);
}

/** Source: getPVTopologies */
function requirementsOf({ metadata }: PersistentVolume): readonly Requirement[] {
  return topologyKeys.flatMap((key) => {
    const values = zonesOf(labelValue(metadata?.labels, key));
    return values === null ? [] : [{ key, values }];
  });
}

/**
 * Several zones in one label; a label with an empty one among them is ignored.
 * Source: staging/src/k8s.io/cloud-provider/volume/helpers/zones.go (LabelZonesToSet)
 */
function zonesOf(label: string | undefined): ReadonlySet<string> | null {
  if (label === undefined) return null;
  const zones = label.split('__').map((zone) => zone.trim());
  return zones.includes('') ? null : new Set(zones);
}
