import { say } from '../kit/say.ts';
import { availableParallelism } from 'node:os';
import { inputsHash, render, type RenderContext, type Rendering } from './render.ts';
import type { HelmRecipe, KustomizeRecipe, Source } from './source.ts';

/** A rendering, with what ends it. */
interface Kept {
  readonly rendering: Promise<Rendering>;
  readonly signal: AbortSignal | undefined;
}

/** How many renderings are kept; those of two large repositories. */
const maxKept = 2_000;

/**
 * Renders sources, one at a time per processor, and keeps what came out as long as nothing changes that it was made
 * from.
 */
export class RenderQueue {
  readonly #tell: (source: Source, place: number) => void;
  readonly #kept = new Map<string, Kept>();
  #running = 0;
  #begun = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param tell hears of each source that is rendered from now on, and its number */
  constructor(tell: (source: Source, place: number) => void = () => undefined) {
    this.#tell = tell;
  }

  async render(
    source: Source,
    recipe: KustomizeRecipe | HelmRecipe,
    context: RenderContext,
    signal?: AbortSignal,
  ): Promise<Rendering> {
    const hash = await inputsHash(source, context);
    for (let known; (known = this.#kept.get(hash)) !== undefined;) {
      const answer = await whileWanted(known.rendering, signal);
      if (answer === null) {
        return {
          ok: false,
          refusal: { why: 'tool-error', message: say`it is not wanted any more`, place: source.place },
        };
      }
      // Who asked first may not want it any more, and it was ended with that; who comes after still does.
      if (answer.ok || known.signal?.aborted !== true) return answer;
      this.#forget(hash, known);
    }
    const begun: Kept = { rendering: this.#inTurn(source, () => render(source, recipe, context, signal)), signal };
    this.#kept.set(hash, begun);
    if (this.#kept.size > maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    try {
      const answer = await begun.rendering;
      // What took too long on a busy machine may not the next time.
      if (!answer.ok && (signal?.aborted === true || answer.refusal.why === 'too-late')) this.#forget(hash, begun);
      return answer;
    } catch (error) {
      this.#forget(hash, begun);
      throw error;
    }
  }

  /** Unless another has taken its place. */
  #forget(hash: string, rendering: Kept): void {
    if (this.#kept.get(hash) === rendering) this.#kept.delete(hash);
  }

  async #inTurn<T>(source: Source, work: () => Promise<T>): Promise<T> {
    if (this.#running >= availableParallelism()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    this.#begun++;
    this.#tell(source, this.#begun);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

/** Null, and at once, for who does not want it any more: another goes on with it. */
function whileWanted(rendering: Promise<Rendering>, signal: AbortSignal | undefined): Promise<Rendering | null> {
  if (signal === undefined) return rendering;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      resolve(null);
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    rendering
      .finally(() => {
        signal.removeEventListener('abort', end);
      })
      .then(resolve, reject);
  });
}
