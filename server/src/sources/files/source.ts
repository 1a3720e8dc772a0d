import { sayUnstopped } from '../../util/say.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { Remote } from './remote.ts';

export type SourceKind =
  'kustomization' | 'chart' | 'flux-kustomization' | 'helm-release' | 'argo-application' | 'helmfile' | 'other';

/** Where a source is written: the file that findings about it belong to. */
export interface SourcePlace {
  /** Absolute path. */
  readonly file: string;
  /** From 0. */
  readonly line: number;
}

/** Why a source is not rendered, or was not. */
export type WhyNot =
  | 'not-asked'
  | 'not-trusted'
  | 'not-allowed'
  | 'no-tool'
  | 'remote'
  | 'missing'
  | 'not-in-git'
  | 'inflates-chart'
  | 'unreadable'
  | 'not-supported'
  | 'outside'
  | 'no-sandbox'
  | 'not-applied'
  | 'tool-error'
  | 'too-late'
  | 'too-much';

/** Entries and files that the message of a refusal names before it only counts. */
export const mostNamed = 8;

export interface Refusal {
  readonly why: WhyNot;
  /** One sentence without a full stop; the tool's own words where it has any. */
  readonly message: string;
  /** The same of several sources of which each lacks another thing of that kind. */
  readonly ofSeveral?: string;
  readonly place: SourcePlace;
  /** The tool that is not installed. */
  readonly tool?: 'kubectl' | 'helm';
  /** Refusals with one cause are told as one, with the number of the others. */
  readonly cause?: string;
}

/** Rendered by `kubectl kustomize` or `kustomize build`, through an overlay of Podium's own. */
export interface KustomizeRecipe {
  readonly tool: 'kustomize';
  readonly folder: string;
  /** What the overlay adds: namespace, patches, images and the like. */
  readonly overlay: JsonObject;
  /** Files and folders below it that the overlay lists, where it has no kustomization; null where it has one. */
  readonly files: readonly string[] | null;
  /** Flux replaces `${name}` in what comes out; null where nobody does. */
  readonly substitute: ReadonlyMap<string, string> | null;
  /** Whether others have a value as well that nobody knows here: of a Secret, or of what is not in the workspace. */
  readonly hasUnknown: boolean;
  /** For objects that name none; empty to leave them as they are. */
  readonly namespace: string;
  /** Whether files outside of a kustomization's folder are read, which kustomize refuses unasked; Flux asks for it. */
  readonly readsOutside: boolean;
}

export interface FetchedDependency {
  /** Path below the folder `charts`: `common`, or `web/charts/common` for what a dependency depends on. */
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
}

/** Rendered by `helm template`. */
export interface HelmRecipe {
  readonly tool: 'helm';
  readonly chart: string;
  /** Charts that it depends on, fetched or of the workspace: they are put into its `charts` for the rendering. */
  readonly dependencies: readonly FetchedDependency[];
  readonly release: string;
  readonly namespace: string;
  /** Absolute paths, the last wins. */
  readonly valueFiles: readonly string[];
  /** Value files for tests, of which the first that renders is used where the chart does not render without. */
  readonly testValues?: readonly string[];
  /** Set where the user named the value files, which may then lie outside of what is worked on. */
  readonly areFilesOfUser?: true;
  /** Values written in an object, after those of the files. */
  readonly values: readonly JsonObject[];
  /** What ConfigMaps give it of that, in the order in which they are merged. */
  readonly configMaps: readonly ConfigMapValues[];
  /** What is done to what comes out; null where nothing is. */
  readonly postRendering: PostRendering | null;
  /** `--set` and `--set-string`, after everything else. */
  readonly parameters: readonly { readonly name: string; readonly value: string; readonly isString: boolean }[];
}

/** Values of a chart in a ConfigMap. */
export interface ConfigMapValues {
  /** Where the ConfigMap is written. */
  readonly place: SourcePlace;
  readonly name: string;
  readonly key: string;
  /** Which value it is; empty for all of them. */
  readonly targetPath: string;
}

/** Kustomizations that Flux has change what helm makes, one after the other. */
export interface PostRendering {
  readonly steps: readonly JsonObject[];
  /** Whether hooks are changed: with the rest, by themselves, or not. */
  readonly strategy: 'combined' | 'separate' | 'nohooks';
}

/** A folder whose manifests are applied as they stand. */
export interface FolderRecipe {
  readonly tool: 'none';
  readonly files: readonly string[];
  readonly namespace: string;
}

export type Recipe = KustomizeRecipe | HelmRecipe | FolderRecipe;

/** Absolute paths of all files that a source is made of. */
export function filesOfSource({
  inputs,
  resources,
  recipe,
}: Pick<Source, 'inputs' | 'resources' | 'recipe'>): string[] {
  return [...inputs, ...resources, ...(recipe?.tool === 'helm' ? recipe.valueFiles : [])];
}

/** What there is of a source of which no file is known. */
export const noFiles: Pick<Source, 'inputs' | 'resources' | 'remotes' | 'standIns' | 'plugins'> = {
  inputs: new Set(),
  resources: new Set(),
  remotes: [],
  standIns: [],
  plugins: new Map(),
};

/** A source on which Podium failed by a mistake of its own: of it no more is known than where it is written. */
export function failedSource(kind: SourceKind, name: string, place: SourcePlace, failure: string): Source {
  const message = sayUnstopped(failure);
  return {
    id: `failed:${kind}:${place.file}:${place.line}`,
    kind,
    name,
    place,
    recipe: null,
    refusal: { why: 'unreadable', message, place },
    ...noFiles,
    isPlain: true,
    groups: [],
    labels: [],
  };
}

/** A chart that stands for a resource of a kustomization. */
export interface InflatedChart {
  /** Absolute paths: the chart, its value files, and where what comes out of it is looked for. */
  readonly folder: string;
  readonly valueFiles: readonly string[];
  readonly target: string;
  readonly values: JsonObject;
  /** As it is written. */
  readonly release: string;
  readonly namespace: string;
  readonly flags: readonly string[];
}

/** A kustomization, and what stands in it for remote entries that were fetched, and for links. */
export interface StandIns {
  /** The kustomization. */
  readonly file: string;
  readonly value: JsonObject;
  /** Absolute paths, by the entry as written. */
  readonly paths: ReadonlyMap<string, string>;
  /** Whether it is without the plugins that decrypt. */
  readonly isLess?: true;
  /** Whether it is without resources or charts that are not here. */
  readonly leavesOut?: true;
  /** Charts of which it takes what comes out. */
  readonly charts?: readonly InflatedChart[];
  /** Whether it puts generators or transformers together, so that what these will read stands in no file. */
  readonly buildsPlugins?: true;
}

/** Files of generators, transformers and validators, with what their documents say. */
export type PluginFiles = ReadonlyMap<string, readonly Json[]>;

/** Something that turns files into the objects that are applied. */
export interface Source {
  /** The same for the same source in every discovery. */
  readonly id: string;
  readonly kind: SourceKind;
  /** What people call it: `overlays/prod`, `Application guestbook`. */
  readonly name: string;
  readonly place: SourcePlace;
  /** Null for what cannot be rendered at all; `refusal` says why. */
  readonly recipe: Recipe | null;
  readonly refusal: Refusal | null;
  /** Files that are no manifests of their own: patches, templates, values, kustomizations. */
  readonly inputs: ReadonlySet<string>;
  /** Manifests that it takes; where it cannot be rendered they are read as they stand. */
  readonly resources: ReadonlySet<string>;
  /** What it needs that does not lie in the workspace, whether it was fetched or not. */
  readonly remotes: readonly Remote[];
  /** Its kustomizations, and what stands in them for such things. */
  readonly standIns: readonly StandIns[];
  readonly plugins: PluginFiles;
  /** What it takes that nobody can know here: one sentence each, without a full stop. */
  readonly lacks?: readonly string[];
  /** What it is rendered without: resources and charts that are not here. Where the rest fails by that, why it does. */
  readonly leftOut?: Refusal;
  /** Folders that it applies with values which are not known here. */
  readonly applies?: readonly string[];
  /** Whether who applies it removes what it no longer makes; left out where that goes by its kind. */
  readonly prunes?: boolean;
  /** Whether what it takes comes out as it is written, but for the namespace. */
  readonly isPlain: boolean;
  /** Sources with a group in common make the same objects for different places: one of them is chosen. */
  readonly groups: readonly string[];
  /** What a kustomization makes of namespaces and names, if anything: the same base with another is other objects. */
  readonly renames?: string;
  /** Names that tell alternatives apart, the nearest first: `prod`. */
  readonly labels: readonly string[];
}
