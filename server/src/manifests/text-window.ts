import type { TextPosition } from './manifest.ts';

const newline = 0x0a;
const carriageReturn = '\r';

/**
 * The part of a text that is being looked at: further pieces come in at its end, and what nobody needs any more goes at
 * its start. A carriage return alone has become a line feed, which YAML takes it for. Offsets are those of the text.
 */
export class TextWindow {
  text = '';
  /** Index in `text` of what is looked at next. */
  at = 0;
  /** Whether nothing comes any more. */
  isLast = false;
  /** Line of what is looked at, from 0. */
  line = 0;
  #base = 0;
  #lineStart = 0;
  /** A carriage return of which it is not known what follows. */
  #held = '';

  /** @param neededFrom offset before which nobody looks any more */
  add(piece: string, isLast: boolean, neededFrom: number): void {
    let text = this.#held + piece;
    this.#held = '';
    if (!isLast && text.endsWith(carriageReturn)) {
      text = text.slice(0, -1);
      this.#held = carriageReturn;
    }
    if (text.includes(carriageReturn)) text = text.replaceAll(/\r(?!\n)/g, '\n');
    const from = neededFrom - this.#base;
    this.text = this.text.slice(from) + text;
    this.#base = neededFrom;
    this.at -= from;
    this.isLast = isLast;
  }

  /** Of the end of what has come. */
  get end(): number {
    return this.#base + this.text.length;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** Of what is looked at. */
  get offset(): number {
    return this.#base + this.at;
  }

  offsetOf(index: number): number {
    return this.#base + index;
  }

  slice(start: number, end: number): string {
    return this.text.slice(start - this.#base, end - this.#base);
  }

  /** A line ends at an index; `at` may be behind it already. */
  lineEnded(index: number): void {
    this.line += 1;
    this.#lineStart = this.#base + index + 1;
  }

  /** Where an index on the current line stands. */
  positionOf(index: number): TextPosition {
    return { line: this.line, character: this.#base + index - this.#lineStart };
  }

  /** Index behind the current line; null while its end has not come. */
  get lineEnd(): number | null {
    const end = this.text.indexOf('\n', this.at);
    if (end !== -1) return end + 1;
    return this.isLast ? this.text.length : null;
  }

  /** Goes on behind the current line. */
  nextLine(end: number): void {
    if (this.text.charCodeAt(end - 1) === newline) this.lineEnded(end - 1);
    this.at = end;
  }
}
