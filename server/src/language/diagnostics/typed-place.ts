import type { Diagnostic } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import type { CaretParams } from '../../protocol.ts';

/** The kinds of finding that only say that something is not written yet. */
const missing = 'Required value';

/**
 * Where somebody types: nothing is said there before they have gone on. Of the line that is typed, every finding waits
 * until the caret leaves it; that a field is missing waits until the caret leaves the object that would have it. What
 * is saved is judged as it is. Only an editor that says where its caret is has this.
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

  /** The caret is elsewhere. Answers in which files something may be said now that waited. */
  moved(caret: CaretParams): readonly string[] {
    const before = this.#caret;
    this.#caret = caret;
    const typedIn = this.#typedIn;
    const isSamePlace = before?.uri === caret.uri && before.line === caret.line;
    if (isSamePlace || typedIn === undefined) return [];
    this.#typedLine = undefined;
    if (typedIn !== caret.uri) this.#typedIn = undefined;
    return [typedIn];
  }

  /** The file was saved. */
  saved(uri: string): readonly string[] {
    if (this.#typedIn !== uri) return [];
    this.#typedIn = undefined;
    this.#typedLine = undefined;
    // Until the caret moves again, which it does with the next letter.
    this.#caret = undefined;
    return [uri];
  }

  /** What is said of a file now, of all that is wrong with it. */
  said(uri: string, file: ManifestFile | undefined, all: readonly Diagnostic[]): readonly Diagnostic[] {
    const caret = this.#caret;
    if (caret?.uri !== uri || file === undefined || all.length === 0) return all;
    if (this.#wasChangedAt(uri, caret)) {
      this.#typedIn = uri;
      this.#typedLine = caret.line;
    }
    if (this.#typedIn !== uri) return all;
    const around = linesAround(file, caret);
    const isHeld = ({ range: { start }, message }: Diagnostic): boolean =>
      start.line === this.#typedLine || (around.has(start.line) && textOf(message).includes(missing));
    return all.some(isHeld) ? all.filter((each) => !isHeld(each)) : all;
  }
}

function textOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

/** The lines of the keys under which the caret stands, and of the kind of its object. */
function linesAround(file: ManifestFile, { line, character }: CaretParams): ReadonlySet<number> {
  const placed = documentAtLine(file.documents, line);
  if (placed === undefined) return new Set();
  const lines = placed.document.text.split(/\r\n|\n|\r/);
  const around = new Set([line]);
  const at = line - placed.line;
  const indentOf = (text: string): number => text.search(/\S/);
  let indent = indentOf(lines[at] ?? '');
  if (indent === -1) indent = character;
  for (let above = Math.min(at, lines.length) - 1; above >= 0; above--) {
    const own = indentOf(lines[above]!);
    if (own === -1 || own >= indent) continue;
    around.add(placed.line + above);
    indent = own;
  }
  for (const [index, text] of lines.entries()) if (text.startsWith('kind:')) around.add(placed.line + index);
  return around;
}
