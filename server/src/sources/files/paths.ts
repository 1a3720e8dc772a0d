import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or lies in it, by its text alone. */
export function isInside(path: string, folder: string): boolean {
  const way = wayTo(path, folder);
  return way === '' || (way.split(sep, 1)[0] !== '..' && !isAbsolute(way));
}

/** As Node's `relative`, which takes both paths apart: most of them are written in the same way. */
function wayTo(path: string, folder: string): string {
  const isBelow = path.startsWith(folder) && path[folder.length] === sep && folder.length > 1;
  return isBelow && !unusualPath.test(path) ? path.slice(folder.length + 1) : relative(folder, path);
}

/** With steps that lead nowhere, or up. */
const unusualPath = /[\\/](?:\.{0,2}(?:[\\/]|$))/;

/** The path without links; the path itself where there is nothing. */
export async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** A path as people and URIs write it, relative to a folder where it lies below. */
export function shownPath(path: string, folder: string): string {
  const way = wayTo(path, folder);
  return way === '' ? '.' : sep === '/' ? way : way.split(sep).join('/');
}

/** The folders on the way to a file, the nearest to the root first: `clusters/prod/apps.yaml` is of `prod`. */
export function pathLabels(file: string, root: string): string[] {
  return file
    .slice(root.length + 1)
    .split(/[\\/]/)
    .slice(0, -1)
    .reverse();
}
