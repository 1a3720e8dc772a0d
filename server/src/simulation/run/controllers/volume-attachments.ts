import { namespaceOf } from '../../../kubernetes/names.ts';
import type { PersistentVolumeClaim } from '../../../kubernetes/objects.ts';
import type { FleetPod } from './fleet-pod.ts';

/** Which pods on nodes have the claims that only one node may have. Source: the attach-detach controller */
export class VolumeAttachments {
  readonly #claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** By the claim, `namespace/name`. */
  readonly #pods = new Map<string, Set<FleetPod>>();

  /** @param claims by `namespace/name` */
  constructor(claims: ReadonlyMap<string, PersistentVolumeClaim>) {
    this.#claims = claims;
  }

  attach(pod: FleetPod): void {
    for (const claim of this.#claimsOf(pod)) {
      const there = this.#pods.get(claim) ?? new Set<FleetPod>();
      this.#pods.set(claim, there.add(pod));
    }
  }

  /** The pods that have waited for it, and may start. */
  detach(pod: FleetPod): readonly FleetPod[] {
    return this.#claimsOf(pod).flatMap((claim) => {
      const there = this.#pods.get(claim);
      if (there?.delete(pod) !== true) return [];
      return [...there].filter((other) => other.awaitsVolume && !other.isDeleting);
    });
  }

  /** Whether a claim of a pod is on another node. */
  isElsewhere(pod: FleetPod): boolean {
    return this.#claimsOf(pod).some((claim) =>
      [...(this.#pods.get(claim) ?? [])].some(
        (other) => other !== pod && other.node !== pod.node && !other.awaitsVolume,
      ),
    );
  }

  #claimsOf({ simulated: { pod } }: FleetPod): readonly string[] {
    return (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
      if (persistentVolumeClaim === undefined) return [];
      const key = `${namespaceOf(pod)}/${persistentVolumeClaim.claimName}`;
      const modes = this.#claims.get(key)?.spec?.accessModes ?? [];
      return modes.length > 0 && modes.every((mode) => mode.startsWith('ReadWriteOnce')) ? [key] : [];
    });
  }
}
