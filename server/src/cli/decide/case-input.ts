import { minors, oldestMinor } from '../../util/minors.ts';
import { isList, isObject } from '../../util/values.ts';
import { inWordsOf } from '../../admission/format/wording.ts';
import { withDefaults } from '../../admission/defaults/defaults.ts';
import type { CreationOptions } from '../../admission/format/object-meta.ts';
import { mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { Kinds, KubeObject, Pod } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { releaseOf } from '../../kubernetes/releases/index.ts';
import { formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';

/** Reading the parts of a case, and printing the parts of an answer, for all modes of `dist/decide.mjs`. */

/** Cases of mode `validate` record what is said of a pod before the server gives it a name and an account. */
export const recordedCreation: CreationOptions = { generatesName: false, fillsServiceAccount: false };

/** The object at a key; undefined when there is none. */
export function objectAt(input: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** The objects in the list at a key. */
export function objectsAt(input: JsonObject, key: string): readonly JsonObject[] {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return isList(value) ? value.flatMap((each) => (isObject(each) ? [each] : [])) : [];
}

/** The Kubernetes that a case asks for; without one, the oldest that is known. */
export function releaseAt(input: JsonObject): Release {
  const wanted = textAt(input, 'kubernetes');
  return releaseOf(minors.find((minor) => minor === wanted) ?? oldestMinor);
}

/** The text at a key; undefined when there is none. */
export function textAt(input: JsonObject | undefined, key: string): string | undefined {
  const value = input !== undefined && Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The texts in the list at a key. */
export function textsAt(input: JsonObject | undefined, key: string): readonly string[] {
  const value = input !== undefined && Object.hasOwn(input, key) ? input[key] : undefined;
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The kinds that cases are made of, with the version they have there. */
const apiVersions = {
  Node: 'v1',
  Pod: 'v1',
  PodDisruptionBudget: 'policy/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  ResourceQuota: 'v1',
} as const satisfies Partial<Readonly<Record<keyof Kinds, string>>>;
type CaseKind = keyof typeof apiVersions;

/** An object that a case has in a place where only one kind can stand. */
export function decodeAs<Kind extends CaseKind>(
  value: JsonObject | undefined,
  kind: Kind,
  release = releaseOf(oldestMinor),
): Kinds[Kind] {
  const object: KubeObject = decodeObject({ ...value, apiVersion: apiVersions[kind], kind }, release.types).object;
  return object;
}

/** Those of the objects that are of a kind. */
export function decodeKind<Kind extends CaseKind>(values: readonly JsonObject[], kind: Kind): readonly Kinds[Kind][] {
  return values.filter((value) => textAt(value, 'kind') === kind).map((value) => decodeAs(value, kind));
}

/** A pod as it is when the API server judges it: defaults filled in, label keys merged into selectors. */
export function decodePod(value: JsonObject | undefined): Pod {
  return mergeMatchLabelKeys(decodeUnmergedPod(value));
}

/** A pod with its defaults, as it is before the server merges `matchLabelKeys` into selectors. */
export function decodeUnmergedPod(value: JsonObject | undefined, release?: Release): Pod {
  return withDefaults(decodeAs(value, 'Pod', release) as unknown as JsonObject);
}

/** Field errors as cases record them. */
export function printErrors(errors: readonly FieldError[], release = releaseOf(oldestMinor)): Json {
  return inWordsOf(release, errors).map(({ at: { text: field }, type, detail }) => ({ type, field, detail }));
}

export function printAmounts(amounts: ReadonlyMap<string, Quantity>): Json {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}
