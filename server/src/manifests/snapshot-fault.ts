import { say } from '../util/say.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import { type ObjectTypes, textOf } from './manifest-objects.ts';
import type { ManifestFile, PlacedDocument } from './manifest.ts';
import { serverVersionOf } from './server-version.ts';
import { placedPosition } from './text-positions.ts';

/** How much of a text that is no snapshot is quoted, in UTF-16 units. */
const quoted = 100;

/** Why no answer may rest on a file. */
export interface SnapshotFault {
  /** The part of a sentence behind the name of the file. */
  readonly message: string;
  /** From 0; the first where it concerns the whole. */
  readonly line: number;
}

export function faultOfWhole(message: string): SnapshotFault {
  return { message, line: 0 };
}

export function faultAtLine(line: number, message: string): SnapshotFault {
  return { message: say`cannot be read at line ${line + 1}: ${message}`, line };
}

/**
 * Null when an answer may rest on the file. A part of a cluster is no cluster: what was cut off or could not be read
 * would be missing from every answer, and nobody would see it.
 */
export function snapshotFault({ problems, documents }: ManifestFile, isBlank: boolean): SnapshotFault | null {
  for (const problem of problems) return faultOfWhole(say`cannot be read: ${problem.message}`);
  let objects = 0;
  for (const placed of documents) {
    const fault = documentFault(placed);
    if (fault !== null) return fault;
    objects += placed.document.objects.length;
  }
  if (objects > 0) return null;
  return faultOfWhole(isBlank ? say`is empty` : say`has no Kubernetes object in it`);
}

/** Why no answer may rest on a document of a snapshot; null where one may. */
export function documentFault(placed: PlacedDocument): SnapshotFault | null {
  const { document } = placed;
  // A key that is written twice has a value all the same.
  const problem = document.problems.find(({ code }) => code !== 'yaml-duplicate-key');
  if (problem !== undefined) {
    return faultAtLine(placedPosition(placed, problem.range.start).line, problem.message);
  }
  const isVersion = serverVersionOf(document) !== undefined;
  if ((document.content === 'data' && !isVersion) || document.content === 'template') {
    return notOfKubectl(document.text);
  }
  for (const { apiVersion, kind, value } of document.objects) {
    const fault = failureOf(value, { apiVersion, kind });
    if (fault !== null) return fault;
  }
  return null;
}

/** How errors, tables and pages begin that are written in place of objects. Other files may hold what is secret. */
const ofKubectl =
  /^“(?:NAME|NAMESPACE|[EW]\d{4}) |^“(?:[Ee]rror|ERROR|[Ww]arning|[Uu]nable|[Nn]o resources|The connection|[Yy]ou must|[Uu]sage|<)/;

/** @param text of a document, from its start */
export function notOfKubectl(text: string): SnapshotFault {
  const line = quote(text);
  return faultOfWhole(
    ofKubectl.test(line)
      ? say`is not the output of kubectl get -o yaml or json: it has ${line}`
      : say`is not the output of kubectl get -o yaml or json`,
  );
}

/** What the API server answers in place of objects. */
export function failureOf(value: JsonObject, { apiVersion, kind }: ObjectTypes): SnapshotFault | null {
  if (apiVersion !== 'v1' || kind !== 'Status') return null;
  return faultOfWhole(say`is an error of the API server: ${quote(textOf(value['message']))}`);
}

/** The first line of a text that says anything. Nothing in it can speak to a terminal. */
function quote(text: string): string {
  const lines = text.slice(0, 20 * quoted).split(/[\r\n]/);
  const line =
    lines.map((each) => each.replace('\ufeff', '').trim()).find((each) => !/^(?:---|#|%|$)/.test(each)) ?? '';
  const shown = line.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
  return `“${shown.length > quoted ? `${shown.slice(0, quoted)}…` : shown}”`;
}
