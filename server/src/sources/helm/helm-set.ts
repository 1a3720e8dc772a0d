import { isNumber } from '../../util/exact-integer.ts';
import type { Json } from '../../kubernetes/json.ts';

/** Values that are changed in place: parts of them may be shared, as Go's maps are. */
export type Values = Map<string, Value>;
export type Value = string | number | boolean | null | undefined | Values | Value[];

export function valuesFrom(json: Json | undefined): Value {
  if (typeof json !== 'object' || json === null || isNumber(json)) return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map(valuesFrom);
  return new Map(Object.entries(json).map(([key, value]) => [key, valuesFrom(value)]));
}

export function valuesAsJson(value: Value): Json {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(valuesAsJson);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, valuesAsJson(each)]));
  return value;
}

// The numbers of helm's parser.
const maxIndex = 65_536;
const maxLevel = 30;
// Bounds of ours: each of a thousand keys may ask for a list that long, and lists in lists have no end in helm.
const maxItems = 1_000_000;
const maxDepth = 1_000;

/** Null for more to come, `end` at the end of the text. */
type Outcome = { readonly error: string } | 'end' | null;

/**
 * Sets values by `name=value,list[0].name={a,b}`. What is wrong with the text; null when nothing is.
 * Source: helm, pkg/strvals/parser.go (ParseInto, ParseIntoString)
 */
export function setValues(text: string, values: Values, areStrings: boolean): string | null {
  const setter = new Setter(Array.from(text), areStrings);
  for (;;) {
    const outcome = setter.key(values, 0);
    if (outcome === 'end') return null;
    if (outcome !== null) return outcome.error;
  }
}

class Setter {
  readonly #letters: readonly string[];
  readonly #areStrings: boolean;
  #at = 0;
  #items = 0;
  #depth = 0;
  /** Lists that are made here, which nobody shares yet. */
  readonly #own = new WeakSet<Value[]>();

  constructor(letters: readonly string[], areStrings: boolean) {
    this.#letters = letters;
    this.#areStrings = areStrings;
  }

  key(data: Values, level: number): Outcome {
    const { text: name, last } = this.#until('=[,.');
    if (last === '') return name === '' ? 'end' : { error: `key ${JSON.stringify(name)} has no value` };
    if (last === ',') {
      set(data, name, '');
      return { error: `key ${JSON.stringify(name)} has no value (cannot end with ,)` };
    }
    if (last === '=') {
      const { value, outcome } = this.#value();
      if (outcome === null || outcome === 'end') set(data, name, value);
      return outcome;
    }
    if (last === '[') {
      const index = this.#index();
      if (typeof index !== 'number') return index;
      const known = data.has(name) ? data.get(name) : [];
      if (!Array.isArray(known)) return { error: `unable to parse key: ${name} is no list` };
      const { list, outcome } = this.#item(known, index, level);
      set(data, name, list);
      return outcome;
    }
    if (level === maxLevel) {
      return { error: `value name nested level is greater than maximum supported nested level of ${maxLevel}` };
    }
    const inner = data.has(name) ? data.get(name) : new Map<string, Value>();
    if (!(inner instanceof Map)) return { error: `unable to parse key: ${name} is no map` };
    const outcome = this.key(inner, level + 1);
    if (outcome === null && inner.size === 0) return { error: `key map ${JSON.stringify(name)} has no value` };
    if (inner.size > 0) set(data, name, inner);
    return outcome;
  }

  #item(list: Value[], index: number, level: number): { readonly list: Value[]; readonly outcome: Outcome } {
    if (this.#depth === maxDepth) return { list, outcome: { error: `more than ${maxDepth} indexes in one another` } };
    this.#depth += 1;
    const item = this.#itemWithin(list, index, level);
    this.#depth -= 1;
    return item;
  }

  #itemWithin(list: Value[], index: number, level: number): { readonly list: Value[]; readonly outcome: Outcome } {
    const { text, last } = this.#until('[.=');
    if (text !== '') {
      return { list, outcome: { error: `unexpected data at end of array index: ${JSON.stringify(text)}` } };
    }
    if (last === '') return { list, outcome: 'end' };
    if (last === '=') {
      const { value, outcome } = this.#value();
      if (outcome !== null && outcome !== 'end') return { list, outcome };
      // The end is told only when it is read again.
      return this.#withItem(list, index, value);
    }
    const known = list[index];
    if (last === '[') {
      const next = this.#index();
      if (typeof next !== 'number') return { list, outcome: next };
      if (known !== undefined && known !== null && !Array.isArray(known)) {
        return { list, outcome: { error: `unable to parse key: item ${index} is no list` } };
      }
      const inner = this.#item(known ?? [], next, level);
      return inner.outcome === null ? this.#withItem(list, index, inner.list) : { list, outcome: inner.outcome };
    }
    const inner = known instanceof Map ? known : new Map<string, Value>();
    if (index < list.length) list[index] = inner;
    const outcome = this.key(inner, level);
    return outcome === null ? this.#withItem(list, index, inner) : { list, outcome };
  }

  #withItem(list: Value[], index: number, value: Value): { readonly list: Value[]; readonly outcome: Outcome } {
    const added = index - list.length + 1;
    if (added > 0) {
      this.#items += added;
      if (index > maxIndex || this.#items > maxItems) {
        return { list, outcome: { error: `index of ${index} is greater than what is supported` } };
      }
    }
    const longer = added > 0 && !this.#own.has(list) ? [...list] : list;
    if (longer !== list) this.#own.add(longer);
    while (longer.length < index) longer.push(null);
    longer[index] = value;
    return { list: longer, outcome: null };
  }

  #index(): number | { readonly error: string } {
    const { text, last } = this.#until(']');
    if (last === '' || !/^[-+]?\d{1,15}$/.test(text)) return { error: 'error parsing index' };
    return Number(text) < 0 ? { error: `negative ${text} index not allowed` } : Number(text);
  }

  #value(): { readonly value: Value; readonly outcome: Outcome } {
    const first = this.#letters[this.#at];
    if (first === undefined) return { value: '', outcome: 'end' };
    if (first !== '{') return { value: this.#typed(this.#until(',').text), outcome: null };
    this.#at++;
    const value: Value[] = [];
    for (;;) {
      const { text, last } = this.#until(',}');
      if (last === '') return { value, outcome: { error: "list must terminate with '}'" } };
      value.push(this.#typed(text));
      if (last === ',') continue;
      if (this.#letters[this.#at] === ',') this.#at++;
      return { value, outcome: null };
    }
  }

  /** The letters before one of `stop`, which is taken as well; a backslash takes away the meaning of the next. */
  #until(stop: string): { readonly text: string; readonly last: string } {
    const taken: string[] = [];
    for (;;) {
      const letter = this.#letters[this.#at++];
      if (letter === undefined) return { text: taken.join(''), last: '' };
      if (stop.includes(letter)) return { text: taken.join(''), last: letter };
      const next = letter === '\\' ? this.#letters[this.#at++] : letter;
      if (next === undefined) return { text: taken.join(''), last: '' };
      taken.push(next);
    }
  }

  #typed(text: string): Value {
    if (this.#areStrings) return text;
    // Source: strings.EqualFold, which folds by Unicode
    if (/^true$/iu.test(text)) return true;
    if (/^false$/iu.test(text)) return false;
    if (/^null$/iu.test(text)) return null;
    if (text === '0') return 0;
    return /^(?:[1-9]|[-+]\d)\d{0,18}$/.test(text) && fitsInt64(BigInt(text.replace('+', ''))) ? Number(text) : text;
  }
}

function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function set(data: Values, key: string, value: Value): void {
  if (key !== '') data.set(key, value);
}
