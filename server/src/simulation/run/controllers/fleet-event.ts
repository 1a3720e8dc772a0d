import type { FleetPod, Owner } from './fleet-pod.ts';
import type { Revision } from './revision.ts';

/** What happens to pods and to whoever makes them, as `kubectl get events` and a watch would tell. */
export interface FleetEvent {
  readonly clock: number;
  readonly what:
    | 'replicaset'
    | 'scaled'
    | 'created'
    | 'bound'
    | 'nominated'
    | 'pending'
    | 'ready'
    | 'notReady'
    | 'failed'
    | 'deleting'
    | 'gone'
    | 'multiAttach'
    | 'preempted'
    | 'disruption'
    | 'failedCreate'
    | 'event';
  readonly owner: Owner | null;
  readonly pod: FleetPod | null;
  readonly revision: Revision | null;
  readonly from?: number;
  readonly to?: number;
  readonly node?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly for?: FleetPod;
}
