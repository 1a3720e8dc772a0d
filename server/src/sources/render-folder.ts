import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isInside } from './source-files.ts';

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
 * The user's files as editors hold them. Where none of them has unsaved text they are used in place; otherwise they are
 * copied, as a tool reads only what is on disk and the user's files are not touched.
 */
export async function viewFiles(
  files: Iterable<string>,
  unsaved: ReadonlyMap<string, string | null>,
  root: string,
  folder: RenderFolder,
): Promise<FileView> {
  const all = [...files];
  if (!all.some((file) => unsaved.has(file))) return inPlace;
  const copy = join(folder.path, 'copy');
  for (const file of all) {
    if (!isInside(file, root)) continue;
    const target = join(copy, relative(root, file));
    await mkdir(dirname(target), { recursive: true });
    const text = unsaved.get(file);
    if (text === undefined) await copyFile(file, target).catch(() => undefined);
    else if (text !== null) await writeFile(target, text);
  }
  return {
    toTool: (path) => (isInside(path, root) ? join(copy, relative(root, path)) : path),
    fromTool: (path) => (isInside(path, copy) ? join(root, relative(copy, path)) : path),
  };
}
