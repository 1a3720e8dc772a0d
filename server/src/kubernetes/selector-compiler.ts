import type { Release } from './release.ts';

/**
 * Why the API server takes no new object with a selector of devices: what is wrong with it, in its words, or that it may
 * cost too much; null where it takes it.
 */
export type SelectorCompiler = (
  expression: string,
  release: Release,
) => { readonly error: string; readonly isInternal?: true } | 'too complex' | null;

let compiler: SelectorCompiler | undefined;

/** Undefined until the part that knows expressions is loaded, which it is where there are claims, classes or slices. */
export function selectorCompiler(): SelectorCompiler | undefined {
  return compiler;
}

export function setSelectorCompiler(loaded: SelectorCompiler): void {
  compiler = loaded;
}
