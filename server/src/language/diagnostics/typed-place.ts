import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { ManifestDocument, ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import type { CaretParams } from '../../protocol.ts';

/** The kinds of finding that only say that something is not written yet. */
const missing = 'Required value';

/** What is found at a key, or at a whole entry, is wrong with what stands below it. */
const key = /^["']?[^\s"':]+["']?:(?:\s|$)/;

/**
 * Where somebody types: nothing is said there before they have gone on. Of the line that is typed, every finding waits
 * until the caret leaves it, and so does what is new elsewhere, as it comes of that line; that a field is missing, and
 * what is new at the keys under which the caret stands, waits until it leaves the object. What is saved is judged as it is. Only an editor that says where
 * its caret is has this.
 */
export class TypedPlace {
  readonly #wasChangedAt: (uri: string, caret: CaretParams) => boolean;
  #caret: CaretParams | undefined;
  /** The file and the line that were typed in since the caret came there. */
  #typedIn: string | undefined;
  #typedLine: number | undefined;

  /** @param wasChangedAt whether the last change of a file ended at the caret */
  constructor(wasChangedAt: (uri: string, caret: CaretParams) => boolean) {
    this.#wasChangedAt = wasChangedAt;
  }

  /** The file in whose line somebody types. */
  get file(): string | undefined {
    return this.#typedLine === undefined ? undefined : this.#typedIn;
  }

  /** The document in which the caret stands, of a file that was typed in. */
  documentIn(files: { file(uri: string): ManifestFile | undefined }): ManifestDocument | undefined {
    const caret = this.#caret;
    const file = caret === undefined || caret.uri !== this.#typedIn ? undefined : files.file(caret.uri);
    return file === undefined ? undefined : documentAtLine(file.documents, caret!.line)?.document;
  }

  /** The caret is elsewhere. Answers whether something may be said now that waited. */
  moved(caret: CaretParams): boolean {
    const before = this.#caret;
    this.#caret = caret;
    const isSamePlace = before?.uri === caret.uri && before.line === caret.line;
    if (isSamePlace || this.#typedIn === undefined) return false;
    this.#typedLine = undefined;
    if (this.#typedIn !== caret.uri) this.#typedIn = undefined;
    return true;
  }

  /** The file was saved, or is closed. Answers whether something may be said now that waited. */
  left(uri: string): boolean {
    if (this.#typedIn !== uri) return false;
    this.#typedIn = undefined;
    this.#typedLine = undefined;
    // Until the caret moves again, which it does with the next letter.
    this.#caret = undefined;
    return true;
  }

  /** Looks whether the last change was made by somebody who types, before anything is said of it. */
  look(): void {
    if (this.#caret === undefined || !this.#wasChangedAt(this.#caret.uri, this.#caret)) return;
    this.#typedIn = this.#caret.uri;
    this.#typedLine = this.#caret.line;
  }

  /**
   * What is said of a file now, of all that is wrong with it.
   * @param told what is said of it so far; undefined where nothing is known yet
   */
  said(
    uri: string,
    file: ManifestFile | undefined,
    all: readonly Diagnostic[],
    told: readonly Diagnostic[] | undefined,
  ): readonly Diagnostic[] {
    const caret = this.#caret;
    if (caret === undefined || this.#typedIn !== caret.uri || all.length === 0) return all;
    const isHere = caret.uri === uri;
    const around = isHere && file !== undefined ? linesAround(file, caret) : none;
    const before = new Set(told?.map(placeOf));
    const isHeld = (each: Diagnostic): boolean => {
      const { line, character } = each.range.start;
      if (isHere && line === this.#typedLine) return true;
      const above = around.get(line);
      if (above !== undefined && textOf(each.message).includes(missing)) return true;
      if (before.has(placeOf(each))) return false;
      if (told !== undefined && this.#typedLine !== undefined) return true;
      return above !== undefined && key.test(above.slice(character));
    };
    return all.some(isHeld) ? all.filter((each) => !isHeld(each)) : all;
  }
}

const none: ReadonlyMap<number, string> = new Map();

/** Whether there is an error among findings that wait. */
export function hasError(found: readonly Diagnostic[], said: readonly Diagnostic[]): boolean {
  return found.some((each) => each.severity === DiagnosticSeverity.Error && !said.includes(each));
}

/** What a finding is about, also when it says so in other words. */
function placeOf({ code, range: { start, end } }: Diagnostic): string {
  return [code, start.line, start.character, end.line, end.character].join(' ');
}

function textOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

/** The lines of the keys under which the caret stands, and of the kind of its object, with their texts. */
function linesAround(file: ManifestFile, { line, character }: CaretParams): ReadonlyMap<number, string> {
  const placed = documentAtLine(file.documents, line);
  if (placed === undefined) return none;
  const lines = placed.document.text.split(/\r\n|\n|\r/);
  const at = line - placed.line;
  const around = new Map([[line, lines[at] ?? '']]);
  const indentOf = (text: string): number => text.search(/\S/);
  let indent = indentOf(lines[at] ?? '');
  if (indent === -1) indent = Math.max(character, columnOfNext(lines.slice(0, at)));
  for (let above = Math.min(at, lines.length) - 1; above >= 0; above--) {
    const own = indentOf(lines[above]!);
    if (own === -1 || own >= indent) continue;
    around.set(placed.line + above, lines[above]!);
    indent = own;
  }
  for (const [index, text] of lines.entries()) if (text.startsWith('kind:')) around.set(placed.line + index, text);
  return around;
}

/** Where a line that is blank so far goes on, before its blanks are typed: beside the last, or below it. */
function columnOfNext(above: readonly string[]): number {
  const last = above.findLast((text) => text.trim() !== '') ?? '';
  return /^ *(?:- +)*/.exec(last)![0].length + (last.trimEnd().endsWith(':') ? 1 : 0);
}
