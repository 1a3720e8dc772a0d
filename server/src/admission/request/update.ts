import type { Release } from '../../kubernetes/release.ts';
import { addDefaultTolerations } from '../../kubernetes/defaults/default-tolerations.ts';
import { mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { accepted, type Answer, invalidAnswer } from './answer.ts';
import { decodeStrictly, requestNamespace } from './create.ts';
import { withDefaults } from './defaults.ts';
import { kindRefusal, sortedKeys } from './identify.ts';
import { admitCreation } from './plugins.ts';
import { prepared, withDataSources } from './prepare.ts';
import type { StoredState } from './state.ts';
import { applied, isUnchanged } from './strategic-merge.ts';
import { validateUpdate } from './validate-update.ts';
import { warningsOf } from './warnings.ts';

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
  const live = asStored(stored.object, state);
  const { subject } = asked;
  if (how === 'apply' && isUnchanged(live, before, after, subject.struct)) {
    return { ...accepted(200, []), unchanged: true };
  }
  const merged = how === 'apply' ? applied(live, before, after, subject.struct) : after;
  const decoded = decodeStrictly(merged as JsonObject, release);
  if (decoded === undefined) return accepted(200, []);
  if ('refusal' in decoded) return decoded.refusal;
  const updated = asUpdated(withDefaults(decoded.object), live);
  const errors = validateUpdate(updated, live, release);
  return errors.length > 0 ? invalidAnswer(subject, errors) : accepted(200, warningsOf(updated));
}

/** What a creation leaves in the storage. */
function asStored(object: JsonObject, state: StoredState): JsonObject {
  const namespace = requestNamespace(object);
  const admitted = admitCreation(withDefaults(object), namespace, state);
  const stored = prepared('refusal' in admitted ? withDefaults(object) : admitted.object);
  if (stored['kind'] === 'Pod') return mergeMatchLabelKeys(stored) as unknown as JsonObject;
  return stored;
}

/** What admission and the storage of a kind change in the next version. The status stays the stored one. */
function asUpdated(object: JsonObject, live: JsonObject): KubeObject {
  const rest = Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'status'));
  const kept = {
    ...rest,
    ...(live['status'] === undefined ? {} : { status: live['status'] }),
  } as unknown as KubeObject;
  if (kept.kind === 'Pod') return addDefaultTolerations(kept);
  if (kept.kind === 'PersistentVolumeClaim') return withDataSources(kept);
  return kept;
}
