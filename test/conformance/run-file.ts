import type { JsonObject } from '../../server/src/kubernetes/json.ts';
import { decide } from '../unit/cli/run-podium.ts';
import { differences } from './compare.ts';
import { readLines } from './recorded-files.ts';

interface Case {
  readonly id: string;
  readonly mode: string;
  /** Absent where `answer` or `answersSeen` stands instead. */
  readonly expected: JsonObject | undefined;
}

export interface FileResult {
  readonly cases: number;
  /** One entry per case that differs. */
  readonly disagreements: readonly { readonly id: string; readonly differences: readonly string[] }[];
}

/** Fields of a line that say what was decided. */
const recorded = ['expected', 'replace', 'answer', 'answersSeen', 'runs'];

/** Has `dist/decide.mjs` decide every case of a recorded file, and compares. */
export async function runFile(name: string, folder?: string): Promise<FileResult> {
  const cases = readLines(name, folder).map((line) => JSON.parse(line) as Case & JsonObject);
  const asked = cases.map((each) => `${JSON.stringify(without(each, ...recorded))}\n`);
  const { code, stdout, stderr } = await decide(asked.join(''));
  const answers = stdout.split('\n').filter((line) => line !== '');
  if (code !== 0 || stderr !== '' || answers.length !== cases.length) {
    throw new Error(`${answers.length} answers to ${cases.length} cases, ended with ${code}: ${stderr}`);
  }
  const disagreements: { id: string; differences: readonly string[] }[] = [];
  for (const [at, { id: name, mode: asked, expected: first, replace, answer: only, answersSeen }] of cases.entries()) {
    const { id, mode, ...answer } = JSON.parse(answers[at]!) as JsonObject;
    if (first === undefined) {
      // Where the real tool goes through a map or draws lots, each answer that it gave is right.
      const seen = (answersSeen ?? [only]) as readonly JsonObject[];
      const apart = seen.map((each) => differences({ id: name, mode: asked, answer: each }, { id, mode, ...answer }));
      if (apart.every(({ length }) => length > 0)) disagreements.push({ id: name, differences: apart[0]! });
      continue;
    }
    // An update is answered twice: as `kubectl apply` asks, and as `kubectl replace` does.
    const isOfDevices = asked === 'dra' || asked === 'dra-replay';
    const expected: JsonObject =
      replace !== undefined ? { expected: first, replace } : isOfDevices ? { expected: first } : first;
    const wanted = { id: name, mode: asked, ...withoutWinners(expected, answer) };
    const isChance = isOfDevices && cases[at]!['kubernetes'] !== '1.36';
    const recordedAnswer = { id, mode, ...asRecorded(expected, answer) };
    const found = isChance
      ? differences(withoutDeviceNames(wanted), withoutDeviceNames(recordedAnswer as JsonObject))
      : differences(wanted, recordedAnswer);
    if (found.length > 0) disagreements.push({ id: name, differences: found });
  }
  return { cases: cases.length, disagreements };
}

/** The first evictions were recorded without what becomes of the pod and of the budget's condition. */
function asRecorded(expected: JsonObject, answer: JsonObject): JsonObject {
  if (answer['allowed'] === undefined || expected['pod'] !== undefined) return answer;
  const { budgets, ...others } = without(answer, 'pod', 'graceSeconds', 'disruptionTarget');
  if (budgets === undefined) return others;
  const bare = Object.entries(budgets as JsonObject).map(
    ([name, budget]) => [name, without(budget as JsonObject, 'condition')] as const,
  );
  return { ...others, budgets: Object.fromEntries(bare) };
}

/** Before 1.36 the order in which pools are searched is chance: which devices are given, but not how many of a request. */
function withoutDeviceNames(answer: JsonObject): JsonObject {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (['device', 'pool', 'driver', 'nodeSelector'].includes(key)) return undefined;
    if (key === 'results' && Array.isArray(value)) {
      return value.map((each: JsonObject) => JSON.stringify(each['request'])).toSorted();
    }
    return value;
  });
  return JSON.parse(text) as JsonObject;
}

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

interface DrainRun {
  readonly pods: Readonly<Record<string, string>>;
  readonly races?: readonly { readonly budget: string; readonly pods: readonly string[]; readonly evicted: number }[];
  readonly fatal: readonly string[];
}

/**
 * Who wins a race for the last disruption of a budget is chance. A winner with a finalizer does not end, and stands in the
 * record as `terminating`, outside of the race that it won: here it takes part again.
 */
function withoutWinners(expected: JsonObject, answer: JsonObject): JsonObject {
  const recorded = expected['run'] as unknown as DrainRun | undefined;
  const recordedAnswer = answer['run'] as unknown as DrainRun | undefined;
  if (recorded?.races === undefined || recordedAnswer?.races === undefined) return expected;
  const won = new Map(
    recordedAnswer.races.map(({ budget, pods }) => [
      budget,
      pods.filter((pod) => recorded.pods[pod] === 'terminating'),
    ]),
  );
  const races = recorded.races.map(({ budget, pods, evicted }) => {
    const winners = won.get(budget) ?? [];
    return { budget, pods: [...pods, ...winners].sort(), evicted: evicted + winners.length };
  });
  const winners = [...won.values()].flat();
  const isOfWinner = (line: string): boolean =>
    winners.some((pod) => line.includes(`pod "${pod.split('/')[1]}" in namespace "${pod.split('/')[0]}"`));
  return {
    ...expected,
    run: {
      ...(expected['run'] as JsonObject),
      pods: { ...recorded.pods, ...Object.fromEntries(winners.map((pod) => [pod, 'race'])) },
      races,
      fatal: recorded.fatal.filter((line) => !isOfWinner(line)),
    },
  };
}
