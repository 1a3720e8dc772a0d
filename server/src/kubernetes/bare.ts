import type { Json } from './json.ts';

/**
 * An object in which a key like `constructor` is just a key, as in one without a prototype, of which V8 makes a table
 * that takes three times the memory.
 */
export type Bare = Record<string, Json>;
export const Bare = function (): void {
  // Nothing is there from the beginning.
} as unknown as { new (): Bare; prototype: object };
Bare.prototype = Object.freeze(Object.create(null) as object);
