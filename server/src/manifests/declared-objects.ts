import { say } from '../util/say.ts';
import { isObject, valueAt } from '../util/values.ts';
import { isOtherVersion } from '../kubernetes/decode/index.ts';
import type { Path } from '../kubernetes/json.ts';
import type { Declared, Origin } from '../kubernetes/objects.ts';
import { openName } from '../kubernetes/placeholders.ts';
import type { ManifestDocument, ManifestFile, ManifestObject, ManifestProblemCode } from './manifest.ts';
import { placedRange } from './text-positions.ts';

/**
 * All objects of a file, decoded, each with its place: the range of its name, or of what is nearest to it. What is half
 * read is none: it would be judged for what is missing.
 */
export function declaredObjects({ uri, documents, isOpen }: ManifestFile): Declared[] {
  return documents.flatMap((placed) => [
    ...wholeObjects(placed.document).map((object) => {
      const range = placedRange(placed, object.locateNearest(['metadata', 'name'], 'value'));
      const decoded = object.decoded.object;
      // What is read from a cluster was accepted once, and what is made of another object is not written.
      const isStored = decoded.metadata?.uid !== undefined || decoded.kind !== object.kind;
      const placeOf = (path: Path): Origin => {
        const elsewhere = object.rendering?.writtenAt(path);
        if (elsewhere !== undefined) return elsewhere;
        const isScalar = !isObject(valueAt(object.value, path)) && !Array.isArray(valueAt(object.value, path));
        return { uri, range: placedRange(placed, object.locateNearest(path, isScalar ? 'value' : 'key')) };
      };
      const misread = misreadBecause(object);
      return {
        object: decoded,
        origin: { uri, range },
        ...(isStored ? {} : { value: object.value, placeOf }),
        ...(misread === '' ? {} : { misread }),
        ...(isOpen === true ? { isOpen } : {}),
        ...(object.rendering?.hasOnlyOwnValues === true ? { hasOnlyOwnValues: true as const } : {}),
      };
    }),
    ...new Array<Declared>(placed.document.unread ?? 0).fill(unreadItem()),
  ]);
}

/** What stands for each item that does not say what it is. */
function unreadItem(): Declared {
  return { object: { apiVersion: '', kind: '' }, misread: say`it names no apiVersion or no kind` };
}

/** Why an object is not all that is written; empty where it is. */
function misreadBecause({ apiVersion, kind, decoded }: ManifestObject): string {
  if (isOtherVersion(apiVersion, kind)) return say`${apiVersion} is not read`;
  return decoded.problems[0]?.message ?? '';
}

/** The objects of a document that is read to its end, or that are made of another text, but for templates of objects. */
export function wholeObjects(document: ManifestDocument): readonly ManifestObject[] {
  const isHalf = isHalfRead(document);
  return document.objects.filter(
    (object) => (!isHalf || object.rendering !== undefined) && openName(object) === undefined,
  );
}

/** Whether an error keeps a document from being read whole. What fills in a template reads it otherwise. */
export function isHalfRead({ content, problems }: ManifestDocument): boolean {
  return content !== 'template' && problems.some(({ severity, code }) => severity === 'error' || leftOut.has(code));
}

const leftOut: ReadonlySet<ManifestProblemCode> = new Set(['document-too-deep', 'document-too-large']);
