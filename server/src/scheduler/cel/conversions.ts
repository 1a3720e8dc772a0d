import { IpAddress, IpNetwork } from './addresses.ts';
import { durationOf, durationText, timestampOf, timestampText } from './times.ts';
import { Bytes, CelError, Duration, Timestamp, typeNameOf, Uint, type Value, type Fn } from './values.ts';

function failed(value: Value, type: string): never {
  throw new CelError(`type conversion error from '${typeNameOf(value)}' to '${type}'`);
}

function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    // The bounds are left out, since they are no doubles. Source: doubleToInt64Checked
    if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError('integer overflow');
    return BigInt(Math.trunc(value));
  }
  if (value instanceof Uint) {
    if (value.value >= 1n << 63n) throw new CelError('integer overflow');
    return value.value;
  }
  if (value instanceof Duration) return value.nanos;
  if (value instanceof Timestamp) return value.nanos / 1_000_000_000n - (value.nanos % 1_000_000_000n < 0n ? 1n : 0n);
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) {
    const number = BigInt(value.replace(/^\+/, ''));
    if (BigInt.asIntN(64, number) === number) return number;
  }
  return failed(value, 'int');
}

function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  const number =
    typeof value === 'string' && /^\d+$/.test(value)
      ? BigInt(value)
      : typeof value === 'number' && Number.isFinite(value)
        ? BigInt(Math.trunc(value))
        : value;
  if (typeof number !== 'bigint') return failed(value, 'uint');
  if (BigInt.asUintN(64, number) !== number) {
    return typeof value === 'string' ? failed(value, 'uint') : failedRange();
  }
  return new Uint(number);
}

function failedRange(): never {
  throw new CelError('unsigned integer overflow');
}

function toDouble(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (
    typeof value === 'string' &&
    (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) || /^[+-]?(?:inf|infinity|nan)$/i.test(value))
  ) {
    return Number(value.replace(/inf(inity)?/i, 'Infinity').replace(/nan/i, 'NaN'));
  }
  return failed(value, 'double');
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  return (typeof value === 'string' ? truths.get(value) : undefined) ?? failed(value, 'bool');
}

/** As Go's `%g` prints a double. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function toText(value: Value): Value {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof IpAddress || value instanceof IpNetwork) return value.text;
  if (value instanceof Bytes) {
    try {
      const bytes = Uint8Array.from(value.text, (each) => each.charCodeAt(0));
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
    }
  }
  return failed(value, 'string');
}

function toBytes(value: Value): Value {
  if (value instanceof Bytes) return value;
  if (typeof value !== 'string') return failed(value, 'bytes');
  return new Bytes(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(''));
}

function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  return (typeof value === 'string' ? durationOf(value) : null) ?? failed(value, 'google.protobuf.Duration');
}

function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return new Timestamp(value * 1_000_000_000n);
  return (typeof value === 'string' ? timestampOf(value) : null) ?? failed(value, 'google.protobuf.Timestamp');
}

export const conversions: ReadonlyMap<string, Fn> = new Map<string, Fn>([
  ['bool', toBool],
  ['bytes', toBytes],
  ['double', toDouble],
  ['duration', toDuration],
  ['dyn', (value) => value],
  ['int', toInt],
  ['string', toText],
  ['timestamp', toTimestamp],
  ['uint', toUint],
]);
