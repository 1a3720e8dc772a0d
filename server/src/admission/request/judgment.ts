import { isNumber } from '../../util/exact-integer.ts';
import { getOrInsert } from '../../util/maps.ts';
import { runToEnd } from '../../util/steps.ts';
import { valueAt } from '../../util/values.ts';
import { minorsWithField, structOf } from '../../kubernetes/api/index.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import { decodedOnce } from '../../kubernetes/decode/index.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { isWorkloadKind, podTemplateOf } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { firstErrors } from '../format/field-errors.ts';
import { isOfUnfinished, type Uncertainty, Wholeness } from '../format/written.ts';
import { selectorMismatch } from '../workloads/workload.ts';
import { invalidAnswer } from './answer.ts';
import { asStored, decodeStrictly, qualifiedKind } from './create.ts';
import { withDefaults } from '../defaults/defaults.ts';
import { sortedKeys } from './identify.ts';
import { prepared } from '../defaults/prepare.ts';
import { judgeCreation } from './validate.ts';

/** A refusal of what somebody writes: it may be a patch, or have parts that are still to be filled in. */
export interface Refusal {
  readonly error: FieldError;
  readonly doubt: Uncertainty;
  /** Another refusal says the same in other words: an editor tells one mistake once. */
  readonly isEcho: boolean;
  /** On the last of masses: how many more there may be that are not told one by one. */
  readonly more?: number;
}

/** Refusals of one object that are told one by one. */
const mostRefusals = 1_000;

/**
 * Whether this is refused where a chart's own values say nothing, and others may: `server: ""`, `name: web-`,
 * `ip: SET-PER-REGION`.
 */
export function isLeftToValues({ type, value }: FieldError): boolean {
  return (
    type === 'FieldValueRequired' ||
    (typeof value === 'string' && /^$|^[-./]|[-./]$|^[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+$/.test(value))
  );
}

const known = new WeakMap<Release, WeakMap<KubeObject, readonly Refusal[]>>();

/**
 * What a server of a release refuses of a new object of any kind that Podium reads, with nothing else stored. The answer
 * is kept with the object. Whoever shows a refusal, or acts on one, asks here.
 */
export function refusalsOf(object: KubeObject, release: Release): readonly Refusal[] {
  return known.get(release)?.get(object) ?? runToEnd(refusalsInSteps(object, release));
}

/** As `refusalsOf`, in steps: an object may be as large as a request to the API server. */
export function* refusalsInSteps(object: KubeObject, release: Release): Generator<void, readonly Refusal[]> {
  const refusals = getOrInsert(known, release, () => new WeakMap());
  let found = refusals.get(object);
  if (found === undefined) refusals.set(object, (found = yield* judge(object, release)));
  return found;
}

function* judge(object: KubeObject, release: Release): Generator<void, readonly Refusal[]> {
  const wholeness = new Wholeness(object);
  yield;
  const judged = asJudged(object);
  yield;
  const batches = judgeCreation(judged, release, false);
  const { errors, beyond } = yield* firstErrors(mostRefusals, isOfUnfinished, batches);
  const isEcho = echoesIn(errors, object);
  const refusals = withoutRepeats(
    errors.map((error) => ({ error, doubt: wholeness.doubtOf(error), isEcho: isEcho(error) })),
    object,
  );
  if (beyond === 0) return refusals;
  const last = refusals.findLastIndex(({ isEcho: isRepeat }) => !isRepeat);
  return refusals.map((refusal, index) => (index === last ? withMore(refusal, beyond) : refusal));
}

function withMore(refusal: Refusal, more: number): Refusal {
  const { error } = refusal;
  const detail = `${error.detail}${error.detail === '' ? '' : ' '}(and up to ${more} more refusals)`;
  return { ...refusal, more, error: { ...error, detail } };
}

/** Where a part is missing as a whole, or is empty, all that it would have to have is missed once. */
function withoutRepeats(refusals: readonly Refusal[], object: KubeObject): readonly Refusal[] {
  const byKey = new Map<string, Refusal>();
  const saysNothing = silence();
  /** The outermost part on the way to a place that is not there, or says nothing; undefined where all of the way is there. */
  const missingPart = ({ at: { path } }: FieldError): Path | undefined => {
    const length = path.findIndex((_step, index) => saysNothing(valueAt(object, path.slice(0, index + 1))));
    return length < 0 ? undefined : path.slice(0, length + 1);
  };
  for (const refusal of refusals) {
    const place = missingPart(refusal.error)?.join('/');
    if (refusal.isEcho || place === undefined) continue;
    const before = byKey.get(place);
    if (before === undefined || (before.doubt !== 'none' && refusal.doubt === 'none')) byKey.set(place, refusal);
  }
  const tellers = new Set(byKey.values());
  return refusals.map((refusal) => {
    const isTold = refusal.isEcho || tellers.has(refusal) || missingPart(refusal.error) === undefined;
    return isTold ? refusal : { ...refusal, isEcho: true };
  });
}

/** Whether a value says nothing, each large one looked at once. Decoding fills in the zero value of what its type must have. */
function silence(): (value: unknown) => boolean {
  const known = new Map<object, boolean>();
  const saysNothing = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || isNumber(value)) {
      return value === undefined || value === null || value === '';
    }
    return getOrInsert(known, value, () => Object.values(value).every(saysNothing));
  };
  return saysNothing;
}

/** Validation takes what a workload does not say for its default; what is filled in has no place in the manifest. */
function asJudged(object: KubeObject): KubeObject {
  if (object.kind === 'Pod') return asStored(defaultPod(object) as unknown as JsonObject);
  // Without the spec of its pods a workload has nothing of its own to be judged by.
  const isWorkload = isWorkloadKind(object.kind) && podTemplateOf(object) !== undefined;
  if (isWorkload) return object;
  const filled = withDefaults(object as unknown as JsonObject);
  // The selector that the server writes into a Job is nobody's mistake.
  return asStored(object.kind === 'Job' ? filled : prepared(filled));
}

/** Source: validateContainerResourceName in pkg/apis/core/validation/validation.go */
const notOfContainers = 'must be a standard resource for containers';

/**
 * Whether something is not found since the volume of that name is refused.
 * Source: ValidateVolumes in pkg/apis/core/validation/validation.go (only volumes without errors are known by name)
 */
function isRefusedVolume(
  { at: { path }, value }: FieldError,
  errors: readonly FieldError[],
  object: KubeObject,
): boolean {
  const mounts = path.at(-3);
  if (mounts !== 'volumeMounts' && mounts !== 'volumeDevices') return false;
  const volumes = [...path.slice(0, -5), 'volumes'];
  return errors.some(({ at: { path: other } }) => {
    const index = other[volumes.length];
    return (
      index !== undefined &&
      volumes.every((step, at) => other[at] === step) &&
      valueAt(object, [...volumes, index, 'name']) === value
    );
  });
}

/** Which of some errors say again what another one says. */
function echoesIn(errors: readonly FieldError[], object: KubeObject): (error: FieldError) => boolean {
  const required = new Set(
    errors.flatMap(({ at: { text: field }, type }) => (type === 'FieldValueRequired' ? [field] : [])),
  );
  const unsupported = new Map<string, FieldError>();
  for (const error of errors) {
    const { at, type } = error;
    if (type === 'FieldValueNotSupported' && !unsupported.has(at.text)) unsupported.set(at.text, error);
  }
  const isWritten = ({ at: { path } }: FieldError): boolean => valueAt(object, path) !== undefined;
  const anyWritten = errors.some(isWritten);
  return (error) => {
    const {
      at: { text: field },
      type,
      value,
      detail,
    } = error;
    // What is filled in from a wrong value is wrong, too.
    if (type === 'FieldValueInvalid' && anyWritten && !isWorkloadKind(object.kind) && !isWritten(error)) return true;
    // An empty value that is required is malformed, too.
    if (type !== 'FieldValueRequired' && value === '' && required.has(field)) return true;
    // Requests are taken from limits.
    if (
      type === 'FieldValueInvalid' &&
      !isWritten(error) &&
      errors.some((other) => other.value === value && other.detail === detail && isWritten(other))
    ) {
      return true;
    }
    // A resource that is none at all is none of containers either.
    if (detail === notOfContainers && errors.some((other) => other !== error && other.at.text === field)) return true;
    // Where there is no selector, it selects nothing; where labels of it are refused, so is the whole.
    if (detail === selectorMismatch && required.has('spec.selector')) return true;
    const isInside = (other: FieldError): boolean => other.at.text.startsWith(`${field}.match`);
    if (detail === 'invalid label selector' && errors.some(isInside)) return true;
    if (type === 'FieldValueNotFound' && isRefusedVolume(error, errors, object)) return true;
    // What no pod may have, pods of this kind may not have either.
    return type === 'FieldValueNotSupported' && unsupported.get(field) !== error;
  };
}

/**
 * What a server says that cannot read a document as its kind: a value of another type, a field that there is not.
 * Undefined where it can. Directives of patches are not taken for fields, nor are fields of another minor refused where
 * the minor is only assumed.
 */
export function undecodableText(
  value: JsonObject,
  { release, isAssumed }: { readonly release: Release; readonly isAssumed: boolean },
): string | undefined {
  const { problems, unknownFields, object } = decodedOnce(value, release.types);
  const { apiVersion = '', kind = '' } = object;
  const mayBe = (path: Path): boolean =>
    String(path.at(-1)).startsWith('$') || (isAssumed && minorsWithField(apiVersion, kind, path).length > 0);
  if (problems.length === 0 && unknownFields.every(mayBe)) return undefined;
  const decoded = decodeStrictly(sortedKeys(value) as JsonObject, release);
  return decoded !== undefined && 'refusal' in decoded ? decoded.refusal.message : undefined;
}

/** The answer of a server that refuses an object for some of its fields. */
export function invalidText(object: KubeObject, errors: readonly FieldError[], release: Release): string {
  const { apiVersion = '', kind = '', metadata } = object;
  const { types } = release;
  const struct = structOf(types, apiVersion, kind)!;
  const subject = { kind: qualifiedKind(apiVersion, kind), name: metadata?.name ?? '', types, struct, release };
  return invalidAnswer(subject, errors).message ?? '';
}
