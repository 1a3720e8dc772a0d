import { joined, say } from '../../util/say.ts';
import type { Path } from '../../kubernetes/json.ts';
import { readData } from '../../manifests/read-data.ts';
import { readScenario, type ScenarioFile } from '../../simulation/scenario/scenario-file.ts';

/** What is wrong with a scenario. */
export interface ScenarioFault {
  /** Counted from one; undefined where it is about the whole file. */
  readonly line: number | undefined;
  readonly text: string;
}

/** What a file `*.podium.yaml` says. */
export interface ScenarioText {
  readonly scenario: ScenarioFile | null;
  /** At least one where there is no scenario. */
  readonly faults: readonly ScenarioFault[];
  /** The line of an event or a question, counted from one. */
  lineOf(text: string): number | undefined;
}

/** Reads the text of a file `*.podium.yaml`. */
export function readScenarioText(text: string): ScenarioText {
  const data = readData(text);
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const linePath = (path: Path): number | undefined => {
    const range = data.locate(path) ?? data.locate(path, 'key');
    return range === undefined ? undefined : lineAt(range.start);
  };
  const faults: ScenarioFault[] = data.faults.map(({ message, range }) => ({
    line: lineAt(range.start),
    text: message,
  }));
  if (data.second !== undefined) faults.push({ line: lineAt(data.second), text: secondDocument() });
  if (data.problem !== null && faults.length === 0) faults.push({ line: undefined, text: data.problem });
  if (faults.length > 0) return { scenario: null, faults, lineOf: () => undefined };
  const { scenario, problems } = readScenario(data.value);
  return {
    scenario,
    faults: problems
      .map(({ path, message }) => ({
        line: linePath(path),
        text: joined(
          [path.join('.'), message].filter((part) => part !== ''),
          ': ',
        ),
      }))
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    lineOf(written) {
      const event = scenario?.events.findIndex((each) => each.text === written) ?? -1;
      if (event >= 0) return linePath(['events', event]);
      const question = scenario?.questions.findIndex((each) => each.text === written) ?? -1;
      return question < 0 ? undefined : linePath(['questions', question]);
    },
  };
}

/** What is said of a second document. */
export function secondDocument(): string {
  return say`a scenario is one document; what follows \`---\` is not read`;
}

/** Whether a path that a scenario names leads to another computer: a file of a stranger must not make ours greet it. */
export function isElsewhere(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}
