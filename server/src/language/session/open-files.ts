import type { Position } from 'vscode-languageserver';
import { isHalfTyped, setUnfinished } from '../../manifests/last-whole.ts';
import type { ManifestDocument, ManifestFile } from '../../manifests/manifest.ts';
import { endsChangeAt } from '../../manifests/text-positions.ts';
import { canonicalUri, type WorkspaceIndex } from '../../manifests/workspace-index.ts';

/** The files that are open in the editor, and whether somebody is in the middle of typing. */
export class OpenFiles {
  readonly #index: WorkspaceIndex;
  readonly #uris = new Set<string>();
  readonly #beforeChange = new Map<string, ManifestFile>();
  #isHalfTyped = false;

  constructor(index: WorkspaceIndex) {
    this.#index = index;
  }

  get uris(): Iterable<string> {
    return this.#uris;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** Those that have been read. */
  files(): ManifestFile[] {
    return [...this.#uris].flatMap((uri) => this.#index.file(uri) ?? []);
  }

  opened(uri: string): void {
    this.#uris.add(uri);
  }

  closed(uri: string): void {
    this.#uris.delete(uri);
    this.#beforeChange.delete(canonicalUri(uri));
  }

  /** The text of a file was changed in the editor. */
  changed(before: ManifestFile): void {
    this.#beforeChange.set(before.uri, before);
  }

  /** Whether the last change of a file ended at a position, as where somebody types. */
  wasChangedAt(uri: string, position: Position): boolean {
    const file = this.#index.file(uri);
    const before = file === undefined ? undefined : this.#beforeChange.get(file.uri);
    return file !== undefined && before !== undefined && endsChangeAt(before, file, position);
  }

  /** Whether what comes of the text waits until the line that is typed has an end: the last answers stay as they are. */
  get isHalfTyped(): boolean {
    return this.#isHalfTyped;
  }

  /**
   * Takes whether something is half typed, after the files have been judged.
   *
   * @param typed the document in which somebody types, where something of it is half typed
   * @returns whether other text counts now than did before
   */
  setHalfTyped(isHalf: boolean, typed: ManifestDocument | undefined): boolean {
    this.#isHalfTyped = isHalf;
    return this.files()
      .map((file) => setUnfinished(file, typed))
      .includes(true);
  }

  /** Files of which an earlier text counts, as what is written now has no end yet. */
  unfinished(alsoUnfinished: readonly string[]): readonly string[] {
    return this.files()
      .filter((file) => isHalfTyped(file) || alsoUnfinished.includes(file.uri))
      .map(({ uri }) => uri);
  }
}
