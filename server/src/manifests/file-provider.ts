/** What came of reading a file: no text when it cannot be read or is too large. */
export interface FileContents {
  readonly text: string | null;
  /** Bytes; 0 when unknown. */
  readonly size: number;
}

/** Where the files of the workspace come from: the editor's file API, or the file system. */
export interface FileProvider {
  /** URIs of all YAML and JSON files of the workspace. */
  find(): Promise<readonly string[]>;
  /** Whether a file that a watcher tells about is one that `find` would find. All are when this is left out. */
  accepts?(uri: string): boolean;
  /** Never rejects for a file that is missing or unreadable. */
  read(uri: string): Promise<FileContents>;
}
