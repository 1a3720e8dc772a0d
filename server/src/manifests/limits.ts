/** How much of hostile or huge input is read before a clear problem takes its place. */
export interface ReadLimits {
  /** UTF-16 units of a whole file. */
  readonly fileLength: number;
  /** UTF-16 units of one document. */
  readonly documentLength: number;
  /** Documents of a file; those after the last are not read. */
  readonly documents: number;
  /** The text of a schema, which is not read, is not kept either: the document ends behind the group. */
  readonly cutsSchemas?: true;
}

/**
 * For files that are edited. A document may be as large as a request to the API server.
 * Source: staging/src/k8s.io/apiserver/pkg/server/config.go (MaxRequestBodyBytes: 3 MiB)
 */
export const editorLimits: ReadLimits = {
  fileLength: 5 * 1024 * 1024,
  documentLength: 3 * 1024 * 1024,
  documents: 5_000,
};

/** For files that are read once and never edited. */
export const fileLimits: ReadLimits = { ...editorLimits, cutsSchemas: true };

/** For what tools print or another program hands over, which is read once and not while somebody types. */
export const outputLimits: ReadLimits = {
  fileLength: 256 * 1024 * 1024,
  documentLength: 256 * 1024 * 1024,
  documents: 200_000,
};

/** For a cluster snapshot, which is read piece by piece. */
export const snapshotLimits = {
  /** Bytes. */
  file: 1024 * 1024 * 1024,
  /** UTF-16 units of YAML, of which reading takes much longer. */
  yaml: 256 * 1024 * 1024,
  /** UTF-16 units of what has to be read in one piece: an item, a document that is no list, a list of another form. */
  piece: 8 * 1024 * 1024,
  documents: 200_000,
  objects: 1_000_000,
} as const;

/** Levels of nesting that are read. Real manifests stay below 60; recursion over 250 levels is safe on any stack. */
export const maxDepth = 250;

/**
 * Values that aliases and merge keys of one document may add by repetition. go-yaml allows 99 % of 400,000 decoded
 * values to come from aliases, and less of larger documents.
 * Source: sigs.k8s.io/yaml/goyaml.v2/decode.go (alias_ratio_range_low)
 */
export const maxAliasedValues = 400_000;

/** Problems reported per document; what follows is noise of the first ones. */
export const maxProblems = 20;
