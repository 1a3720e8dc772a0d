import { availableParallelism } from 'node:os';
import { inputsHash, render, type RenderContext, type Rendering } from './render.ts';
import type { HelmRecipe, KustomizeRecipe, Source } from './source.ts';

/** How many renderings are kept; those of two large repositories. */
const maxKept = 2_000;

/**
 * Renders sources, one at a time per processor, and keeps what came out as long as nothing changes that it was made
 * from.
 */
export class RenderQueue {
  readonly #kept = new Map<string, Promise<Rendering>>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async render(
    source: Source,
    recipe: KustomizeRecipe | HelmRecipe,
    context: RenderContext,
    signal?: AbortSignal,
  ): Promise<Rendering> {
    const hash = await inputsHash(source, context);
    const known = this.#kept.get(hash);
    if (known !== undefined) return known;
    const rendering = this.#inTurn(() => render(source, recipe, context, signal));
    this.#kept.set(hash, rendering);
    if (this.#kept.size > maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    try {
      const answer = await rendering;
      // What took too long on a busy machine may not the next time.
      if (signal?.aborted === true || (!answer.ok && answer.refusal.why === 'too-late')) this.#kept.delete(hash);
      return answer;
    } catch (error) {
      this.#kept.delete(hash);
      throw error;
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= availableParallelism()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}
