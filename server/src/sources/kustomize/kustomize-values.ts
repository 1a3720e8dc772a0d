import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import { splitDocuments } from '../../manifests/split-documents.ts';

/**
 * What kustomize takes for a field: it reads JSON without regard to case, by Unicode's rules, where `ſ` is an `s`.
 * Source: Go, encoding/json/fold.go; kustomize, api/types/kustomization.go (Unmarshal)
 */
export function every(value: Json | undefined, name: string): readonly Json[] {
  return Object.entries(asMap(value)).flatMap(([key, written]) => (isField(key, name) ? [written] : []));
}

function isField(key: string, name: string): boolean {
  return key === name || (key.length === name.length && folded(key) === folded(name));
}

function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** The elements of a list, however its field is written. */
export function listed(value: Json | undefined, name: string): readonly Json[] {
  return every(value, name).flatMap(asList);
}

/** The texts in a list. */
export function texts(value: Json | undefined, name: string): string[] {
  return listed(value, name).map(asText);
}

/** All texts in a value, keys among them, wherever they stand. */
export function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string') {
    yield value;
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) yield* textsIn(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsIn(item);
    }
  }
}

/** What the documents of a text say; null where one cannot be read. */
export function documentsIn(text: string): readonly Json[] | null {
  const values: Json[] = [];
  for (const { start, end } of splitDocuments(text)) {
    const { value, problem } = readData(text.slice(start, end));
    if (problem !== null) return null;
    if (value !== null) values.push(value);
  }
  return values;
}

/** Fields whose entries are generators and the like: files, folders, or written in place. */
export const pluginFields = ['generators', 'transformers', 'validators'] as const;

/** What is written in the place of a file; null for the name of one. Source: kustomize, api/internal/target/kusttarget.go */
export function writtenInPlace(entry: string): readonly Json[] | null {
  const values = /[\n{:]/.test(entry) ? documentsIn(entry) : null;
  const isObject = values?.some((value) => Object.keys(asMap(value)).length > 0) === true;
  return isObject && (entry.includes('\n') || entry.trimStart().startsWith('{')) ? values : null;
}

/** JSON as every YAML reader takes it: what some of them take for the end of a line is escaped. */
export function plainJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A kustomization without anything that another reader of YAML could take otherwise. */
export function plainKustomization(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, written]): [string, Json] => {
    if (!pluginFields.some((field) => isField(key, field))) return [key, written];
    return [
      key,
      asList(written).map((entry) => {
        const inPlace = typeof entry === 'string' ? writtenInPlace(entry) : null;
        return inPlace === null ? entry : inPlace.map(plainJson).join('\n---\n');
      }),
    ];
  });
  return Object.fromEntries(entries);
}
