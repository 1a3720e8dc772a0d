import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homeFolder } from './home-folder.ts';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';

/** Folders whose programs are never run, at any depth, because a stranger may have filled them. */
export type WorkedOn = readonly string[];

const found = new Map<string, string | undefined>();

/**
 * The absolute path of a program, looked up once in `PATH`; undefined where it has none. Nothing in a folder that is
 * worked on is taken, by whatever path or link it is reached, nothing from the working folder, and on Windows only what
 * needs no shell (`.exe`).
 */
export function findProgram(name: string, workedOn: WorkedOn): string | undefined {
  const folders = safeFolders(workedOn);
  const notSafe = foldersNotSafe(workedOn);
  const key = JSON.stringify([name, folders, notSafe]);
  if (!found.has(key)) found.set(key, lookUp(name, folders, notSafe));
  return found.get(key);
}

/** `PATH` for a program that looks for others: without what is relative or in a folder that is worked on. */
export function safePath(workedOn: WorkedOn): string {
  return safeFolders(workedOn).join(delimiter);
}

function lookUp(name: string, folders: readonly string[], notSafe: readonly string[]): string | undefined {
  for (const folder of folders) {
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      if (!statSync(path).isFile()) continue;
      accessSync(path, constants.X_OK);
      if (!isInAny(realpathSync(path), notSafe)) return path;
    } catch {
      // Not there, or not ours to run.
    }
  }
  return undefined;
}

function safeFolders(workedOn: WorkedOn): string[] {
  const notSafe = foldersNotSafe(workedOn);
  const here = realPath(process.cwd());
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.filter((folder) => {
    const real = realPath(folder);
    return real !== here && !isInAny(resolve(folder), notSafe) && !isInAny(real, notSafe);
  });
}

function foldersNotSafe(workedOn: WorkedOn): string[] {
  return workedOn.flatMap((folder) => [resolve(folder), realPath(folder)]);
}

function isInAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || (!holdsHome(folder) && isInside(path, folder)));
}

/** Whoever works in their home folder, or above it, has put the programs there; only what lies in it directly is not theirs. */
function holdsHome(folder: string): boolean {
  return folder === homeFolder() || isInside(homeFolder(), folder);
}

function isInside(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
