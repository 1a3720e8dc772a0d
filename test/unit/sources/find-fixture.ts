import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ManifestFile, ManifestObject, PlacedDocument } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { placedPosition } from '../../../server/src/manifests/text-positions.ts';
import { findTools } from '../../../server/src/sources/tools/tools.ts';
import {
  type FoundSources,
  type SourcesRequest,
  WorkspaceSources,
} from '../../../server/src/sources/targets/workspace-sources.ts';
import { type ToolRelease, toolFolder } from '../../support/kubernetes-tools.ts';

/** A copy outside of any repository: what an Argo CD Application names is looked for among the remotes of ours. */
export const fixtures = realpathSync(mkdtempSync(join(tmpdir(), 'podium-fixtures-')));
cpSync(fileURLToPath(new URL('../../fixtures/sources/', import.meta.url)), fixtures, { recursive: true });
process.on('exit', () => {
  rmSync(fixtures, { recursive: true, force: true });
});

/** Finds the sources of a folder, and renders them with the real tools of a release; with none, what is passed decides. */
export function findIn(
  root: string,
  release: ToolRelease | null,
  more: Partial<SourcesRequest> = {},
  sources = new WorkspaceSources(),
): Promise<FoundSources> {
  if (release !== null) process.env['PATH'] = `${toolFolder(release)}:${process.env['PATH'] ?? ''}`;
  const paths = manifestPaths(root);
  return sources.find({
    roots: [root],
    paths,
    plain: paths.map((path) => parseManifestFile(pathToFileURL(path).href, readFileSync(path, 'utf8'))),
    unsaved: new Map(),
    exclude: [],
    tools: findTools([root]),
    whyNot: null,
    kubernetes: '1.34',
    choose: ({ all }) => all,
    storage: null,
    ...more,
  });
}

function manifestPaths(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return manifestPaths(path);
    return /\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}

export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Where the name of an object, or something else of it, is shown, relative to a folder. */
export function placeOf(
  root: string,
  { uri }: ManifestFile,
  placed: PlacedDocument,
  object: ManifestObject,
  path: readonly (string | number)[] = ['kind'],
): Place {
  const { line } = placedPosition(placed, object.locateNearest(path, 'key').start);
  return { path: relativePath(root, uri), line: line + 1 };
}

function relativePath(root: string, uri: string): string {
  return fileURLToPath(uri).slice(root.length + 1);
}
