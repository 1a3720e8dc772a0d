import { isQuantityError, parseQuantity } from './quantity.ts';

/** What people write for a suffix → the suffixes that they may mean, the likelier first. */
const meant: ReadonlyMap<string, readonly string[]> = new Map([
  ['k', ['Ki', 'k']],
  ['kb', ['Ki', 'k']],
  ['kib', ['Ki']],
  ['ki', ['Ki']],
  ['mb', ['Mi', 'M']],
  ['mib', ['Mi']],
  ['mi', ['Mi']],
  ['g', ['Gi', 'G']],
  ['gb', ['Gi', 'G']],
  ['gib', ['Gi']],
  ['gi', ['Gi']],
  ['t', ['Ti', 'T']],
  ['tb', ['Ti', 'T']],
  ['tib', ['Ti']],
  ['ti', ['Ti']],
  ['pb', ['Pi', 'P']],
  ['pib', ['Pi']],
  ['b', ['']],
  ['byte', ['']],
  ['bytes', ['']],
  ['core', ['']],
  ['cores', ['']],
  ['cpu', ['']],
  ['cpus', ['']],
  ['vcpu', ['']],
  ['mcpu', ['m']],
  ['millicores', ['m']],
]);

/** The quantities of a resource that somebody may have meant by a text that is none; empty where nobody can tell. */
export function nearestQuantities(text: string, resource: string): readonly string[] {
  const [, number = '', suffix = ''] =
    /^([+-]?[0-9]{1,30}(?:[.,][0-9]{1,30})?)\s{0,9}([A-Za-z]{0,12})$/.exec(text.trim()) ?? [];
  if (number === '') return [];
  const digits = number.replace(',', '.');
  const known = isSuffix(suffix) ? [suffix] : (meant.get(suffix.toLowerCase()) ?? []);
  // Nobody has a million processors.
  const suffixes = resource === 'cpu' && known[0] === 'Mi' ? ['m'] : known;
  return suffixes.map((each) => `${digits}${each}`).filter((each) => each !== text);
}

function isSuffix(suffix: string): boolean {
  return !isQuantityError(parseQuantity(`1${suffix}`));
}
