import { inEnglish } from '../../util/say.ts';
import { unsafeCharacters } from '../../util/unsafe-characters.ts';

/**
 * Text for a terminal, and for whatever shows what a command prints. Names and messages come from manifests that
 * anybody may have written, so control characters and direction overrides never reach the reader.
 */

/** One line of text, with that replaced. */
export function printable(text: string): string {
  return inEnglish(text).replace(unsafeCharacters, '\ufffd').replaceAll('##[', '##\ufffd[');
}

/**
 * Text of which no line is a command to a runner of GitHub Actions, which obeys what is printed.
 * Source: actions/runner, src/Runner.Common/ActionCommand.cs (TryParseV2, TryParse)
 */
export function inert(text: string): string {
  const lines = inEnglish(text)
    .split('\n')
    .map((line) => {
      const start = line.length - line.trimStart().length;
      return line.startsWith('::', start) ? `${line.slice(0, start)}\ufffd${line.slice(start)}` : line;
    });
  return lines.join('\n').replaceAll('##[', '##\ufffd[');
}

/** As `printable`, of a text that may have lines. */
export function printableLines(text: string): string {
  return inEnglish(text)
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join('\n');
}

/** Columns that a text takes: two for wide East Asian letters and emoji, none for combining marks. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of inEnglish(text)) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return columns;
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** A piece of running text with its paint. */
export interface Span {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/**
 * Breaks running text at spaces into lines of at most `columns`, the first indented by `indent`, the others by
 * `hanging`. A word longer than a line stays whole, so that it can be copied.
 */
export function wrap(spans: readonly Span[], columns: number, indent = '', hanging = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  let used = columnsOf(indent);
  let empty = true;
  const breakLine = () => {
    lines.push(line);
    line = hanging;
    used = columnsOf(hanging);
    empty = true;
  };
  for (const word of wordsOf(spans)) {
    const width = word.pieces.reduce((sum, piece) => sum + columnsOf(piece.text), 0);
    const gap = word.spaced && !empty ? 1 : 0;
    if (!empty && word.spaced && used + gap + width > columns) {
      breakLine();
    } else if (gap === 1) {
      line += ' ';
      used += 1;
    }
    for (const piece of word.pieces) line += piece.paint === undefined ? piece.text : piece.paint(piece.text);
    used += width;
    empty = false;
  }
  if (!empty || lines.length === 0) lines.push(line);
  return lines.map((text) => text.trimEnd());
}

interface Word {
  readonly spaced: boolean;
  readonly pieces: Span[];
}

/** Words may consist of several spans (`3 pods` in red, then a plain semicolon). */
function wordsOf(spans: readonly Span[]): Word[] {
  const words: Word[] = [];
  let spaced = true;
  for (const span of spans) {
    for (const part of inEnglish(span.text).split(/( +)/)) {
      if (part === '') continue;
      if (part.startsWith(' ')) {
        spaced = true;
        continue;
      }
      const piece: Span = span.paint === undefined ? { text: part } : { text: part, paint: span.paint };
      const last = words.at(-1);
      if (spaced || last === undefined) words.push({ spaced, pieces: [piece] });
      else last.pieces.push(piece);
      spaced = false;
    }
  }
  return words;
}

/** A bar of `columns` cells, filled by eighths. `share` is cut to 0 to 1. */
export function bar(share: number, columns: number): { readonly filled: string; readonly empty: string } {
  const eighths = Math.round(Math.min(1, Math.max(0, Number.isFinite(share) ? share : 1)) * columns * 8);
  const full = Math.floor(eighths / 8);
  const rest = eighths % 8;
  const filled = '█'.repeat(full) + (rest === 0 ? '' : (['▏', '▎', '▍', '▌', '▋', '▊', '▉'][rest - 1] ?? ''));
  return { filled, empty: '░'.repeat(columns - full - (rest === 0 ? 0 : 1)) };
}
