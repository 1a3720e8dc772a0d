import type { Capacity } from '../../../server/src/report-model/capacity.ts';
import type { HostMessage } from './host-messages.ts';

/** How much room is left for the workloads that the page looks at, of one report at a time. */
export class CapacityRequest {
  readonly #measure: (workloads: readonly number[], signal: AbortSignal) => Promise<readonly Capacity[]>;
  readonly #post: (message: HostMessage) => void;
  /** By workload, as far as somebody has looked. */
  readonly #known = new Map<number, Capacity>();
  #measuring: AbortController | null = null;
  /** Workloads whose room the page waits for. */
  #asked: readonly number[] = [];

  constructor(
    measure: (workloads: readonly number[], signal: AbortSignal) => Promise<readonly Capacity[]>,
    post: (message: HostMessage) => void,
  ) {
    this.#measure = measure;
    this.#post = post;
  }

  /** Null where nobody has looked. */
  get known(): readonly Capacity[] | null {
    return this.#known.size === 0 ? null : [...this.#known.values()];
  }

  /** @param now whether no run is under way, which comes first */
  ask(workloads: readonly number[], now: boolean): void {
    this.#asked = workloads;
    if (now) this.goOn();
  }

  /** What a run has left to be asked is asked again when it has given no other report. */
  goOn(): void {
    const workloads = this.#asked;
    if (workloads.length === 0) return;
    const measuring = new AbortController();
    this.#measuring = measuring;
    const report = (rows: readonly Capacity[], failure: string): void => {
      if (measuring.signal.aborted) return;
      this.#asked = [];
      for (const row of rows) this.#known.set(row.workload, row);
      this.#post({ type: 'capacity', workloads: [...workloads], rows, failure });
    };
    this.#measure(workloads, measuring.signal).then(
      (rows) => {
        report(rows, '');
      },
      (error: unknown) => {
        report([], error instanceof Error ? error.message : String(error));
      },
    );
  }

  /** What is being measured is given up. */
  stop(): void {
    this.#measuring?.abort();
  }

  /** There is another report. */
  forget(): void {
    this.#known.clear();
    this.#asked = [];
  }
}
