import type { Release } from '../../kubernetes/release.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Facts } from '../index/facts.ts';
import type { TypedObject, TypedPlace } from './typed-place.ts';

/** What completion answers from, and for whom. */
export interface CompletionContext {
  readonly facts: Facts;
  readonly release: Release;
  /** Whether keys, and values that the API alone gives, are left to somebody else who answers in the same file. */
  readonly isBesideSchema: boolean;
  /** Whether the editor knows places in a text to go through. */
  readonly snippets: boolean;
  /** Whether the editor opens the next list when something is chosen that has one. */
  readonly reopens?: boolean;
  /** Whether somebody types, and has not asked: then nothing is offered for a value that is complete. */
  readonly isTyped?: boolean;
}

/** What a list of choices is made for. */
export interface Asked {
  readonly place: TypedPlace;
  readonly path: Path;
  readonly object: TypedObject;
  readonly uri: string;
  readonly context: CompletionContext;
}

/** Something to choose from. */
export interface Choice {
  readonly label: string;
  readonly detail: string;
  /** Text of a manifest, never markup. */
  readonly description?: string;
  /** The value is no text: a number or a boolean. */
  readonly isWord?: true;
}

/** Several lines to begin with, in which an editor stops at `${1:text}`. */
export interface Snippet {
  readonly label: string;
  readonly detail: string;
  readonly lines: readonly string[];
}
