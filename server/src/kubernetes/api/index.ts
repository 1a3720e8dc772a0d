import { type Minor, minors } from '../../util/minors.ts';
import { tableGroup } from './kinds.ts';
import { firstServed } from './served.ts';
import type { Path } from '../json.ts';
import { type ApiTable, ApiTypes, type FieldType, type StructType } from './table.ts';
import { types as v134 } from './v1.34.ts';
import { types as v135 } from './v1.35.ts';
import { types as v136 } from './v1.36.ts';
import { types as v137 } from './v1.37.ts';

export type { Field, FieldType } from './table.ts';
export { ApiTypes, goTypeName, StructType } from './table.ts';

/**
 * Each table says only what the minors before it do not. `namesEmbedded` came with the version of Go.
 * Source: encoding/json/decode.go (decodeState.object)
 */
const sources: Readonly<Record<Minor, { readonly table: ApiTable; readonly namesEmbedded: boolean }>> = {
  '1.34': { table: v134, namesEmbedded: false },
  '1.35': { table: v135, namesEmbedded: false },
  '1.36': { table: v136, namesEmbedded: true },
  '1.37': { table: v137, namesEmbedded: true },
};

const known = new Map<Minor, ApiTypes>();

/** The types of a minor's API. */
export function apiTypes(minor: Minor): ApiTypes {
  let types = known.get(minor);
  if (types === undefined) {
    const tables = minors.slice(0, minors.indexOf(minor) + 1).map((each) => sources[each].table);
    known.set(minor, (types = new ApiTypes(tables, sources[minor].namesEmbedded)));
  }
  return types;
}

let words: ReadonlySet<string> | undefined;

/** What the API calls its groups, kinds, fields and values, of every minor, in lower case; shorter ones than four letters are left out. */
export function apiWords(): ReadonlySet<string> {
  return (words ??= new Set(
    [...firstServed.keys(), ...Object.values(sources).flatMap(({ table }) => Object.values(table))].flatMap(
      (text) => text.toLowerCase().match(/[a-z0-9]{4,}/g) ?? [],
    ),
  ));
}

/** The minors whose kind has a field at a path. */
export function minorsWithField(apiVersion: string, kind: string, path: Path): readonly Minor[] {
  return minors.filter((minor) => {
    const struct = structOf(apiTypes(minor), apiVersion, kind);
    return struct !== undefined && typeAt(struct, path) !== undefined;
  });
}

/** The type of what stands at a path of an object; undefined where the types know nothing of it. */
export function typeAt(type: FieldType, path: Path): FieldType | undefined {
  let at: FieldType | undefined = type;
  for (const step of path) {
    if (at?.kind === 'struct') at = at.fields.get(String(step))?.type;
    else if (at?.kind === 'list') at = at.item;
    else if (at?.kind === 'map') at = at.value;
    else return undefined;
  }
  return at;
}

/** The type of a kind that Podium reads; undefined for every other. */
export function structOf(types: ApiTypes, apiVersion: string, kind: string): StructType | undefined {
  return types.struct(tableGroup(apiVersion), kind);
}
