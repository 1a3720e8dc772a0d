import { own } from '../../util/own.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { asList, asMap } from '../../manifests/read-data.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import type { Range } from 'vscode-languageserver';

/** What stays the same of a problem while other lines are edited: its rule, its object, and its place in the object. */
export interface ProblemIdentity {
  readonly rule: string;
  /** Relative to the working directory, or to the folder of `podium.yaml`, with `/`. */
  readonly path: string;
  /** `Deployment shop/web`; empty where it is about no object. */
  readonly object: string;
  /** `spec.template.spec.containers[web].image`: items of lists by their name, where they have one. */
  readonly place: string;
}

/** What is known of a problem by itself. */
export interface IdentifiedProblem {
  readonly code: string;
  readonly path: string;
  readonly range: Range;
}

/** @param file the file of the problem as it was read; undefined where it could not be */
export function identityOf({ code, path, range }: IdentifiedProblem, file: ManifestFile | undefined): ProblemIdentity {
  const placed = file === undefined ? undefined : documentAtLine(file.documents, range.start.line);
  if (placed === undefined) return { rule: code, path, object: '', place: '' };
  const cursor = placed.document.pathAt(offsetInDocument(placed, range.start));
  const { object } = cursor;
  const whole = object === null ? cursor.whole : object.value;
  return {
    rule: code,
    path,
    object: object === null ? '' : `${object.kind} ${[object.namespace, object.name].filter(Boolean).join('/')}`,
    place: placeText(cursor.path, whole),
  };
}

/** Fields that tell the items of a list apart. Source: api/core/v1/types.go (patchMergeKey) */
const names = ['name', 'key', 'mountPath', 'containerPort', 'topologyKey'] as const;

function placeText(path: Path, whole: Json | undefined): string {
  let text = '';
  let value: Json | undefined = whole;
  for (const step of path) {
    if (typeof step === 'number') {
      value = asList(value)[step];
      const item = asMap(value);
      text += `[${names.map((name) => item[name]).find(isName) ?? step}]`;
    } else {
      value = own(asMap(value), step);
      text += text === '' ? step : `.${step}`;
    }
  }
  return text;
}

function isName(value: Json | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export function keyOf({ rule, path, object, place }: ProblemIdentity): string {
  return JSON.stringify([rule, path, object, place]);
}
