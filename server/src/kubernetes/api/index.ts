import { tableGroup } from './kinds.ts';
import { ApiTypes, type StructType } from './table.ts';
import { types as v134 } from './v1.34.ts';
import { types as v135 } from './v1.35.ts';
import { types as v136 } from './v1.36.ts';

export type { Field, FieldType, StructType } from './table.ts';
export { ApiTypes } from './table.ts';

/**
 * Each table says only what the minors before it do not. `namesEmbedded` came with the version of Go.
 * Source: encoding/json/decode.go (decodeState.object)
 */
const sources = {
  '1.34': { tables: [v134], namesEmbedded: false },
  '1.35': { tables: [v134, v135], namesEmbedded: false },
  '1.36': { tables: [v134, v135, v136], namesEmbedded: true },
} as const;

export type Minor = keyof typeof sources;

const known = new Map<Minor, ApiTypes>();

/** The types of a minor's API. */
export function apiTypes(minor: Minor): ApiTypes {
  let types = known.get(minor);
  if (types === undefined) {
    const { tables, namesEmbedded } = sources[minor];
    known.set(minor, (types = new ApiTypes(tables, namesEmbedded)));
  }
  return types;
}

/** The type of a kind that Podium reads; undefined for every other. */
export function structOf(types: ApiTypes, apiVersion: string, kind: string): StructType | undefined {
  return types.struct(tableGroup(apiVersion), kind);
}
