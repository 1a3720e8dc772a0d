import { isNumber } from '../../util/exact-integer.ts';
import type { FieldError, FieldErrorCause, FieldErrorType } from '../../kubernetes/field-error.ts';
import { append } from '../../util/append.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { FieldPath } from './field-path.ts';
import { goQuote, withGoEscapes } from './go-quote.ts';

/** Makers of field errors. Source: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go */

/**
 * Errors as they are found. An object may have masses of what is to be judged: between two batches others can be
 * answered.
 */
export type Batches = Generator<readonly FieldError[], void>;

/** Items of a list that are judged for one batch. */
const batchSize = 200;

export function* inBatches<Item>(
  items: readonly Item[],
  judge: (item: Item, index: number) => readonly FieldError[],
): Batches {
  for (let start = 0; start < items.length; start += batchSize) {
    const errors: FieldError[] = [];
    const end = Math.min(start + batchSize, items.length);
    for (let index = start; index < end; index += 1) append(errors, judge(items[index]!, index));
    yield errors;
  }
}

export function allOf(batches: Batches): FieldError[] {
  const errors: FieldError[] = [];
  for (const batch of batches) append(errors, batch);
  return errors;
}

/**
 * The first errors of an object that may have masses of them, and how many there are besides. With a step for each batch.
 * @param ignores which errors are not told, and do not count either
 */
export function* firstErrors(
  most: number,
  ignores: (error: FieldError) => boolean,
  batches: Batches,
): Generator<void, { readonly errors: readonly FieldError[]; readonly beyond: number }> {
  const errors: FieldError[] = [];
  let beyond = 0;
  for (const batch of batches) {
    for (const error of batch) {
      if (ignores(error)) continue;
      if (errors.length < most) errors.push(error);
      else beyond += 1;
    }
    yield;
  }
  return { errors, beyond };
}

/** Whether there is any error; looks no further than the first. */
export function hasErrors(batches: Batches): boolean {
  for (const batch of batches) if (batch.length > 0) return true;
  return false;
}

export function invalid(at: FieldPath, value: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', at, value, detail };
}

export function required(at: FieldPath, detail = ''): FieldError {
  return { type: 'FieldValueRequired', at, detail };
}

export function internal(at: FieldPath, detail: string): FieldError {
  return { type: 'InternalError', at, detail };
}

export function forbidden(at: FieldPath, detail: string): FieldError {
  return { type: 'FieldValueForbidden', at, detail };
}

/** A refusal whose text goes on with a difference of the internal types. */
export function forbiddenWithDiff(at: FieldPath, detail: string): FieldError {
  return { ...forbidden(at, detail), endsInDiff: true };
}

export function duplicate(at: FieldPath, value: unknown): FieldError {
  return { type: 'FieldValueDuplicate', at, value, detail: '' };
}

export function notFound(at: FieldPath, value: unknown, detail = ''): FieldError {
  return { type: 'FieldValueNotFound', at, value, detail };
}

/** What upstream prints where its value is a path by mistake. */
export const printedPath = Object.freeze({});

/** `supported` in the order upstream lists them: sorted where it keeps a set, as declared where it keeps a list. */
export function notSupported(at: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map(goQuote).join(', ')}`;
  return { type: 'FieldValueNotSupported', at, value, detail };
}

export function tooLong(at: FieldPath, maxBytes: number): FieldError {
  return { type: 'FieldValueTooLong', at, detail: `may not be more than ${maxBytes} bytes` };
}

export function tooMany(at: FieldPath, count: number, maxItems: number): FieldError {
  return { type: 'FieldValueTooMany', at, value: count, detail: `must have at most ${maxItems} items` };
}

/** One `invalid` for each problem of a format check. */
export function invalidFormat(at: FieldPath, value: number | string, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(at, value, problem));
}

/** A value that is one of a few; an absent one is fine. */
export function oneOf(at: FieldPath, value: string | undefined, known: readonly string[]): FieldError[] {
  return value === undefined || known.includes(value) ? [] : [notSupported(at, value, known)];
}

/** A value that must be there, and well formed. */
export function requiredFormat(
  at: FieldPath,
  value: string | undefined,
  problemsOf: (value: string) => readonly string[],
): FieldError[] {
  return value === undefined || value === '' ? [required(at)] : invalidFormat(at, value, problemsOf(value));
}

/** Marks refusals that hold of a whole manifest only: what a patch leaves out may stand in what it changes. */
export function ifWhole(...errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, assumesWhole: true }));
}

export function because(cause: FieldErrorCause, ...errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, cause }));
}

const kindTexts: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Kinds whose text leaves the value out. Source: Error.ErrorBody in field/errors.go */
const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'InternalError',
]);

/**
 * The line that `kubectl` shows for a field error: `<field>: <kind>[: <value>][: <detail>]`.
 * Composite values print as the JSON of the manifest; upstream prints the JSON of its internal types there.
 */
export function fieldErrorText({ at: { text: field }, type, value, detail }: FieldError): string {
  let text = `${field}: ${kindTexts[type]}`;
  if (!withoutValue.has(type) && value !== undefined) text += `: ${valueText(value, type)}`;
  return detail === '' ? text : `${text}: ${detail}`;
}

/** As `fieldErrorText`, of what somebody reads: each part as long as anybody does. */
export function readableErrorText({ at: { text: field }, type, value, detail }: FieldError): string {
  const shown = value === undefined || withoutValue.has(type) ? '' : `: ${cut(valueText(value, type), longestPart)}`;
  const rest = detail === '' ? '' : `: ${cut(detail, longestPart)}`;
  return `${cut(field, longestPart)}: ${kindTexts[type]}${shown}${rest}`;
}

/** Characters of a field, a value or a detail that a finding shows. */
const longestPart = 1_000;

/**
 * Characters of a list or an object in a text. There may be an error for each item, of which each prints the whole: a
 * server would run out of memory.
 */
const longestValue = 10_000;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

const texts = new WeakMap<object, string>();

/** Of what is not supported, upstream has a type of its own, and prints it as JSON. */
function valueText(value: unknown, type: FieldErrorType): string {
  if (typeof value === 'string' && type !== 'FieldValueNotSupported') return goQuote(value);
  if (isNumber(value)) return String(value);
  if (typeof value !== 'object' || value === null) return printed(value);
  return getOrInsert(texts, value, () => cut(printed(value), longestValue));
}

function printed(value: unknown): string {
  return withGoEscapes(
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)),
  );
}
