import type { IdleEntry } from '../rendering/idle-entries.ts';
import type { MadeObject } from '../rendering/made-object.ts';
import type { Refusal, Source } from '../files/source.ts';

/** A source and what became of it. */
export interface AppliedSource {
  readonly source: Source;
  /** The source whose objects it was found among; null for one that is written in a file of its own. */
  readonly parent: AppliedSource | null;
  readonly made: readonly MadeObject[];
  /** Why it was not rendered; null when it was. */
  readonly refusal: Refusal | null;
  readonly notes: readonly string[];
  /** Names of the tools that ran for it without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  /** What is written for it and has no effect. */
  readonly idle?: readonly IdleEntry[];
}
