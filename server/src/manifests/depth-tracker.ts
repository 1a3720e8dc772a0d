import { say } from '../util/say.ts';
import { maxDepth } from './limits.ts';
import type { ManifestProblem, OffsetRange } from './manifest.ts';

/**
 * Follows the nesting of a YAML document token by token, so that reading can stop before anything recurses too deep.
 * Block collections are counted by the columns they start at, flow collections by their brackets.
 */
export class DepthTracker {
  readonly #columns: number[] = [];
  #flow = 0;
  #lineStart = 0;
  /** Nothing but indentation and indicators so far on this line. */
  #leading = true;

  /** A plain or block scalar starts. True when it is nested too deep. */
  scalar(offset: number): boolean {
    if (this.#leading && this.#flow === 0) this.#enter(offset - this.#lineStart);
    this.#leading = false;
    return this.#columns.length > maxDepth;
  }

  /** Any other token. True when it is nested too deep. */
  token(lexeme: string, offset: number): boolean {
    const first = lexeme.charCodeAt(0);
    if (first === 0x0a || (first === 0x0d && lexeme.length > 1)) {
      this.#lineStart = offset + lexeme.length;
      this.#leading = true;
      return false;
    }
    if (first === 0x20 || first === 0x09) return false;
    if (first === 0x7b || first === 0x5b) {
      this.#flow++;
      this.#leading = false;
      return this.#columns.length + this.#flow > maxDepth;
    }
    if (first === 0x7d || first === 0x5d) {
      if (this.#flow > 0) this.#flow--;
      return false;
    }
    if (!this.#leading || this.#flow > 0) return false;
    this.#enter(offset - this.#lineStart);
    // After `-`, `?` and `:` a collection may start on the same line.
    this.#leading = lexeme.length === 1 && (first === 0x2d || first === 0x3f || first === 0x3a);
    return this.#columns.length > maxDepth;
  }

  problem(range: OffsetRange): ManifestProblem {
    const message = say`Nested more than ${maxDepth} levels deep; Podium does not read this document.`;
    return { code: 'document-too-deep', severity: 'warning', message, range };
  }

  #enter(column: number): void {
    const columns = this.#columns;
    while (columns.length > 0 && columns[columns.length - 1]! > column) columns.pop();
    if (columns[columns.length - 1] !== column) columns.push(column);
  }
}
