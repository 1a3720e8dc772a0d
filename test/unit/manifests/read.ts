import type {
  ManifestDocument,
  ManifestFile,
  ManifestObject,
  OffsetRange,
} from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';

/** A Pod whose fields are the given lines. */
export function pod(...fields: string[]): string {
  return ['apiVersion: v1', 'kind: Pod', ...fields, ''].join('\n');
}

export function readFile(text: string): ManifestFile {
  return parseManifestFile('file:///test.yaml', text);
}

/** The only document of a text. */
export function readOne(text: string): ManifestDocument {
  const { documents } = readFile(text);
  if (documents.length !== 1) throw new Error(`expected one document, found ${documents.length}`);
  return documents[0]!.document;
}

/** The only object of a text. */
export function objectOf(text: string): ManifestObject {
  const { objects } = readOne(text);
  if (objects.length !== 1) throw new Error(`expected one object, found ${objects.length}`);
  return objects[0]!;
}

/** A value without the null prototypes, to be compared with a literal. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

export function textAt(document: ManifestDocument, range: OffsetRange | undefined): string | undefined {
  return range && document.text.slice(range.start, range.end);
}

/** Problems as `severity code: text they point at`. */
export function problemsOf(document: ManifestDocument): string[] {
  return document.problems.map(
    ({ severity, code, range }) => `${severity} ${code}: ${document.text.slice(range.start, range.end)}`,
  );
}
