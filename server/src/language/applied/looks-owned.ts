import { kustomizationNames } from '../../sources/kustomize/kustomization-names.ts';

const markers = [...kustomizationNames, 'Chart.yaml'];

/**
 * Whether a kustomization or a chart stands in the folder of a file or above it, in the workspace. While sources are not
 * known such a file may be a patch or a template, of which nothing is said.
 *
 * @param folders URIs of the folders of the workspace
 */
export function looksOwned(uri: string, folders: readonly string[], isThere: (uri: string) => boolean): boolean {
  for (let at = parentOf(uri); isInside(at, folders); at = parentOf(at)) {
    if (markers.some((name) => isThere(`${at}/${name}`))) return true;
  }
  return false;
}

function parentOf(uri: string): string {
  return uri.slice(0, Math.max(0, uri.lastIndexOf('/')));
}

function isInside(uri: string, folders: readonly string[]): boolean {
  return folders.some((folder) => uri === folder || uri.startsWith(`${folder}/`));
}

/** Whether a file by its name makes objects of others. */
export function isMarker(uri: string): boolean {
  return markers.includes(uri.slice(uri.lastIndexOf('/') + 1));
}
