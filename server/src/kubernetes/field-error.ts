import type { Path } from './json.ts';
import type { FeatureGate } from './release.ts';

/** Upstream's names, as recorded decisions carry them. Source: apimachinery/pkg/util/validation/field/errors.go */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** What a refusal is about, where its place alone does not tell. */
export type FieldErrorCause =
  'gates-and-node' | 'gate-added' | 'gated-node-selector' | 'gated-node-affinity' | 'immutable';

/** A field under its two names, which may be put together only when they are read. */
interface ErrorPlace {
  /** The path as upstream prints it, quirks included: `spec.affinity.podAffinity…labelSelector.matchExpressions[0].key`. */
  readonly text: string;
  /**
   * Where the offending value stands in the object as written. It differs from `text` where upstream's path names
   * no place in the manifest (a struct list key, a defaulted value); an editor puts its mark there.
   */
  readonly path: Path;
}

/** One refusal by the API server of one field of an object. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly at: ErrorPlace;
  /** Upstream's text after the value, word for word; may be empty. */
  readonly detail: string;
  /** The offending value, for the types that print one. Absent for Required and Forbidden. */
  readonly value?: unknown;
  /** Where, from `path` on, the value begins to differ from the stored one, for an editor to mark. */
  readonly within?: Path;
  /** The text goes on with a line-by-line difference, which is left out here. */
  readonly endsInDiff?: true;
  readonly cause?: FieldErrorCause;
  /** Said of the pod in a workload, and not of the workload around it. */
  readonly ofTemplate?: true;
  /** Set where the refusal rests on something that is not written: of a part of a manifest nobody can tell. */
  readonly assumesWhole?: true;
  /** Switched on, this feature gate lifts the refusal. */
  readonly gate?: FeatureGate;
}
