/** How often a server may end within `period`, in milliseconds, until nobody starts it again unasked. */
const maxEnds = 5;
const period = 3 * 60_000;

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
}

/** Starts a server when it is first asked for, and again when it ends: four times, as it may be its input that ends it. */
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

  #start(): Promise<Life> {
    const life: Promise<Life> = this.#attempt(() => {
      // Not one that was replaced meanwhile.
      if (this.#current !== life) return;
      this.dispose();
      // Nobody waits for this start; who asks next learns how it went.
      if (this.#mayGoOn()) this.running().catch(() => undefined);
    });
    life.catch(() => {
      if (this.#current === life) this.#current = undefined;
    });
    return life;
  }

  async #attempt(ended: () => void): Promise<Life> {
    for (;;) {
      try {
        return await this.#options.start(ended);
      } catch (error) {
        if (!this.#mayGoOn()) throw error;
      }
    }
  }

  /** Counts an end, and asks the user after too many. */
  #mayGoOn(): boolean {
    const now = this.#options.now();
    this.#ends = [...this.#ends.filter((end) => now - end < period), now];
    if (this.#ends.length < maxEnds) return true;
    this.#options.giveUp(maxEnds, period / 60_000);
    this.#ends = [];
    return false;
  }
}
