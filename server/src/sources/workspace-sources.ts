import { URI } from 'vscode-uri';
import { eachInSlices } from '../kit/run-in-slices.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { type AppliedSources, applySources } from './apply-sources.ts';
import type { InstalledChart } from './chart.ts';
import { repositoryOf } from './discover.ts';
import { Fetched } from './fetched.ts';
import { pathOf } from './path-of.ts';
import { RenderQueue } from './render-queue.ts';
import { isInside, realPath, shownPath, SourceFiles } from './source-files.ts';
import { Readings } from './readings.ts';
import type { Refusal, Source } from './source.ts';
import { findTargets, type Target, type Targets } from './targets.ts';
import type { Tools } from './tools.ts';
import { type World, worldsOf } from './world.ts';
import { compileGlob } from '../manifests/glob-pattern.ts';

export interface SourcesRequest {
  /** Absolute paths of the folders that are worked on. */
  readonly roots: readonly string[];
  /** Absolute paths of all files that were found in them. */
  readonly paths: readonly string[];
  /** Those of them that are read, and whatever else counts, such as standard input. */
  readonly plain: readonly ManifestFile[];
  /** By absolute path, text that counts instead of what is on disk. */
  readonly unsaved: ReadonlyMap<string, string | null>;
  /** Globs of what is no part of the cluster, besides what never is. */
  readonly exclude: readonly string[];
  /** Null where nothing may be rendered. */
  readonly tools: Tools | null;
  readonly whyNot: Refusal['why'];
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

export interface FoundSources {
  readonly applied: AppliedSources;
  readonly targets: Targets;
  world(target: Target): World;
}

/** What the files of some folders come to, when what makes objects of them has been asked. */
export class WorkspaceSources {
  readonly #queue: RenderQueue;
  readonly #readings = new Readings();
  #parsed: ParsedTexts = new Map();
  #places: Places | undefined;

  /** @param tell hears of each source that is rendered, and its number */
  constructor(tell?: (source: Source, place: number) => void) {
    this.#queue = new RenderQueue(tell);
  }

  async find(request: SourcesRequest): Promise<FoundSources> {
    const { roots, paths, plain, tools, whyNot, choose, isWanted, kubernetes, signal } = request;
    const fetched = await Fetched.read(request.storage, roots);
    const files = new SourceFiles(request.unsaved);
    const { rootOf, isLeftOut } = this.#placesIn(roots, request.exclude);
    const texts: ParsedTexts = new Map();
    const parsed = parser(plain, files, this.#parsed, texts);
    const applied: { sources: AppliedSources['sources'][number][]; inputs: Set<string> } = {
      sources: [],
      inputs: new Set(),
    };
    for (const root of roots) {
      const repository = await repositoryOf(root);
      const own: string[] = [];
      await eachInSlices(paths, (path) => {
        if (rootOf(path) === root && !isLeftOut(path)) own.push(path);
      });
      const manifests = new Map<string, ManifestFile>();
      await eachInSlices(plain, (file) => {
        const path = pathOf(file.uri);
        if (path !== null && rootOf(path) === root && !isLeftOut(path)) manifests.set(path, file);
      });
      const found = await applySources(
        { root, repository, paths: own, files, manifests, fetched, installed: request.installed },
        {
          queue: this.#queue,
          readings: this.#readings,
          render:
            tools === null
              ? null
              : { boundary: await realPath(repository), fetched, workedOn: [...roots, repository], tools, kubernetes },
          whyNot,
          choose,
          isWanted,
          parsed,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      applied.sources.push(...found.sources);
      for (const file of found.inputs) applied.inputs.add(file);
    }
    // What nobody asked for this time is not kept.
    this.#parsed = texts;
    const targets = findTargets(applied.sources.filter(({ parent }) => parent === null).map(({ source }) => source));
    const isExcludedUri = (uri: string): boolean => {
      const path = pathOf(uri);
      return path !== null && isLeftOut(path);
    };
    return { applied, targets, world: worldsOf(plain, applied, isExcludedUri) };
  }

  /** Kept, as thousands of paths are asked for at each edit. */
  #placesIn(roots: readonly string[], exclude: readonly string[]): Places {
    const key = JSON.stringify([roots, exclude]);
    if (this.#places?.key !== key) this.#places = placesIn(key, roots, exclude);
    return this.#places;
  }
}

/** Where a path belongs. */
interface Places {
  readonly key: string;
  readonly rootOf: (path: string) => string | undefined;
  /** Whether it is no part of what is applied. */
  readonly isLeftOut: (path: string) => boolean;
}

function placesIn(key: string, roots: readonly string[], exclude: readonly string[]): Places {
  const isExcluded = excludes(exclude);
  const known = new Map<string, { readonly root: string | undefined; readonly isOut: boolean }>();
  const place = (path: string): { readonly root: string | undefined; readonly isOut: boolean } => {
    let found = known.get(path);
    if (found === undefined) {
      const root = roots.filter((each) => isInside(path, each)).sort((a, b) => b.length - a.length)[0];
      found = { root, isOut: root !== undefined && isExcluded(shownPath(path, root)) };
      known.set(path, found);
    }
    return found;
  };
  return { key, rootOf: (path) => place(path).root, isLeftOut: (path) => place(path).isOut };
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
  return (path) => {
    let file = known.get(path);
    if (file === undefined) known.set(path, (file = read(path)));
    return file;
  };
}

/** Folders with code and tests of others, and what was put away: what is in them is no part of a cluster. */
const excludedFolders = ['.archive', '.terraform', 'node_modules', 'testdata', 'third_party', 'vendor'];

/** Whether a path, relative to the folder that is worked on, is no part of what is applied. */
function excludes(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map((glob) => compileGlob(glob));
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    if (folders.some((folder) => excludedFolders.includes(folder))) return true;
    const inTests = folders.findIndex(
      (folder, index) => folder === 'fixtures' && /^tests?$|^e2e$/.test(folders[index - 1] ?? ''),
    );
    return inTests !== -1 || tests.some((matches) => matches(path));
  };
}
