import { nameOf } from '../../kubernetes/names.ts';
import type { DeviceSource, OfferedDevice } from '../framework/device-engine.ts';
import { compareBytewise } from '../framework/order.ts';
import { selectorsOf } from './selectors.ts';

/** The devices that slices offer; a pool counts with its highest generation. */
export function offered({ slices, classes, release }: Omit<DeviceSource, 'taken'>): readonly OfferedDevice[] {
  const poolOf = ({ driver, pool }: (typeof slices)[number]['spec']): string => `${driver}/${pool.name}`;
  const newest = new Map<string, number>();
  for (const { spec } of slices) {
    newest.set(poolOf(spec), Math.max(newest.get(poolOf(spec)) ?? 0, spec.pool.generation));
  }
  const selectors = selectorsOf(release);
  const byName = [...classes].sort(([a], [b]) => compareBytewise(a, b));
  return [...slices]
    .filter(({ spec }) => spec.pool.generation === newest.get(poolOf(spec)))
    .sort((a, b) => compareBytewise(poolOf(a.spec), poolOf(b.spec)) || compareBytewise(nameOf(a), nameOf(b)))
    .flatMap((slice) =>
      (slice.spec.devices ?? []).map((device) => {
        const passes = (expression: string): boolean => selectors.ask(expression, { device, slice }) === true;
        const own = byName.filter(([, { spec }]) =>
          (spec.selectors ?? []).every(({ cel }) => passes(cel?.expression ?? '')),
        );
        return { slice, device, classes: own.map(([name]) => name) };
      }),
    );
}
