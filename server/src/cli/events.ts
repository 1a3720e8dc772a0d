import { dirname, resolve } from 'node:path';
import { isElsewhere, readScenarioText } from '../language/index/scenario-text.ts';
import {
  applyOperation,
  parseEvent,
  type ScenarioEvent,
  type ScenarioFile,
  type SimulationInput,
  UnknownObjectError,
} from '../simulation/index.ts';
import { happensInRun } from '../simulation/operations/operation.ts';
import { UsageError, type CommandContext } from './command.ts';
import { readFile } from './read-files.ts';

/** Reads the operations of `--what-if`, each at second 0, in their order. Throws `UsageError`. */
export function parseWhatIfs(texts: readonly string[]): readonly ScenarioEvent[] {
  return parseEvents('--what-if', texts).map((event) => {
    if (event.at !== null) throw new UsageError(`--what-if has no time; use --event '${event.text}'`);
    return { ...event, at: 0 };
  });
}

/** The cluster after operations. Throws `UsageError`. */
export function withWhatIfs(
  input: SimulationInput,
  texts: readonly string[] | undefined,
  { stderr }: CommandContext,
): SimulationInput {
  let changed = input;
  for (const { operation, text } of parseWhatIfs(texts ?? [])) {
    if (happensInRun(operation)) {
      throw new UsageError(`--what-if: '${text}' takes its time: use podium simulate --event`);
    }
    try {
      const applied = applyOperation(changed, operation);
      if (!applied.changes) stderr.write(`podium: --what-if '${text}': no effect\n`);
      changed = applied.input;
    } catch (error) {
      throw error instanceof UnknownObjectError ? new UsageError(error.of(text).message, true) : error;
    }
  }
  return changed;
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
  /** As it was named. */
  readonly name: string;
  readonly file: ScenarioFile;
  readonly paths: readonly string[];
  readonly snapshot: string | undefined;
  /** Where an event or a question stands; empty for one that does not. */
  placeOf(text: string): string;
}

/**
 * What is wrong with the snapshot that a scenario names. Of the file that is none nothing is quoted: whoever wrote the
 * scenario may name any file of the machine, and read its first line in the log of a pipeline.
 */
export function snapshotFault({ name }: LoadedScenario, { message }: UsageError): UsageError {
  return new UsageError(`${name}: cluster.snapshot: ${message.replace(/: (?:it has )?“.*$/s, '')}`, true);
}

/** Reads a file of `--scenario`. Throws `UsageError`. */
export async function loadScenario(path: string, context: CommandContext): Promise<LoadedScenario> {
  const text = await readFile(path, context);
  const read = readScenarioText(text);
  const { scenario, faults } = read;
  if (scenario === null) {
    const lines = faults.map(({ line, text: fault }) => `${path}${line === undefined ? '' : `:${line}`}: ${fault}`);
    throw new UsageError(lines.join('\n').replace(/\.$/, ''), true);
  }
  const home = dirname(resolve(context.cwd, path));
  const { paths = ['.'], snapshot } = scenario.cluster;
  const remote = [...paths, ...(snapshot === undefined ? [] : [snapshot])].find(isElsewhere);
  if (remote !== undefined) {
    throw new UsageError(`${path}: ${remote} is on another computer, from which Podium reads nothing`, true);
  }
  return {
    name: path,
    file: scenario,
    paths: paths.map((each) => resolve(home, each)),
    snapshot: snapshot === undefined ? undefined : resolve(home, snapshot),
    placeOf(written) {
      const line = read.lineOf(written);
      return line === undefined ? '' : `${path}:${line}: `;
    },
  };
}
