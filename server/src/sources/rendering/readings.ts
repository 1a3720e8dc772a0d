import type { ManifestFile } from '../../manifests/manifest.ts';
import type { MadeObject, ReadingContext } from './made-object.ts';
import { readRendering } from './read-rendering.ts';
import type { Rendering } from './render.ts';
import type { HelmRecipe, KustomizeRecipe, Source } from '../files/source.ts';

interface Reading {
  readonly source: Source;
  readonly made: readonly MadeObject[];
  /** The files in which places were looked for. */
  readonly files: ReadonlyMap<string, ManifestFile | null>;
}

/** Objects that were read from renderings, kept as long as rendering and files stay the same. */
export class Readings {
  readonly #known = new WeakMap<Rendering, Reading>();

  async of(
    source: Source,
    recipe: KustomizeRecipe | HelmRecipe,
    rendering: Rendering & { readonly ok: true },
    context: ReadingContext,
  ): Promise<readonly MadeObject[]> {
    const known = this.#known.get(rendering);
    if (known !== undefined && (await isCurrent(known, source, context))) return known.made;
    const files = new Map<string, ManifestFile | null>();
    const parsed = async (path: string): Promise<ManifestFile | null> => {
      const file = await context.parsed(path);
      files.set(path, file);
      return file;
    };
    const made = await readRendering(source, recipe, rendering, { ...context, parsed });
    this.#known.set(rendering, { source, made, files });
    return made;
  }
}

async function isCurrent({ source, files }: Reading, now: Source, { parsed }: ReadingContext): Promise<boolean> {
  const isSame =
    source.name === now.name && source.place.file === now.place.file && source.place.line === now.place.line;
  if (!isSame) return false;
  for (const [path, file] of files) if ((await parsed(path)) !== file) return false;
  return true;
}
