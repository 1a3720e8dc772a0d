import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { Chart } from '../helm/chart.ts';
import type { Fetched } from '../files/fetched.ts';
import type { FillingRoom } from '../files/go-template-pieces.ts';
import type { KustomizationGraph } from '../kustomize/kustomization-graph.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { SourcePlace } from '../files/source.ts';

/** An object of Flux or Argo CD: it says what is applied, from where, and with what changes. */
export interface DeliveryObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly value: JsonObject;
  readonly place: SourcePlace;
}

/** A ConfigMap whose data is known, and where it is written. */
export interface ConfigMapHere {
  readonly data: JsonObject;
  readonly place: SourcePlace;
  /** Whether several clusters have one of that name, and nobody knows here which is meant. */
  readonly isOneOfSeveral: boolean;
}

/** What the readers of those objects look things up in. */
export interface DiscoveryContext {
  /** The folder that is worked on. */
  readonly root: string;
  readonly files: SourceFiles;
  readonly graph: KustomizationGraph;
  /** A folder that an object names relative to its repository; null when it is not there. */
  folderInRepository(path: string): Promise<string | null>;
  /**
   * The same of what is packed from the repository, or from the one folder of it that has such a path, as by
   * `flux push artifact --path`.
   */
  folderOfPacked(path: string): Promise<string | null>;
  /** What was fetched before. */
  readonly fetched: Fetched;
  chartIn(folder: string): Promise<Chart | null>;
  /** The `spec` of a repository of Flux, as it is written in the workspace; null where it is not. */
  fluxRepository(kind: string, namespace: string, name: string): JsonObject | null;
  /** The `spec` of each ArtifactGenerator of Flux in the workspace. */
  artifactGenerators(): readonly JsonObject[];
  /** Whether a repository's URL, at a branch that is here, is that of the folder that is worked on; also where nobody can tell. */
  isOwnRepository(url: string, branch?: string): Promise<boolean>;
  /** The data of a ConfigMap that is made beside the object, or lies in the workspace in plain text; null without one. */
  readonly configMap: (namespace: string, name: string) => Promise<ConfigMapHere | null>;
  readonly parse: (text: string) => { readonly value: Json; readonly problem: string | null };
  /** For what is filled into the templates of all ApplicationSets together. */
  readonly fillingRoom: FillingRoom;
}
