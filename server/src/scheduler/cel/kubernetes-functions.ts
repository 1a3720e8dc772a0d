import { isLabelValue, isQualifiedName } from '../../kubernetes/label-syntax.ts';
import { compareQuantities, isQuantityError, integerQuantity, parseQuantity } from '../../kubernetes/quantity.ts';
import { IpAddress, ipOf, IpNetwork, networkOf } from './addresses.ts';
import { formatNames } from './declarations.ts';
import {
  CelError,
  CelMap,
  Format,
  noValue,
  Optional,
  QuantityValue,
  Semver,
  Url,
  type Value,
  type Fn,
} from './values.ts';

function quantity(text: Value): QuantityValue {
  const parsed = parseQuantity(text as string);
  if (isQuantityError(parsed)) throw new CelError(parsed.message);
  return new QuantityValue(parsed);
}

/** Whole units that fit, as Quantity.AsInt64 has them: only of what is kept as int64 × 10^scale. */
function wholeUnits({ quantity: { nanos, scale } }: QuantityValue): bigint | null {
  if (scale === undefined || nanos % 1_000_000_000n !== 0n || scale < 0) return null;
  const units = nanos / 1_000_000_000n;
  return BigInt.asIntN(64, units) === units ? units : null;
}

/** A semantic version, or the text of the refusal. Source: github.com/blang/semver/v4 (Parse) */
export function semverOf(text: string): Semver | string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  const [major, minor, ...others] = parts;
  if (minor === undefined || others.length === 0) return 'No Major.Minor.Patch elements found';
  let rest = others.join('.');
  const numbers: bigint[] = [];
  const build = rest.includes('+') ? rest.slice(rest.indexOf('+') + 1) : undefined;
  if (build !== undefined) rest = rest.slice(0, rest.indexOf('+'));
  const pre = rest.includes('-') ? rest.slice(rest.indexOf('-') + 1) : undefined;
  if (pre !== undefined) rest = rest.slice(0, rest.indexOf('-'));
  for (const [name, digits] of [
    ['Major', major!],
    ['Minor', minor],
    ['Patch', rest],
  ] as const) {
    if (!/^\d*$/.test(digits)) {
      return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(digits)}`;
    }
    if (digits.length > 1 && digits.startsWith('0')) {
      return `${name} number must not contain leading zeroes ${JSON.stringify(digits)}`;
    }
    if (digits === '') return `strconv.ParseUint: parsing "": invalid syntax`;
    numbers.push(BigInt(digits));
  }
  for (const id of pre?.split('.') ?? []) {
    if (id === '') return 'Prerelease is empty';
    if (/^0\d+$/.test(id)) {
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(id)}`;
    }
    if (!/^[0-9A-Za-z-]+$/.test(id)) return `Invalid character(s) found in prerelease ${JSON.stringify(id)}`;
  }
  for (const id of build?.split('.') ?? []) {
    if (id === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(id)) return `Invalid character(s) found in build meta data ${JSON.stringify(id)}`;
  }
  return new Semver(numbers[0]!, numbers[1]!, numbers[2]!, pre?.split('.') ?? []);
}

/** Source: normalizeAndParse in apiserver/pkg/cel/library/semverlib.go */
function normalizedSemver(text: string): Semver | string {
  const [major = '', minor, ...others] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(others.length === 0 ? [] : [others.join('.')])];
  const trimmed = parts.map((part) => {
    if (part.length < 2) return part;
    const rest = part.replace(/^0+/, '');
    return /^\d/.test(rest) ? rest : `0${rest}`;
  });
  if (trimmed.length < 3) {
    if (/[+-]/.test(trimmed.at(-1)!)) return 'short version cannot contain PreRelease/Build meta data';
    while (trimmed.length < 3) trimmed.push('0');
  }
  return semverOf(trimmed.join('.'));
}

function readSemver(text: Value, normalizes: Value | undefined): Semver | string {
  return normalizes === true ? normalizedSemver(text as string) : semverOf(text as string);
}

function or<T>(value: T | string): T {
  if (typeof value === 'string') throw new CelError(value);
  return value;
}

function ip(value: Value): IpAddress {
  return value instanceof IpNetwork ? value.address : or(ipOf(value as string));
}

function urlOf(text: string): Url | string {
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0].slice(0, -1) ?? '';
  if (scheme === '' && !text.startsWith('/')) {
    return `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`;
  }
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const [before = '', ...searches] = rest.split('?');
  const search = searches.join('?');
  const hasHost = before.startsWith('//');
  const end = hasHost ? before.indexOf('/', 2) : 0;
  const authority = hasHost ? before.slice(2, end === -1 ? undefined : end) : '';
  const path = end === -1 ? '' : before.slice(end);
  const found = /^(\[[^\]]*\]|[^[:]*)(?::(\d*))?$/.exec(authority.slice(authority.indexOf('@') + 1));
  if (found === null || before.includes('#') || /\s/.test(text)) {
    return `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid character in URL`;
  }
  const [, hostname = '', port = ''] = found;
  const query = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(search)) query.set(key, [...(query.get(key) ?? []), value]);
  return new Url({
    scheme: scheme.toLowerCase(),
    host: port === '' ? hostname : `${hostname}:${port}`,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: encodeURI(decodeURI(path)),
    query,
    text,
  });
}

/** A regular expression, the longest text, and what is said of any other. Source: apimachinery/pkg/api/validation */
function name(pattern: RegExp, longest: number, message: string): (text: string) => readonly string[] {
  return (text) => [
    ...(text.length > longest ? [`must be no more than ${longest} characters`] : []),
    ...(pattern.test(text) ? [] : [message]),
  ];
}

const label1123 =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain1123 =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const validators: ReadonlyMap<string, (text: string) => readonly string[]> = new Map([
  ['dns1123Label', name(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63, label1123)],
  ['dns1123Subdomain', name(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/, 253, subdomain1123)],
  ['dns1035Label', name(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 63, label1035)],
  [
    'qualifiedName',
    (text: string) => (isQualifiedName(text) ? [] : ['name part must consist of alphanumeric characters']),
  ],
  ['dns1123LabelPrefix', name(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?-?$/, 63, label1123)],
  [
    'dns1123SubdomainPrefix',
    name(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*-?$/, 253, subdomain1123),
  ],
  ['dns1035LabelPrefix', name(/^[a-z]([-a-z0-9]*[a-z0-9])?-?$/, 63, label1035)],
  [
    'labelValue',
    (text: string) =>
      isLabelValue(text)
        ? []
        : ["a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'"],
  ],
  [
    'uri',
    (text: string) =>
      typeof urlOf(text) === 'string' ? [`parse ${JSON.stringify(text)}: invalid URI for request`] : [],
  ],
  [
    'uuid',
    name(
      /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
      Infinity,
      'does not match the UUID format',
    ),
  ],
  ['byte', name(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, Infinity, 'invalid base64')],
  ['date', name(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, Infinity, 'invalid date')],
  [
    'datetime',
    name(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/, Infinity, 'invalid datetime'),
  ],
]);

const formats: ReadonlyMap<string, Format> = new Map(
  formatNames.map((each) => [each, new Format(each, 60, validators.get(each)!)]),
);

function validate(format: Value, text: Value): Value {
  const problems = (format as Format).validate(text as string);
  return problems.length === 0 ? noValue : new Optional(problems);
}

function compared(a: Value, b: Value): -1 | 0 | 1 {
  if (a instanceof Semver) return a.compare(b as Semver);
  return compareQuantities((a as QuantityValue).quantity, (b as QuantityValue).quantity);
}

function sum(sign: 1 | -1): Fn {
  return (a, b) =>
    (a as QuantityValue).plus(typeof b === 'bigint' ? integerQuantity(b) : (b as QuantityValue).quantity, sign);
}

function ofUrl(part: (url: Url) => Value): Fn {
  return (url) => part(url as Url);
}

function ofIp(part: (address: IpAddress) => Value): Fn {
  return (address) => part(address as IpAddress);
}

export const kubernetesFunctions: ReadonlyMap<string, Fn> = new Map<string, Fn>([
  ['quantity', quantity],
  ['isQuantity', (text) => !isQuantityError(parseQuantity(text as string))],
  ['sign', (value) => BigInt(compareQuantities((value as QuantityValue).quantity, integerQuantity(0)))],
  ['isGreaterThan', (a, b) => compared(a, b) === 1],
  ['isLessThan', (a, b) => compared(a, b) === -1],
  ['compareTo', (a, b) => BigInt(compared(a, b))],
  ['asApproximateFloat', (value) => Number((value as QuantityValue).quantity.nanos) / 1e9],
  ['isInteger', (value) => wholeUnits(value as QuantityValue) !== null],
  [
    'asInteger',
    (value) => {
      const units = wholeUnits(value as QuantityValue);
      if (units === null) throw new CelError('cannot convert value to integer');
      return units;
    },
  ],
  ['add', sum(1)],
  ['sub', sum(-1)],
  ['semver', (text, normalizes?: Value) => or(readSemver(text, normalizes))],
  ['isSemver', (text, normalizes?: Value) => typeof readSemver(text, normalizes) !== 'string'],
  ['major', (version) => (version as Semver).major],
  ['minor', (version) => (version as Semver).minor],
  ['patch', (version) => (version as Semver).patch],
  ['ip', ip],
  ['isIP', (text) => typeof ipOf(text as string) !== 'string'],
  ['ip.isCanonical', (text) => or(ipOf(text as string)).text === text],
  ['family', ofIp(({ bits }) => (bits === 32 ? 4n : 6n))],
  ['isUnspecified', ofIp((address) => address.isUnspecified)],
  ['isLoopback', ofIp((address) => address.isLoopback)],
  ['isLinkLocalMulticast', ofIp((address) => address.isLinkLocalMulticast)],
  ['isLinkLocalUnicast', ofIp((address) => address.isLinkLocalUnicast)],
  ['isGlobalUnicast', ofIp((address) => address.isGlobalUnicast)],
  ['cidr', (text) => or(networkOf(text as string))],
  ['isCIDR', (text) => typeof networkOf(text as string) !== 'string'],
  [
    'containsIP',
    (network, other) => (network as IpNetwork).contains(other instanceof IpAddress ? other : or(ipOf(other as string))),
  ],
  [
    'containsCIDR',
    (network, other) =>
      (network as IpNetwork).containsNetwork(other instanceof IpNetwork ? other : or(networkOf(other as string))),
  ],
  ['prefixLength', (network) => BigInt((network as IpNetwork).prefix)],
  ['masked', (network) => (network as IpNetwork).masked],
  ['url', (text) => or(urlOf(text as string))],
  ['isURL', (text) => typeof urlOf(text as string) !== 'string'],
  ['getScheme', ofUrl(({ scheme }) => scheme)],
  ['getHost', ofUrl(({ host }) => host)],
  ['getHostname', ofUrl(({ hostname }) => hostname)],
  ['getPort', ofUrl(({ port }) => port)],
  ['getEscapedPath', ofUrl(({ path }) => path)],
  ['getQuery', ofUrl(({ query }) => new CelMap(query))],
  ['validate', validate],
  [
    'format.named',
    (text) => {
      const found = formats.get(text as string);
      return found === undefined ? noValue : new Optional(found);
    },
  ],
  ...[...formats].map(([each, format]) => [`format.${each}`, () => format] as const),
]);
