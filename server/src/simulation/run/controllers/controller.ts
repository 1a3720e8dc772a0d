import type { KubeObject } from '../../../kubernetes/objects.ts';
import type { Fleet } from './fleet.ts';
import type { FleetPod, Owner } from './fleet-pod.ts';
import { Retries } from './retries.ts';
import type { Revision, Revisions } from './revision.ts';

/** What a controller knows of the workload that it looks after, besides its object. */
export interface OfWorkload {
  readonly workload: number;
  readonly revisions: Revisions;
  readonly numberOf: (revision: Revision) => number;
}

/** What the controllers of workloads have in common: an object, and the fleet that its pods are in. */
export abstract class Controller<Kind extends KubeObject> implements Owner {
  abstract readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly workload: number;
  readonly pods = new Set<FleetPod>();
  readonly revisions: Revisions;
  object: Kind;
  protected readonly fleet: Fleet;
  protected readonly numberOf: OfWorkload['numberOf'];
  readonly #retries = new Retries();

  constructor(fleet: Fleet, object: Kind, { workload, revisions, numberOf }: OfWorkload) {
    this.fleet = fleet;
    this.object = object;
    this.namespace = object.metadata?.namespace ?? 'default';
    this.name = object.metadata?.name ?? '';
    this.workload = workload;
    this.revisions = revisions;
    this.numberOf = numberOf;
  }

  abstract sync(): void;

  /** Looks at it again later when something was refused. */
  protected retry(refusal: string | null): void {
    if (refusal === null) this.#retries.forget();
    else this.fleet.queue.addAt(this, this.#retries.fail(this.fleet.now));
  }
}
