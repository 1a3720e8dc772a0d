import { put } from '../../util/own.ts';
import type { Amounts } from '../../report-model/report.ts';

/** As the scheduler counts: cpu in thousandths, everything else in whole units. */
interface Counted {
  readonly milliCpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  readonly scalars: ReadonlyMap<string, number>;
}

/** The report's form of the scheduler's sums. Storage and extended resources are left out where there is none. */
export function amountsOf(counted: Counted, pods?: number): Amounts {
  const amounts = Object.create(null) as Record<string, number>;
  amounts['cpu'] = counted.milliCpu;
  amounts['memory'] = counted.memory;
  if (counted.ephemeralStorage > 0) amounts['ephemeral-storage'] = counted.ephemeralStorage;
  for (const [name, amount] of counted.scalars) if (amount > 0) put(amounts, name, amount);
  if (pods !== undefined) amounts['pods'] = pods;
  return amounts;
}
