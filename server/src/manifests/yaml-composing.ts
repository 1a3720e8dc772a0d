/**
 * Text to the nodes of the YAML library, in steps: token by token, and piece by piece.
 */
import { Composer, type CST, type Document, isCollection, type ParsedNode, Parser, Schema } from 'yaml';
import { DepthTracker } from './depth-tracker.ts';
import type { ManifestProblem, OffsetRange } from './manifest.ts';
import { TemplateTracker } from './template-actions.ts';
import { lexemesOf, lexerMarks } from './yaml-lexing.ts';
import { otherDocument, refusedEscapes, refusedTab, withMarkedApostrophes } from './yaml-refusals.ts';
import { documentOf, YamlPieces } from './yaml-pieces.ts';

type SyntaxErrors = Document.Parsed['errors'];

export interface Composed {
  /** Undefined when there is no document in the text. */
  readonly contents: ParsedNode | null | undefined;
  readonly errors: SyntaxErrors;
  readonly comments: readonly OffsetRange[];
  readonly tooDeep: ManifestProblem | null;
  readonly template: boolean;
  /** `{{` stands in a plain or quoted scalar, which may or may not make it a template. */
  readonly templateText: boolean;
  readonly unclosedQuote: number | null;
  /** What go-yaml refuses and the library does not. */
  readonly refused: readonly ManifestProblem[];
  /** Quotes and brackets whose closing sign was not looked for to the end, as a line is not indented enough. */
  readonly gaveUpAt: readonly number[];
  readonly pieces: ComposedPieces;
}

/** The collections that were composed in pieces. */
export interface ComposedPieces {
  /** Where a collection starts, if it was cut. */
  startOf(token: CST.Token | undefined): number | undefined;
  /** All items of a collection, of which the node has only the last if it was cut. */
  itemsOf<T>(token: CST.Token | undefined, last: readonly T[]): readonly T[];
}

// Plain scalars are resolved by us, so the library need only know strings, maps and lists.
const options = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false }),
  uniqueKeys: false,
  strict: true,
  logLevel: 'silent',
  keepSourceTokens: true,
} as const;

/** Tokens between two steps. */
const stepSize = 500;

/** The library makes an Error of every problem; capturing thousands of stack traces would take seconds. */
function withoutStackTraces<T>(run: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The library says of itself that it is astonished, which only happens where it has said what is wrong. */
function isTold({ code }: SyntaxErrors[number]): boolean {
  return code !== 'IMPOSSIBLE';
}

/**
 * Drives the library token by token, which allows stopping before its recursion gets deep.
 *
 * @param joined parts that are cut as if they stood on one line
 * @param pieceSize values that are composed in one go
 * @param mayBeTemplate whether template actions end the reading
 */
export function* compose(
  text: string,
  joined: readonly OffsetRange[],
  pieceSize: number,
  mayBeTemplate: boolean,
): Generator<void, Composed> {
  const comments: OffsetRange[] = [];
  const depth = new DepthTracker();
  const templates = mayBeTemplate && text.includes('{{') ? new TemplateTracker(text) : null;
  const parser = new Parser();
  let unclosedQuote: number | null = null;
  let offset = 0;
  let scalarNext = false;
  let blockScalar = false;
  let brackets = 0;
  let bracketAt = 0;
  let atLineStart = true;
  const gaveUpAt: number[] = [];
  const refused: ManifestProblem[] = [];
  const composing = new Composing(pieceSize, (start) => {
    refused.push(otherDocument(text, start));
  });
  let tokens = 0;
  const nothing = {
    contents: null,
    errors: [],
    comments,
    templateText: false,
    unclosedQuote: null,
    gaveUpAt,
    refused: [],
    pieces: composing,
  };

  for (const written of lexemesOf(text, joined)) {
    if (++tokens % stepSize === 0) yield;
    const lexeme = scalarNext ? written : withMarkedApostrophes(written);
    const isScalarText = scalarNext;
    scalarNext = false;
    const first = lexeme.charCodeAt(0);
    if (isScalarText) {
      if (depth.scalar(offset)) {
        return { ...nothing, tooDeep: depth.problem({ start: offset, end: offset + lexeme.length }), template: false };
      }
      if (blockScalar) refused.push(...refusedTab(lexeme, offset));
      if (templates?.scalar(lexeme, blockScalar) === true) return { ...nothing, tooDeep: null, template: true };
      blockScalar = false;
      offset += lexeme.length;
    } else if (lexeme === lexerMarks.scalar) {
      scalarNext = true;
    } else if (lexeme === lexerMarks.earlyEnd) {
      brackets = 0;
      gaveUpAt.push(bracketAt);
    } else if (lexeme !== lexerMarks.document) {
      if (first === 0x23 /* # */) {
        comments.push({ start: offset, end: offset + lexeme.length });
      } else {
        if (first === 0x7c || first === 0x3e) blockScalar = true;
        if ((first === 0x22 || first === 0x27) && isUnclosed(lexeme)) {
          if (lexeme.includes('\n')) unclosedQuote = offset;
          gaveUpAt.push(offset);
        }
        if (first === 0x22) refused.push(...refusedEscapes(lexeme, offset));
        if (first === 0x09 && atLineStart && brackets === 0) refused.push(...refusedTab(lexeme, offset));
        if ((first === 0x5b || first === 0x7b) && brackets++ === 0) bracketAt = offset;
        if ((first === 0x5d || first === 0x7d) && brackets > 0) brackets--;
        if (templates?.token(lexeme, offset) === true) return { ...nothing, tooDeep: null, template: true };
        if (depth.token(lexeme, offset)) {
          return { ...nothing, tooDeep: depth.problem({ start: offset, end: offset + 1 }), template: false };
        }
      }
      offset += lexeme.length;
    }
    atLineStart = lexeme.endsWith('\n');
    for (const token of parser.next(lexeme)) yield* composing.take(token);
  }
  for (const token of parser.end()) yield* composing.take(token);
  const { contents, errors } = yield* composing.end();
  return {
    contents,
    errors,
    comments,
    tooDeep: null,
    template: false,
    templateText: templates?.inFlowScalar === true,
    unclosedQuote,
    gaveUpAt,
    refused,
    pieces: composing,
  };
}

/** Composes the first document of a stream of tokens. */
class Composing implements ComposedPieces {
  readonly #composer = new Composer(options);
  readonly #directives: CST.Token[] = [];
  readonly #pieces: YamlPieces;
  readonly #items = new Map<CST.Token, readonly (readonly unknown[])[]>();
  readonly #onOther: (start: number) => void;
  #isCut = false;
  #document: Document.Parsed | undefined;

  /** @param onOther told of where a document behind the first starts */
  constructor(pieceSize: number, onOther: (start: number) => void) {
    this.#onOther = onOther;
    this.#pieces = new YamlPieces(pieceSize);
  }

  *take(token: CST.Token): Generator<void, void> {
    if (token.type === 'directive' && !this.#isCut) this.#directives.push(token);
    if (token.type === 'document' && !this.#isCut) {
      this.#isCut = true;
      if (token.value !== undefined) yield* this.#pieces.cut(token.value);
    }
    withoutStackTraces(() => {
      for (const parsed of this.#composer.next(token)) this.#got(parsed);
    });
  }

  *end(): Generator<void, Pick<Composed, 'contents' | 'errors'>> {
    withoutStackTraces(() => {
      for (const parsed of this.#composer.end()) this.#got(parsed);
    });
    const errors = (this.#document?.errors ?? this.#composer.streamInfo().errors).filter(isTold);
    for (const [token, { pieces }] of this.#pieces.cuts) {
      const items: (readonly unknown[])[] = [];
      for (const piece of pieces) {
        const document = withoutStackTraces(() => this.#composePiece(documentOf(piece)));
        items.push(isCollection(document?.contents) ? document.contents.items : []);
        // What is wrong with a directive was said of the document.
        for (const error of document?.errors ?? []) {
          if (error.code !== 'BAD_DIRECTIVE' && isTold(error)) errors.push(error);
        }
        yield;
      }
      this.#items.set(token, items);
    }
    return { contents: this.#document?.contents, errors };
  }

  #got(document: Document.Parsed): void {
    if (this.#document === undefined) this.#document = document;
    else if (document.contents !== null) this.#onOther(document.contents.range[0]);
  }

  startOf(token: CST.Token | undefined): number | undefined {
    return token && this.#pieces.cuts.get(token)?.offset;
  }

  itemsOf<T>(token: CST.Token | undefined, last: readonly T[]): readonly T[] {
    const before = token && this.#items.get(token);
    return before === undefined ? last : this.#pieces.joined(token, before as readonly (readonly T[])[], last);
  }

  #composePiece(piece: CST.Document): Document.Parsed | undefined {
    const composer = new Composer(options);
    let document: Document.Parsed | undefined;
    for (const token of [...this.#directives, piece]) for (const parsed of composer.next(token)) document ??= parsed;
    for (const parsed of composer.end()) document ??= parsed;
    return document;
  }
}

/** Whether the text of a quoted scalar lacks its closing quote. */
function isUnclosed(lexeme: string): boolean {
  const quote = lexeme[0]!;
  if (lexeme.length === 1 || !lexeme.endsWith(quote)) return true;
  let end = 1;
  while (end < lexeme.length) {
    if (lexeme[end] === quote) {
      if (quote === "'" && lexeme[end + 1] === "'") end++;
      else return false;
    } else if (quote === '"' && lexeme[end] === '\\') {
      end++;
    }
    end++;
  }
  return true;
}
