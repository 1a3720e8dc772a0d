import { dirname } from 'node:path';
import { say } from '../../util/say.ts';
import { isNamespaced } from '../../kubernetes/decode/index.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { AppliedSources } from './apply-sources.ts';
import { isInside } from '../files/paths.ts';
import { pathOf } from '../files/path-of.ts';
import type { RenderedTarget } from './rendered-target.ts';
import { viewedFile } from './viewed-file.ts';

/**
 * Of a folder with a kustomization that is named, that is applied which kustomize builds. Of files there that nothing
 * takes in only nodes, classes and the like count, which say what the cluster has.
 *
 * @param named absolute paths of the files and folders that were named
 */
export function withoutUnlisted(
  rendered: RenderedTarget,
  { sources, inputs }: AppliedSources,
  named: readonly string[],
): { readonly rendered: RenderedTarget; readonly unlisted: readonly Unseen[] } {
  const built = rendered.sources.flatMap(({ source: { kind, place }, refusal }) =>
    kind === 'kustomization' && refusal === null ? [dirname(place.file)] : [],
  );
  const overlays = named.filter((path) => built.includes(path));
  if (overlays.length === 0) return { rendered, unlisted: [] };
  const taken = new Set([
    ...inputs,
    ...named,
    ...sources.flatMap(({ source, made }) => [
      ...source.resources,
      ...made.map(({ file }) => pathOf(file.uri) ?? file.uri),
    ]),
  ]);
  const unlisted: Unseen[] = [];
  const files = rendered.files.map((file) => {
    const path = pathOf(file.uri);
    if (path === null || rendered.excluded.has(file.uri) || taken.has(path)) return file;
    if (!overlays.some((overlay) => isInside(path, overlay))) return file;
    let amount = 0;
    const kept = file.documents.map(({ index, document }) => {
      const objects = document.objects.filter(({ apiVersion, kind }) => !isNamespaced(apiVersion, kind));
      amount += document.objects.length - objects.length;
      return [index, objects] as const;
    });
    if (amount === 0) return file;
    unlisted.push({
      kind: 'part',
      name: path.slice(dirname(path).length + 1),
      why: say`the kustomization there does not list it`,
      count: 1,
      origin: { uri: file.uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } },
    });
    return viewedFile(file, new Map(kept));
  });
  return { rendered: { ...rendered, files }, unlisted };
}
