import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { ObjectMeta, OwnerReference } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  allOf,
  type Batches,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  required,
  tooLong,
} from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goList, goNumber, goString } from './go-zero.ts';
import { judgeLabels } from './label-selector.ts';
import { byteLength, dnsLabelProblems, type NameCheck, qualifiedNameProblems } from './names.ts';

/** Source: TotalAnnotationSizeLimitB in apimachinery/pkg/api/validation/objectmeta.go */
const maxAnnotationBytes = 256 * 1024;

/** Source: standardFinalizers in pkg/apis/core/helper/helpers.go */
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** 63 characters in all, the last five of them by chance. Source: apiserver/pkg/storage/names/generate.go */
const maxGeneratedBaseLength = 58;
const generatedSuffix = 'xxxxx';

export interface MetaRules {
  readonly namespaced: boolean;
  readonly nameProblems: NameCheck;
  /** Core kinds also want finalizers without a slash to be known ones. */
  readonly coreFinalizers: boolean;
}

export interface CreationOptions {
  /**
   * Whether an object without a name gets one from its `generateName` before it is judged, as in a request; true by
   * default. The server draws five characters by chance; here they are `x`.
   * Source: BeforeCreate in staging/src/k8s.io/apiserver/pkg/registry/rest/create.go
   */
  readonly generatesName?: boolean;
  /**
   * Whether a pod that names no service account gets `default` before it is judged, as in a request; true by default.
   * Source: plugin/pkg/admission/serviceaccount/admission.go
   */
  readonly fillsServiceAccount?: boolean;
  /** The Kubernetes of the server; by default the newest. */
  readonly release?: Release;
}

/**
 * Judges the metadata of a new object. An absent namespace is not missed: the request's own is filled in before.
 * Source: ValidateObjectMetaAccessor in apimachinery/pkg/api/validation/objectmeta.go
 */
export function* judgeObjectMeta(
  meta: ObjectMeta | undefined,
  rules: MetaRules,
  at: FieldPath,
  { generatesName = true }: CreationOptions = {},
): Batches {
  const errors: FieldError[] = [];
  const generateName = goString(meta?.generateName);
  if (generateName !== '') {
    append(errors, invalidFormat(at.child('generateName'), generateName, rules.nameProblems(generateName, true)));
  }
  const generated = generatesName && generateName !== '' ? generatedName(generateName) : '';
  const name = goString(meta?.name) || generated;
  if (name === '') errors.push(required(at.child('name'), 'name or generateName is required'));
  else append(errors, invalidFormat(at.child('name'), name, rules.nameProblems(name)));

  const namespace = goString(meta?.namespace);
  if (namespace !== '') {
    if (rules.namespaced) {
      append(errors, invalidFormat(at.child('namespace'), namespace, dnsLabelProblems(namespace)));
    } else {
      errors.push(forbidden(at.child('namespace'), 'not allowed on this type'));
    }
  }
  const generation = goNumber(meta?.generation);
  if (generation < 0) errors.push(invalid(at.child('generation'), generation, 'must be greater than or equal to 0'));
  yield errors;
  const finalizers = goList(meta?.finalizers);
  yield* judgeCommonParts(meta, at);
  yield* judgeFinalizers(finalizers, at.child('finalizers'));
  if (rules.coreFinalizers) yield* judgeCoreFinalizers(finalizers, at.child('finalizers'));
}

/**
 * Judges the metadata of an update. What a client may leave out, and the server then takes from the stored object
 * (resource version, uid, timestamps), is not missed here.
 * Source: ValidateObjectMetaAccessorUpdate in apimachinery/pkg/api/validation/objectmeta.go
 */
export function validateObjectMetaUpdate(
  meta: ObjectMeta | undefined,
  old: ObjectMeta | undefined,
  rules: Pick<MetaRules, 'coreFinalizers'>,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const ended = 'field is immutable; may only be changed via deletion';
  const grace = meta?.deletionGracePeriodSeconds;
  if (grace !== undefined && grace !== old?.deletionGracePeriodSeconds) {
    errors.push(invalid(at.child('deletionGracePeriodSeconds'), grace, ended));
  }
  // That of an object which ends stays as it is stored.
  if (meta?.deletionTimestamp !== undefined && old?.deletionTimestamp === undefined) {
    errors.push(invalid(at.child('deletionTimestamp'), utcText(meta.deletionTimestamp), ended));
  }
  if (old?.deletionTimestamp !== undefined) {
    const known = new Set(goList(old.finalizers));
    const added = [...new Set(goList(meta?.finalizers))].filter((finalizer) => !known.has(finalizer)).sort();
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      errors.push(forbidden(at.child('finalizers'), detail));
    }
  }
  for (const field of ['name', 'namespace'] as const) {
    const value = goString(meta?.[field]);
    if (value !== goString(old?.[field])) errors.push(invalid(at.child(field), value, 'field is immutable'));
  }
  const uid = goString(meta?.uid);
  if (uid !== '' && uid !== goString(old?.uid)) errors.push(invalid(at.child('uid'), uid, 'field is immutable'));
  append(errors, allOf(judgeCommonParts(meta, at)));
  // Upstream leaves the names of other finalizers alone on updates.
  if (rules.coreFinalizers) {
    append(errors, allOf(judgeCoreFinalizers(goList(meta?.finalizers), at.child('finalizers'))));
  }
  return errors;
}

/** A time as Go prints it: in seconds, of Greenwich. */
function utcText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Source: ValidateAnnotations in apimachinery/pkg/api/validation/objectmeta.go */
export function* judgeAnnotations(annotations: Readonly<Record<string, string>> | undefined, at: FieldPath): Batches {
  let bytes = 0;
  yield* inBatches(Object.entries(annotations ?? {}), ([key, value]) => {
    bytes += byteLength(key) + byteLength(value);
    // Annotation keys may use capitals anywhere, the prefix included.
    const problems = qualifiedNameProblems(key.toLowerCase());
    return problems.length === 0 ? [] : invalidFormat(at.key(key).printedAs(at), key, problems);
  });
  if (bytes > maxAnnotationBytes) yield [tooLong(at, maxAnnotationBytes)];
}

/** The name that the API server makes of a `generateName`; which letters it draws only it knows. */
export function generatedName(base: string, drawn = generatedSuffix): string {
  return base.slice(0, maxGeneratedBaseLength) + drawn;
}

function* judgeCommonParts(meta: ObjectMeta | undefined, at: FieldPath): Batches {
  yield* judgeLabels(meta?.labels, at.child('labels'));
  yield* judgeAnnotations(meta?.annotations, at.child('annotations'));
  yield* judgeOwnerReferences(goList(meta?.ownerReferences), at.child('ownerReferences'));
}

/** Source: ValidateOwnerReferences in apimachinery/pkg/api/validation/objectmeta.go */
function judgeOwnerReferences(owners: readonly OwnerReference[], at: FieldPath): Batches {
  let controller: string | undefined;
  return inBatches(owners, (owner, index) => {
    const errors: FieldError[] = [];
    const place = at.index(index);
    const wanted = [
      ['apiVersion', versionOf(owner.apiVersion), 'version must not be empty'],
      ['kind', owner.kind, 'must not be empty'],
      ['name', owner.name, 'must not be empty'],
      ['uid', owner.uid, 'must not be empty'],
    ] as const;
    for (const [field, value, detail] of wanted) {
      if (goString(value) !== '') continue;
      errors.push(invalid(place.child(field).printedAs(at.child(field)), goString(owner[field]), detail));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      errors.push(invalid(place.printedAs(at), owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller !== true) return errors;
    const name = `${goString(owner.kind)}/${goString(owner.name)}`;
    if (controller === undefined) {
      controller = name;
    } else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalid(place.child('controller').printedAs(at), owners, detail));
    }
    return errors;
  });
}

/** Empty where there is no version, or too many slashes. Source: ParseGroupVersion in apimachinery/pkg/runtime/schema */
function versionOf(apiVersion: string): string {
  const parts = goString(apiVersion).split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}

/** Source: ValidateFinalizers in apimachinery/pkg/api/validation/objectmeta.go */
export function* judgeFinalizers(finalizers: readonly string[], at: FieldPath): Batches {
  yield* inBatches(finalizers, (finalizer, index) =>
    invalidFormat(at.index(index).printedAs(at), finalizer, qualifiedNameProblems(finalizer)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    yield [invalid(at, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
  }
}

/** Source: validateKubeFinalizerName in pkg/apis/core/validation/validation.go */
function judgeCoreFinalizers(finalizers: readonly string[], at: FieldPath): Batches {
  return inBatches(finalizers, (finalizer, index) => coreFinalizerErrors(finalizer, at.index(index)));
}

export function coreFinalizerErrors(finalizer: string, at: FieldPath): FieldError[] {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
  return [invalid(at, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}
