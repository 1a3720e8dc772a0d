import { RE2JS } from 're2js';
import { durationText, timestampText } from './times.ts';
import {
  Bytes,
  CelError,
  CostExceeded,
  longestText,
  CelMap,
  Duration,
  isList,
  isNumber,
  QuantityValue,
  Timestamp,
  typeNameOf,
  TypeValue,
  Uint,
  type Value,
  type Fn,
} from './values.ts';

/** Characters are code points, as Go's runes. Source: ext/strings.go */
function indexOf(text: Value, part: Value, from?: Value): Value {
  const [chars, wanted] = [Array.from(text as string), Array.from(part as string)];
  const start = Number(from ?? 0n);
  if (wanted.length === 0) return BigInt(start);
  if (start < 0) throw new CelError(`index out of range: ${start}`);
  for (let at = start; at <= chars.length - wanted.length; at++) {
    if (wanted.every((char, offset) => chars[at + offset] === char)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: Value, part: Value, from?: Value): Value {
  const [chars, wanted] = [Array.from(text as string), Array.from(part as string)];
  if (wanted.length === 0) return from ?? BigInt(chars.length);
  const start = from === undefined ? chars.length - 1 : Number(from);
  if (from !== undefined && start < 0) throw new CelError(`index out of range: ${start}`);
  if (start >= chars.length) return -1n;
  for (let at = Math.min(start, chars.length - wanted.length); at >= 0; at--) {
    if (wanted.every((char, offset) => chars[at + offset] === char)) return BigInt(at);
  }
  return -1n;
}

function charAt(text: Value, place: Value): Value {
  const chars = Array.from(text as string);
  const at = Number(place);
  if (at < 0 || at > chars.length) throw new CelError(`index out of range: ${at}`);
  return chars[at] ?? '';
}

function substring(text: Value, start: Value, end?: Value): Value {
  const chars = Array.from(text as string);
  const [from, to] = [Number(start), end === undefined ? chars.length : Number(end)];
  if (end !== undefined && from > to) {
    throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  }
  for (const place of [from, to]) {
    if (place < 0 || place > chars.length) throw new CelError(`index out of range: ${place}`);
  }
  return chars.slice(from, to).join('');
}

function replace(text: Value, old: Value, by: Value, count?: Value): Value {
  let left = count === undefined || (count as bigint) < 0n ? Infinity : Number(count);
  if (old === '') {
    const chars = Array.from(text as string);
    const gaps = [
      ...chars.map((char) => (left-- > 0 ? `${by as string}${char}` : char)),
      left > 0 ? (by as string) : '',
    ];
    return gaps.join('');
  }
  const parts = (text as string).split(old as string);
  const more = (by as string).length - (old as string).length;
  if ((text as string).length + (parts.length - 1) * more > longestText) throw new CostExceeded();
  return parts.reduce((sum, part) => sum + (left-- > 0 ? (by as string) : (old as string)) + part);
}

function split(text: Value, separator: Value, count?: Value): Value {
  const parts = separator === '' ? Array.from(text as string) : (text as string).split(separator as string);
  const most = count === undefined ? -1 : Number(count);
  if (most < 0 || parts.length <= most) return parts;
  if (most === 0) return [];
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator as string)];
}

function join(list: Value, separator: Value = ''): Value {
  const parts = (list as readonly Value[]).map((each) => {
    if (typeof each !== 'string') throw new CelError(`join: invalid input: ${shown(each)}`);
    return each;
  });
  return parts.join(separator as string);
}

const quotes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

function quote(text: Value): Value {
  return `"${Array.from(text as string, (char) => quotes.get(char) ?? char).join('')}"`;
}

const compiled = new Map<string, RE2JS>();

function regexOf(pattern: string): RE2JS {
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    try {
      regex = RE2JS.compile(pattern);
    } catch (error) {
      throw new CelError(error instanceof Error ? error.message : String(error));
    }
    if (compiled.size > 500) compiled.clear();
    compiled.set(pattern, regex);
  }
  return regex;
}

function findAll(text: Value, pattern: Value, most?: Value): Value {
  const found: string[] = [];
  const matcher = regexOf(pattern as string).matcher(text as string);
  const limit = most === undefined || (most as bigint) < 0n ? Infinity : Number(most);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function find(text: Value, pattern: Value): Value {
  return (findAll(text, pattern, 1n) as readonly string[])[0] ?? '';
}

function clause(verb: string, value: Value): string {
  const fail = (): never => {
    throw new CelError(`error during formatting: unsupported argument for %${verb.at(-1)!}`);
  };
  const number = value instanceof Uint ? value.value : value;
  switch (verb.at(-1)) {
    case 's':
      return shown(value);
    case 'd':
      if (typeof number !== 'bigint') return fail();
      return String(number);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return typeof number === 'bigint' ? number.toString(2) : fail();
    case 'o':
      return typeof number === 'bigint' ? number.toString(8) : fail();
    case 'x':
    case 'X': {
      const bytes = value instanceof Bytes ? value.text : typeof value === 'string' ? utf8(value) : null;
      const hex =
        bytes === null
          ? typeof number === 'bigint'
            ? number.toString(16)
            : fail()
          : Array.from(bytes, (each) => each.charCodeAt(0).toString(16).padStart(2, '0')).join('');
      return verb.endsWith('X') ? hex.toUpperCase() : hex;
    }
    default: {
      if (!isNumber(value)) return fail();
      const digits = /\.(\d+)/.exec(verb)?.[1] ?? '6';
      const amount = Number(number);
      return verb.endsWith('e')
        ? amount.toExponential(Number(digits)).replace(/e([+-])(\d)$/, 'e$10$2')
        : amount.toFixed(Number(digits));
    }
  }
}

function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

function shown(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(shown).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = [...value.entries()].map(([key, each]) => `${shown(key)}: ${shown(each)}`).sort();
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Bytes) return value.text;
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof QuantityValue) return value.quantity.text;
  return typeof value === 'object' ? typeNameOf(value) : String(value);
}

function format(text: Value, args: Value): Value {
  let next = 0;
  return (text as string).replaceAll(/%(%|(?:\.\d+)?[sdfebxXo])/g, (_all, verb: string) => {
    if (verb === '%') return '%';
    const list = args as readonly Value[];
    if (next >= list.length) throw new CelError(`index ${next} out of range`);
    return clause(verb, list[next++]!);
  });
}

function ascii(change: (text: string) => string): Fn {
  return (text) => (text as string).replaceAll(/[A-Za-z]+/g, change);
}

export const textFunctions: ReadonlyMap<string, Fn> = new Map<string, Fn>([
  ['contains', (text, part) => (text as string).includes(part as string)],
  ['endsWith', (text, part) => (text as string).endsWith(part as string)],
  ['startsWith', (text, part) => (text as string).startsWith(part as string)],
  [
    'matches',
    (text, pattern) =>
      regexOf(pattern as string)
        .matcher(text as string)
        .find(),
  ],
  ['charAt', charAt],
  ['lowerAscii', ascii((text) => text.toLowerCase())],
  ['upperAscii', ascii((text) => text.toUpperCase())],
  ['replace', replace],
  ['split', split],
  ['substring', substring],
  ['trim', (text) => (text as string).trim()],
  ['format', format],
  ['strings.quote', quote],
  ['join', join],
  ['find', find],
  ['findAll', findAll],
]);

export { indexOf as indexInText, lastIndexOf as lastIndexInText };
