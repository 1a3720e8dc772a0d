import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';
import type { ManifestFile } from '../manifests/manifest.ts';
import { findTools, noTools, type Tools } from '../sources/tools.ts';
import type { Target, Targets } from '../sources/targets.ts';
import { type FoundSources, WorkspaceSources } from '../sources/workspace-sources.ts';
import { UsageError, type CommandContext } from './command.ts';

/** Options of every command that reads what would be applied. */
export const sourceOptions = {
  'no-render': { type: 'boolean', default: false },
  target: { type: 'string' },
  exclude: { type: 'string', multiple: true },
} as const;

export const sourceHelp = `  --target NAME          of alternatives (overlays of one base, value files of one chart) the one of
                         this name; podium sources lists them
  --exclude GLOB         files that are no part of the cluster (may be repeated); never are those in
                         vendor, node_modules, third_party, testdata, test/fixtures and .terraform
  --no-render            run neither kubectl nor kustomize nor helm
`;

export interface SourceValues {
  readonly 'no-render': boolean;
  readonly target?: string | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export interface ReadSources extends FoundSources {
  /** Those that were asked for. */
  readonly chosen: readonly Target[];
  readonly tools: Tools;
}

/** Finds and renders the sources among some files. Throws `UsageError` for a target that is not there. */
export async function readSources(
  paths: readonly string[],
  plain: readonly ManifestFile[],
  values: SourceValues,
  { cwd }: CommandContext,
  choose: (targets: Targets) => readonly Target[] = ({ preferred }) => [preferred],
  unsaved: ReadonlyMap<string, string | null> = new Map(),
): Promise<ReadSources> {
  const roots = paths
    .filter((path) => path !== '-')
    .map((path) => resolve(cwd, path))
    .filter(isFolder);
  const files = plain.flatMap(({ uri }) => (uri.startsWith('file:') ? [URI.parse(uri).fsPath] : []));
  const tools = values['no-render'] ? noTools : findTools(roots);
  const found = await new WorkspaceSources().find({
    roots,
    paths: files,
    plain,
    unsaved,
    exclude: values.exclude ?? [],
    tools: values['no-render'] ? null : tools,
    whyNot: 'not-asked',
    kubernetes: '1.34',
    choose: (targets) => {
      const named = targets.all.filter(({ name }) => name === values.target);
      return values.target === undefined ? choose(targets) : named.length > 0 ? named : [targets.preferred];
    },
    fetchedChart: () => Promise.resolve(null),
  });
  const chosen = values.target === undefined ? choose(found.targets) : [targetNamed(values.target, found.targets)];
  return { ...found, tools, chosen };
}

function targetNamed(name: string, { all }: Targets): Target {
  const found = all.find((target) => target.name === name);
  if (found !== undefined) return found;
  const known = all.map((target) => target.name).filter((each) => each !== '');
  throw new UsageError(
    known.length === 0
      ? `there is no target '${name}', as nothing is there in more than one version`
      : `there is no target '${name}'; there are ${known.join(', ')}`,
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
