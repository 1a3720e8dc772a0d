/**
 * What the layer above text hands out: documents, objects and the places of every key and value. No type of the YAML
 * library appears here.
 */
import type { Decoded } from '../kubernetes/decode/index.ts';
import type { Json, JsonObject, Path } from '../kubernetes/json.ts';

/** A position of the language server protocol: both count from 0, characters in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Half-open range of UTF-16 offsets. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

export type ManifestProblemCode =
  | 'yaml-syntax'
  | 'yaml-duplicate-key'
  | 'yaml-alias'
  | 'document-too-deep'
  | 'document-too-large'
  | 'too-many-documents'
  | 'file-too-large'
  | 'unreadable-file'
  | 'unusable-snapshot'
  | 'not-rendered'
  | 'entry-has-no-effect'
  | 'podium-failed';

/** Something wrong with the text itself. Offsets count from the start of the document it belongs to. */
export interface ManifestProblem {
  readonly code: ManifestProblemCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly range: OffsetRange;
  /** Every reader of YAML says so, whatever it reads for. */
  readonly isCommon?: true;
}

/** Which part of an entry to point at: `key: value`, only `key`, or only `value`. */
export type EntryPart = 'entry' | 'key' | 'value';

/** One API object in a document; the items of a List are objects of their own. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty when not written. */
  readonly namespace: string;
  /** Empty when not written (or `generateName` only). */
  readonly name: string;
  /** The value as `kubectl` would send it: YAML 1.1 scalars resolved, aliases and merge keys expanded. */
  readonly value: JsonObject;
  /** The value as an object of its kind, read at the first look; whoever asks gets the same. */
  readonly decoded: Decoded;
  /** Where the object stands in its document: empty, or `['items', 3]` for an item of a List. */
  readonly path: Path;
  /**
   * The range of a path inside this object, in offsets of the document. `undefined` when nothing is written there.
   * A value that comes through an alias or a merge key is found where it is written.
   */
  locate(path: Path, part?: EntryPart): OffsetRange | undefined;
  /** As `locate`, but falls back to the nearest parent that is written, and at last to the object's `kind`. */
  locateNearest(path: Path, part?: EntryPart): OffsetRange;
  /** How it came to be, where a tool made it from what is written; undefined where it is applied as it stands. */
  readonly rendering?: ObjectRendering;
}

/** What is known of an object that a tool made. */
export interface ObjectRendering {
  /** What people call the source: `overlays/prod`. */
  readonly source: string;
  /** Whether a chart made it from values of its own alone: whoever installs it may give others. */
  readonly hasOnlyOwnValues: boolean;
  /** Whether an edit of the document at the place of a path edits the value that the object has there. */
  isWrittenHere(path: Path): boolean;
  /** Where a value is written that is not written with the object: in a patch, in the values of a chart. */
  writtenAt(path: Path): FilePlace | undefined;
  /** The path that a range was found for; undefined for one that was not found in the object. */
  pathOf(range: OffsetRange): Path | undefined;
}

/** A range of a file, as the language server protocol counts. */
export interface FilePlace {
  readonly uri: string;
  readonly range: TextRange;
}

/** What the cursor is on. */
export interface Located {
  readonly object: ManifestObject;
  /** Path inside the object. */
  readonly path: Path;
  readonly on: 'key' | 'value';
  /** The range of the key or scalar under the cursor, in offsets of the document. */
  readonly range: OffsetRange;
}

/**
 * Where the cursor is, also where nothing is written yet and in half-typed text. `key` and `value`: on what is written
 * there, or where the value of `path` would be written. `inside`: where a new entry of the map or list at `path` would.
 */
export interface CursorPlace {
  /** Path inside `object`, or inside the document when there is none. */
  readonly path: Path;
  readonly on: 'key' | 'value' | 'inside';
  /** What a completion replaces, in offsets of the document; empty at the cursor where nothing is written. */
  readonly range: OffsetRange;
  /** Null where the text has no apiVersion and kind. */
  readonly object: ManifestObject | null;
  /** What the document says as a whole; null where nothing of it can be read. */
  readonly whole: Json;
}

/** A comment line, for suppressions. */
export interface ManifestComment {
  readonly text: string;
  readonly range: OffsetRange;
}

/**
 * One document of a file. It knows nothing of its place in the file, so that it can be kept when text before it
 * changes; all offsets count from its own start.
 */
export interface ManifestDocument {
  readonly text: string;
  /**
   * `template`: has Helm or Go template actions and is left alone. `data`: YAML without apiVersion and kind. A
   * `manifest` that is too broken has problems but no objects. `part`: data of a file that a source takes, a patch.
   */
  readonly content: 'manifest' | 'template' | 'data' | 'part' | 'empty';
  readonly objects: readonly ManifestObject[];
  /** Of a snapshot: how many items do not say what they are, and are no objects. */
  readonly unread?: number;
  readonly problems: readonly ManifestProblem[];
  /** Line starts in offsets of the document; the first is 0. */
  readonly lineStarts: readonly number[];
  /** Where an offset stands, counted from the start of the document. */
  positionAt(offset: number): TextPosition;
  /** Comments, in order. Only `#` comments that are really comments. Computed at the first call. */
  comments(): readonly ManifestComment[];
  /** The innermost key or scalar at an offset; null between things. */
  at(offset: number): Located | null;
  /** Where the cursor is, for completion: never null, whatever is missing or broken around it. */
  pathAt(offset: number): CursorPlace;
}

/**
 * A document at its place. A document starts where the one before it ends; its offset in the file is not kept, so that
 * typing within a line leaves what stands behind as it is.
 */
export interface PlacedDocument {
  readonly document: ManifestDocument;
  /** Line of the document's first character. A document always starts at the beginning of a line. */
  readonly line: number;
  /** 0-based index in the file. */
  readonly index: number;
}

/** A file as read at one moment. */
export interface ManifestFile {
  readonly uri: string;
  /** The editor's version; null for a file read from disk. */
  readonly version: number | null;
  readonly documents: readonly PlacedDocument[];
  /** Problems of the file as a whole (too large, too many documents), in offsets of the file. */
  readonly problems: readonly ManifestProblem[];
  /** Whether git-crypt has encrypted it. */
  readonly isEncrypted?: true;
  /** Whether a source that is not rendered would make something else of it. */
  readonly isOpen?: true;
}
