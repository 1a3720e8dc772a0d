import { getOrInsert } from '../../util/maps.ts';
import type { Catalog } from './catalog.ts';

/** What is left of reservations of capacity. Source: karpenter …/scheduling/reservationmanager.go */
export class Reservations {
  readonly #left = new Map<string, number>();
  readonly #held = new Map<string, Set<string>>();

  constructor(catalogs: Iterable<Catalog>) {
    for (const { types } of new Set(catalogs)) {
      for (const { reservation } of types.flatMap(({ offerings }) => offerings)) {
        if (reservation === undefined) continue;
        this.#left.set(reservation.id, Math.min(this.#left.get(reservation.id) ?? Infinity, reservation.count));
      }
    }
  }

  get isEmpty(): boolean {
    return this.#left.size === 0;
  }

  canReserve(hostname: string, id: string): boolean {
    return this.#held.get(hostname)?.has(id) === true || (this.#left.get(id) ?? 0) > 0;
  }

  reserve(hostname: string, id: string): void {
    const held = getOrInsert(this.#held, hostname, () => new Set());
    if (held.has(id)) return;
    held.add(id);
    this.#left.set(id, (this.#left.get(id) ?? 0) - 1);
  }

  release(hostname: string, id: string): void {
    if (this.#held.get(hostname)?.delete(id) === true) this.#left.set(id, (this.#left.get(id) ?? 0) + 1);
  }
}
