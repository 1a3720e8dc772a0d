import { nearestNames } from '../../util/nearest-names.ts';
import { own } from '../../util/own.ts';
import type { Labels } from '../../kubernetes/labels.ts';

/**
 * The label that nodes or pods have and that somebody may have meant by another, both as `key=value`. Names that differ in a
 * number or a short part (`pool-a`, `m5.large`) are names of other things.
 */
export function nearLabel(wanted: string, labelled: readonly (Labels | undefined)[]): string | undefined {
  const [, key = '', value = ''] = /^([^=!\s]+)=(\S+)$/.exec(wanted) ?? [];
  if (key === '') return undefined;
  const labels = labelled.map((each) => each ?? {});
  const values = new Set(labels.flatMap((each) => own(each, key) ?? []));
  if (values.has(value)) return undefined;
  if (values.size > 0) {
    const near = misspelt(value, values);
    return near === undefined ? undefined : `${key}=${near}`;
  }
  const near = misspelt(key, new Set(labels.flatMap((each) => Object.keys(each))));
  return near === undefined ? undefined : `${near}=${value}`;
}

function misspelt(name: string, known: ReadonlySet<string>): string | undefined {
  return nearestNames(name, known, Math.min(2, Math.floor(name.length / 4))).find((near) => {
    const [written, meant] = [partsOf(name), partsOf(near)];
    if (written.length !== meant.length) return true;
    return written.every((part, at) => part === meant[at] || (part.length >= 4 && !/\d/.test(part + meant[at]!)));
  });
}

function partsOf(name: string): readonly string[] {
  return name.split(/[-._/]/);
}
