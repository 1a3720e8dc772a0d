/** How often a server may end within `period`, in milliseconds, until nobody starts it again unasked. */
const maxEnds = 5;
const period = 3 * 60_000;
/** The first end is made good at once; after the second it is waited this long, in milliseconds, and twice as long each time. */
const firstPause = 1_000;

export interface ServerLife {
  dispose(): void;
}

export interface KeptServerOptions<Life> {
  /**
   * Starts a server. Rejects when it does not come up; calls `ended`, once, when it has come up and ends without being
   * disposed of.
   */
  start(ended: () => void): Promise<Life>;
  /** It has ended so often within some minutes; only the user can say whether to try once more. */
  giveUp(ends: number, minutes: number): void;
  /** Milliseconds on a clock that does not jump. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

/**
 * Starts a server when it is first asked for, and again when it ends: four times, after a pause that grows, as it may be its
 * input that ends it.
 */
export class KeptServer<Life extends ServerLife> {
  readonly #options: KeptServerOptions<Life>;
  #current: Promise<Life> | undefined;
  /** When it ended, of the last three minutes. */
  #ends: readonly number[] = [];

  constructor(options: KeptServerOptions<Life>) {
    this.#options = options;
  }

  /** Whether it runs or is being started. */
  get isStarted(): boolean {
    return this.#current !== undefined;
  }

  /** The server, once it has come up. Rejects when it does not, however often it is tried. */
  running(): Promise<Life> {
    return (this.#current ??= this.#start());
  }

  /** Ends it where it runs, and starts it anew because the user wants that. */
  async restart(): Promise<Life> {
    this.dispose();
    this.#ends = [];
    return this.running();
  }

  dispose(): void {
    // What did not come up is gone.
    this.#current?.then(
      (life) => {
        life.dispose();
      },
      () => undefined,
    );
    this.#current = undefined;
  }

  #start(pause = 0): Promise<Life> {
    const isCurrent = (): boolean => this.#current === life;
    const ended = (): void => {
      // Not one that was replaced meanwhile.
      if (!isCurrent()) return;
      this.dispose();
      const next = this.#pauseAfterEnd();
      // Nobody waits for this start; who asks next learns how it went.
      if (next !== null) this.#current = this.#start(next);
    };
    const life: Promise<Life> = this.#attempt(pause, ended, isCurrent);
    life.catch(() => {
      if (isCurrent()) this.#current = undefined;
    });
    return life;
  }

  async #attempt(first: number, ended: () => void, isCurrent: () => boolean): Promise<Life> {
    for (let pause = first; ;) {
      if (pause > 0) {
        await this.#options.wait(pause);
        if (!isCurrent()) throw new Error('It is not wanted any more.');
      }
      try {
        return await this.#options.start(ended);
      } catch (error) {
        const next = this.#pauseAfterEnd();
        if (next === null) throw error;
        pause = next;
      }
    }
  }

  /** Counts an end: how long to wait before the next start, or null where the user is asked. */
  #pauseAfterEnd(): number | null {
    const now = this.#options.now();
    this.#ends = [...this.#ends.filter((end) => now - end < period), now];
    const { length } = this.#ends;
    if (length < maxEnds) return length === 1 ? 0 : firstPause * 2 ** (length - 2);
    this.#options.giveUp(maxEnds, period / 60_000);
    this.#ends = [];
    return null;
  }
}
