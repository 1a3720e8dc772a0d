import type { Release } from '../../kubernetes/release.ts';
import type { TakenDevices, WantedClaim } from '../framework/device-engine.ts';
import type { Constraint } from './constraints.ts';
import type { AvailableCounters } from './counters.ts';
import type { Request } from './requests.ts';

/** A claim made ready for one node: alternatives of each request, and its constraints. */
export interface ReadyClaim {
  readonly claim: WantedClaim;
  readonly requests: readonly (readonly Request[])[];
  readonly constraints: readonly Constraint[];
}

/** How a search ends that gives no devices. */
export type SearchEnd = 'none' | 'timeout';

export interface SearchSettings {
  readonly release: Release;
  readonly taken: TakenDevices;
  readonly hasCapacity: boolean;
  readonly hasCounters: boolean;
  readonly hasTaints: boolean;
  readonly counters: AvailableCounters;
  /** A longer search has no result. */
  readonly mostTries: number;
  /** How long searches for the same claims ended, by what all their devices were. */
  readonly ends: Map<string, SearchEnd>;
}
