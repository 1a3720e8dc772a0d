import { ephemeralClaimsOf } from '../../kubernetes/ephemeral-claims.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { settleStorage } from '../../scheduler/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { checkDirectBinding } from '../cluster/direct-binding.ts';
import type { Quotas } from '../cluster/quotas.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** What the API server and a kubelet say to the new pods of a run, and what quotas count of them. */
export class PodAdmission {
  readonly #cluster: Cluster;
  readonly #quotas: Quotas;
  readonly #isOfStart: (pod: SimulatedPod) => boolean;
  /** Pods that came, and that quotas count. */
  readonly #charged = new Set<SimulatedPod>();
  /** Pods that quotas count no more. */
  readonly #released = new Set<SimulatedPod>();

  /** @param isOfStart whether a pod was there before anything happened */
  constructor(cluster: Cluster, quotas: Quotas, isOfStart: (pod: SimulatedPod) => boolean) {
    this.#cluster = cluster;
    this.#quotas = quotas;
    this.#isOfStart = isOfStart;
  }

  /** Claims that controllers make for pods that are made now, where they are not there; quotas look at them with these. */
  createClaims(claims: readonly PersistentVolumeClaim[]): void {
    const { state } = this.#cluster;
    const { fixed, persistentVolumeClaims, persistentVolumes } = state.objects;
    const missing = claims.filter((claim) => !persistentVolumeClaims.has(keyOf(claim)));
    if (missing.length === 0) return;
    const classes = [...fixed.storageClasses.values()];
    const settled = settleStorage({
      claims: missing,
      volumes: [...persistentVolumes.values()],
      classes,
      knowsAllClasses: false,
    });
    for (const claim of settled.claims) state.objects.putClaim(claim);
    for (const volume of settled.volumes) {
      if (persistentVolumes.get(nameOf(volume)) !== volume) state.objects.putVolume(volume);
    }
    this.#quotas.expect(settled.claims);
  }

  /** By the API server, or by the kubelet of the node that the pod names. */
  refusalOf(pod: SimulatedPod): string | null {
    const refusal = this.admit(pod);
    const node = pod.info.nodeName;
    if (refusal !== null || node === '') return refusal;
    const rejected = checkDirectBinding(this.#cluster, pod, node);
    // It has failed then.
    if (rejected !== null) this.release(pod);
    return rejected;
  }

  /** What the API server refuses a new pod with; null where it takes it, and then quotas count it. */
  admit(pod: SimulatedPod): string | null {
    if (pod.refusal !== '') return pod.refusal;
    if (this.#counts(pod)) return null;
    const claims = ephemeralClaimsOf(pod.pod);
    this.createClaims(claims);
    const refusal = this.#quotas.admit(pod.pod);
    if (refusal !== null) return refusal;
    this.#charged.add(pod);
    const { persistentVolumeClaims } = this.#cluster.state.objects;
    // The pod is there without its claim, and the scheduler waits for that.
    for (const key of claims.map(keyOf)) if (this.#quotas.refused.has(key)) persistentVolumeClaims.delete(key);
    return null;
  }

  /** Quotas count a pod no more: it has ended. */
  release(pod: SimulatedPod): void {
    if (!this.#counts(pod) || this.#released.has(pod)) return;
    this.#released.add(pod);
    this.#quotas.release(pod.pod);
  }

  #counts(pod: SimulatedPod): boolean {
    return pod.isStored || this.#isOfStart(pod) || this.#charged.has(pod);
  }
}
