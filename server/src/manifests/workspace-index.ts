import { others } from '../util/run-in-slices.ts';
import { URI } from 'vscode-uri';
import type { FileContents, FileProvider } from './file-provider.ts';
import type { ManifestDocument, ManifestFile, PlacedDocument } from './manifest.ts';
import { runInSlices } from '../util/run-in-slices.ts';
import { runToEnd } from '../util/steps.ts';
import { rememberWhole } from './last-whole.ts';
import { editorLimits } from './limits.ts';
import { readManifestFile } from './parse-manifest-file.ts';
import { unreadableFile } from './problem-file.ts';

/** What became different in one file. */
export interface FileChange {
  readonly uri: string;
  /** Null when the file was not there, or not for us. */
  readonly before: ManifestFile | null;
  /** Null when the file is gone, or not for us any more. */
  readonly after: ManifestFile | null;
  /** Documents that were not in the file before. A document that only moved is not among them. */
  readonly added: readonly PlacedDocument[];
  readonly removed: readonly PlacedDocument[];
}

export interface IndexChange {
  /** The index's version after the change. */
  readonly version: number;
  readonly files: readonly FileChange[];
  /** Kinds of the objects in documents that were added or removed. */
  readonly kinds: ReadonlySet<string>;
}

interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export interface IndexingOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Stops the indexing; what has been read stays. */
  readonly signal?: AbortSignal;
}

/** What a read says of a file that is not there any more. */
const gone = 'ENOENT';
/** Reads that are under way at the same time while indexing. */
const parallelReads = 8;
/** How many files are told of at a time while indexing: more of them would keep others waiting. */
const toldAtOnce = 64;

/** All manifest files of a workspace. Open editors win over what is on disk. Files without an object are not kept. */
export class WorkspaceIndex {
  readonly #provider: FileProvider;
  readonly #onDisk = new Map<string, ManifestFile>();
  readonly #inEditor = new Map<string, ManifestFile>();
  /** Number of the latest read or deletion per file; an older read that ends later is dropped. */
  readonly #latestRead = new Map<string, number>();
  #reads = 0;
  /** What the latest search has found: one that began earlier may end later. */
  #found: ReadonlySet<string> = new Set();
  #searches = 0;
  #latestSearch = 0;
  readonly #listeners = new Set<(change: IndexChange) => void>();
  #version = 0;
  #indexing = 0;
  /** Changes not yet told, while indexing. */
  #pending: Map<string, ManifestFile | null> | null = null;
  /** Keys of all files in order, which an edit leaves as they are. */
  #order: readonly string[] | null = null;
  #sortedFiles: readonly ManifestFile[] | null = null;

  constructor(provider: FileProvider) {
    this.#provider = provider;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** True while files are still being read for the first time or again. */
  get isIndexing(): boolean {
    return this.#indexing > 0;
  }

  /** Called after every change, and while indexing after some files. Returns what ends the subscription. */
  onDidChange(listener: (change: IndexChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The files that have manifests or templates of them, and all that are open in an editor, in the order of their URIs. */
  files(): readonly ManifestFile[] {
    this.#order ??= [...new Set([...this.#onDisk.keys(), ...this.#inEditor.keys()])].sort();
    this.#sortedFiles ??= this.#order.map((key) => this.#current(key)!);
    return this.#sortedFiles;
  }

  /** Whether there is none of those. */
  get isEmpty(): boolean {
    return this.#onDisk.size === 0 && this.#inEditor.size === 0;
  }

  /** All files that were found, also those without an object, and all that are open. */
  uris(): Iterable<string> {
    return new Set([...this.#latestRead.keys(), ...this.#inEditor.keys()]);
  }

  file(uri: string): ManifestFile | undefined {
    return this.#current(canonicalUri(uri)) ?? undefined;
  }

  /** Finds and reads all files of the workspace, and forgets those that are gone. Never rejects. */
  async index(options: IndexingOptions = {}): Promise<void> {
    const { onProgress, signal } = options;
    this.#indexing++;
    this.#pending ??= new Map();
    try {
      const search = ++this.#searches;
      const begun = this.#reads;
      const uris = await this.#provider.find().catch(() => null);
      if (uris === null || signal?.aborted === true) return;
      if (search > this.#latestSearch) {
        this.#latestSearch = search;
        this.#found = new Set(uris.map(canonicalUri));
        this.#forgetMissing(begun);
      }
      let next = 0;
      let done = 0;
      onProgress?.({ done, total: uris.length });
      const readNext = async (): Promise<void> => {
        while (next < uris.length && signal?.aborted !== true) {
          const uri = uris[next++]!;
          // Its folder may have been taken out of the workspace meanwhile.
          if (this.#found.has(canonicalUri(uri))) await this.#read(uri);
          done++;
          onProgress?.({ done, total: uris.length });
          if (this.#pending !== null && this.#pending.size >= toldAtOnce) this.#tellPending();
        }
      };
      await Promise.all(Array.from({ length: parallelReads }, readNext));
    } finally {
      this.#indexing--;
      this.#tellPending();
      if (!this.isIndexing) this.#pending = null;
    }
  }

  /** An editor shows a file, or its text changed. */
  change(uri: string, text: string, version: number | null): ManifestFile {
    const file = runToEnd(this.readInSteps(uri, text, version));
    this.take(file);
    return file;
  }

  /** Reads what an editor shows, in steps, to be taken in. */
  readInSteps(uri: string, text: string, version: number | null): Generator<void, ManifestFile> {
    return readManifestFile(uri, text, version, this.file(uri), editorLimits);
  }

  /** An editor shows a file that has been read. */
  take(file: ManifestFile): void {
    const key = canonicalUri(file.uri);
    const before = this.#current(key);
    rememberWhole(before, file);
    this.#inEditor.set(key, file);
    this.#changed(key, before);
  }

  /** An editor was closed: what is on disk counts again. */
  close(uri: string): void {
    const key = canonicalUri(uri);
    const before = this.#current(key);
    this.#inEditor.delete(key);
    this.#changed(key, before);
  }

  /** A file appeared or changed on disk. A folder that appears needs `index`. */
  async changed(uri: string): Promise<void> {
    if (this.#provider.accepts?.(uri) !== false) await this.#read(uri);
  }

  /**
   * A file or a folder with all that is in it disappeared from disk. An editor may go on showing a file: that counts only
   * where somebody has typed in it.
   */
  deleted(uri: string): void {
    const key = canonicalUri(uri);
    const inside = key.endsWith('/') ? key : `${key}/`;
    for (const [known] of [...this.#latestRead]) {
      if (known !== key && !known.startsWith(inside)) continue;
      this.#latestRead.delete(known);
      const [saved, shown] = [this.#onDisk.get(known), this.#inEditor.get(known)];
      this.#setOnDisk(known, null);
      if (saved !== undefined && shown !== undefined && isSameText(saved, shown)) this.close(known);
    }
  }

  /** @param begun what was read after that came while files were looked for, and may be new */
  #forgetMissing(begun: number): void {
    for (const [key, read] of [...this.#latestRead]) {
      // What is being read for longer belongs to a folder that has gone.
      const isNew = read > begun && this.#provider.accepts?.(key) !== false;
      if (this.#found.has(key) || isNew) continue;
      this.#latestRead.delete(key);
      this.#setOnDisk(key, null);
    }
  }

  async #read(uri: string): Promise<void> {
    const key = canonicalUri(uri);
    const read = ++this.#reads;
    this.#latestRead.set(key, read);
    const { text, error = gone }: FileContents = await this.#provider.read(uri).catch(() => ({ text: null, size: 0 }));
    if (this.#latestRead.get(key) !== read) return;
    if (text === null) {
      if (error === gone) this.#latestRead.delete(key);
      this.#setOnDisk(key, error === gone ? null : unreadableFile(uri, error));
      return;
    }
    // Requests of the editor go first: several files may have come from the disk at once.
    await others(true);
    const steps = readManifestFile(uri, text, null, this.#current(key) ?? undefined, editorLimits);
    const file = await runInSlices(steps, () => this.#latestRead.get(key) === read);
    if (file === undefined || this.#latestRead.get(key) !== read) return;
    this.#setOnDisk(key, isForUs(file) ? file : null);
  }

  #setOnDisk(key: string, file: ManifestFile | null): void {
    const before = this.#current(key);
    if (file === null) this.#onDisk.delete(key);
    else this.#onDisk.set(key, file);
    if (this.#current(key) !== before) this.#changed(key, before);
  }

  #current(key: string): ManifestFile | null {
    return this.#inEditor.get(key) ?? this.#onDisk.get(key) ?? null;
  }

  #changed(key: string, before: ManifestFile | null): void {
    const after = this.#current(key);
    if (before === null && after === null) return;
    if (before === null || after === null) this.#order = null;
    this.#sortedFiles = null;
    this.#version++;
    if (this.#pending === null) {
      this.#report([fileChange(before, after)]);
    } else if (!this.#pending.has(key)) {
      this.#pending.set(key, before);
    }
  }

  #tellPending(): void {
    if (this.#pending === null || this.#pending.size === 0) return;
    const changes = [...this.#pending].map(([key, before]) => fileChange(before, this.#current(key)));
    this.#pending.clear();
    this.#report(changes.filter(({ before, after }) => before !== after));
  }

  #report(files: readonly FileChange[]): void {
    if (files.length === 0) return;
    const kinds = new Set<string>();
    for (const { added, removed } of files) {
      for (const { document } of [...added, ...removed]) for (const { kind } of document.objects) kinds.add(kind);
    }
    for (const listener of [...this.#listeners]) listener({ version: this.#version, files, kinds });
  }
}

function isSameText({ documents }: ManifestFile, { documents: others }: ManifestFile): boolean {
  return (
    documents.length === others.length &&
    documents.every(({ document }, index) => document.text === others[index]!.document.text)
  );
}

function isForUs(file: ManifestFile): boolean {
  return (
    file.problems.length > 0 ||
    file.isEncrypted === true ||
    file.documents.some(({ document }) => document.content === 'manifest' || isTemplateOfObject(document))
  );
}

/** Answers say that these are not seen. */
function isTemplateOfObject({ content, text }: ManifestDocument): boolean {
  return content === 'template' && /^kind:/m.test(text);
}

function fileChange(before: ManifestFile | null, after: ManifestFile | null): FileChange {
  const { removed, added } = changedDocuments(before?.documents ?? [], after?.documents ?? []);
  const old = new Set(removed.map(({ document }) => document));
  const current = new Set(added.map(({ document }) => document));
  return {
    uri: (after ?? before)?.uri ?? '',
    before,
    after,
    added: added.filter(({ document }) => !old.has(document)),
    removed: removed.filter(({ document }) => !current.has(document)),
  };
}

/** What is left of two lists of documents without what they begin and end with alike. */
function changedDocuments(
  before: readonly PlacedDocument[],
  after: readonly PlacedDocument[],
): { readonly removed: readonly PlacedDocument[]; readonly added: readonly PlacedDocument[] } {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start]!.document === after[start]!.document) start++;
  let end = 0;
  while (end < length - start && before.at(-1 - end)!.document === after.at(-1 - end)!.document) end++;
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) };
}

/** Editors escape URIs differently; this is the form in which they are compared. */
export function canonicalUri(uri: string): string {
  return URI.parse(uri).toString();
}
