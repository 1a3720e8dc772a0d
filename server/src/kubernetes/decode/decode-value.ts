import { isNumber } from '../../util/exact-integer.ts';
import { put } from '../../util/own.ts';
import { isList, isObject } from '../../util/values.ts';
import { isQuantityError, parseQuantity } from '../quantity.ts';
import { timeProblem } from './go-time.ts';
import type { Json, JsonObject, Path } from '../json.ts';
import { type FieldType, goTypeName, type StructType } from '../api/table.ts';

/** A value of the wrong type, in the words of Go's JSON decoder. */
export interface DecodeProblem {
  readonly path: Path;
  readonly message: string;
  /** The type reads itself, and what it says ends the decoding: other problems are not looked for any more. */
  readonly ends?: true;
}

/** Marks a value that was dropped because of its type. */
const dropped = Symbol('dropped');
type Decoded = Json | typeof dropped;

/**
 * Reads values against field tables. What fits is shared with the input, not copied; what does not fit is left out and
 * reported. Source of the texts: encoding/json/decode.go UnmarshalTypeError.Error
 */
export class Decoder {
  readonly problems: DecodeProblem[] = [];
  /** Fields that the type does not have. The API server drops them, and warns where it validates strictly. */
  readonly unknownFields: Path[] = [];
  readonly #path: (string | number)[] = [];
  /** The names of the fields on the way, without indexes and map keys, as Go prints it. */
  readonly #fieldNames: string[] = [];
  readonly #namesEmbedded: boolean;
  readonly #most: number;
  #structName = '';

  /** Problems, and unknown fields, past those that are kept. */
  readonly more = { problems: 0, unknownFields: 0 };

  /**
   * @param namesEmbedded errors name embedded structs on the way
   * @param most problems, and unknown fields, that are kept; past that they are only counted
   */
  constructor(namesEmbedded = false, most = Infinity) {
    this.#namesEmbedded = namesEmbedded;
    this.#most = most;
  }

  /** The object, with zero values for required fields that are not written. */
  decodeObject(value: JsonObject, type: StructType): JsonObject {
    return this.#struct(value, type);
  }

  #value(value: Json, type: FieldType): Decoded {
    switch (type.kind) {
      case 'raw':
        return value;
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type);
      case 'int32':
      case 'int64':
        return isNumber(value) && isInRange(value, type.kind) ? value : this.#mismatch(value, type);
      case 'quantity':
        return this.#quantity(value);
      case 'int-or-string':
        return this.#intOrString(value);
      case 'time':
        return this.#time(value);
      case 'list':
        return isList(value) ? this.#list(value, type.item) : this.#mismatch(value, type);
      case 'map':
        return isObject(value) ? this.#map(value, type.value) : this.#mismatch(value, type);
      case 'struct':
        return isObject(value) ? this.#struct(value, type) : this.#mismatch(value, type);
    }
  }

  #struct(value: JsonObject, type: StructType): JsonObject {
    const outer = this.#structName;
    this.#structName = type.goName;
    const { fields } = type;
    let changed = false;
    const copy: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const field = fields.get(key);
      const written: Json = value[key] ?? null;
      this.#path.push(key);
      if (field === undefined) {
        if (this.unknownFields.length < this.#most) this.unknownFields.push(this.#path.slice());
        else this.more.unknownFields += 1;
        changed = true;
      } else if (written === null) {
        // Go leaves a field alone that is null.
        changed = true;
      } else {
        const depth = this.#fieldNames.length;
        if (this.#namesEmbedded) this.#fieldNames.push(...field.embedded);
        this.#fieldNames.push(key);
        const decoded = this.#value(written, field.type);
        this.#fieldNames.length = depth;
        if (decoded !== written) changed = true;
        if (decoded !== dropped) put(copy, key, decoded);
      }
      this.#path.pop();
    }
    for (const { name, type: fieldType } of type.required) {
      if (Object.hasOwn(copy, name)) continue;
      put(copy, name, zeroValue(fieldType));
      changed = true;
    }
    this.#structName = outer;
    return changed ? copy : value;
  }

  #list(value: readonly Json[], item: FieldType): readonly Json[] {
    const copy: Json[] = [];
    let changed = false;
    for (const [index, written] of value.entries()) {
      this.#path.push(index);
      const decoded = written === null ? zeroValue(item) : this.#value(written, item);
      this.#path.pop();
      if (decoded !== written) changed = true;
      // An item that does not fit keeps its place, so that indexes still say where something is written.
      copy.push(decoded === dropped ? zeroValue(item) : decoded);
    }
    return changed ? copy : value;
  }

  #map(value: JsonObject, type: FieldType): JsonObject {
    const copy = Object.create(null) as Record<string, Json>;
    let changed = false;
    for (const key of Object.keys(value)) {
      const written: Json = value[key] ?? null;
      this.#path.push(key);
      const decoded = written === null ? zeroValue(type) : this.#value(written, type);
      this.#path.pop();
      if (decoded !== written) changed = true;
      if (decoded !== dropped) put(copy, key, decoded);
    }
    return changed ? copy : value;
  }

  /** Source: apimachinery/pkg/api/resource/quantity.go UnmarshalJSON: any token is read as text. */
  #quantity(value: Json): Decoded {
    const text =
      typeof value === 'string' ? withoutBlanks(value) : isNumber(value) ? String(value) : JSON.stringify(value);
    const parsed = parseQuantity(text);
    return isQuantityError(parsed) ? this.#problem(parsed.message, true) : text;
  }

  /** Source: apimachinery/pkg/util/intstr/intstr.go UnmarshalJSON */
  #intOrString(value: Json): Decoded {
    if (typeof value === 'string' || (typeof value === 'number' && isInRange(value, 'int32'))) return value;
    return this.#mismatch(value, { kind: 'int32' }, true);
  }

  /** Source: apimachinery/pkg/apis/meta/v1/time.go UnmarshalJSON */
  #time(value: Json): Decoded {
    if (typeof value !== 'string') return this.#mismatch(value, plainString, true);
    const problem = timeProblem(value);
    return problem === undefined ? value : this.#problem(problem, true);
  }

  /** A type that reads itself is told the place, too: the error passes through the decoder. Source: addErrorContext */
  #mismatch(value: Json, type: FieldType, ends = false): typeof dropped {
    if (this.#isFull()) return dropped;
    const token = tokenName(value, type.kind === 'int32' || type.kind === 'int64');
    const place = `${this.#structName}.${this.#fieldNames.join('.')}`;
    const message = `json: cannot unmarshal ${token} into Go struct field ${place} of type ${goTypeName(type)}`;
    return this.#problem(message, ends);
  }

  /** Counts a problem that is not kept: nobody makes up the words of a hundred thousand. */
  #isFull(): boolean {
    if (this.problems.length < this.#most) return false;
    this.more.problems += 1;
    return true;
  }

  #problem(message: string, ends = false): typeof dropped {
    if (this.#isFull()) return dropped;
    const path = this.#path.slice();
    this.problems.push(ends ? { path, message, ends } : { path, message });
    return dropped;
  }
}

/** Cuts off blanks, but not tabs and line ends: those are still escaped where upstream cuts. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

function isInRange(value: number, kind: 'int32' | 'int64'): boolean {
  if (typeof value !== 'number') return kind === 'int64';
  if (!Number.isInteger(value)) return false;
  return kind === 'int32' ? value === (value | 0) : value > -(2 ** 63) && value < 2 ** 63;
}

/** What Go calls a JSON value; numbers that do not fit an integer are printed with their text. */
function tokenName(value: Json, withNumber: boolean): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return withNumber ? `number ${value}` : 'number';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
}

const plainString: FieldType = { kind: 'string', goType: 'string', values: [] };

/** A list that is not written: Go has none, and prints it as null. */
export const noList: readonly Json[] = Object.freeze([]);
/** A map that is not written. */
export const noMap: JsonObject = Object.freeze({});

/** What Go has where nothing is written. */
function zeroValue(type: FieldType): Json {
  switch (type.kind) {
    case 'string':
    case 'time':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'int-or-string':
      return 0;
    case 'quantity':
      return '0';
    case 'list':
      return noList;
    case 'map':
      return noMap;
    case 'raw':
      return null;
    case 'struct':
      return Object.fromEntries(type.required.map((field) => [field.name, zeroValue(field.type)]));
  }
}
