import { Decoder } from '../../kubernetes/decode/decode-value.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import { formatPath, type Json, type JsonObject, type Path } from '../../kubernetes/json.ts';
import { isQualifiedName } from '../../kubernetes/label-syntax.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { ConfigurationTypes } from './fields.ts';
import { parseDuration } from '../../kubernetes/go-duration.ts';

/** Plugins of a scheduler of one's own, and extenders: named, but not modelled. */
export interface NotModelled {
  readonly name: string;
  /** Where it is named. */
  readonly path: Path;
}

/** The text for any name that is not qualified. Source: apimachinery/pkg/util/validation/validation.go (IsQualifiedName) */
const notQualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const unknownFieldDetail = 'unknown field ';

/**
 * A place in a configuration. What is wrong there is told in upstream's words, and gathered for the configuration as a
 * whole. Source: apimachinery/pkg/util/validation/field/errors.go
 */
export class Place {
  readonly release: Release;
  readonly path: Path;
  readonly problems: FieldError[];
  readonly #printed: Path;

  constructor(release: Release, problems: FieldError[] = [], path: Path = [], printed: Path = path) {
    this.release = release;
    this.problems = problems;
    this.path = path;
    this.#printed = printed;
  }

  at(...steps: Path): Place {
    return new Place(this.release, this.problems, [...this.path, ...steps], [...this.#printed, ...steps]);
  }

  /** The same place, marked further inside: on the name of a plugin rather than on its whole entry. */
  markedAt(...steps: Path): Place {
    return new Place(this.release, this.problems, [...this.path, ...steps], this.#printed);
  }

  /** The same place, printed as another one. */
  printedAs({ path }: Place): Place {
    return new Place(this.release, this.problems, this.path, path);
  }

  invalid(value: unknown, detail: string): void {
    this.#report('FieldValueInvalid', { value, detail });
  }

  required(detail = ''): void {
    this.#report('FieldValueRequired', { detail });
  }

  forbidden(detail: string): void {
    this.#report('FieldValueForbidden', { detail });
  }

  duplicate(value: unknown): void {
    this.#report('FieldValueDuplicate', { value, detail: '' });
  }

  notSupported(value: unknown, supported: readonly string[]): void {
    const detail = `supported values: ${supported.map((name) => JSON.stringify(name)).join(', ')}`;
    this.#report('FieldValueNotSupported', { value, detail });
  }

  wrongType(detail: string): void {
    this.#report('FieldValueTypeInvalid', { detail });
  }

  /** Judges a name as labels have it. Source: apimachinery/pkg/apis/meta/v1/validation (ValidateLabelName) */
  labelName(name: string): void {
    if (!isQualifiedName(name)) this.invalid(name, notQualified);
  }

  /** A duration in milliseconds; undefined where nothing is written or it cannot be read, which is then a problem. */
  duration(value: Json | undefined): number | undefined {
    const read = parseDuration(value ?? null);
    if (typeof read === 'string') this.wrongType(read);
    return typeof read === 'number' ? read : undefined;
  }

  /**
   * Reads a value as a type of the scheduler's configuration. The scheduler decodes strictly: a field that does not
   * exist is an error. Source: pkg/scheduler/apis/config/scheme/scheme.go (serializer.EnableStrict)
   */
  decode<Name extends keyof ConfigurationTypes>(value: JsonObject, name: Name): ConfigurationTypes[Name] {
    const type = this.release.types.struct('kubescheduler.config.k8s.io/v1', name);
    if (type === undefined) throw new TypeError(`no type ${name}`);
    const decoder = new Decoder();
    const decoded = decoder.decodeObject(value, type);
    for (const { path, message } of decoder.problems) this.at(...path).wrongType(message);
    for (const path of decoder.unknownFields) {
      const unknown = this.at(...path);
      unknown.wrongType(`${unknownFieldDetail}${JSON.stringify(formatPath(unknown.path))}`);
    }
    // Tables and types are made from the same source, and what does not fit is left out.
    return decoded as unknown as ConfigurationTypes[Name];
  }

  #report(type: FieldError['type'], rest: Pick<FieldError, 'detail' | 'value'>): void {
    this.problems.push({ type, at: { text: formatPath(this.#printed), path: this.path }, ...rest });
  }
}

/** Whether a problem is about the name of a field rather than its value. */
export function isUnknownField({ type, detail }: FieldError): boolean {
  return type === 'FieldValueTypeInvalid' && detail.startsWith(unknownFieldDetail);
}
