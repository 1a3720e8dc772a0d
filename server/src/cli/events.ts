import { dirname, resolve } from 'node:path';
import { readData } from '../manifests/read-data.ts';
import { parseEvent, readScenario, type ScenarioEvent, type ScenarioFile } from '../simulation/index.ts';
import { UsageError, type CommandContext } from './command.ts';
import { readFile } from './read-files.ts';

/** Reads the operations of `--what-if`, each at second 0, in their order. Throws `UsageError`. */
export function parseWhatIfs(texts: readonly string[]): readonly ScenarioEvent[] {
  return parseEvents('--what-if', texts).map((event) => {
    if (event.at !== null) throw new UsageError(`--what-if has no time; use --event '${event.text}'`);
    return { ...event, at: 0 };
  });
}

/** Reads operations with their times. Throws `UsageError`. */
export function parseEvents(option: string, texts: readonly string[]): readonly ScenarioEvent[] {
  return texts.map((text) => {
    const event = parseEvent(text);
    if ('problem' in event) throw new UsageError(`${option}: ${event.problem}`);
    return event;
  });
}

/** A scenario, with the paths that it names. */
export interface LoadedScenario {
  readonly file: ScenarioFile;
  readonly paths: readonly string[];
  readonly snapshot: string | undefined;
}

/** Reads a file of `--scenario`. Throws `UsageError`. */
export async function loadScenario(path: string, context: CommandContext): Promise<LoadedScenario> {
  const text = await readFile(path, context);
  const data = readData(text);
  const { value, problem } = data;
  if (problem !== null) throw new UsageError(`${path}: ${problem}`);
  const { scenario, problems } = readScenario(value);
  if (scenario === null) {
    const told = problems.map(({ path: at, message }) => {
      const range = data.locate(at) ?? data.locate(at, 'key');
      const line = range === undefined ? '' : `:${text.slice(0, range.start).split('\n').length}`;
      return [path + line, at.join('.'), message].filter((part) => part !== '').join(': ');
    });
    throw new UsageError(told.join('\n'));
  }
  const home = dirname(resolve(context.cwd, path));
  const { paths = ['.'], snapshot } = scenario.cluster;
  // A file that came with a repository must not make the user's computer greet another one.
  const remote = [...paths, ...(snapshot === undefined ? [] : [snapshot])].find((each) => /^[\\/]{2}/.test(each));
  if (remote !== undefined) {
    throw new UsageError(`${path}: ${remote} is on another computer, from which Podium reads nothing`);
  }
  return {
    file: scenario,
    paths: paths.map((each) => resolve(home, each)),
    snapshot: snapshot === undefined ? undefined : resolve(home, snapshot),
  };
}
