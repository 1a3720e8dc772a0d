/** The family of suffix a quantity was written with, and is printed with again. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An exact amount of a resource. Source: staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go */
export interface Quantity {
  /** The text it was read from; for a computed quantity its canonical text. */
  readonly text: string;
  /** The exact amount in units of 10^-9. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /**
   * Upstream keeps most amounts as int64 × 10^scale; this is that scale. Absent where it falls back to a big decimal.
   * It decides nothing but what an amount beyond int64 evaluates to.
   */
  readonly scale?: number | undefined;
  /** The text upstream prints instead of the canonical one, because it takes the text as written for canonical. */
  readonly printed?: string | undefined;
}

/** Why a text is no quantity. */
export interface QuantityError {
  readonly problem: 'format' | 'number' | 'suffix';
  /** The API server's text. */
  readonly message: string;
}

// Source: the errors of apimachinery/pkg/api/resource/quantity.go
const FORMAT_WRONG: QuantityError = {
  problem: 'format',
  message: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
};
const NUMBER_WRONG: QuantityError = { problem: 'number', message: 'unable to parse numeric part of quantity' };
const SUFFIX_WRONG: QuantityError = { problem: 'suffix', message: "unable to parse quantity's suffix" };

const NANOS_PER_UNIT = 1_000_000_000n;
const NANOS_PER_MILLI = 1_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Decimal digits that surely fit an int64. Source: maxInt64Factors in apimachinery/pkg/api/resource/math.go */
const INT64_DIGITS = 18;
const NANO_SCALE = -9;
const MILLI_SCALE = -3;
/**
 * Exponents are cut here, so that a hostile `1e2000000000` costs no memory. Whatever is beyond int64 evaluates,
 * compares and refuses the same from there on.
 */
const MAX_EXPONENT = 400;
/** Distinct texts kept parsed; a cluster rarely has more than some hundred. */
const CACHE_SIZE = 4096;

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const decimalSuffixes: ReadonlyMap<number, string> = new Map(
  [...decimalExponents].map(([text, power]) => [power, text]),
);
const binarySuffixes: ReadonlyMap<number, string> = new Map([...binaryExponents].map(([text, power]) => [power, text]));

/** A quantity whose canonical text is worked out only when somebody asks. */
class ParsedOrComputed implements Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  readonly scale: number | undefined;
  readonly printed: string | undefined;
  readonly #source: string | undefined;

  constructor(nanos: bigint, format: QuantityFormat, scale?: number, source?: string, printed?: string) {
    this.nanos = nanos;
    this.format = format;
    this.scale = scale;
    this.printed = printed;
    this.#source = source;
  }

  get text(): string {
    return this.#source ?? formatQuantity(this);
  }
}

const cache = new Map<string, Quantity | QuantityError>();

/**
 * Reads a quantity as Go's `resource.ParseQuantity` does. A number is read as the text JSON prints for it.
 * Source: apimachinery/pkg/api/resource/quantity.go ParseQuantity
 */
export function parseQuantity(text: string | number): Quantity | QuantityError {
  const source = String(text);
  const known = cache.get(source);
  if (known !== undefined) return known;
  const parsed = parse(source);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(source, parsed);
  return parsed;
}

/** Tells what `parseQuantity` refused from what it read. */
export function isQuantityError(result: Quantity | QuantityError): result is QuantityError {
  return 'problem' in result;
}

/** A whole number of units, such as a count of pods. */
export function integerQuantity(units: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return new ParsedOrComputed(BigInt(units) * NANOS_PER_UNIT, format, 0);
}

/** A whole number of thousandths, such as millicores. */
export function milliQuantity(thousandths: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return new ParsedOrComputed(BigInt(thousandths) * NANOS_PER_MILLI, format, MILLI_SCALE);
}

/** Go's `Value()`: whole units, rounded away from zero; beyond int64 it is what Go's overflow makes of it, mostly 0. */
export function quantityValue(quantity: Quantity): bigint {
  return scaledValue(quantity, 0, NANOS_PER_UNIT);
}

/** Go's `MilliValue()`: thousandths, rounded away from zero; overflows as `quantityValue` does. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return scaledValue(quantity, MILLI_SCALE, NANOS_PER_MILLI);
}

export function compareQuantities(left: Quantity, right: Quantity): -1 | 0 | 1 {
  return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;
}

/** The exact sum, in the format of the first summand that is not zero. Source: Quantity.Add */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  if (right.nanos === 0n && left.nanos !== 0n) return left;
  const format = left.nanos === 0n ? right.format : left.format;
  const nanos = left.nanos + right.nanos;
  return new ParsedOrComputed(nanos, format, sumScale(left, right, nanos));
}

/** The exact difference. Source: Quantity.Sub */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, new ParsedOrComputed(-right.nanos, right.format, right.scale));
}

/** The larger of two, the first if they are equal. */
export function maxQuantity(left: Quantity, right: Quantity): Quantity {
  return right.nanos > left.nanos ? right : left;
}

/**
 * Rounds to thousandths, away from zero, as the API server does with every entry of a resource list.
 * Returns the argument if nothing changes. Source: pkg/apis/core/v1/defaults.go SetDefaults_ResourceList
 */
export function roundUpToMilli(quantity: Quantity): Quantity {
  if (quantity.nanos % NANOS_PER_MILLI === 0n) return quantity;
  const nanos = divideAwayFromZero(quantity.nanos, NANOS_PER_MILLI) * NANOS_PER_MILLI;
  return new ParsedOrComputed(nanos, quantity.format, quantity.scale === undefined ? undefined : MILLI_SCALE);
}

/** The text Go prints. Source: Quantity.String and Quantity.CanonicalizeBytes */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.printed !== undefined) return quantity.printed;
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  if (format !== 'BinarySI') return formatDecimal(nanos, format);
  // Small and fractional amounts are printed decimal rather than rounded.
  const small = nanos > -1024n * NANOS_PER_UNIT && nanos < 1024n * NANOS_PER_UNIT;
  if (small || nanos % NANOS_PER_UNIT !== 0n) return formatDecimal(nanos, 'DecimalSI');
  const [mantissa, times] = removeFactors(nanos / NANOS_PER_UNIT, 1024n);
  return `${mantissa}${binarySuffixes.get(times * 10) ?? ''}`;
}

function formatDecimal(nanos: bigint, format: 'DecimalSI' | 'DecimalExponent'): string {
  const [stripped, times] = removeFactors(nanos, 10n);
  const exponent = Math.floor((times + NANO_SCALE) / 3) * 3;
  const mantissa = stripped * 10n ** BigInt(times + NANO_SCALE - exponent);
  // Beyond `E` there is no suffix, and upstream prints none: `1000E` comes out as `1`.
  if (format === 'DecimalSI') return `${mantissa}${decimalSuffixes.get(exponent) ?? ''}`;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}

function removeFactors(value: bigint, factor: bigint): [bigint, number] {
  let times = 0;
  while (value % factor === 0n) {
    value /= factor;
    times += 1;
  }
  return [value, times];
}

interface Parts {
  readonly negative: boolean;
  /** Digits before the point without leading zeros, `0` if there are none. */
  readonly whole: string;
  /** Digits after the point. */
  readonly fraction: string;
  readonly suffix: string;
  /** Whether any digit was written at all: `.` and `Ki` have none. */
  readonly hasDigits: boolean;
}

// Every part is optional, as in upstream's scanner: `.`, `+` and even `Ki` read as zero.
const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:(?:[eEinumkKMGTP]+[+-]?|[+-])[0-9]*)?)$/;

function scan(text: string): Parts | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = '', fraction = '', suffix = ''] = match;
  const whole = digits.replace(/^0+/, '');
  return {
    negative: sign === '-',
    whole: whole === '' ? '0' : whole,
    fraction,
    suffix,
    hasDigits: digits !== '' || fraction !== '',
  };
}

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function interpretSuffix(suffix: string): Suffix | undefined {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return { exponent: binary, format: 'BinarySI' };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix[1] === '+' ? suffix.slice(2) : suffix.slice(1));
  if (exponent > MAX_INT64 || exponent < MIN_INT64) return undefined;
  // Upstream keeps the low 32 bits.
  const wrapped = Number(BigInt.asIntN(32, exponent));
  return { exponent: Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, wrapped)), format: 'DecimalExponent' };
}

function parse(text: string): Quantity | QuantityError {
  if (text === '') return FORMAT_WRONG;
  const parts = scan(text);
  if (parts === undefined) return FORMAT_WRONG;
  const suffix = interpretSuffix(parts.suffix);
  if (suffix === undefined) return SUFFIX_WRONG;
  return parseAsInt64(text, parts, suffix) ?? parseAsDecimal(text, parts, suffix);
}

/** Upstream's fast path: what surely fits int64 × 10^scale. */
function parseAsInt64(text: string, parts: Parts, { exponent, format }: Suffix): Quantity | undefined {
  const { whole, fraction, negative } = parts;
  const digits = whole + fraction;
  if (format === 'BinarySI') {
    // Three tenths of the exponent is about the decimal digits a power of two takes.
    if (fraction !== '' || 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 < 0) return undefined;
    const value = BigInt(whole);
    const nanos = (value << BigInt(exponent)) * NANOS_PER_UNIT;
    const printed = (value & 7n) === 0n ? undefined : text;
    return new ParsedOrComputed(negative ? -nanos : nanos, format, 0, text, printed);
  }
  const scale = exponent - fraction.length;
  if (digits.length > INT64_DIGITS || scale < NANO_SCALE) return undefined;
  const nanos = BigInt(digits) * 10n ** BigInt(scale - NANO_SCALE);
  const canonical = text === '0' || (scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0'));
  return new ParsedOrComputed(negative ? -nanos : nanos, format, scale, text, canonical ? text : undefined);
}

/** Upstream's slow path: a big decimal, rounded away from zero to nanos, binary ones capped at int64. */
function parseAsDecimal(text: string, parts: Parts, { exponent, format }: Suffix): Quantity | QuantityError {
  if (!parts.hasDigits) return NUMBER_WRONG;
  const binary = format === 'BinarySI';
  const digits = BigInt(parts.whole + parts.fraction);
  const mantissa = binary ? digits << BigInt(exponent) : digits;
  const power = (binary ? 0 : exponent) - parts.fraction.length - NANO_SCALE;
  let nanos = power >= 0 ? mantissa * 10n ** BigInt(power) : divideAwayFromZero(mantissa, 10n ** BigInt(-power));
  if (binary && nanos > MAX_INT64 * NANOS_PER_UNIT) nanos = MAX_INT64 * NANOS_PER_UNIT;
  const printedAs = binary && nanos > 0n && nanos < NANOS_PER_UNIT ? 'DecimalSI' : format;
  return new ParsedOrComputed(parts.negative ? -nanos : nanos, printedAs, undefined, text);
}

/** Source: Quantity.ScaledValue, int64Amount.AsScaledInt64 and scaledValue in scale_int.go, at v1.34 */
function scaledValue(quantity: Quantity, scale: number, nanosPerStep: bigint): bigint {
  const { nanos } = quantity;
  if (quantity.scale === undefined) {
    // The big decimal adds one to the truncated quotient whatever the sign, and keeps the low 64 bits.
    const quotient = nanos / nanosPerStep;
    return BigInt.asIntN(64, nanos % nanosPerStep === 0n ? quotient : quotient + 1n);
  }
  const value = divideAwayFromZero(nanos, nanosPerStep);
  if (value <= MAX_INT64 && value >= MIN_INT64) return value;
  return wrappingShifts.has(quantity.scale - scale) ? BigInt.asIntN(64, value) : 0n;
}

/**
 * The powers of ten upstream multiplies by in one step; there an overflow leaves the low 64 bits, elsewhere 0.
 * Source: positiveScaleInt64 in apimachinery/pkg/api/resource/math.go
 */
const wrappingShifts: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

/** The scale of a sum, or undefined where int64 does not hold it. Source: int64Amount.Add */
function sumScale(left: Quantity, right: Quantity, nanos: bigint): number | undefined {
  if (left.scale === undefined || right.scale === undefined) return undefined;
  if (right.nanos === 0n) return left.scale;
  if (left.nanos === 0n) return right.scale;
  const scale = Math.min(left.scale, right.scale);
  const nanosPerStep = 10n ** BigInt(scale - NANO_SCALE);
  const limit = MAX_INT64 * nanosPerStep;
  return [left.nanos, right.nanos, nanos].every((each) => each <= limit && each >= -limit) ? scale : undefined;
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (quotient * divisor === dividend) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}
