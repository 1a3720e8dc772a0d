import { snapshotLimits } from './limits.ts';
import { textOf } from './manifest-objects.ts';
import type { ManifestFile, ManifestObject } from './manifest.ts';
import { serverVersionOf } from './server-version.ts';
import { placedPosition } from './text-positions.ts';

/** How much of a text that is no snapshot is quoted, in UTF-16 units. */
const quoted = 100;

/**
 * Why a file, read with the limits of a snapshot, is none that an answer may rest on: the part of a sentence behind its
 * name. Null when it is one. A part of a cluster is no cluster: what was cut off or could not be read would be missing
 * from every answer, and nobody would see it.
 */
export function snapshotFault(file: ManifestFile, text: string): string | null {
  if (text.length > snapshotLimits.fileLength) {
    return `is larger than ${snapshotLimits.fileLength / 1024 / 1024} MiB, which is as much as Podium reads`;
  }
  for (const problem of file.problems) return `cannot be read: ${problem.message}`;
  let objects = 0;
  for (const placed of file.documents) {
    const { document } = placed;
    // A key that is written twice has a value all the same.
    const problem = document.problems.find(({ code }) => code !== 'yaml-duplicate-key');
    if (problem !== undefined) {
      return `cannot be read at line ${placedPosition(placed, problem.range.start).line + 1}: ${problem.message}`;
    }
    const isVersion = serverVersionOf(document) !== undefined;
    if ((document.content === 'data' && !isVersion) || document.content === 'template') {
      return `is not the output of kubectl get -o yaml or json: it has ${quote(document.text)}`;
    }
    const failure = document.objects.find(isFailure);
    if (failure !== undefined) return `is an error of the API server: ${quote(textOf(failure.value['message']))}`;
    objects += document.objects.length;
  }
  if (objects > 0) return null;
  return text.trim() === '' ? 'is empty' : 'has no Kubernetes object in it';
}

/** What the API server answers in place of objects. */
function isFailure({ apiVersion, kind }: ManifestObject): boolean {
  return apiVersion === 'v1' && kind === 'Status';
}

/** The first line of a text that says anything. Nothing in it can speak to a terminal. */
function quote(text: string): string {
  const lines = text.slice(0, 20 * quoted).split(/[\r\n]/);
  const line =
    lines.map((each) => each.replace('\ufeff', '').trim()).find((each) => !/^(?:---|#|%|$)/.test(each)) ?? '';
  const shown = line.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
  return `“${shown.length > quoted ? `${shown.slice(0, quoted)}…` : shown}”`;
}
