import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';
import { getOrInsert } from '../util/maps.ts';
import { type Minor, minors } from '../util/minors.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import type { Declared } from '../kubernetes/objects.ts';
import { chooseRelease } from '../simulation/cluster/choose-release.ts';
import type { InstalledChart } from '../sources/helm/chart.ts';
import { kubeletVersions, writtenVersions } from '../sources/files/kubelet-versions.ts';
import { lesserMode, toolsWithoutSandbox } from '../sources/targets/lesser-mode.ts';
import { findTools, noTools, type Tools } from '../sources/tools/tools.ts';
import type { FolderSettings } from '../language/settings/settings.ts';
import type { Target, Targets } from '../sources/targets/targets.ts';
import { filesOfSource } from '../sources/files/source.ts';
import { userStorage } from '../sources/files/user-storage.ts';
import { type FoundSources, type SourcesRequest, WorkspaceSources } from '../sources/targets/workspace-sources.ts';
import { UsageError, type CommandContext } from './command.ts';

/** Options of every command that reads what would be applied. */
export const sourceOptions = {
  'no-render': { type: 'boolean', default: false },
  target: { type: 'string' },
  exclude: { type: 'string', multiple: true },
  values: { type: 'string', short: 'f', multiple: true },
  release: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
} as const;

export const sourceHelp = `  --target NAME          of alternatives (overlays of one base, value files of one chart) the one of
                         this name; podium sources lists them
  --exclude GLOB         files that are not part of the cluster (may be repeated); never are vendor,
                         node_modules, third_party, .terraform, .archive, tests, examples and
                         earlier releases; '!GLOB' takes files in again
  -f, --values FILE      of a PATH that is a chart: the values to install it with (may be repeated)
  --release NAME         of a PATH that is a chart: the name of its release; default the chart's
  -n, --namespace NAME   of a PATH that is a chart: where it is installed; default default
  --no-render            run neither kubectl nor kustomize nor helm
`;

export interface SourceValues {
  readonly 'no-render': boolean;
  readonly target?: string | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** What `podium.yaml` of folders says. */
  readonly folders?: readonly FolderSettings[] | undefined;
  readonly values?: readonly string[] | undefined;
  readonly release?: string | undefined;
  readonly namespace?: string | undefined;
  /** `auto` where it is left out. */
  readonly kubernetes?: string | undefined;
}

export interface ReadSources extends FoundSources {
  /** Those that were asked for. */
  readonly chosen: readonly Target[];
  readonly tools: Tools;
  /** Names of those that ran without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  /** Absolute paths of the folders that were named. */
  readonly roots: readonly string[];
}

/** Finds and renders the sources among some files. Throws `UsageError` for a target that is not there. */
export async function readSources(
  paths: readonly string[],
  plain: readonly ManifestFile[],
  values: SourceValues,
  context: CommandContext,
  choose: (targets: Targets) => readonly Target[] = ({ preferred }) => [preferred],
  unsaved: ReadonlyMap<string, string | null> = new Map(),
  cluster: KnownCluster | null = null,
): Promise<ReadSources> {
  const { cwd, served, progress, stderr } = context;
  const roots = paths
    .filter((path) => path !== '-')
    .map((path) => resolve(cwd, path))
    .filter(isFolder);
  const files = plain.flatMap(({ uri }) => (uri.startsWith('file:') ? [URI.parse(uri).fsPath] : []));
  const tools = values['no-render'] ? noTools : findTools(roots);
  const sources = sourcesOf(context);
  const request: SourcesRequest = {
    roots,
    served,
    startedIn: cwd,
    paths: files,
    plain,
    unsaved,
    exclude: values.exclude ?? [],
    folders: values.folders,
    tools,
    whyNot: values['no-render'] ? 'not-asked' : null,
    kubernetes: minorOf(values, plain, cluster),
    installed: installed(roots, values, cwd),
    choose: (targets) => {
      const named = targets.all.filter(({ name }) => name === values.target);
      return values.target === undefined ? choose(targets) : named.length > 0 ? named : [targets.preferred];
    },
    storage: userStorage(process),
  };
  const found = await sources.find(request).finally(() => progress?.(''));
  const withoutSandbox = toolsWithoutSandbox(found.applied.sources);
  if (withoutSandbox.length > 0) stderr.write(`podium: ${lesserMode(withoutSandbox)}\n`);
  const chosen = values.target === undefined ? choose(found.targets) : [targetNamed(values.target, found.targets)];
  return { ...found, tools, withoutSandbox, chosen, roots };
}

const known = new WeakMap<CommandContext, WorkspaceSources>();

/** One for a command: what an earlier version has in common with this one is rendered once. */
function sourcesOf(context: CommandContext): WorkspaceSources {
  return getOrInsert(
    known,
    context,
    () => new WorkspaceSources(({ name }, place) => context.progress?.(`Rendering ${name}, source ${place}`)),
  );
}

/** Absolute paths of all that sources are made of. */
export function filesOfSources({ applied }: FoundSources): ReadonlySet<string> {
  return new Set([...applied.inputs, ...applied.sources.flatMap(({ source }) => filesOfSource(source))]);
}

/** What is known of the versions in a cluster. */
export interface KnownCluster {
  readonly serverVersion: string | undefined;
  readonly objects: readonly Declared[];
}

/** The minor that charts are rendered for, which is that of everything else. */
function minorOf(
  { kubernetes = 'auto' }: SourceValues,
  plain: readonly ManifestFile[],
  cluster: KnownCluster | null,
): Minor {
  const wanted = minors.find((minor) => minor === kubernetes) ?? 'auto';
  const snapshot = kubeletVersions((cluster?.objects ?? []).map(({ object }) => object));
  const versions = { server: cluster?.serverVersion, snapshot, workspace: writtenVersions(plain) };
  return chooseRelease(wanted, versions).release.minor;
}

/** How charts that are named themselves are installed. Throws `UsageError` where no chart is. */
function installed(roots: readonly string[], values: SourceValues, cwd: string): InstalledChart | null {
  const { values: files = [], release, namespace } = values;
  if (files.length === 0 && release === undefined && namespace === undefined) return null;
  const folders = roots.filter((root) => existsSync(join(root, 'Chart.yaml')));
  if (folders.length === 0) throw new UsageError('--values, --release and --namespace are for a PATH that is a chart');
  const valueFiles = files.map((file) => resolve(cwd, file));
  const missing = valueFiles.find((file) => !existsSync(file));
  if (missing !== undefined) throw new UsageError(`no such file: ${displayedPath(missing, cwd)}`, true);
  return { folders, valueFiles, release, namespace };
}

function targetNamed(name: string, { all }: Targets): Target {
  const found = all.find((target) => target.name === name);
  if (found !== undefined) return found;
  const known = all.map((target) => target.name).filter((each) => each !== '');
  throw new UsageError(
    known.length === 0
      ? `there is no target '${name}', as nothing is there in more than one version`
      : `there is no target '${name}'; there are ${known.join(', ')}`,
    true,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What cannot be looked at was told of when it was read.
    return false;
  }
}

/** A path as output shows it: relative to the working folder, with `/`. */
export function displayedPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return (way === '' ? '.' : way).split(sep).join('/');
}
