import { getOrInsert } from '../../util/maps.ts';

/**
 * The types of the API as data. A table holds, by group, one line per Go type:
 *
 *     PodSpec volumes:[]Volume?&~name restartPolicy:RestartPolicy? …     a struct: `field:type` and its flags
 *     Volume :VolumeSource name:string                                  a struct whose type stands in this one
 *     TaintEffect =string NoSchedule PreferNoSchedule NoExecute         another name for a type, and its constants
 *
 * Types are Go's, with `Quantity`, `IntOrString`, `Time` and `Raw` (kept as written) besides. A type of another group
 * has a qualifier: `meta.`, and `core.` and `scheduling.`, which in an internal group are internal. Flags: `?` omitempty, `+`
 * optional, `~key` a list that patches merge by that key (`~` alone: by value), `&` a patch says which keys stay.
 */
export type ApiTable = Readonly<Record<string, string>>;

export type FieldType =
  | { readonly kind: 'bool' | 'int32' | 'int64' | 'quantity' | 'int-or-string' | 'time' | 'raw' }
  | {
      readonly kind: 'string';
      /** As decoding errors print it: `string`, `v1.TaintEffect`. */
      readonly goType: string;
      /** The constants of the type. Not each of them is legal everywhere. */
      readonly values: readonly string[];
    }
  | { readonly kind: 'list'; readonly item: FieldType }
  | { readonly kind: 'map'; readonly value: FieldType; readonly goType: string }
  | StructType;

export interface Field {
  /** The JSON name; in an internal struct, which has none, Go's. */
  readonly name: string;
  readonly type: FieldType;
  /** Go tells absent from the zero value. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  /** Neither a pointer nor optional: what is not written has its zero value. Validation may want more. */
  readonly required: boolean;
  /** How a strategic merge patch treats a list: by this key of its items, by value (''), or as one value. */
  readonly mergeKey?: string;
  readonly retainsKeys: boolean;
  /** The structs between this one and the field, outermost first, where Go embeds them. */
  readonly embedded: readonly string[];
}

/** What a line says, parsed at the first use: no table is read further than somebody asks. */
export class StructType {
  readonly kind = 'struct';
  readonly group: string;
  /** The name of the Go type, as decoding errors print it: `PodSpec`. */
  readonly goName: string;
  readonly #parse: () => readonly Field[];
  #fields: ReadonlyMap<string, Field> | undefined;
  #required: readonly Field[] | undefined;

  constructor(group: string, goName: string, parse: () => readonly Field[]) {
    this.group = group;
    this.goName = goName;
    this.#parse = parse;
  }

  get fields(): ReadonlyMap<string, Field> {
    return (this.#fields ??= new Map(this.#parse().map((field) => [field.name, field])));
  }

  get required(): readonly Field[] {
    return (this.#required ??= [...this.fields.values()].filter(({ required }) => required));
  }
}

/** The Go package of a group's types, as errors print it. */
function goPackage(group: string): string {
  return group.slice(group.lastIndexOf('/') + 1);
}

const basicTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['string', { kind: 'string', goType: 'string', values: [] }],
  ['UID', { kind: 'string', goType: 'types.UID', values: [] }],
  ['bool', { kind: 'bool' }],
  ['int32', { kind: 'int32' }],
  ['int64', { kind: 'int64' }],
  ['Quantity', { kind: 'quantity' }],
  ['IntOrString', { kind: 'int-or-string' }],
  ['Time', { kind: 'time' }],
  ['Raw', { kind: 'raw' }],
]);

/** All types of a minor: those of its table, and those of the tables before it where it says nothing. */
export class ApiTypes {
  /** Decoding errors name the structs that a field's own is embedded in. */
  readonly namesEmbedded: boolean;
  readonly #tables: readonly ApiTable[];
  #read: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;
  readonly #types = new Map<string, FieldType>();

  constructor(tables: readonly ApiTable[], namesEmbedded: boolean) {
    this.namesEmbedded = namesEmbedded;
    this.#tables = tables;
  }

  /** With the types of a further table. */
  with(table: ApiTable): ApiTypes {
    return new ApiTypes([...this.#tables, table], this.namesEmbedded);
  }

  /** Group → type → its line. Read when somebody first asks: most people have one minor. */
  get #lines(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return (this.#read ??= linesOf(this.#tables));
  }

  /** A struct of a group; undefined when the minor has none of that name. */
  struct(group: string, name: string): StructType | undefined {
    if (this.#lines.get(group)?.has(name) !== true) return undefined;
    const type = this.#named(group, name);
    return type.kind === 'struct' ? type : undefined;
  }

  #named(group: string, name: string): FieldType {
    const key = `${group} ${name}`;
    return getOrInsert(this.#types, key, () => this.#make(group, name));
  }

  #make(group: string, name: string): FieldType {
    const line = this.#lines.get(group)?.get(name) ?? '';
    if (!line.startsWith('=')) return new StructType(group, name, () => this.#fields(group, line));
    const [aliased = '', ...values] = line.slice(1).split(' ');
    const type = this.#type(group, aliased);
    const goType = `${goPackage(group)}.${name}`;
    if (type.kind === 'string') return { kind: 'string', goType, values: [...type.values, ...values] };
    return type.kind === 'map' ? { ...type, goType } : type;
  }

  #fields(group: string, line: string): Field[] {
    if (line === '') return [];
    return line.split(' ').flatMap((text) => {
      const colon = text.indexOf(':');
      const name = text.slice(0, colon);
      const end = text.slice(colon + 1).search(/[?+&~]/) + colon + 1;
      const goType = end <= colon ? text.slice(colon + 1) : text.slice(colon + 1, end);
      if (name === '') return this.#inlined(group, goType);
      const flags = end <= colon ? '' : text.slice(end);
      const pointer = goType.startsWith('*');
      const optional = flags.startsWith('?') || flags.startsWith('+');
      const type = this.#type(group, goType);
      const tilde = flags.indexOf('~');
      return {
        name,
        type,
        pointer,
        omitEmpty: flags.startsWith('?'),
        required: !pointer && !optional && type.kind !== 'raw',
        ...(tilde < 0 ? {} : { mergeKey: flags.slice(tilde + 1) }),
        retainsKeys: flags.includes('&'),
        embedded: [],
      };
    });
  }

  #inlined(group: string, goType: string): Field[] {
    const type = this.#type(group, goType);
    if (type.kind !== 'struct') return [];
    return [...type.fields.values()].map((field) => ({ ...field, embedded: [type.goName, ...field.embedded] }));
  }

  #type(group: string, text: string): FieldType {
    const basic = basicTypes.get(text);
    if (basic !== undefined) return basic;
    if (text.startsWith('*')) return this.#type(group, text.slice(1));
    if (text.startsWith('[]')) return { kind: 'list', item: this.#type(group, text.slice(2)) };
    if (text.startsWith('map[')) {
      const close = text.indexOf(']');
      const value = this.#type(group, text.slice(close + 1));
      const key = goTypeName(this.#type(group, text.slice(4, close)));
      return { kind: 'map', value, goType: `map[${key}]${goTypeName(value)}` };
    }
    const dot = text.indexOf('.');
    if (dot < 0) return this.#named(group, text);
    return this.#named(qualifiedGroup(text.slice(0, dot), group), text.slice(dot + 1));
  }
}

function linesOf(tables: readonly ApiTable[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  for (const [group, text] of tables.flatMap((table) => Object.entries(table))) {
    const lines = getOrInsert(groups, group, () => new Map());
    for (const line of text.split('\n')) {
      const end = line.indexOf(' ');
      if (line !== '') lines.set(end < 0 ? line : line.slice(0, end), end < 0 ? '' : line.slice(end + 1));
    }
  }
  return groups;
}

function qualifiedGroup(qualifier: string, group: string): string {
  if (qualifier === 'meta') return 'meta/v1';
  if (qualifier === 'componentbase') return 'componentbase/v1alpha1';
  if (qualifier === 'scheduling') return group.startsWith('internal/') ? 'internal/scheduling' : 'scheduling/v1alpha3';
  return group.startsWith('internal/') ? 'internal/core' : 'core/v1';
}

/** A type as Go prints it in errors. */
export function goTypeName(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `[]${goTypeName(type.item)}`;
    case 'map':
    case 'string':
      return type.goType;
    case 'struct':
      return `${goPackage(type.group)}.${type.goName}`;
    case 'quantity':
      return 'resource.Quantity';
    case 'int-or-string':
      return 'intstr.IntOrString';
    case 'time':
      return 'v1.Time';
    case 'raw':
      return 'interface {}';
    default:
      return type.kind;
  }
}
