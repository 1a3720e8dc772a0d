import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInside } from './paths.ts';

/**
 * Folders and files that hold credentials, wherever they lie: of what is in them nothing is rendered. `.git` keeps the
 * tokens of checkouts.
 */
const secretNames: ReadonlySet<string> = new Set([
  '.git',
  '.ssh',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gnupg',
  '.password-store',
  '.terraform.d',
  '.oci',
  '.m2',
  '.cargo',
  '.gem',
  '.s3cfg',
  '.boto',
  '.my.cnf',
  '.git-credentials',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.vault-token',
  '.dockercfg',
]);

/** The same, of those that programs keep in `.config`. */
const secretConfigurations: ReadonlySet<string> = new Set(['gcloud', 'gh', 'helm', 'containers', 'rclone', 'op']);

/** What files may be read from to render: some folders, and files that the user named. */
export class Boundary {
  readonly #folders: readonly { readonly shown: string; readonly real: string }[];
  readonly #files: ReadonlySet<string>;

  private constructor(folders: readonly { shown: string; real: string }[], files: ReadonlySet<string>) {
    this.#folders = folders;
    this.#files = files;
  }

  /** @param files that the user named, wherever they lie */
  static async of(folders: readonly string[], files: readonly string[] = []): Promise<Boundary> {
    return new Boundary(
      await Promise.all(folders.map(async (shown) => ({ shown, real: (await realOf(shown)) ?? shown }))),
      new Set((await Promise.all(files.map(realOf))).filter((file) => file !== null)),
    );
  }

  /** The path without links; null for what lies elsewhere, and for what keeps credentials. */
  async real(path: string): Promise<string | null> {
    const real = await realOf(path);
    if (real === null) return null;
    if (this.#files.has(real)) return real;
    for (const folder of this.#folders) {
      if (isInside(real, folder.real) && !isSecret(relative(folder.real, real))) return real;
    }
    return null;
  }

  /** The path that has no links below the folder that it lies in; null as for `real`. */
  async unlinked(path: string): Promise<string | null> {
    const real = await this.real(path);
    const home = real === null ? undefined : this.#folders.find((folder) => isInside(real, folder.real));
    return real === null || home === undefined ? real : join(home.shown, relative(home.real, real));
  }
}

/** Whether a name on a way keeps credentials; file systems may not tell letters of different case apart. */
export function isSecret(way: string): boolean {
  const steps = way.toLowerCase().split(sep);
  return steps.some(
    (step, at) => secretNames.has(step) || (steps[at - 1] === '.config' && secretConfigurations.has(step)),
  );
}

/** Of what is not there, where it would be; null for a link that leads nowhere. */
async function realOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink || dirname(path) === path) return isLink ? null : path;
    const folder = await realOf(dirname(path));
    return folder === null ? null : join(folder, basename(path));
  }
}
