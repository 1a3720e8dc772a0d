import { sep } from 'node:path';
import { URI } from 'vscode-uri';
import { getOrInsert } from '../../util/maps.ts';
import { eachInSlices } from '../../util/run-in-slices.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import type { AppliedSource } from './applied-source.ts';
import { type AppliedSources, applySources } from './apply-sources.ts';
import type { Gates } from '../../kubernetes/feature-gates.ts';
import { featureGatesIn } from '../files/feature-gates.ts';
import { OtherFiles } from '../files/other-files.ts';
import type { InstalledChart } from '../helm/chart.ts';
import { Boundary } from '../files/boundary.ts';
import { folderOfAll, repositoryAt } from '../discover/discover.ts';
import { Fetched } from '../files/fetched.ts';
import { chosenBy, foldersOfTests, leftOutByName, type WhyLeftOut } from '../files/left-out.ts';
import { pathOf } from '../files/path-of.ts';
import { RenderQueue } from '../rendering/render-queue.ts';
import { isInside, shownPath } from '../files/paths.ts';
import { SourceFiles } from '../files/source-files.ts';
import { Readings } from '../rendering/readings.ts';
import { filesOfSource, type Refusal, type Source } from '../files/source.ts';
import { quoteWordsOfPaths } from '../rendering/made-words.ts';
import { otherWaysOf, targetsOf } from './two-ways.ts';
import type { Target, Targets } from './targets.ts';
import type { Tools } from '../tools/tools.ts';
import { type RenderedTarget, renderedTargetsOf } from './rendered-target.ts';

export interface SourcesRequest {
  /** Absolute paths of the folders that are worked on. */
  readonly roots: readonly string[];
  /** Folders outside of which nothing is read, links followed; left out: the repositories of the roots. */
  readonly served?: readonly string[] | undefined;
  /** The folder that Podium was started in, up to which kustomizations may reach where there is no repository. */
  readonly startedIn?: string;
  /** Absolute paths of all files that were found in them. */
  readonly paths: readonly string[];
  /** Those of them that are read, and whatever else counts, such as standard input. */
  readonly plain: readonly ManifestFile[];
  /** By absolute path, text that counts instead of what is on disk. */
  readonly unsaved: ReadonlyMap<string, string | null>;
  /** Globs of what is no part of the cluster, besides what never is; behind `!` of what is all the same. */
  readonly exclude: readonly string[];
  /** The same of folders, by their URIs, the inner ones first; what `exclude` says wins. */
  readonly folders?: readonly FolderGlobs[] | undefined;
  readonly tools: Tools;
  /** Why the tools may not be run; null where they may. */
  readonly whyNot: Refusal['why'] | null;
  /** Minor release that charts are rendered for. */
  readonly kubernetes: string;
  readonly choose: (targets: Targets) => readonly Target[];
  readonly isWanted?: ((source: Source) => boolean) | undefined;
  /** Where what was fetched lies; null where nothing is. */
  readonly storage: string | null;
  /** How charts are installed, where somebody says so. */
  readonly installed?: InstalledChart | null;
  readonly signal?: AbortSignal;
}

interface FolderGlobs {
  readonly folder: string;
  readonly exclude: readonly string[];
}

export interface FoundSources {
  readonly applied: AppliedSources;
  readonly targets: Targets;
  rendered(target: Target): RenderedTarget;
  /** How many files are left out as tests, examples and earlier releases. */
  readonly tests: number;
  /** Feature gates that the configuration of a cluster among the files switches. */
  readonly featureGates: Gates;
}

/** What the files of some folders come to, when what makes objects of them has been asked. */
export class WorkspaceSources {
  readonly #queue: RenderQueue;
  readonly #readings = new Readings();
  readonly #otherFiles = new OtherFiles();
  #parsed: ParsedTexts = new Map();
  #places: Places | undefined;

  /** @param onRendering hears of each source that is rendered, and its number */
  constructor(onRendering?: (source: Source, place: number) => void, queue = new RenderQueue(onRendering)) {
    this.#queue = queue;
  }

  /** Something is another on disk. Answers whether a rendering that has failed read it, which is tried again. */
  changedOnDisk(path: string): boolean {
    return this.#queue.forgetFailed(path);
  }

  async find(request: SourcesRequest): Promise<FoundSources> {
    const { roots, paths, plain, tools, whyNot, choose, isWanted, kubernetes, signal } = request;
    const fetched = await Fetched.read(request.storage, roots);
    const repositories = await Promise.all(roots.map((root) => repositoryOf(root, request, fetched)));
    const readable = [...(request.served ?? repositories), ...(fetched.folder === null ? [] : [fetched.folder])];
    const boundary = await Boundary.of(readable, request.installed?.valueFiles);
    const files = new SourceFiles(boundary, request.unsaved);
    const below = await Promise.all(roots.map((root) => this.#otherFiles.below(root, paths.length)));
    const testCode = below.flatMap((each) => each.testCode);
    const { rootOf, whyLeftOut } = this.#placesIn(request, foldersOfTests(paths, plain, testCode));
    const isLeftOut = (path: string): boolean => whyLeftOut(path) !== null;
    const texts: ParsedTexts = new Map();
    const parsed = parser(plain, files, this.#parsed, texts);
    const applied: { sources: AppliedSource[]; written: Source[]; inputs: Set<string> } = {
      sources: [],
      written: [],
      inputs: new Set(),
    };
    const others: string[] = [];
    for (const [index, root] of roots.entries()) {
      const repository = repositories[index]!;
      const own: string[] = [];
      const beside = below[index]!.others.filter((path) => !isLeftOut(path));
      others.push(...beside);
      await eachInSlices(paths, (path) => {
        if (rootOf(path) === root && !isLeftOut(path)) own.push(path);
      });
      const manifests = new Map<string, ManifestFile>();
      await eachInSlices(plain, (file) => {
        const path = pathOf(file.uri);
        if (path !== null && rootOf(path) === root && !isLeftOut(path)) manifests.set(path, file);
      });
      const found = await applySources(
        { root, repository, paths: own, others: beside, files, manifests, fetched, installed: request.installed },
        {
          queue: this.#queue,
          readings: this.#readings,
          render: { boundary: repository, fetched, workedOn: [...roots, repository], tools, kubernetes },
          whyNot,
          choose,
          isWanted,
          parsed,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      applied.sources.push(...found.sources);
      applied.written.push(...found.written);
      for (const file of found.inputs) applied.inputs.add(file);
    }
    for (const { source } of applied.sources) quoteWordsOfPaths([source.place.file, ...filesOfSource(source)]);
    // What nobody asked for this time is not kept.
    this.#parsed = texts;
    const isExcludedUri = (uri: string): boolean => {
      const path = pathOf(uri);
      return path !== null && isLeftOut(path);
    };
    const tests = plain.filter(({ uri }) => whyLeftOut(pathOf(uri) ?? uri) === 'test').length;
    const featureGates = await featureGatesIn(
      [...paths, ...others].filter((path) => !isLeftOut(path)),
      files,
    );
    const taken = new Set([...applied.inputs, ...applied.sources.flatMap(({ source }) => [...source.resources])]);
    const free = plain.filter(({ uri }) => !isExcludedUri(uri) && !taken.has(pathOf(uri) ?? uri));
    const targets = targetsOf(applied.written, otherWaysOf(applied.sources, free));
    return { applied, targets, rendered: renderedTargetsOf(plain, applied, isExcludedUri), tests, featureGates };
  }

  /** Kept, as thousands of paths are asked for at each edit. */
  #placesIn({ roots, exclude, folders = [] }: SourcesRequest, tests: readonly string[]): Places {
    const globs = folders.filter((each) => each.exclude.length > 0);
    const key = JSON.stringify([roots, exclude, tests, globs.map((each) => [each.folder, each.exclude])]);
    if (this.#places?.key !== key) this.#places = placesIn(key, roots, exclude, globs, tests);
    return this.#places;
  }
}

/** The repository that a folder lies in, or the nearest folder that holds all that it takes. */
async function repositoryOf(
  root: string,
  { startedIn, served, unsaved, paths }: SourcesRequest,
  fetched: Fetched,
): Promise<string> {
  const repository = await repositoryAt(root);
  if (repository !== null || startedIn === undefined || served !== undefined || !isInside(root, startedIn)) {
    return repository ?? root;
  }
  const own = paths.filter((path) => isInside(path, root));
  return folderOfAll(root, startedIn, own, new SourceFiles(await Boundary.of([startedIn]), unsaved), fetched);
}

/** Where a path belongs. */
interface Places {
  readonly key: string;
  readonly rootOf: (path: string) => string | undefined;
  /** Why it is no part of what is applied; null where it is. */
  readonly whyLeftOut: (path: string) => WhyLeftOut | null;
}

/** Faster than `isInside`, for paths that are absolute and plain. */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function placesIn(
  key: string,
  roots: readonly string[],
  exclude: readonly string[],
  folders: readonly FolderGlobs[],
  tests: readonly string[],
): Places {
  type Place = { readonly root: string | undefined; readonly why: WhyLeftOut | null };
  const known = new Map<string, Place>();
  const isChosen = chosenBy(exclude);
  const ofFolders = folders.map(({ folder, exclude: own }) => ({
    path: pathOf(folder) ?? folder,
    isChosen: chosenBy(own),
  }));
  const whyLeftOut = (path: string, root: string): WhyLeftOut | null => {
    const way = shownPath(path, root);
    let isOut = isChosen(way);
    for (const each of ofFolders) {
      if (isOut !== undefined) break;
      if (isBelow(path, each.path)) isOut = each.isChosen(shownPath(path, each.path));
    }
    if (isOut !== undefined) return isOut ? 'excluded' : null;
    const byName = leftOutByName(way);
    if (byName !== null) return byName;
    // A folder that is asked about by itself is not left out.
    const isTest = tests.some(
      (folder) => isBelow(`${path}${sep}`, folder) && folder !== root && isInside(folder, root),
    );
    return isTest ? 'test' : null;
  };
  const place = (path: string): Place =>
    getOrInsert(known, path, () => {
      const root = roots.filter((each) => isInside(path, each)).sort((a, b) => b.length - a.length)[0];
      return { root, why: root === undefined ? null : whyLeftOut(path, root) };
    });
  return { key, rootOf: (path) => place(path).root, whyLeftOut: (path) => place(path).why };
}

/** Files that are no plain manifests, with the text that they were read from. */
type ParsedTexts = Map<string, { readonly text: string; readonly file: ManifestFile }>;

/** Files as they were read before, or as they are read now. */
function parser(
  plain: readonly ManifestFile[],
  files: SourceFiles,
  before: ParsedTexts,
  now: ParsedTexts,
): (path: string) => Promise<ManifestFile | null> {
  const known = new Map<string, Promise<ManifestFile | null>>();
  for (const file of plain) known.set(pathOf(file.uri) ?? file.uri, Promise.resolve(file));
  const read = async (path: string): Promise<ManifestFile | null> => {
    const text = await files.read(path);
    if (text === null) return null;
    const last = before.get(path);
    const parsed = last?.text === text ? last : { text, file: parseManifestFile(URI.file(path).toString(), text) };
    now.set(path, parsed);
    return parsed.file;
  };
  return (path) => getOrInsert(known, path, () => read(path));
}
