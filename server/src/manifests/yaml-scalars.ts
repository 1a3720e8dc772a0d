import { exactInteger } from '../util/exact-integer.ts';

/**
 * Plain scalars as `kubectl` and the API server read them: YAML 1.1 as go-yaml understands it, where `on` and `y` are
 * booleans and `010` is 8, while `1:30` and dates stay text.
 * Source: sigs.k8s.io/yaml/goyaml.v2/resolve.go
 */
export type ScalarValue = string | number | boolean | null;

const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);
const longestWord = 5;

const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** `.inf` and `.nan` are numbers that JSON cannot carry, so `kubectl` refuses them. */
export function isNotFinite(text: string): boolean {
  return notFinite.test(text);
}

/**
 * The value of an unquoted scalar. Integers of 64 bits beyond 2^53, which a JavaScript number would round, are
 * `ExactInteger`s; `.inf` and `.nan` stay text (see `isNotFinite`).
 */
export function resolvePlainScalar(text: string): ScalarValue {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  if (first === 0x2e /* . */) return float.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  const isDigit = first >= 0x30 && first <= 0x39;
  if (!isDigit && first !== 0x2b /* + */ && first !== 0x2d /* - */) return text;
  const digits = text.includes('_') ? text.replaceAll('_', '') : text;
  const whole = integerValue(digits);
  if (whole !== undefined) return whole;
  if (float.test(digits)) {
    const value = Number(digits);
    return Number.isFinite(value) ? value : text;
  }
  return text;
}

/** A JSON number; see `resolvePlainScalar`. */
export function jsonNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return value;
  return exact(BigInt(text));
}

/** Beyond 64 bits kubectl rounds as JavaScript does. Source: Unmarshal in apimachinery/pkg/util/json/json.go */
function exact(integer: bigint): number {
  return integer === BigInt.asIntN(64, integer) ? exactInteger(integer) : Number(integer);
}

/** go-yaml decodes to a string of bytes, which JSON then carries as UTF-8. */
function binaryText(text: string): string | undefined {
  const written = text.replaceAll(/[\r\n]/g, '');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(written);
  if (!isBase64) return undefined;
  const bytes = Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Undefined beyond 64 bits, too: go-yaml then takes a decimal number for a float, and any other for text. */
function integerValue(digits: string): number | undefined {
  if (!integer.test(digits)) return undefined;
  const negative = digits.startsWith('-');
  let body = negative || digits.startsWith('+') ? digits.slice(1) : digits;
  if (/^0[0-7]+$/.test(body)) body = `0o${body.slice(1)}`;
  // Number reads 0x, 0b, 0o and decimal as Go's ParseInt with base 0 does.
  const value = Number(body);
  if (Number.isSafeInteger(value)) return negative ? 0 - value : value;
  const whole = negative ? -BigInt(body) : BigInt(body);
  const fits = negative ? whole === BigInt.asIntN(64, whole) : whole === BigInt.asUintN(64, whole);
  return fits ? exact(whole) : undefined;
}

/**
 * A scalar with an explicit tag, or undefined when go-yaml refuses it: "cannot decode !!str `x` as a !!int".
 * Tags that YAML 1.1 does not define leave the text as it is.
 */
export function resolveTaggedScalar(tag: string, text: string): ScalarValue | undefined {
  const prefix = 'tag:yaml.org,2002:';
  if (!tag.startsWith(prefix)) return text;
  const value = resolvePlainScalar(text);
  switch (tag.slice(prefix.length)) {
    case 'int':
      return integerValue(text.replaceAll('_', ''));
    case 'float':
      return typeof value === 'number' || isNotFinite(text) ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'null':
      return value === null ? value : undefined;
    case 'binary':
      return binaryText(text);
    default:
      return text;
  }
}
