import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foundSnapshotName } from '../manifests/file-provider.ts';
import { type CommandContext, UsageError } from './command.ts';
import { isInside } from '../sources/files/paths.ts';

interface Options {
  readonly snapshot?: string | undefined;
  readonly 'assume-nodes'?: string | undefined;
}

/**
 * The snapshot that is named, else the one that is kept in the repository: in the folder of a path or the working
 * folder, or above in their repository. Who says what to assume has none.
 */
export function snapshotFor(paths: readonly string[], options: Options, { cwd }: CommandContext): string | undefined {
  if (options.snapshot !== undefined || options['assume-nodes'] !== undefined) return options.snapshot;
  for (const path of [...paths.filter((each) => each !== '-'), '.']) {
    const above = foldersAbove(resolve(cwd, path));
    const repository = above.findIndex((folder) => existsSync(join(folder, '.git')));
    const last = repository === -1 ? above.indexOf(cwd) : repository;
    for (const folder of last === -1 ? above : above.slice(0, last + 1)) {
      const found = join(folder, foundSnapshotName);
      if (!existsSync(found)) continue;
      // Nobody has named it: whoever wrote the repository may have it lead to any file of the machine.
      if (isInside(realpathSync(found), realpathSync(folder))) return found;
      throw new UsageError(`${found} is a link that leads out of its folder; name the file with --snapshot`, true);
    }
  }
  return undefined;
}

/** A path and the folders above it, the nearest first. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersAbove(above)];
}
