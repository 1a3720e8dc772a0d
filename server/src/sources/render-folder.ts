import { copyFile, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { StandIns } from './kustomization-graph.ts';
import { isInside, realPath } from './source-files.ts';
import type { FetchedDependency, Recipe, Source } from './source.ts';
import { standInText } from './stand-ins.ts';

/** A folder of Podium's own in which one rendering takes place. */
export interface RenderFolder {
  readonly path: string;
  readonly home: string;
  /** A folder with nothing in it. */
  readonly empty: string;
}

/** Makes a folder, uses it, and takes it away again. */
export async function withRenderFolder<T>(use: (folder: RenderFolder) => Promise<T>): Promise<T> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'podium-render-')));
  const folder = { path, home: join(path, 'home'), empty: join(path, 'empty') };
  try {
    await mkdir(folder.home);
    await mkdir(folder.empty);
    return await use(folder);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Where a rendering finds the user's files: in place, or in a copy that has what editors hold. */
export interface FileView {
  /** The path that the tool is given. */
  toTool(path: string): string;
  /** The user's path. */
  fromTool(path: string): string;
}

const inPlace: FileView = { toTool: (path) => path, fromTool: (path) => path };

/**
 * The files of a source as editors hold them, and with what was fetched in its place. Where neither makes a difference
 * they are used where they are; otherwise they are copied, as a tool reads only what is on disk and the user's files are
 * not touched.
 *
 * @param roots folders that files are in: what is worked on, and what was fetched
 */
export async function viewFiles(
  { inputs, resources, recipe, standIns }: Pick<Source, 'inputs' | 'resources' | 'recipe' | 'standIns'>,
  unsaved: ReadonlyMap<string, string | null>,
  roots: readonly string[],
  folder: RenderFolder,
): Promise<FileView> {
  const files = [...inputs, ...resources, ...(recipe?.tool === 'helm' ? recipe.valueFiles : [])];
  const dependencies = dependenciesOf(recipe);
  if (standIns.length === 0 && dependencies.length === 0 && !files.some((file) => unsaved.has(file))) return inPlace;
  const places = roots.map((root, index) => ({ root, copy: join(folder.path, `copy-${index}`) }));
  const moved = (path: string, way: 'to' | 'from'): string => {
    for (const { root, copy } of places) {
      const [from, to] = way === 'to' ? [root, copy] : [copy, root];
      if (isInside(path, from)) return join(to, relative(from, path));
    }
    return path;
  };
  const view: FileView = { toTool: (path) => moved(path, 'to'), fromTool: (path) => moved(path, 'from') };
  for (const file of files) {
    const target = view.toTool(file);
    // A kustomization may name what lies elsewhere; such a source has been refused.
    if (target === file) continue;
    await mkdir(dirname(target), { recursive: true });
    const text = unsaved.get(file);
    if (text === undefined) await copyFile(file, target).catch(() => undefined);
    else if (text !== null) await writeFile(target, text);
  }
  for (const each of standIns) await writeFile(view.toTool(each.file), await viewedKustomization(each, view));
  for (const { chart, dependency } of dependencies) {
    await cp(dependency.folder, join(view.toTool(chart), 'charts', dependency.name), { recursive: true });
  }
  return view;
}

async function viewedKustomization(standIns: StandIns, view: FileView): Promise<string> {
  const from = await realPath(dirname(view.toTool(standIns.file)));
  const shown = async (path: string): Promise<string> => {
    const there = view.toTool(path);
    // Kustomize takes no absolute path, and follows links before it compares.
    return relative(from, await realPath(there)).replaceAll('\\', '/');
  };
  const paths = new Map<string, string>();
  for (const [entry, path] of standIns.paths) paths.set(entry, await shown(path));
  return standInText(standIns.value, paths);
}

function dependenciesOf(recipe: Recipe | null): { readonly chart: string; readonly dependency: FetchedDependency }[] {
  if (recipe?.tool !== 'helm') return [];
  return recipe.dependencies.map((dependency) => ({ chart: recipe.chart, dependency }));
}
