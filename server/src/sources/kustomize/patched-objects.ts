import { resolve } from 'node:path';
import type { Json } from '../../kubernetes/json.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { Reach } from './kustomization-graph.ts';
import { documentsIn, every, listed, texts, writtenInPlace } from './kustomize-values.ts';

const generators = [
  ['ConfigMap', 'configMapGenerator'],
  ['Secret', 'secretGenerator'],
] as const;

/**
 * Whether a kustomization makes all objects that it changes by name: by a patch without a target, or by a generator that
 * merges or replaces. Kustomize fails where one is not there. What charts make is not known, and taken to be among them.
 * Source: kustomize, api/internal/builtins/PatchTransformer.go; api/resmap/reswrangler.go (AbsorbAll)
 */
export async function hasPatchedObjects(reach: Reach, files: SourceFiles): Promise<boolean> {
  if (reach.kustomizations.some(({ charts }) => charts.length > 0)) return true;
  const patched = await patchedObjects(reach, files);
  if (patched.size === 0) return true;
  for (const { value } of reach.kustomizations) {
    for (const each of generatedBy(value, (behavior) => !changesOthers(behavior))) patched.delete(each);
  }
  for (const path of reach.resources) {
    const documents = documentsIn((await files.read(path)) ?? '');
    // What cannot be read here, the tool may read.
    if (documents === null) return true;
    for (const document of documents) patched.delete(kindAndName(document));
  }
  return patched.size === 0;
}

async function patchedObjects({ kustomizations }: Reach, files: SourceFiles): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { folder, value } of kustomizations) {
    const patches = listed(value, 'patches').filter((patch) => every(patch, 'target').length === 0);
    const inPlace = patches.flatMap((patch) => every(patch, 'patch').map(asText));
    const paths = patches.flatMap((patch) => every(patch, 'path').map(asText));
    for (const entry of texts(value, 'patchesStrategicMerge')) {
      (writtenInPlace(entry) === null ? paths : inPlace).push(entry);
    }
    for (const path of paths) inPlace.push((await files.read(resolve(folder, path))) ?? '');
    for (const patch of inPlace.flatMap((text) => documentsIn(text) ?? [])) found.add(kindAndName(patch));
    for (const each of generatedBy(value, changesOthers)) found.add(each);
  }
  // A list is a JSON patch.
  found.delete(kindAndName([]));
  return found;
}

function generatedBy(value: Json, hasBehavior: (behavior: string) => boolean): string[] {
  return generators.flatMap(([kind, field]) =>
    listed(value, field).flatMap((made) => {
      const [behavior = ''] = every(made, 'behavior').map(asText);
      const [name = ''] = every(made, 'name').map(asText);
      return hasBehavior(behavior) ? [`${kind} ${name}`] : [];
    }),
  );
}

function changesOthers(behavior: string): boolean {
  return behavior === 'merge' || behavior === 'replace';
}

function kindAndName(object: Json): string {
  const { kind, metadata } = asMap(object);
  return `${asText(kind)} ${asText(asMap(metadata)['name'])}`;
}
