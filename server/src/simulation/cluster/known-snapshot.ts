import type { JsonObject } from '../../kubernetes/json.ts';
import { readHeader, type SnapshotHeader } from '../../kubernetes/snapshot-header.ts';
import type { SimulationInput } from './input.ts';

/** What a snapshot says of itself, with its age. */
export interface KnownSnapshot extends SnapshotHeader {
  /** In seconds; null where nobody knows what time it is. */
  readonly age: number | null;
}

/** Null for what is no snapshot of Podium's own: the output of kubectl says neither when nor where it was taken. */
export function knownSnapshot({ snapshot, now }: Pick<SimulationInput, 'snapshot' | 'now'>): KnownSnapshot | null {
  // It stands behind all others.
  for (let at = snapshot.length - 1; at >= 0; at--) {
    const header = readHeader(snapshot[at]!.object as unknown as JsonObject);
    if (header === null) continue;
    const taken = Date.parse(header.takenAt);
    const age = now === undefined || Number.isNaN(taken) ? null : Math.max(0, Math.round((now - taken) / 1000));
    return { ...header, age };
  }
  return null;
}
