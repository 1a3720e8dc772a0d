/**
 * The newest of some tags that a range takes, as Flux chooses it; null where it takes none, or is no range.
 * Sources: source-controller, pkg/git gogit/clone.go (cloneSemVer); Masterminds/semver v3, version.go, constraints.go
 */
export function newestTag(range: string, tags: readonly string[]): string | null {
  if (range.length > longestRange) return null;
  const alternatives = alternativesOf(range);
  if (alternatives === null) return null;
  let newest: { readonly tag: string; readonly version: Version } | null = null;
  for (const tag of tags) {
    const version = versionOf(tag);
    if (version === null || !alternatives.some((all) => all.every((one) => takes(one, version)))) continue;
    if (newest === null || compare(version, newest.version) > 0) newest = { tag, version };
  }
  return newest?.tag ?? null;
}

/** Characters: each of a hundred thousand tags may be held against all that is written. */
const longestRange = 256;

interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly before: string;
}

function versionOf(tag: string): Version | null {
  const found = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([\w.-]{1,100}))?(?:\+[\w.-]{1,100})?$/.exec(tag);
  if (found === null) return null;
  const [, major, minor = '0', patch = '0', before = ''] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], before };
}

interface Constraint extends Version {
  readonly operator: string;
  /** How many of the numbers are written. */
  readonly written: number;
}

/** One of them must be taken, with all that is in it; null for what is no range. */
function alternativesOf(range: string): Constraint[][] | null {
  const alternatives: Constraint[][] = [];
  for (const part of range.split('||')) {
    const words = part
      .replace(/(\S) +- +(?=\S)/g, '$1 <=>')
      .replace(/([~^<>=!]) +/g, '$1')
      .split(/[ ,]+/)
      .filter((word) => word !== '');
    const all: Constraint[] = [];
    for (const [index, word] of words.entries()) {
      const isFrom = words[index + 1]?.startsWith('<=>') === true;
      const one = constraintOf(isFrom ? `>=${word}` : word.replace(/^<=>/, '<='));
      if (one === null) return null;
      all.push(one);
    }
    if (all.length === 0) return null;
    alternatives.push(all);
  }
  return alternatives;
}

function constraintOf(word: string): Constraint | null {
  const [, operator = '', rest = ''] = /^(~>|[<>!]=|=[<>]?|[~^<>])?(.*)$/.exec(word)!;
  const steps = rest.split('.');
  const open = steps.findIndex((step) => /^[xX*]$/.test(step));
  const plain = open === -1 ? rest : steps.slice(0, open).join('.');
  const version = versionOf(plain === '' ? '0' : plain);
  if (version === null || rest === '') return null;
  const written = plain === '' ? 0 : plain.split(/[-+]/, 1)[0]!.split('.').length;
  return { ...version, operator, written };
}

function takes({ operator, written, ...limit }: Constraint, version: Version): boolean {
  // What comes before a version is only taken by who asks for such.
  if (version.before !== '' && limit.before === '') return false;
  const order = compare(version, limit);
  /** Compares no more than what is written. */
  const [rough = 0] = [0, 1, 2]
    .slice(0, written)
    .map((at) => version.numbers[at]! - limit.numbers[at]!)
    .filter((difference) => difference !== 0);
  const same = (count: number): boolean =>
    version.numbers.every((number, at) => at >= Math.min(count, written) || number === limit.numbers[at]);
  switch (operator) {
    case '!=':
      return written < 3 ? rough !== 0 : order !== 0;
    case '>':
      return written < 3 ? rough > 0 : order > 0;
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return written < 3 ? rough <= 0 : order <= 0;
    case '^': {
      const [major, minor] = limit.numbers;
      return order >= 0 && same(major > 0 ? 1 : minor > 0 ? 2 : 3);
    }
    case '~':
    case '~>':
      return order >= 0 && same(2);
    default:
      return written < 3 ? order >= 0 && same(2) : order === 0;
  }
}

function compare(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at];
  }
  if (a.before === b.before) return 0;
  if (a.before === '' || b.before === '') return a.before === '' ? 1 : -1;
  const [left, right] = [a.before.split('.'), b.before.split('.')];
  for (const [at, one] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOther] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOther) return Number(one) - Number(other);
    return isNumber !== isOther ? (isNumber ? -1 : 1) : one < other ? -1 : 1;
  }
  return -1;
}
