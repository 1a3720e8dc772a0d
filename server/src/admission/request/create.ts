import type { Release } from '../../kubernetes/release.ts';
import { structOf } from '../../kubernetes/api/index.ts';
import { isKnownKind, isNamespaced } from '../../kubernetes/api/kinds.ts';
import { groupOf } from '../../kubernetes/api/served.ts';
import { Decoder } from '../../kubernetes/decode/decode-value.ts';
import { formatPath, type JsonObject } from '../../kubernetes/json.ts';
import { mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { goQuote } from '../format/go-quote.ts';
import { generatedName } from '../format/object-meta.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { accepted, type Answer, invalidAnswer, refused, type Subject } from './answer.ts';
import { withDefaults } from '../defaults/defaults.ts';
import { kindRefusal, sortedKeys } from './identify.ts';
import { admitCreation, admitValid } from './plugins.ts';
import { prepared } from '../defaults/prepare.ts';
import { knowsNamespace, type StoredState } from './state.ts';
import { validateCreation } from './validate.ts';
import { warningsOf } from './warnings.ts';

/**
 * What a client gets that creates an object as `kubectl create` does: strictly decoded, defaulted, admitted, judged.
 * Source: createHandler in staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go
 */
export function reviewCreation(document: JsonObject, state: StoredState, release: Release): Answer {
  const value = sortedKeys(document) as JsonObject;
  const refusal = kindRefusal(value, release);
  if (refusal !== undefined) return refusal;
  const decoded = decodeStrictly(value, release);
  if (decoded === undefined) return accepted(201, []);
  if ('refusal' in decoded) return decoded.refusal;
  const { object, subject } = decoded;
  const namespace = requestNamespace(object);
  if (namespace !== undefined && !knowsNamespace(state, namespace)) {
    return refused(404, 'NotFound', `namespaces ${goQuote(namespace)} not found`);
  }
  const admitted = admitCreation(withDefaults(object), namespace, state);
  if ('refusal' in admitted) return admitted.refusal;
  const judged = asStored(withGeneratedName(prepared(admitted.object)));
  const errors = validateCreation(judged, release);
  if (errors.length > 0) return invalidAnswer({ ...subject, name: judged.metadata?.name ?? subject.name }, errors);
  const denied = admitValid(judged, namespace, state);
  return denied ?? accepted(201, warningsOf(judged, release));
}

/** Source: BeforeCreate's callers, Store.Create in apiserver/pkg/registry/generic/registry/store.go */
function withGeneratedName(object: JsonObject): JsonObject {
  const { metadata } = object as KubeObject;
  const base = metadata?.generateName ?? '';
  if (base === '' || (metadata?.name ?? '') !== '') return object;
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), name: generatedName(base) } };
}

/** Pods take the values of `matchLabelKeys` into their selectors before they are judged. */
export function asStored(object: JsonObject): KubeObject {
  const typed = object as unknown as KubeObject;
  return typed.kind === 'Pod' ? mergeMatchLabelKeys(typed) : typed;
}

interface Decoded {
  readonly object: JsonObject;
  readonly subject: Subject;
}

/**
 * Reads a document as its kind, or says what a strict server says; undefined for a kind that Podium does not read.
 * Decode errors come alone, the first only, and types before unknown fields.
 */
export function decodeStrictly(
  value: JsonObject,
  release: Release,
): Decoded | { readonly refusal: Answer } | undefined {
  const { types } = release;
  const apiVersion = value['apiVersion'] as string;
  const kind = value['kind'] as string;
  const struct = isKnownKind(apiVersion, kind) ? structOf(types, apiVersion, kind) : undefined;
  if (struct === undefined) return undefined;
  const decoder = new Decoder(types.namesEmbedded);
  const object = decoder.decodeObject(value, struct);
  const problem = decoder.problems.find(({ ends }) => ends === true) ?? decoder.problems[0];
  // Source: saveStrictError in sigs.k8s.io/json, which keeps the first hundred
  const unknown = decoder.unknownFields.slice(0, 100).map((path) => `unknown field ${goQuote(formatPath(path))}`);
  const text = problem?.message ?? (unknown.length === 0 ? undefined : `strict decoding error: ${unknown.join(', ')}`);
  if (text !== undefined) {
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const message = `${kind} in version "${version}" cannot be handled as a ${kind}: ${text}`;
    return { refusal: refused(400, 'BadRequest', message) };
  }
  const name = (object as KubeObject).metadata?.name ?? '';
  return { object, subject: { kind: qualifiedKind(apiVersion, kind), name, types, struct, release } };
}

/** A kind as errors print it: `Deployment.apps`. */
export function qualifiedKind(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/** The namespace that a request goes to; undefined for objects that live in none. */
export function requestNamespace(object: JsonObject): string | undefined {
  const { apiVersion = '', kind = '' } = object as KubeObject;
  return isNamespaced(apiVersion, kind) ? namespaceOf(object) : undefined;
}
