import { isNumber } from '../../util/exact-integer.ts';
import type { Release } from '../../kubernetes/release.ts';
import { type ApiTypes, type FieldType, type StructType, typeAt } from '../../kubernetes/api/index.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import { fieldErrorText, printedPath } from '../format/field-errors.ts';
import { goQuote } from '../format/go-quote.ts';
import { goValue } from './go-value.ts';

/** What a client gets: a Status of the API server, or what kubectl says before it asks. */
export interface Answer {
  readonly accepted: boolean;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  /** The text goes on with a difference whose spelling is not stable. */
  readonly cut?: true;
  /** kubectl stops before the server is asked. */
  readonly client?: true;
  /** kubectl's own text, where the server would say something else. */
  readonly kubectl?: string;
  readonly warnings?: readonly string[];
}

export interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export function accepted(code: 200 | 201, warnings: readonly string[]): Answer {
  return { accepted: true, code, ...(warnings.length === 0 ? {} : { warnings }) };
}

export function refused(code: number, reason: string, message: string): Answer {
  return { accepted: false, code, reason, message };
}

/** What is judged: its kind as errors print it (`Deployment.apps`), its name, and its type. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly types: ApiTypes;
  readonly struct: StructType;
  readonly release: Release;
}

/** Characters of an answer: a server that has to say more runs out of memory. */
const longestAnswer = 2 ** 24;

/** Source: NewInvalid in apimachinery/pkg/api/errors/errors.go, ToAggregate in util/errors */
export function invalidAnswer({ kind, name, types, struct }: Subject, errors: readonly FieldError[]): Answer {
  const values: MadeValues = new Map();
  const printed: FieldError[] = [];
  let length = 0;
  for (const error of errors) {
    const next = withGoValue(error, types, struct, values);
    length += fieldErrorText(next).length;
    if (length > longestAnswer) break;
    printed.push(next);
  }
  const left = errors.length - printed.length;
  const texts = [...new Set(printed.map(fieldErrorText)), ...(left === 0 ? [] : [`and ${left} more refusals`])];
  // Of a text that goes on with a difference, only the first line is kept.
  const cut = printed.findIndex(({ endsInDiff }) => endsInDiff === true);
  const last = cut < 0 ? undefined : fieldErrorText(printed[cut]!);
  const kept = last === undefined ? texts : texts.slice(0, texts.indexOf(last) + 1);
  const open = texts.length === 1 ? '' : '[';
  const message = open + kept.join(', ') + (cut < 0 && open !== '' ? ']' : '');
  return {
    accepted: false,
    code: 422,
    reason: 'Invalid',
    ...(cut < 0 ? {} : { cut: true }),
    message: `${kind} ${goQuote(name)} is invalid: ${message}`,
    causes: printed.map((error) => ({
      field: error.at.text,
      reason: error.type,
      message: fieldErrorText(error).slice(error.at.text.length + 2),
    })),
  };
}

type MadeValues = Map<object, { readonly type: FieldType; readonly made: unknown }>;

/** @param values those that are made already: one list may be the value of an error for each of its items */
function withGoValue(error: FieldError, types: ApiTypes, struct: StructType, values: MadeValues): FieldError {
  const { value } = error;
  if (typeof value !== 'object' || value === null || value === printedPath || isNumber(value)) return error;
  // Upstream may name a field and print what it stands in.
  for (let length = error.at.path.length; length >= 0; length -= 1) {
    const type = typeAt(struct, error.at.path.slice(0, length));
    if (type === undefined || !fits(value, type)) continue;
    let known = values.get(value);
    if (known?.type !== type) values.set(value, (known = { type, made: goValue(types, type, value) }));
    return { ...error, value: known.made };
  }
  return error;
}

function fits(value: object, type: FieldType): boolean {
  if (Array.isArray(value)) return type.kind === 'list';
  if (type.kind === 'struct') return Object.keys(value).every((key) => type.fields.has(key));
  return type.kind === 'map';
}
