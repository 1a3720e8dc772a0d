/** Why a selector of devices does not compile, in the API server's words; null where it does. */
export type SelectorCompiler = (expression: string, hasIncludes: boolean) => string | null;

let compiler: SelectorCompiler | undefined;

/** Undefined until the part that knows expressions is loaded, which it is where there are claims, classes or slices. */
export function selectorCompiler(): SelectorCompiler | undefined {
  return compiler;
}

export function setSelectorCompiler(loaded: SelectorCompiler): void {
  compiler = loaded;
}
