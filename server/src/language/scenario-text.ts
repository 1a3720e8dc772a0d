import { readData } from '../manifests/read-data.ts';
import { readScenario, type ScenarioFile } from '../simulation/scenario/scenario-file.ts';

/** What is wrong with a scenario. */
export interface ScenarioFault {
  /** Counted from one; undefined where it is about the whole file. */
  readonly line: number | undefined;
  readonly text: string;
}

/** Reads the text of a file `*.podium.yaml`. Without a scenario there is at least one fault. */
export function readScenarioText(text: string): {
  readonly scenario: ScenarioFile | null;
  readonly faults: readonly ScenarioFault[];
} {
  const data = readData(text);
  if (data.problem !== null) return { scenario: null, faults: [{ line: undefined, text: data.problem }] };
  const { scenario, problems } = readScenario(data.value);
  const faults = problems.map(({ path, message }) => {
    const range = data.locate(path) ?? data.locate(path, 'key');
    const line = range === undefined ? undefined : text.slice(0, range.start).split('\n').length;
    return { line, text: [path.join('.'), message].filter((part) => part !== '').join(': ') };
  });
  return { scenario, faults };
}

/** Whether a path that a scenario names leads to another computer: a file of a stranger must not make ours greet it. */
export function isElsewhere(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}
