import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { availableParallelism, loadavg } from 'node:os';
import { setImmediate as nextRound } from 'node:timers/promises';
import { inputsHash, notesOf, notRendered, render, type RenderContext, type Rendering, substituted } from './render.ts';
import { isInside } from '../files/paths.ts';
import { type Joint, mayJoin, type Member, renderTogether, together } from './render-together.ts';
import type { HelmRecipe, KustomizeRecipe, Source } from '../files/source.ts';
import { renderTimeout } from '../tools/tools.ts';

/** A rendering, with what ends it. */
interface Kept {
  readonly source: Source;
  readonly rendering: Promise<Rendering>;
  readonly signal: AbortSignal | undefined;
  hasFailed: boolean;
  /** Whether something that it reads has changed meanwhile, so that a failure may be none. */
  isDoubtful: boolean;
}

/** How long renderings may take, in milliseconds. */
export interface RenderTimes {
  /** One of them. */
  readonly longest: number;
  /** A source that takes no longer costs nothing of what a repository has for slow ones. */
  readonly quick: number;
  /** The slow sources of a repository together, however many they are. */
  readonly slow: number;
  /** How many times as long everything takes as on a machine with nothing else to do. */
  readonly crowd?: () => number;
}

/** What waits for each processor; Windows does not say. */
const crowd = (): number => Math.max(1, loadavg()[0]! / availableParallelism());

const usualTimes: RenderTimes = { longest: renderTimeout, quick: 2_000, slow: 60_000, crowd };

/** Kustomizations that wait for a turn are rendered so many in one run of the tool. */
const mostTogether = 12;

/** A kustomization that may be rendered with others. */
interface Joining {
  readonly source: Source;
  readonly recipe: KustomizeRecipe;
  readonly fixed: Member['fixed'];
  readonly context: RenderContext;
  readonly signal: AbortSignal | undefined;
  /** Null to have it rendered by itself. */
  readonly resolve: (rendering: Rendering | null) => void;
}

/** How many renderings are kept; those of two large repositories. */
const maxKept = 2_000;

/**
 * Renders sources, one at a time per processor, and keeps what came out as long as nothing changes that it was made
 * from.
 */
export class RenderQueue {
  readonly #times: RenderTimes;
  readonly #onRendering: (source: Source, place: number) => void;
  readonly #kept = new Map<string, Kept>();
  /** Before the variables of each are filled in. */
  readonly #built = new Map<string, Promise<Rendering>>();
  /** By repository and source, what they took over `quick`; of a source that has changed its last time. */
  readonly #slow = new Map<string, Map<string, number>>();
  #running = 0;
  #begun = 0;
  readonly #waiting: (() => void)[] = [];
  /** Kustomizations that wait to be rendered together, and turns that they have asked for. */
  #joining: Joining[] = [];
  #turns = 0;

  /** @param onRendering hears of each source that is rendered from now on, and its number */
  constructor(onRendering: (source: Source, place: number) => void = () => undefined, times: RenderTimes = usualTimes) {
    this.#onRendering = onRendering;
    this.#times = times;
  }

  async render(
    source: Source,
    recipe: KustomizeRecipe | HelmRecipe,
    context: RenderContext,
    signal?: AbortSignal,
  ): Promise<Rendering> {
    const { built, whole: hash } = await inputsHash(source, context);
    for (let known; (known = this.#kept.get(hash)) !== undefined;) {
      const answer = await whileWanted(known.rendering, signal);
      if (answer === null) {
        return notRendered({ why: 'tool-error', message: say`it is not wanted any more`, place: source.place });
      }
      // Who asked first may not want it any more, and it was ended with that; who comes after still does.
      if (answer.ok || known.signal?.aborted !== true) return answer;
      this.#forget(hash, known);
    }
    const untried = new Set<string>();
    const work = async (): Promise<Rendering> => {
      if (this.#left(source, context) > 0) {
        return this.#timed(source, context, (timeout) => render(source, recipe, context, timeout, signal));
      }
      const message = say`the slow sources of its repository have taken ${this.#times.slow / 1000} s`;
      untried.add(hash);
      return notRendered({ why: 'too-late', message, place: source.place });
    };
    const build = async (): Promise<Rendering> =>
      (await this.#joined(source, recipe, context, signal)) ?? this.#inTurn(source, work);
    const isFilledIn = recipe.tool === 'kustomize' && recipe.substitute !== null;
    const rendering = isFilledIn ? this.#filledIn(source, recipe, built, build) : build();
    const begun: Kept = { source, rendering, signal, hasFailed: false, isDoubtful: false };
    this.#kept.set(hash, begun);
    if (this.#kept.size > maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    try {
      const answer = await begun.rendering;
      // What was too slow is not tried again until it changes; what nobody has tried is.
      begun.hasFailed = !answer.ok && answer.refusal.why !== 'too-late';
      const isOver = signal?.aborted === true || untried.has(hash) || (begun.hasFailed && begun.isDoubtful);
      if (!answer.ok && isOver) this.#forget(hash, begun);
      return answer;
    } catch (error) {
      this.#forget(hash, begun);
      throw error;
    }
  }

  /** What clusters take from one folder of Flux, each with variables of its own, is built once. */
  async #filledIn(
    source: Source,
    recipe: KustomizeRecipe,
    hash: string,
    build: () => Promise<Rendering>,
  ): Promise<Rendering> {
    const known = await this.#built.get(hash)?.catch(() => null);
    let answer = known?.ok === true ? known : null;
    if (answer === null) {
      const own = build();
      this.#built.set(hash, own);
      if (this.#built.size > maxKept) this.#built.delete(this.#built.keys().next().value!);
      const made = await own;
      if (!made.ok) return made;
      answer = made;
    }
    return { ...answer, text: substituted(answer.text, recipe), notes: notesOf(source, recipe) };
  }

  /** What is left of the time for slow sources, in milliseconds. */
  #left({ id }: Source, { boundary }: RenderContext): number {
    const slow = this.#slow.get(boundary);
    let taken = 0;
    for (const [other, time] of slow ?? []) if (other !== id) taken += time;
    // One that has changed has what it took before.
    return Math.max(this.#times.slow - taken, slow?.get(id) ?? 0);
  }

  async #timed(
    source: Source,
    context: RenderContext,
    work: (timeout: number) => Promise<Rendering>,
  ): Promise<Rendering> {
    const { boundary } = context;
    const { longest, quick } = this.#times;
    const crowd = this.#times.crowd?.() ?? 1;
    const timeout = Math.min(longest, (this.#left(source, context) + quick) * crowd);
    const slow = getOrInsert(this.#slow, boundary, () => new Map());
    // Those that run beside it leave it what they cannot take.
    slow.set(source.id, timeout / crowd - quick);
    const start = performance.now();
    try {
      return await work(timeout);
    } finally {
      const time = (performance.now() - start) / crowd - quick;
      if (time > 0) slow.set(source.id, time);
      else slow.delete(source.id);
    }
  }

  /**
   * A file, or a folder with all that is in it, is another on disk, or was away for a moment: what failed and reads it may
   * not the next time, though it says what it said. Answers whether there is such a rendering.
   */
  forgetFailed(path: string): boolean {
    let isAny = false;
    for (const [hash, kept] of this.#kept) {
      const { inputs, resources } = kept.source;
      if (![...inputs, ...resources].some((each) => isInside(each, path))) continue;
      if (!kept.hasFailed) {
        kept.isDoubtful = true;
        continue;
      }
      this.#forget(hash, kept);
      isAny = true;
    }
    return isAny;
  }

  /** Unless another has taken its place. */
  #forget(hash: string, rendering: Kept): void {
    if (this.#kept.get(hash) === rendering) this.#kept.delete(hash);
  }

  /** Null for what is rendered by itself. */
  async #joined(
    source: Source,
    recipe: KustomizeRecipe | HelmRecipe,
    context: RenderContext,
    signal: AbortSignal | undefined,
  ): Promise<Rendering | null> {
    // One that may fail would make the others run again.
    const isCertain = recipe.tool === 'kustomize' && source.leftOut === undefined;
    const fixed = isCertain ? await mayJoin(source, recipe, context.files) : null;
    if (recipe.tool !== 'kustomize' || fixed === null) return null;
    return new Promise((resolve) => {
      this.#joining.push({ source, recipe, fixed, context, signal, resolve });
      this.#askTurns();
    });
  }

  #askTurns(): void {
    for (; this.#turns < Math.ceil(this.#joining.length / mostTogether); this.#turns++) {
      void this.#inSlot(async () => {
        // Those that are asked for at the same time come within it.
        await nextRound();
        this.#turns--;
        const [first] = this.#joining;
        if (first === undefined) return;
        const isAlike = ({ context, signal }: Joining): boolean =>
          context.boundary === first.context.boundary &&
          context.files === first.context.files &&
          context.tools.kustomize?.path === first.context.tools.kustomize?.path &&
          signal === first.signal;
        const group = together(this.#joining.filter(isAlike), mostTogether);
        this.#joining = this.#joining.filter((each) => !group.includes(each));
        this.#askTurns();
        await this.#renderGroup(group);
      });
    }
  }

  async #renderGroup(group: readonly Joining[]): Promise<void> {
    const [first] = group;
    const isOver = first === undefined || group.length === 1 || first.signal?.aborted === true;
    const joint = isOver ? null : await this.#jointly(group, first);
    const left = (joint?.left ?? []).map((index) => group[index]!);
    for (const [index, joining] of group.entries()) {
      if (left.includes(joining)) continue;
      const rendering = joint?.renderings[index] ?? null;
      if (rendering !== null) {
        this.#begun++;
        this.#onRendering(joining.source, this.#begun);
      }
      joining.resolve(rendering);
    }
    if (left.length > 0) await this.#renderGroup(left);
  }

  /** Null where they take too long together, for which they have as much as each has by itself. */
  async #jointly(group: readonly Joining[], { source, context, signal }: Joining): Promise<Joint | null> {
    const { longest, quick } = this.#times;
    if (this.#left(source, context) === 0) return null;
    const start = performance.now();
    const joint = await renderTogether(group, context, longest, signal).catch(() => null);
    const time = (performance.now() - start) / (this.#times.crowd?.() ?? 1) - quick * group.length;
    if (time > 0) {
      const slow = this.#slow.get(context.boundary) ?? new Map<string, number>();
      this.#slow.set(context.boundary, slow.set(`together: ${source.id}`, time));
    }
    return joint;
  }

  #inTurn<T>(source: Source, work: () => Promise<T>): Promise<T> {
    return this.#inSlot(() => {
      this.#begun++;
      this.#onRendering(source, this.#begun);
      return work();
    });
  }

  async #inSlot<T>(work: () => Promise<T>): Promise<T> {
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
