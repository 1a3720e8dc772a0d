import { basename, dirname } from 'node:path';
import { plainGlob } from '../../manifests/glob-pattern.ts';
import { groupBy } from '../../util/maps.ts';
import { pathOf } from './path-of.ts';
import { isInside, shownPath } from './paths.ts';

/** A folder that declares Nodes, with the folders below it. */
export interface NodePlace {
  /** As people write it, relative to the folder that is worked on. */
  readonly folder: string;
  readonly nodes: number;
  /** Globs of the files that declare them, as `podium.exclude` takes them. */
  readonly globs: readonly string[];
}

/** Of a place with more files than this the folder is named. */
const maxFiles = 50;

/**
 * The places that Nodes come from, of the URIs of their files, one for each Node. A folder below another that declares
 * Nodes is no place of its own, unless that is the folder that is worked on, which everything is below. More than one
 * place may be more than one cluster, or a cluster and the Nodes of tests.
 */
export function nodePlacesOf(uris: readonly string[], roots: readonly string[]): NodePlace[] {
  const paths = uris.flatMap((uri) => pathOf(uri) ?? []);
  const folders = [...new Set(paths.map((path) => dirname(path)))].sort((a, b) => a.length - b.length);
  const tops: string[] = [];
  for (const folder of folders) {
    if (!tops.some((top) => !roots.includes(top) && isInside(folder, top))) tops.push(folder);
  }
  // The longest first: what lies in a place lies in the folder that is worked on as well.
  tops.reverse();
  const byTop = groupBy(paths, (path) => tops.find((each) => isInside(path, each)) ?? dirname(path));
  return [...[...byTop].map(([top, own]) => placeOf(top, own, roots)), ...elsewhere(uris)].sort(
    (a, b) => b.nodes - a.nodes || (a.folder < b.folder ? -1 : 1),
  );
}

/** What is no file on disk is told apart by its scheme: `stdin`, `untitled`. */
function elsewhere(uris: readonly string[]): NodePlace[] {
  const others = uris.filter((uri) => pathOf(uri) === null).map((uri) => uri.slice(0, uri.indexOf(':')));
  return [...new Set(others)].map((folder) => ({
    folder,
    nodes: others.filter((each) => each === folder).length,
    globs: [],
  }));
}

function placeOf(top: string, paths: readonly string[], roots: readonly string[]): NodePlace {
  const root = roots.filter((each) => isInside(top, each)).sort((a, b) => b.length - a.length)[0];
  if (root === undefined) return { folder: top, nodes: paths.length, globs: [] };
  const shown = shownPath(top, root);
  const files = [...new Set(paths)].map((path) => plainGlob(shownPath(path, root))).sort();
  const below = shown === '.' ? '*' : `${plainGlob(shown)}/**`;
  return {
    folder: roots.length === 1 ? shown : `${basename(root)}/${shown === '.' ? '' : shown}`,
    nodes: paths.length,
    globs: files.length > maxFiles ? [below] : files,
  };
}
