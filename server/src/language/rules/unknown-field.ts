import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { type ApiTypes, minorsWithField } from '../../kubernetes/api/index.ts';
import { decodedOnce } from '../../kubernetes/decode/index.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { formatPath, type Path } from '../../kubernetes/json.ts';
import type { Fact } from '../index/fact.ts';
import { fieldsAt } from '../field-docs/field-types.ts';
import { isObject, valueAt } from '../../util/values.ts';
import { fixAt, liftEntry, moveEntry, renameKey } from './support/edits.ts';
import type { ObjectRule } from './support/rule.ts';

/** Unknown fields of an object for which what may be meant is looked for: more than are shown. */
const mostHints = 1_000;

/** More letters than this make another word. */
const mostChanges = 3;

export const unknownField: ObjectRule = {
  code: 'unknown-field',
  title: 'A field does not exist, is misspelled, or is in the wrong place',
  // kubectl asks the server to validate strictly unless it is told otherwise.
  severity: 'error',
  scope: 'object',
  *check({ fact, kubernetes: { release, isAssumed } }) {
    // What is read from a cluster was accepted once.
    if (fact.object.metadata?.uid !== undefined) return;
    const { unknownFields, more } = decodedOnce(fact.manifest.value, release.types);
    for (const [index, path] of unknownFields.entries()) {
      const name = String(path.at(-1));
      // Directives of a strategic merge patch.
      if (name.startsWith('$')) continue;
      const minors = minorsWithField(fact.manifest.apiVersion, fact.kind, path);
      const isLast = more !== undefined && index === unknownFields.length - 1;
      const untold = isLast ? { more: more.unknownFields } : {};
      const finding = { range: fact.manifest.locateNearest(path, 'key'), fact, path, ...untold };
      const text = `strict decoding error: unknown field "${formatPath(path)}"`;
      if (minors.length === 0) {
        const message = say`${text}${index < mostHints ? hint(fact, path, release.types) : ''}`;
        yield { ...finding, message, schemaSays: 'field' };
      } else if (isAssumed) {
        const message = say`This field exists in Kubernetes ${list(minors)} only.`;
        yield { ...finding, severity: 'information', message };
      } else {
        yield { ...finding, message: say`${text}. It exists in Kubernetes ${list(minors)} only.` };
      }
    }
  },
  fix: fixAt((fact, path, { release: { types } }) => {
    const better = betterName(fact, path, types);
    if (better !== undefined) {
      return [{ title: say`Change to ${better}`, preferred: true, edits: [renameKey(fact, path, better)] }];
    }
    const held = heldField(fact, path, types);
    const lifted = held === undefined ? undefined : liftEntry(fact, [...path, held]);
    if (lifted !== undefined) return [{ title: say`Change to ${held!}`, preferred: true, edits: [lifted] }];
    const place = betterPlace(fact, path, types);
    const edits = place === undefined ? undefined : moveEntry(fact, path, place);
    if (place === undefined || edits === undefined) return [];
    return [{ title: say`Move into ${placeName(fact, place)}`, preferred: true, edits }];
  }),
};

function hint(fact: Fact, path: Path, types: ApiTypes): string {
  const better = betterName(fact, path, types) ?? heldField(fact, path, types);
  if (better !== undefined) return say`. Did you mean "${better}"?`;
  const place = betterPlace(fact, path, types);
  return place === undefined ? '' : say`. It belongs in ${placeName(fact, place)}.`;
}

function placeName({ kind }: Fact, place: Path): string {
  return place.length === 0 ? say`the ${kind} itself` : `"${formatPath(place)}"`;
}

/** A field beside it that only differs in a few letters, and is not written. */
function betterName(fact: Fact, path: Path, types: ApiTypes): string | undefined {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  const free = [...fieldsAt(types, fact.manifest, parent).keys()].filter(
    (field) => fact.manifest.locate([...parent, field], 'key') === undefined,
  );
  const sameLetters = free.find((field) => field.toLowerCase() === name.toLowerCase());
  // A short name is soon like any other.
  const changes = Math.min(mostChanges, Math.floor(name.length / 3));
  return sameLetters ?? nearestNames(name, free, changes)[0];
}

/** The only field that it holds, where that belongs beside it: `source: { resourceClaimName }` of claims. */
function heldField({ manifest }: Fact, path: Path, types: ApiTypes): string | undefined {
  const value = valueAt(manifest.value, path);
  const [name, ...others] = isObject(value) ? Object.keys(value) : [];
  if (name === undefined || others.length > 0) return undefined;
  const parent = path.slice(0, -1);
  const isFree = manifest.locate([...parent, name], 'key') === undefined;
  return isFree && fieldsAt(types, manifest, parent).has(name) ? name : undefined;
}

/** A struct that has the field: one within the place where it stands, else one around it. */
function betterPlace(fact: Fact, path: Path, types: ApiTypes): Path | undefined {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  const isFree = (place: Path): boolean =>
    fieldsAt(types, fact.manifest, place).has(name) && fact.manifest.locate([...place, name], 'key') === undefined;
  const inner = [...fieldsAt(types, fact.manifest, parent)].flatMap(([field, { type }]) => {
    const place = [...parent, field];
    return type.kind === 'struct' && field !== 'status' && isFree(place) ? [place] : [];
  });
  if (inner.length === 1) return inner[0];
  for (let length = parent.length - 1; length >= 0; length -= 1) {
    if (isFree(parent.slice(0, length))) return parent.slice(0, length);
  }
  return undefined;
}
