import { isNumber } from '../util/exact-integer.ts';
import { Bare } from '../kubernetes/bare.ts';
import { type Decoded, decodeObject, isKnownKind } from '../kubernetes/decode/index.ts';
import type { Json, JsonObject } from '../kubernetes/json.ts';
import { trimmed } from '../kubernetes/scheduling-fields.ts';
import { isList, isObject } from '../util/values.ts';
import { detached } from './document-text.ts';
import type { ObjectTypes } from './manifest-objects.ts';

/** What is left of an object when its text is not kept. */
export interface KeptObject {
  readonly value: JsonObject;
  readonly decoded: Decoded;
}

/** Values of objects that are kept: as many as fit into the memory that Node takes of itself. */
const maxValues = 25_000_000;
/** Parts that are looked for among those that were kept before. */
const poolSize = 20_000;
/** UTF-16 units of a part as JSON; larger ones are hardly ever the same as another. */
const maxShared = 4 * 1024;

/**
 * Keeps what Podium reads of many objects in little memory. The pods of a workload are the same but for their names:
 * labels, owners, containers, tolerations that are equal are one value.
 */
export class KeptObjects {
  readonly #pool = new RecentlyUsed<Json>(poolSize);
  #values = 0;
  #isCut = false;

  /** Whether more is kept than there is memory for. */
  get isFull(): boolean {
    return this.#values > maxValues;
  }

  /** @param isCut whether its strings are parts of a text that would stay in memory with them */
  keep(written: JsonObject, { apiVersion, kind }: ObjectTypes, isCut: boolean): KeptObject {
    this.#isCut = isCut;
    const given = trimmed(written, apiVersion, kind);
    const decoded = decodeObject(given);
    const object = this.#object(decoded.object as unknown as JsonObject);
    const problems = decoded.problems.length === 0 ? none : decoded.problems;
    const unknownFields = decoded.unknownFields.length === 0 ? none : decoded.unknownFields;
    // What a cluster has was accepted once, and nobody asks how it was written.
    const isStored = given !== written && isKnownKind(apiVersion, kind);
    const isSame = isStored || (decoded.object as unknown as JsonObject) === given;
    return {
      value: isSame ? object : this.#object(given),
      decoded: { ...decoded, object, problems, unknownFields },
    };
  }

  /** An object with its parts, and theirs, shared. */
  #object(value: JsonObject): JsonObject {
    const kept = new Bare();
    for (const [field, part] of Object.entries(value)) {
      kept[field] = isObject(part) ? this.#parts(part) : this.#part(part);
    }
    this.#values += 1;
    return kept;
  }

  /** Metadata, spec or status. */
  #parts(value: JsonObject): JsonObject {
    const kept = new Bare();
    this.#values += 1;
    for (const [field, part] of Object.entries(value)) kept[field] = this.#part(part);
    return kept;
  }

  #part(value: Json): Json {
    if (!isList(value)) return this.#shared(value);
    this.#values += 1;
    return value.map((item) => this.#shared(item));
  }

  #shared(value: Json): Json {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null || isNumber(value))) {
      this.#values += 1;
      return value;
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length > maxShared) return this.#copied(value);
    // A text may look like an object.
    const key = typeof value === 'string' ? `"${text}` : text;
    return this.#pool.get(key) ?? this.#pool.set(key, this.#copied(value));
  }

  #copied(value: Json): Json {
    this.#values += 1;
    if (isList(value)) return value.map((item) => this.#copied(item));
    if (typeof value === 'string') return this.#isCut ? detached(value) : value;
    if (!isObject(value)) return value;
    const kept = new Bare();
    for (const [key, part] of Object.entries(value)) {
      kept[key] = typeof part === 'string' && part.length <= maxShared ? this.#shared(part) : this.#copied(part);
    }
    return kept;
  }
}

const none: readonly never[] = [];

/** A map that forgets what was not asked for lately. */
class RecentlyUsed<Value> {
  readonly #size: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const before = this.#old.get(key);
    return before === undefined ? undefined : this.set(key, before);
  }

  set(key: string, value: Value): Value {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
