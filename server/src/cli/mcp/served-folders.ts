import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { CommandContext } from '../command.ts';
import type { Answered } from './answers.ts';
import type { Place, Surroundings } from './tools.ts';

/**
 * Folders that may be read, and nothing besides.
 *
 * @param folders real paths, the first for relative paths
 * @param options of every command that reads manifests
 */
export function servedFolders(
  folders: readonly string[],
  { version, run }: Pick<CommandContext, 'version' | 'run'>,
  options: readonly string[],
): Surroundings {
  return {
    run: ([command = '', ...args], context) => run([command, ...options, ...args], context),
    place: (path) => placeIn(folders, path, version),
  };
}

/** The real path that is asked for; links do not lead out of the folders either. */
async function placeIn(
  folders: readonly string[],
  asked: string,
  version: CommandContext['version'],
): Promise<Place | Answered> {
  const [first = ''] = folders;
  let file: string;
  try {
    file = await realpath(resolve(first, asked));
  } catch {
    return { text: `There is no file or folder ${asked}.`, failed: true };
  }
  const home = folders.find((folder) => isBelow(folder, file));
  if (home === undefined) {
    return { text: `${asked} is outside of the folders that may be read: ${folders.join(', ')}.`, failed: true };
  }
  return { file, context: { cwd: home, served: folders, version } };
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
