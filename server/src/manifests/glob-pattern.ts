/**
 * A glob of VS Code's kind (`**`, `*`, `?`, `{a,b}`, `[a-z]`) as a test of paths with forward slashes, relative to the
 * workspace folder. What it matches counts with all that is below it. All places of the glob that a path can have come
 * to are followed at once, so that the time is that of the glob's length times the path's, whatever the glob is.
 *
 * @param kind `pathspec` for one of git's: stars go beyond slashes, and braces mean themselves
 */
export function compileGlob(glob: string, kind: 'glob' | 'pathspec' = 'glob'): (path: string) => boolean {
  if (glob.length > maxLength) return () => false;
  const program = kind === 'glob' ? new GlobProgram(glob) : new GlobProgram(glob.replace(/\*+/g, '*'), anything, '');
  const [plain = ''] = /^[^*?{[,}]*/.exec(glob) ?? [];
  return (path) => path.startsWith(plain) && program.matches(path);
}

/** Nobody writes a longer one; it would be followed for every file of a repository. */
const maxLength = 500;

type Step =
  | { readonly kind: 'character'; readonly fits: (character: string) => boolean }
  /** Goes on at each of these steps. */
  | { readonly kind: 'fork'; readonly to: number[] }
  | { readonly kind: 'end' };

const anything = (): boolean => true;
const anythingButSlash = (character: string): boolean => character !== '/';

class GlobProgram {
  readonly #steps: Step[] = [];

  /**
   * @param inPart what a star and a question mark take
   * @param marks characters that mean something besides stars, question marks and brackets
   */
  constructor(glob: string, inPart = anythingButSlash, marks = '{,}') {
    /** Of each open brace: the fork at its start, and the forks that end its alternatives. */
    const braces: { readonly start: number[]; readonly ends: number[][] }[] = [];
    for (let at = 0; at < glob.length; at++) {
      const character = glob[at]!;
      const brace = marks.includes(character) ? braces.at(-1) : undefined;
      const bracket = character === '[' ? glob.indexOf(']', at + 1) : -1;
      if (character === '*' && glob[at + 1] === '*') {
        const isFolder = glob[at + 2] === '/';
        this.#repeat(anything, isFolder);
        at += isFolder ? 2 : 1;
      } else if (character === '*') {
        this.#repeat(inPart, false);
      } else if (character === '?') {
        this.#add({ kind: 'character', fits: inPart });
      } else if (character === '{' && marks.includes('{')) {
        braces.push({ start: this.#fork(this.#steps.length + 1), ends: [] });
      } else if (character === '}' && brace !== undefined) {
        this.#close(braces.pop()!);
      } else if (character === ',' && brace !== undefined) {
        brace.ends.push(this.#fork());
        brace.start.push(this.#steps.length);
      } else if (bracket > at) {
        this.#add({ kind: 'character', fits: characterClass(glob.slice(at + 1, bracket)) });
        at = bracket;
      } else {
        this.#add({ kind: 'character', fits: (other) => other === character });
      }
    }
    for (const brace of braces.reverse()) this.#close(brace);
    this.#add({ kind: 'end' });
  }

  matches(path: string): boolean {
    const last = this.#steps.length - 1;
    /** For each step, after how many characters it was reached last. */
    const reachedAt = new Int32Array(this.#steps.length).fill(-1);
    const reach = (from: number[], after: number): number[] => {
      const places: number[] = [];
      for (let place = from.pop(); place !== undefined; place = from.pop()) {
        if (reachedAt[place] === after) continue;
        reachedAt[place] = after;
        const step = this.#steps[place]!;
        if (step.kind === 'fork') from.push(...step.to);
        else places.push(place);
      }
      return places;
    };
    let places = reach([0], 0);
    for (let at = 0; at < path.length && places.length > 0; at++) {
      const character = path[at]!;
      if (character === '/' && reachedAt[last] === at) return true;
      const next: number[] = [];
      for (const place of places) {
        const step = this.#steps[place]!;
        if (step.kind === 'character' && step.fits(character)) next.push(place + 1);
      }
      places = reach(next, at + 1);
    }
    return reachedAt[last] === path.length;
  }

  /** Any number of characters; `**` before a slash is either nothing or folders, the last slash included. */
  #repeat(fits: (character: string) => boolean, isFolder: boolean): void {
    const start = this.#steps.length;
    const outside = isFolder ? this.#fork(start + 1) : [];
    const loop = this.#fork(this.#steps.length + 1);
    const again = this.#steps.length - 1;
    this.#add({ kind: 'character', fits });
    this.#fork(again);
    loop.push(this.#steps.length);
    if (!isFolder) return;
    this.#add({ kind: 'character', fits: (character) => character === '/' });
    outside.push(this.#steps.length);
  }

  #close({ ends }: { readonly ends: readonly number[][] }): void {
    for (const end of ends) end.push(this.#steps.length);
  }

  #fork(...to: number[]): number[] {
    this.#add({ kind: 'fork', to });
    return to;
  }

  #add(step: Step): void {
    this.#steps.push(step);
  }
}

/** `a-z_`, or `!a-z_` for all others. A range like `z-a` has nothing in it. */
function characterClass(written: string): (character: string) => boolean {
  const isNegated = written.startsWith('!') || written.startsWith('^');
  const ranges: [from: string, to: string][] = [];
  for (let at = isNegated ? 1 : 0; at < written.length; at++) {
    const isRange = written[at + 1] === '-' && at + 2 < written.length;
    ranges.push([written[at]!, written[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** A path as a glob: what globs read otherwise stands for any character. */
export function plainGlob(path: string): string {
  return path.replace(/[*?{}[\],!\\]/g, '?');
}
