import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { say } from '../../util/say.ts';
import { withFolder } from '../../processes/own-folder.ts';
import { asList, asText, expandsTooFar } from '../../manifests/read-data.ts';
import { plainJson, plainKustomization } from '../kustomize/kustomize-values.ts';
import { isInside } from '../files/paths.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { Recipe, Source } from '../files/source.ts';
import { standInValue } from '../kustomize/stand-ins.ts';

/** A folder of Podium's own in which one rendering takes place. */
export interface RenderFolder {
  readonly path: string;
  readonly home: string;
  /** A folder with nothing in it. */
  readonly empty: string;
}

/** Makes a folder, uses it, and takes it away again. */
export function withRenderFolder<T>(use: (folder: RenderFolder) => Promise<T>): Promise<T> {
  return withFolder('render-', async (path) => {
    const folder = { path, home: join(path, 'home'), empty: join(path, 'empty') };
    await mkdir(folder.home);
    await mkdir(folder.empty);
    return use(folder);
  });
}

/** Why a source is not given to a tool: a sentence without a full stop. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

const maxFiles = 10_000;
const maxBytes = 128 * 1024 * 1024;

/**
 * The files that a rendering reads, in a folder that has nothing else: regular files that lie within what may be read,
 * as editors hold them, at the paths that they have. What is not here does not exist for the tool.
 */
export class PrivateCopy {
  readonly #folder: string;
  readonly #files: SourceFiles;
  readonly #made = new Set<string>();
  #bytes = 0;

  constructor(folder: RenderFolder, files: SourceFiles, name = 'files') {
    this.#folder = join(folder.path, name);
    this.#files = files;
  }

  /** Where the copy of a path of the user's is, or would be. */
  at(path: string): string {
    // The letter of a drive is a folder.
    return join(this.#folder, path.replace(/^([A-Za-z]):/, '$1'));
  }

  holds(path: string): boolean {
    return isInside(path, this.#folder);
  }

  /** The user's path of one in the copy. */
  from(path: string): string {
    if (!this.holds(path)) return path;
    const way = relative(this.#folder, path);
    return process.platform === 'win32' ? way.replace(/^([A-Za-z])(?=\\|$)/, '$1:') : `/${way}`;
  }

  /** Copies a file that may be read, and leaves out any other. Throws `CopyError` where it is too much. */
  async add(path: string, target = this.at(path)): Promise<void> {
    if (this.#made.has(target)) return;
    const content = await this.#files.bytes(path);
    if (content === null) return;
    if (/\.(?:ya?ml|json|tpl|txt)$|(?:^|[\\/])Kustomization$/i.test(path)) {
      const text = typeof content === 'string' ? content : content.toString('utf8');
      if (expandsTooFar(text)) throw new CopyError(say`the aliases of ${path} expand to more than is given to a tool`);
    }
    await this.write(target, content);
  }

  async write(target: string, content: Buffer | string): Promise<void> {
    this.#bytes += content.length;
    if (!this.holds(target)) throw new CopyError(say`it writes outside of its folder`);
    if (this.#made.size >= maxFiles || this.#bytes > maxBytes) {
      throw new CopyError(
        say`it is made of more than ${maxFiles} files or ${maxBytes / 1024 / 1024} MiB, which are not given to a tool`,
      );
    }
    const folder = dirname(target);
    if (!this.#made.has(folder)) await mkdir(folder, { recursive: true });
    this.#made.add(folder).add(target);
    await writeFile(target, content);
  }

  /**
   * Copies what a source reads, with what was fetched in its place.
   *
   * @param isPlain whether kustomizations are written anew of the values that were read in them, so that the tool can
   * read nothing else in them
   */
  async addSource({ inputs, resources, recipe, standIns, plugins }: Source, isPlain: boolean): Promise<void> {
    for (const file of [...inputs, ...resources]) await this.add(file);
    if (recipe?.tool === 'helm') {
      await mkdir(this.at(recipe.chart), { recursive: true });
      for (const file of recipe.valueFiles) await this.add(file);
      for (const { name, folder } of recipe.dependencies) {
        for (const file of await this.#files.tree(folder)) {
          await this.add(file, join(this.at(recipe.chart), 'charts', name, relative(folder, file)));
        }
      }
    }
    for (const { file, value, paths, isLess, leavesOut, charts } of standIns) {
      const added = addedComponents(file, recipe);
      const isChanged = isLess === true || leavesOut === true || paths.size > 0 || charts !== undefined;
      if (!isPlain && !isChanged && added.length === 0) continue;
      const wayTo = (path: string): string => relative(dirname(this.at(file)), this.at(path)).replaceAll('\\', '/');
      const shown = new Map([...paths].map(([entry, path]) => [entry, wayTo(path)]));
      const replaced = standInValue(value, shown);
      const components = [...asList(replaced['components']), ...added.map(wayTo)];
      const written = added.length === 0 ? replaced : { ...replaced, components };
      await this.write(this.at(file), plainJson(isPlain ? plainKustomization(written) : written));
    }
    if (!isPlain) return;
    for (const [file, values] of plugins) await this.write(this.at(file), values.map(plainJson).join('\n---\n'));
  }
}

/**
 * Components that an object of Flux or Argo CD adds to the kustomization of its folder, whose own patches change what
 * they make. Source: fluxcd/pkg kustomize/kustomize_generator.go; argo-cd, util/kustomize (`edit add component`)
 */
function addedComponents(file: string, recipe: Recipe | null): string[] {
  if (recipe?.tool !== 'kustomize' || recipe.files !== null || dirname(file) !== recipe.folder) return [];
  return asList(recipe.overlay['components']).map((path) => resolve(recipe.folder, asText(path)));
}
