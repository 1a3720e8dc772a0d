import { valueAt } from '../../util/values.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';

/** The versions that the kubelets of Nodes have. */
export function kubeletVersions(objects: readonly { readonly kind?: unknown }[]): string[] {
  return objects.flatMap((object) => {
    const version = object.kind === 'Node' ? valueAt(object, ['status', 'nodeInfo', 'kubeletVersion']) : undefined;
    return typeof version === 'string' ? [version] : [];
  });
}

/** Those that are written in files, by which charts are rendered. */
export function writtenVersions(files: readonly ManifestFile[]): string[] {
  return files.flatMap(({ documents }) =>
    documents.flatMap(({ document }) => kubeletVersions(document.objects.map(({ value }) => value))),
  );
}
