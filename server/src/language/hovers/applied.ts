import { joined, say } from '../../util/say.ts';
import type { Position } from 'vscode-languageserver';
import type { Json, Path } from '../../kubernetes/json.ts';
import type { FilePlace, ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import { isScalar, samePath, valueAtPath } from '../../sources/files/json-paths.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import type { Source } from '../../sources/files/source.ts';
import type { AppliedTarget } from '../applied/applied-target.ts';
import { isKnownKind } from '../../kubernetes/decode/index.ts';
import { code, link } from '../connection/markdown.ts';
import { type ManifestHover, paragraphs, points } from './place.ts';

/** What one object that is applied has of what stands under the cursor. */
interface Applied {
  readonly target: string;
  readonly object: ManifestObject;
  /** Undefined where it has nothing. */
  readonly value: Json | undefined;
  /** Where the value is written, where that is elsewhere. */
  readonly setAt: FilePlace | undefined;
}

/** Objects that a hover names before it only counts. */
const shown = 8;
/** Values whose places are looked up for one hover. */
const mostLookups = 20_000;

/**
 * What is applied of the value under the cursor, by each target that counts: of what a base says, where a source makes
 * something else of it or there are several targets; and of what a patch or the values of a chart say.
 *
 * @param written the file as it is written
 */
export function appliedHover(
  written: ManifestFile,
  position: Position,
  targets: readonly AppliedTarget[],
): string | undefined {
  const found = ofBase(written, position, targets);
  const all = found.length > 0 ? found : ofInput(written, position, targets);
  return all.length === 0 ? undefined : appliedText(all);
}

function ofBase(written: ManifestFile, position: Position, targets: readonly AppliedTarget[]): Applied[] {
  const placed = documentAtLine(written.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === null || located === undefined) return [];
  const { object, path } = located;
  const here = valueAtPath(object.value, path);
  if (path.length === 0 || !isScalar(here)) return [];
  const at = object.path.join('/');
  const found = targets.flatMap(({ name: target, facts }) =>
    facts.inDocument(written.uri, placed.index).flatMap(({ manifest }): Applied[] => {
      if (manifest.rendering === undefined || manifest.path.join('/') !== at) return [];
      const there = samePath(object.value, path, manifest.value);
      const value = there === undefined ? undefined : valueAtPath(manifest.value, there);
      const setAt = there === undefined || value === here ? undefined : manifest.rendering.writtenAt(there);
      return [{ target, object: manifest, value, setAt }];
    }),
  );
  return found.length > 1 || found.some(({ value }) => value !== here) ? found : [];
}

function ofInput({ uri }: ManifestFile, { line }: Position, targets: readonly AppliedTarget[]): Applied[] {
  const file = pathOf(uri);
  if (file === null) return [];
  const found: Applied[] = [];
  let lookups = 0;
  for (const { name: target, renderedTarget: rendered } of targets) {
    for (const { source, made } of rendered.sources) {
      if (!reads(source, file)) continue;
      for (const { object } of made) {
        if (object.rendering === undefined || !isKnownKind(object.apiVersion, object.kind)) continue;
        for (const path of scalarsIn(object.value, [])) {
          if (++lookups > mostLookups) return found;
          const setAt = object.rendering.writtenAt(path);
          if (setAt?.uri !== uri || line < setAt.range.start.line || line > setAt.range.end.line) continue;
          found.push({ target, object, value: valueAtPath(object.value, path), setAt: undefined });
        }
      }
    }
  }
  return found;
}

function reads({ place, inputs, resources, recipe }: Source, file: string): boolean {
  // A ConfigMap may be generated from any file.
  const isValues = recipe?.tool === 'helm' && (recipe.valueFiles.includes(file) || recipe.configMaps.length > 0);
  return place.file === file || inputs.has(file) || resources.has(file) || isValues;
}

/** Paths of all values but those that scheduling never looks at. */
function* scalarsIn(value: Json, path: Path): Generator<Path, void> {
  if (isScalar(value)) {
    yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* scalarsIn(item, [...path, index]);
  } else {
    for (const [key, part] of Object.entries(value)) if (!unlooked.has(key)) yield* scalarsIn(part, [...path, key]);
  }
}

const unlooked: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'env', 'status']);

function appliedText(all: readonly Applied[]): string {
  const lines = all.slice(0, shown).map(({ target, object: { kind, namespace, name, rendering }, value, setAt }) => {
    const text = value === undefined ? say`nothing` : code(typeof value === 'string' ? value : JSON.stringify(value));
    const title = code(`${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`);
    const from = setAt === undefined ? '' : say`, ${link(say`written elsewhere`, setAt.uri, setAt.range.start.line)}`;
    return say`${target === '' ? (rendering?.source ?? '') : target}: ${title} ${text}${from}`;
  });
  const more = all.length - lines.length;
  const rest = more === 0 ? [] : [say`${more} more`];
  return paragraphs(say`**What is applied:**`, points([...lines, ...rest]));
}

/** A hover with what is applied at its end, or of that alone. */
export function withApplied(found: ManifestHover | null, applied: string | undefined): ManifestHover | null {
  if (applied === undefined) return found;
  if (found === null) return { contents: { kind: 'markdown', value: applied } };
  return { ...found, contents: { ...found.contents, value: joined([found.contents.value, applied], '\n\n') } };
}
