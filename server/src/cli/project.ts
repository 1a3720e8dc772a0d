import { existsSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type ParseArgsConfig } from 'node:util';
import { isSecret } from '../sources/files/boundary.ts';
import { isInside } from '../sources/files/paths.ts';
import { type Project, projectFileName, readProject, severitiesOf } from '../language/settings/project-file.ts';
import { parseArguments } from './arguments.ts';
import { displayPath } from './display-path.ts';
import { type CommandContext, UsageError } from './command.ts';
import { committedTexts } from './load-manifests.ts';
import { pathToUri } from './read-files.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * As `parseArguments`, with what the settings of the repository say where the arguments say nothing: the file
 * `podium.yaml` that is nearest above the paths. Throws `UsageError`, also for a file that is wrong.
 */
export async function parseInProject<const T extends Options>(
  args: readonly string[],
  options: T,
  context: CommandContext,
): Promise<ReturnType<typeof parseArguments<T>>> {
  const own = parseArguments(args, options);
  // An editor has its own.
  if (context.open !== undefined) return own;
  const file = projectFileOf(own.positionals, context);
  if (file === undefined) return own;
  const { since } = own.values as { readonly since?: string };
  const text = since === undefined ? await readFile(file, 'utf8') : await textAt(since, file, context);
  const given = text === null ? [] : await argumentsOf(file, text, options, args, context);
  // Of an option that is given twice the last one counts; those that may be repeated add up.
  return parseArguments([...given, ...args], options);
}

/** The nearest one at or above what all paths have in common, within the repository or the folder that is worked on. */
function projectFileOf(paths: readonly string[], { cwd, served }: CommandContext): string | undefined {
  const places = paths.filter((path) => path !== '-').map((path) => resolve(cwd, path));
  const [first = cwd, ...others] = places.filter((path) => existsSync(path));
  let folder = first;
  while (!others.every((path) => isInside(path, folder)) && dirname(folder) !== folder) folder = dirname(folder);
  const above = [folder];
  // Outside of a repository and of the folder that is worked on, what lies above is of somebody else.
  while (!isEnd(folder, cwd)) above.push((folder = dirname(folder)));
  const end = dirname(folder) === folder && folder !== cwd ? 1 : above.length;
  return above
    .slice(0, end)
    .filter((each) => served === undefined || served.some((one) => isInside(each, one)))
    .map((each) => join(each, projectFileName))
    .find((path) => existsSync(path) && statSync(path).isFile());
}

const isEnd = (folder: string, cwd: string): boolean =>
  existsSync(join(folder, '.git')) || folder === cwd || dirname(folder) === folder;

/**
 * What the file was in the commit that is compared with, as what is compared may not choose how it is judged: a pull
 * request could turn its rules off. Null where it was not there.
 */
async function textAt(commit: string, file: string, context: CommandContext): Promise<string | null> {
  const { texts } = await committedTexts([file], [file], commit, context);
  const before = texts.get(file);
  return before === undefined ? readFile(file, 'utf8') : before;
}

async function argumentsOf(
  file: string,
  text: string,
  options: Options,
  args: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const shown = displayPath(pathToUri(file, context.cwd), context.cwd);
  const home = dirname(file);
  // What is wrong with it is told in its words, which may not be those of another file.
  if (!isInside(await realpath(file), await realpath(home))) {
    throw new UsageError(`${shown} is a link that leads out of its folder`, true);
  }
  const read = readProject(text);
  if ('fault' in read) throw new UsageError(`${shown}:${read.line}: ${read.fault}`, true);
  const { project } = read;
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
    ...(project.exclude ?? []).map((glob) => ['exclude', glob] as const),
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
