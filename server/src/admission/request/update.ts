import { own } from '../../util/own.ts';
import { appliedOf } from '../../kubernetes/applied-fields.ts';
import { structOf } from '../../kubernetes/api/index.ts';
import { Decoder } from '../../kubernetes/decode/decode-value.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import { addDefaultTolerations } from '../../kubernetes/defaults/default-tolerations.ts';
import { mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import type { KubeObject, Namespace } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { withoutDisabledFields, withoutImageVolumes } from '../pods/disabled-fields.ts';
import { accepted, type Answer, invalidAnswer } from './answer.ts';
import { decodeStrictly, qualifiedKind, requestNamespace } from './create.ts';
import { withDefaults } from '../defaults/defaults.ts';
import { kindRefusal, sortedKeys } from './identify.ts';
import { admitCreation, claimOutOfRange } from './plugins.ts';
import { ofItsScope, prepared, withDataSources } from '../defaults/prepare.ts';
import type { StoredState } from './state.ts';
import { applied, isUnchanged } from './strategic-merge.ts';
import { validateChanges, validateUpdate } from './validate-update.ts';
import { updateWarnings } from './warnings.ts';

export interface UpdateAnswer extends Answer {
  /** `kubectl apply` has nothing to ask for. */
  readonly unchanged?: true;
}

/** What a client gets that replaces what it stored by its next version, or applies that. */
export function reviewUpdate(
  old: JsonObject,
  next: JsonObject,
  how: 'apply' | 'replace',
  state: StoredState,
  release: Release,
): UpdateAnswer {
  const [before, after] = [sortedKeys(old) as JsonObject, sortedKeys(next) as JsonObject];
  const refusal = kindRefusal(after, release);
  if (refusal !== undefined) return refusal;
  const stored = decodeStrictly(before, release);
  const asked = decodeStrictly(after, release);
  if (stored === undefined || asked === undefined) return accepted(200, []);
  if ('refusal' in asked) return asked.refusal;
  if ('refusal' in stored) return stored.refusal;
  const live = asStored(stored.object, state, release);
  const { subject } = asked;
  if (how === 'apply' && isUnchanged(live, before, after, subject.struct)) {
    return { ...accepted(200, []), unchanged: true };
  }
  const merged = how === 'apply' ? applied(live, before, after, subject.struct) : after;
  const decoded = decodeStrictly(merged as JsonObject, release);
  if (decoded === undefined) return accepted(200, []);
  if ('refusal' in decoded) return decoded.refusal;
  const updated = asUpdated(withDefaults(decoded.object), live, release);
  const errors = validateUpdate(updated, live, release);
  if (errors.length > 0) return invalidAnswer(subject, errors);
  const isClaim = updated.kind === 'PersistentVolumeClaim';
  const denied = isClaim ? claimOutOfRange(updated, requestNamespace(decoded.object), state) : undefined;
  return denied ?? accepted(200, updateWarnings(updated, live, release));
}

/**
 * What a server refuses of the change alone when somebody applies the next version of an object; what is wrong with the
 * new version itself is left out.
 *
 * @param old as it was applied before; where it has a uid, as it is stored, with what others wrote into it
 */
export function changeRefusals(next: KubeObject, old: KubeObject, release: Release): readonly FieldError[] {
  const { apiVersion = '', kind = '' } = next;
  const struct = structOf(release.types, apiVersion, kind);
  if (struct === undefined || old.apiVersion !== apiVersion) return [];
  const before = lastApplied(old);
  const after = next as unknown as JsonObject;
  const live = prepared(withDefaults(old as unknown as JsonObject));
  if (isUnchanged(live, before, after, struct)) return [];
  const merged = applied(live, before, after, struct) as JsonObject;
  const updated = new Decoder(release.types.namesEmbedded).decodeObject(merged, struct);
  return validateChanges(asUpdated(withDefaults(updated), live, release), live, release);
}

/** What comes of an object that is applied over a stored one. */
export interface AppliedChange {
  /** What is stored, with all that the server fills in. */
  readonly live: KubeObject;
  /** As the server would store it. */
  readonly object: KubeObject;
  /** `kubectl apply` has nothing to ask for. */
  readonly isUnchanged: boolean;
  /** What the server refuses it with; then it stores nothing. */
  readonly refusal: Answer | undefined;
}

/**
 * What `kubectl apply` makes of a stored object: fields that nobody applied before, and that are not written now, stay
 * as a controller, an autoscaler or the server set them.
 *
 * @param before what was applied before; left out, what the stored object says of that
 */
export function applyOver(stored: KubeObject, next: KubeObject, release: Release, before?: KubeObject): AppliedChange {
  const { apiVersion = '', kind = '' } = next;
  const struct = structOf(release.types, apiVersion, kind);
  if (struct === undefined || stored.apiVersion !== apiVersion) {
    return { live: stored, object: next, isUnchanged: false, refusal: undefined };
  }
  const live = prepared(withDefaults(stored as unknown as JsonObject));
  const old = before === undefined ? lastApplied(stored) : (before as unknown as JsonObject);
  const after = next as unknown as JsonObject;
  if (isUnchanged(live, old, after, struct)) {
    return { live: stored, object: stored, isUnchanged: true, refusal: undefined };
  }
  const merged = applied(live, old, after, struct) as JsonObject;
  const decoded = new Decoder(release.types.namesEmbedded).decodeObject(merged, struct);
  const updated = asUpdated(withDefaults(decoded), live, release);
  const errors = validateUpdate(updated, live, release);
  const subject = {
    kind: qualifiedKind(apiVersion, kind),
    name: next.metadata?.name ?? '',
    types: release.types,
    struct,
    release,
  };
  return {
    live,
    object: updated,
    isUnchanged: false,
    refusal: errors.length > 0 ? invalidAnswer(subject, errors) : undefined,
  };
}

/** What was applied to get what is stored; nothing where nobody says. */
function lastApplied(stored: KubeObject): JsonObject {
  if (stored.metadata?.uid === undefined) return stored as unknown as JsonObject;
  return appliedOf(stored as unknown as JsonObject) ?? {};
}

/** What a creation leaves in the storage: nobody creates what is about to end. Source: BeforeCreate in rest/create.go */
function asStored(written: JsonObject, state: StoredState, release: Release): JsonObject {
  const {
    deletionTimestamp: _ends,
    deletionGracePeriodSeconds: _grace,
    ...metadata
  } = (written as KubeObject).metadata ?? {};
  const object = { ...written, metadata } as unknown as JsonObject;
  const namespace = requestNamespace(object);
  const admitted = admitCreation(withDefaults(object), namespace, state);
  const stored = withKnownFields(prepared('refusal' in admitted ? withDefaults(object) : admitted.object), release);
  if (stored['kind'] === 'Pod') return mergeMatchLabelKeys(stored) as unknown as JsonObject;
  return stored;
}

/** What admission and the storage of a kind change in the next version. The status stays the stored one. */
function asUpdated(object: JsonObject, live: JsonObject, release: Release): KubeObject {
  const rest = Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'status'));
  const kept = {
    ...rest,
    ...(live['status'] === undefined ? {} : { status: live['status'] }),
  } as unknown as KubeObject;
  if (kept.kind === 'Pod') return addDefaultTolerations(kept);
  if (kept.kind === 'Namespace') {
    const { spec } = live as unknown as Namespace;
    return ofItsScope({ ...kept, ...(spec === undefined ? {} : { spec }) });
  }
  if (kept.kind === 'PersistentVolumeClaim') return withDataSources(kept, live);
  return ofItsScope(withKnownFields(kept as unknown as JsonObject, release, live) as unknown as KubeObject);
}

/** Without what the API server drops of pods while its gate is off. Source: DropDisabledTemplateFields in pkg/api/pod/util.go */
function withKnownFields(object: JsonObject, release: Release, live?: JsonObject): JsonObject {
  const template = podTemplateOf(object);
  if (template === undefined) return object;
  const old = live === undefined ? undefined : podTemplateOf(live)?.spec;
  const kept = withoutImageVolumes(withoutDisabledFields(template.spec, release, old), release, old);
  return replacedAt(object, [...template.path, 'spec'], kept as unknown as JsonObject);
}

function replacedAt(object: JsonObject, [step, ...rest]: Path, value: JsonObject): JsonObject {
  if (step === undefined) return value;
  return { ...object, [step]: replacedAt(own(object, String(step)) as JsonObject, rest, value) };
}
