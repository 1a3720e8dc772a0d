import { open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { URI } from 'vscode-uri';
import type { FileContents, FileProvider } from './file-provider.ts';
import { compileGlob } from './glob-pattern.ts';

export interface NodeFileProviderOptions {
  /** Globs relative to each folder that leave out files and folders. */
  readonly exclude?: readonly string[];
  /** Files over this many bytes are not read. */
  readonly maxBytes?: number;
}

const manifestFile = /\.(?:ya?ml|json)$/i;
const skippedFolders = new Set(['node_modules', '.git']);
const defaultMaxBytes = 16 * 1024 * 1024;

/** Finds and reads manifests in folders of the file system. Follows no symbolic links, so it cannot run in circles. */
export class NodeFileProvider implements FileProvider {
  readonly #folders: readonly string[];
  readonly #excluded: readonly ((path: string) => boolean)[];
  readonly #maxBytes: number;

  /** @param folders absolute paths; a path of a file stands for itself */
  constructor(folders: readonly string[], options: NodeFileProviderOptions = {}) {
    this.#folders = folders;
    this.#excluded = (options.exclude ?? []).map(compileGlob);
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
  }

  async find(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const folder of this.#folders) await this.#walk(folder, folder, found);
    return [...found].map((path) => URI.file(path).toString()).sort();
  }

  accepts(uri: string): boolean {
    const path = URI.parse(uri).fsPath;
    if (this.#folders.includes(path)) return true;
    if (!manifestFile.test(path)) return false;
    return this.#folders.some((folder) => {
      const steps = relative(folder, path).split(sep);
      if (steps[0] === '..' || steps[0] === '' || steps.some((step) => skippedFolders.has(step))) return false;
      // A folder that is left out takes everything below it along.
      return !steps.some((_, index) => this.#isExcluded(steps.slice(0, index + 1).join('/')));
    });
  }

  async read(uri: string): Promise<FileContents> {
    let file;
    try {
      file = await open(URI.parse(uri).fsPath, 'r');
      const { size } = await file.stat();
      if (size > this.#maxBytes) return { text: null, size };
      return { text: await file.readFile('utf8'), size };
    } catch {
      return { text: null, size: 0 };
    } finally {
      await file?.close();
    }
  }

  async #walk(root: string, folder: string, found: Set<string>): Promise<void> {
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      // The root may be a file; anything else that cannot be listed is left out.
      if (folder === root && (error as NodeJS.ErrnoException).code === 'ENOTDIR') found.add(root);
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isManifest = entry.isFile() && manifestFile.test(entry.name);
      if (!isManifest && (!entry.isDirectory() || skippedFolders.has(entry.name))) continue;
      if (this.#isExcluded(relative(root, path).split(sep).join('/'))) continue;
      if (isManifest) found.add(path);
      else await this.#walk(root, path, found);
    }
  }

  #isExcluded(path: string): boolean {
    return this.#excluded.some((excludes) => excludes(path));
  }
}
