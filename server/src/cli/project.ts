import { existsSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type ParseArgsConfig } from 'node:util';
import { URI } from 'vscode-uri';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import { isSecret } from '../sources/files/boundary.ts';
import { leftOutByName } from '../sources/files/left-out.ts';
import { isInside, shownPath } from '../sources/files/paths.ts';
import { committedText } from '../language/history/committed-texts.ts';
import {
  folderSettings,
  idleSettings,
  isManifest,
  type Project,
  projectFileName,
  readProject,
  severitiesOf,
} from '../language/settings/project-file.ts';
import type { FolderSettings } from '../language/settings/settings.ts';
import { didYouMean, parseArguments } from './arguments.ts';
import { displayPath } from './display-path.ts';
import { type CommandContext, UsageError } from './command.ts';
import { changesOf } from './load-manifests.ts';
import { pathToUri } from './read-files.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArguments<T>>;

/** Arguments, and what files of settings say of their folders. */
interface ParsedInProject<T extends Options> {
  readonly values: Parsed<T>['values'] & { readonly folders: readonly FolderSettings[] };
  readonly positionals: readonly string[];
}

/**
 * As `parseArguments`, with what the settings of the repository say where the arguments say nothing: the files
 * `podium.yaml` at and above the paths, of which the nearest wins, and those below for their folders. Throws
 * `UsageError`, also for a file that is wrong.
 * @param rules those that there are, of a command that judges by them
 * @param places what is asked about where the arguments name no path
 */
export async function parseInProject<const T extends Options>(
  args: readonly string[],
  options: T,
  context: CommandContext,
  rules?: ReadonlyMap<string, unknown>,
  places: readonly string[] = [],
): Promise<ParsedInProject<T>> {
  const own = parseArguments(args, options);
  // An editor has its own.
  if (context.open !== undefined) return { ...own, values: { ...own.values, folders: [] } };
  const { since, severity = [] } = own.values as { readonly since?: string; readonly severity?: readonly string[] };
  const isSet = (code: string): boolean => severity.some((word) => word.startsWith(`${code}=`));
  const given: string[] = [];
  const folders: FolderSettings[] = [];
  const idle: string[] = [];
  const paths = own.positionals.length > 0 ? own.positionals : places;
  for (const file of await settingsFiles(paths, since, context)) {
    const shown = displayPath(pathToUri(file.path, context.cwd), context.cwd);
    const read = await readSettings(file, shown, rules).catch((error: unknown) => {
      // One folder's mistake does not keep the others from being judged.
      if (file.isAbove || !(error instanceof UsageError)) throw error;
      idle.push(`${error.message}; this file is not used`);
    });
    if (read === undefined) continue;
    const { project } = read;
    const folder = URI.file(dirname(file.path)).toString();
    if (file.isAbove) {
      given.push(...(await argumentsOf(file.path, project, options, args, context)));
      folders.push({ ...folderSettings(folder, project), rules: new Map() });
    } else {
      folders.push(folderSettings(folder, project, isSet));
      idle.push(...idleSettings(read).map((fault) => `${shown}:${fault}`));
    }
  }
  // Of an option that is given twice the last one counts; those that may be repeated add up.
  const { values, positionals } = parseArguments([...given, ...args], options);
  for (const each of idle) context.stderr.write(`podium: ${each}\n`);
  return { values: { ...values, folders: folders.reverse() }, positionals };
}

interface SettingsFile {
  readonly path: string;
  readonly text: string;
  /** Whether all that is asked about lies below its folder. */
  readonly isAbove: boolean;
}

/** From the top down: at or above what all paths have in common, within the repository or the folder that is worked on; and below. */
async function settingsFiles(
  paths: readonly string[],
  since: string | undefined,
  context: CommandContext,
): Promise<readonly SettingsFile[]> {
  const { cwd, served } = context;
  const places = paths.filter((path) => path !== '-').map((path) => resolve(cwd, path));
  const there = places.filter((path) => existsSync(path));
  const [first = cwd, ...others] = there;
  let common = first;
  while (!others.every((path) => isInside(path, common)) && dirname(common) !== common) common = dirname(common);
  const isServed = (folder: string): boolean => served === undefined || served.some((one) => isInside(folder, one));
  const above = new Set(foldersUp(common, cwd).filter(isServed));
  const below = await new NodeFileProvider(there).find();
  const between = there.flatMap((place) => foldersUp(place, cwd).filter((folder) => isInside(folder, common)));
  const candidates = new Set([
    ...[...above, ...between].map((folder) => join(folder, projectFileName)),
    ...below.map((uri) => URI.parse(uri).fsPath).filter((path) => basename(path) === projectFileName),
  ]);
  const isCounted = (path: string): boolean =>
    above.has(dirname(path)) || leftOutByName(shownPath(path, common)) === null;
  const files = [...candidates].filter((path) => isCounted(path) && existsSync(path) && statSync(path).isFile());
  const before = since === undefined ? new Map<string, string | null>() : await textsAt(since, files, there, context);
  for (const path of before.keys()) if (isCounted(path) && !files.includes(path)) files.push(path);
  const found: SettingsFile[] = [];
  for (const path of files.sort((a, b) => a.length - b.length)) {
    const isAbove = above.has(dirname(path));
    const committed = before.get(path);
    const text = committed === undefined ? await readFile(path, 'utf8') : committed;
    // Another program's file of that name, or a manifest, is no mistake below.
    if (text !== null && (isAbove || !isManifest(text))) found.push({ path, text, isAbove });
  }
  return found;
}

/** A folder and those above it, up to the top of its repository or to the folder that is worked on. */
function foldersUp(path: string, cwd: string): readonly string[] {
  const isEnd = (folder: string): boolean =>
    existsSync(join(folder, '.git')) || folder === cwd || dirname(folder) === folder;
  let folder = path;
  const all = [folder];
  while (!isEnd(folder)) all.push((folder = dirname(folder)));
  // Outside of a repository and of the folder that is worked on, what lies above is of somebody else.
  return dirname(folder) === folder && folder !== cwd ? all.slice(0, 1) : all;
}

/**
 * What files were in the commit that is compared with, as what is compared may not choose how it is judged: a pull
 * request could turn its rules off. Null where one was not there; those that are gone are among them.
 */
async function textsAt(
  commit: string,
  files: readonly string[],
  places: readonly string[],
  context: CommandContext,
): Promise<ReadonlyMap<string, string | null>> {
  const roots = [...new Set(places.map((place) => foldersUp(place, context.cwd).at(-1)!))];
  const tops = new Set(places.flatMap((place) => foldersUp(place, context.cwd)));
  const { contents } = await changesOf(
    places.map((place) => displayPath(pathToUri(place, context.cwd), context.cwd) || '.'),
    commit,
    {
      roots,
      files,
      includes: (path) =>
        basename(path) === projectFileName &&
        (tops.has(dirname(path)) || places.some((place) => isInside(path, place))),
    },
  );
  return new Map(
    [...contents].map(([path, content]) => {
      const read = committedText(content);
      return [path, 'text' in read ? read.text : null];
    }),
  );
}

/** @param shown its path in messages */
async function readSettings(
  { path, text }: SettingsFile,
  shown: string,
  rules: ReadonlyMap<string, unknown> | undefined,
): Promise<Exclude<ReturnType<typeof readProject>, { fault: string }>> {
  // What is wrong with it is told in its words, which may not be those of another file.
  const real = await realpath(path).catch(() => path);
  if (!isInside(real, await realpath(dirname(path)).catch(() => dirname(path)))) {
    throw new UsageError(`${shown} is a link that leads out of its folder`, true);
  }
  const read = readProject(text);
  if ('fault' in read) throw new UsageError(`${shown}:${read.line}: ${read.fault}`, true);
  for (const code of rules === undefined ? [] : Object.keys(read.project.rules ?? {})) {
    if (rules!.has(code)) continue;
    const line = read.lineOf(['rules', code]);
    throw new UsageError(`${shown}:${line}: no rule '${code}'${didYouMean(code, rules!.keys())}`, true);
  }
  return read;
}

async function argumentsOf(
  file: string,
  project: Project,
  options: Options,
  args: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const shown = displayPath(pathToUri(file, context.cwd), context.cwd);
  const home = dirname(file);
  /** A pull request may not name any file of the machine. */
  const within = async (setting: string, path: string | undefined): Promise<string | undefined> => {
    if (path === undefined) return undefined;
    const real = await realpath(resolve(home, path)).catch(() => resolve(home, path));
    const top = await realpath(home);
    const below = relative(top, real);
    if (isInside(real, top) && !isSecret(below)) return join(relative(context.cwd, home), below);
    throw new UsageError(`${shown}: ${setting}: ${path} is not below the folder of this file`, true);
  };
  const isGiven = (option: string): boolean => args.some((word) => word === option || word.startsWith(`${option}=`));
  const values: readonly (readonly [string, string | undefined])[] = [
    ['target', project.target],
    ...severitiesOf(project).map(([code, severity]) => ['severity', `${code}=${severity}`] as const),
    ['kubernetes', project.kubernetes],
    ['feature-gates', gatesOf(project)],
    ['snapshot', await within('snapshot', project.snapshot)],
    ['assume-nodes', project.assumeNodes],
    ['fail-on', failOnOf(project, 'what-if' in options)],
    ['baseline', isGiven('--since') ? undefined : await within('baseline', project.baseline)],
  ];
  return values.flatMap(([option, value]) =>
    value === undefined || !Object.hasOwn(options, option) ? [] : [`--${option}=${value}`],
  );
}

function gatesOf({ featureGates }: Project): string | undefined {
  const gates = Object.entries(featureGates ?? {}).map(([name, isOn]) => `${name}=${isOn}`);
  return gates.length === 0 ? undefined : gates.join(',');
}

/** Of `check` only what is not seen is a choice. */
function failOnOf({ failOn = [] }: Project, isSimulated: boolean): string | undefined {
  const causes = isSimulated ? failOn : failOn.filter((cause) => cause === 'unseen');
  return causes.length === 0 ? undefined : causes.join(',');
}
