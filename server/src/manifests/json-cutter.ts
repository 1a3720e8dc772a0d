import { maxDepth } from './limits.ts';
import type { OffsetRange, TextPosition } from './manifest.ts';
import type { TextWindow } from './text-window.ts';

/** An element of `items`. */
export interface CutItem extends OffsetRange {
  readonly text: string;
  /** Where it starts, in its file. */
  readonly at: TextPosition;
}

/**
 * What was found: an element, the end of the object, that further text is needed, or why it cannot go on. Whether the
 * parts are JSON is for those to say who read them.
 */
type Found = 'item' | 'end' | 'more' | 'cut off' | 'too deep' | 'broken';

/**
 * Cuts a JSON object into the elements of its list `items` and what stands around them, as its text comes. Only
 * strings, brackets and commas are looked at.
 */
export class JsonCutter {
  /** The last element that was found. */
  item: CutItem | null = null;
  /** Whether a list `items` was met; of several the elements of the last count. */
  lists = 0;
  readonly #around: string[] = [];
  #aroundFrom: number;
  #depth = 0;
  #inItems = false;
  #itemStart = -1;
  #itemAt: TextPosition = { line: 0, character: 0 };
  #afterComma = false;
  /** The last string of the object itself, and whether a colon has made it a key. */
  #key = '';
  #isKey = false;

  /** @param start offset of the object, or of white space before it */
  constructor(start: number) {
    this.#aroundFrom = start;
  }

  /** The object without what is in its lists `items`. */
  get around(): string {
    return this.#around.join('');
  }

  /** The offset from which on the text is needed. */
  get neededFrom(): number {
    return this.#itemStart === -1 ? this.#aroundFrom : this.#itemStart;
  }

  next(window: TextWindow): Found {
    const { text } = window;
    let { at } = window;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x20 || code === 0x09 || code === 0x0d) continue;
      if (code === 0x0a) {
        window.lineEnded(at);
        continue;
      }
      const isAtItem = this.#inItems && this.#depth === 2;
      if (isAtItem && this.#itemStart === -1 && code !== 0x2c && code !== 0x5d) {
        this.#itemStart = window.offsetOf(at);
        this.#itemAt = window.positionOf(at);
      }
      switch (code) {
        case 0x22 /* " */: {
          const end = endOfString(text, at);
          if (end === -1) return this.#wait(window, at);
          if (this.#depth === 1) this.#string(text, at, end);
          at = end;
          break;
        }
        case 0x3a /* : */:
          if (this.#depth === 1) this.#isKey = true;
          break;
        case 0x2c /* , */:
          if (this.#depth === 1) this.#isKey = false;
          if (!isAtItem) break;
          this.#afterComma = true;
          if (this.#itemStart === -1) return 'broken';
          this.#cut(window, at);
          window.at = at + 1;
          return 'item';
        case 0x7b /* { */:
        case 0x5b /* [ */:
          if (this.#depth === maxDepth) return 'too deep';
          this.#depth++;
          if (code === 0x5b && this.#depth === 2 && this.#isKey && this.#key === 'items') {
            this.#enter(window, at);
          }
          break;
        case 0x7d /* } */:
        case 0x5d /* ] */:
          if (isAtItem) {
            if (code === 0x7d) return 'broken';
            if (this.#itemStart !== -1) {
              this.#cut(window, at);
              this.#afterComma = false;
              window.at = at;
              return 'item';
            }
            if (this.#afterComma) return 'broken';
            this.#inItems = false;
            this.#aroundFrom = window.offsetOf(at);
          }
          this.#depth--;
          if (this.#depth > 0) break;
          this.#around.push(window.slice(this.#aroundFrom, window.offsetOf(at + 1)));
          window.at = at + 1;
          this.#aroundFrom = window.offset;
          return 'end';
        default:
      }
    }
    return this.#wait(window, at);
  }

  #wait(window: TextWindow, at: number): Found {
    window.at = at;
    if (window.isLast) return 'cut off';
    if (!this.#inItems) {
      this.#around.push(window.slice(this.#aroundFrom, window.offset));
      this.#aroundFrom = window.offset;
    } else if (this.#itemStart === -1) {
      this.#aroundFrom = window.offset;
    }
    return 'more';
  }

  #string(text: string, start: number, end: number): void {
    if (this.#isKey) return;
    const written = text.slice(start, end + 1);
    this.#key = written.includes('\\') ? unescaped(written) : written.slice(1, -1);
  }

  #enter(window: TextWindow, at: number): void {
    this.#around.push(window.slice(this.#aroundFrom, window.offsetOf(at + 1)));
    this.#inItems = true;
    this.#itemStart = -1;
    this.#afterComma = false;
    this.#aroundFrom = window.offsetOf(at + 1);
    this.lists += 1;
  }

  #cut(window: TextWindow, at: number): void {
    const end = window.offsetOf(at);
    this.item = { text: window.slice(this.#itemStart, end), start: this.#itemStart, end, at: this.#itemAt };
    this.#itemStart = -1;
    this.#aroundFrom = end;
  }
}

/** Index of the closing quote; -1 where it is not there. */
export function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c /* \ */) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

/** A key that is written with escapes; empty where it is none. */
function unescaped(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return '';
  }
}
