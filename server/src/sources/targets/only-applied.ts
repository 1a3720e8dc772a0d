import { basename, dirname } from 'node:path';
import { say } from '../../util/say.ts';
import { isNamespaced } from '../../kubernetes/decode/index.ts';
import { isHookOfLater } from '../../kubernetes/hooks.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { pathOf } from '../files/path-of.ts';
import { kustomizationNames } from '../kustomize/kustomization-names.ts';
import type { RenderedTarget } from './rendered-target.ts';
import { viewedFile } from './viewed-file.ts';

/** Files without what nothing applies, and of that what no kustomization lists. */
export interface Listed {
  readonly files: readonly ManifestFile[];
  readonly unlisted: readonly Unseen[];
}

/**
 * Of a folder with a kustomization, that is applied which kustomize builds. Of files there that nothing takes in only
 * nodes, classes and the like count, which say what the cluster has. Hooks that do not run when all goes well are left
 * out, too.
 *
 * @param inputs absolute paths of files that are no manifests of their own
 * @param named absolute paths of files that were named, which count
 */
export function onlyApplied(
  { sources, files: all, excluded }: Pick<RenderedTarget, 'sources' | 'files' | 'excluded'>,
  inputs: ReadonlySet<string>,
  named: readonly string[] = [],
): Listed {
  const files = withoutHooksOfLater(all);
  const built = new Set<string>();
  const taken = new Set(named);
  for (const { source, refusal, made } of sources) {
    for (const path of source.resources) taken.add(path);
    for (const { file } of made) taken.add(pathOf(file.uri) ?? file.uri);
    if (refusal !== null) continue;
    for (const path of source.inputs) if (kustomizationNames.includes(basename(path))) built.add(dirname(path));
  }
  if (built.size === 0) return { files, unlisted: [] };
  const isBuilt = (folder: string): boolean =>
    built.has(folder) || (folder !== dirname(folder) && isBuilt(dirname(folder)));
  const unlisted: Unseen[] = [];
  const listed = files.map((file) => {
    const path = pathOf(file.uri);
    if (path === null || excluded.has(file.uri) || inputs.has(path) || taken.has(path) || !isBuilt(dirname(path))) {
      return file;
    }
    let amount = 0;
    const kept = file.documents.map(({ index, document }) => {
      const objects = document.objects.filter(({ apiVersion, kind }) => !isNamespaced(apiVersion, kind));
      amount += document.objects.length - objects.length;
      return [index, objects] as const;
    });
    if (amount === 0) return file;
    unlisted.push({
      kind: 'part',
      name: `${basename(dirname(path))}/${basename(path)}`,
      why: say`the kustomization there does not list it`,
      count: 1,
      origin: { uri: file.uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } },
    });
    return viewedFile(file, new Map(kept));
  });
  return { files: unlisted.length === 0 ? files : listed, unlisted };
}

function withoutHooksOfLater(files: readonly ManifestFile[]): readonly ManifestFile[] {
  const isLater = ({ value }: ManifestObject): boolean => isHookOfLater(value);
  const left = files.map((file) => {
    if (!file.documents.some(({ document }) => document.objects.some(isLater))) return file;
    const objects = file.documents.map(({ index, document }) => {
      return [index, document.objects.filter((object) => !isLater(object))] as const;
    });
    return viewedFile(file, new Map(objects));
  });
  return left.every((file, index) => file === files[index]) ? files : left;
}
