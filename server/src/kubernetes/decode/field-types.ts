/**
 * A small language for the tables that say what fields an API object has and of what Go type they are. The tables are
 * compared with the types of the Kubernetes client at compile time: a field that upstream does not have, one that is
 * missing, or a required one that is not marked so does not compile.
 */

export type FieldType =
  | { readonly kind: 'bool' | 'int32' | 'int64' | 'quantity' | 'int-or-string' | 'time' | 'raw' }
  | {
      readonly kind: 'string';
      /** A Go type of its own, as decoding errors print it: `v1.TaintEffect`. */ readonly goType?: string;
    }
  | { readonly kind: 'list'; readonly item: FieldType }
  | { readonly kind: 'map'; readonly value: FieldType }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  /** The name of the Go type, as decoding errors print it: `PodSpec`. */
  readonly goName: string;
  /** The Go package of the type. */
  readonly goPackage: 'v1' | 'v2';
  /** Worked out at the first use, so that tables may refer to each other in any order. */
  readonly fields: () => ReadonlyMap<string, StructField>;
  /** The fields among them that are required. */
  readonly required: () => readonly (readonly [string, FieldType])[];
}

interface StructField {
  readonly type: FieldType;
}

/** A field type that holds a `T`. The mark exists for the compiler only. */
export interface Field<T> {
  readonly type: FieldType;
  readonly holds?: T;
}

/** Go has no "missing": a required field that is not written has its zero value. */
export interface RequiredField<T> extends Field<T> {
  readonly isRequired: true;
}

/** One entry for each field of `T`. */
export type FieldTable<T> = {
  readonly [Key in keyof T]-?: undefined extends T[Key] ? Field<NonNullable<T[Key]>> : RequiredField<T[Key]>;
};

export const string: Field<string> = { type: { kind: 'string' } };
/** Text that has a Go type of its own; only the words of errors differ. */
export function stringOf(goType: string): Field<string> {
  return { type: { kind: 'string', goType } };
}

export const bool: Field<boolean> = { type: { kind: 'bool' } };
export const int32: Field<number> = { type: { kind: 'int32' } };
export const int64: Field<number> = { type: { kind: 'int64' } };
export const quantity: Field<string> = { type: { kind: 'quantity' } };
export const intOrString: Field<number | string> = { type: { kind: 'int-or-string' } };
export const time: Field<Date> = { type: { kind: 'time' } };

/** A value that nobody looks into. It is kept as written. */
export function raw(): Field<never> {
  return { type: { kind: 'raw' } };
}

export function list<T>(item: Field<T>): Field<T[]> {
  return { type: { kind: 'list', item: item.type } };
}

export function map<T>(value: Field<T>): Field<Record<string, T>> {
  return { type: { kind: 'map', value: value.type } };
}

export function required<T>(field: Field<T>): RequiredField<T> {
  return { type: field.type, isRequired: true };
}

export function struct<T extends object>(
  goName: string,
  table: () => FieldTable<T>,
  goPackage: StructType['goPackage'] = 'v1',
): Field<T> {
  let fields: ReadonlyMap<string, StructField> | undefined;
  let requiredFields: readonly (readonly [string, FieldType])[] | undefined;
  const entries = (): [string, Field<unknown> | RequiredField<unknown>][] => Object.entries(table());
  return {
    type: {
      kind: 'struct',
      goName,
      goPackage,
      fields: () => (fields ??= new Map(entries().map(([name, { type }]) => [jsonName(name), { type }]))),
      required: () =>
        (requiredFields ??= entries()
          .filter(([, field]) => 'isRequired' in field)
          .map(([name, { type }]) => [jsonName(name), type] as const)),
    },
  };
}

/** The client library writes an underscore before names that JavaScript reserves: `_default`. */
function jsonName(name: string): string {
  return name.startsWith('_') ? name.slice(1) : name;
}
