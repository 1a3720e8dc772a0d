import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import type { Fetched } from '../files/fetched.ts';
import type { KustomizationGraph } from '../kustomize/kustomization-graph.ts';
import type { SourceFiles } from '../files/source-files.ts';

/** An object that a source makes, and the document that it is shown in. */
export interface MadeObject {
  readonly object: ManifestObject;
  readonly file: ManifestFile;
  readonly index: number;
}

export interface ReadingContext {
  readonly files: SourceFiles;
  readonly graph: KustomizationGraph;
  readonly fetched: Fetched;
  /** A file as text with documents; null when it cannot be read. */
  readonly parsed: (path: string) => Promise<ManifestFile | null>;
}
