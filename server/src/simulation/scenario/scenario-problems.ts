import { own } from '../../util/own.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import { minors } from '../../util/minors.ts';
import type { Json, Path } from '../../kubernetes/json.ts';

export interface ScenarioProblem {
  readonly path: Path;
  readonly message: string;
}

/** What a check of the form found, as far as it is told of. */
interface FormIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** What is expected at a path, with `#` for the entries of a list and `*` for those of a map. */
const expectations: Readonly<Record<string, () => string>> = {
  title: () => say`a line of text`,
  cluster: () => say`a mapping, as \`cluster: {paths: [manifests]}\``,
  'cluster.paths': () => say`a list of files and folders`,
  'cluster.paths.#': () => say`a file or a folder`,
  'cluster.snapshot': () => say`a file`,
  'cluster.assumeNodes': () => say`COUNT[:CPU[:MEMORY[:PODS]]] in quotes, as \`"3:4:16Gi"\``,
  'cluster.kubernetes': () => say`one of ${['auto', ...minors].map((minor) => `\`"${minor}"\``).join(', ')}, in quotes`,
  'cluster.autoscaled': () => say`\`minimum\`, \`maximum\` or \`present\``,
  workload: () => say`KIND/NAMESPACE/NAME of a workload`,
  questions: () => say`a list of questions, as \`- pending deployment/shop/cart\``,
  'questions.#': () => say`a question, as \`pending deployment/shop/cart\``,
  start: () => say`a time with its zone, as \`2026-03-01T22:00:00Z\``,
  until: () => say`a duration with its unit, as \`90m\``,
  lasts: () => say`a mapping of workloads to durations, as \`job/shop/report: 20m\``,
  'lasts.*': () => say`a duration with its unit, as \`20m\``,
  events: () => say`a list of operations, as \`- drain node/a at 60s\``,
  'events.#': () => say`an operation, as \`drain node/a at 60s\``,
};

/** Mistakes in the form of a scenario, in plain words. `known`: the keys at the top, and of the cluster. */
export function formProblems(
  value: Json,
  issues: readonly FormIssue[],
  known: { readonly top: readonly string[]; readonly cluster: readonly string[] },
): readonly ScenarioProblem[] {
  return issues.flatMap((issue): readonly ScenarioProblem[] => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.keys !== undefined) {
      const keys = path.length === 0 ? known.top : known.cluster;
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, keys) }));
    }
    if (path.join() === 'events' && isObject(value) && !('events' in value)) {
      return [{ path: [], message: say`\`events\` is missing; write \`events: []\` where nothing happens` }];
    }
    const name = path.map((part, at) => (typeof part === 'number' ? '#' : path[at - 1] === 'lasts' ? '*' : part));
    const expected = own(expectations, name.join('.'));
    // A limit is told as it is.
    if (issue.code === 'too_big' || expected === undefined) return [{ path, message: issue.message }];
    return [{ path, message: say`expected is ${expected()}, found ${foundText(valueAt(value, path))}` }];
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const [nearest] = nearestNames(key, known, 3);
  return nearest === undefined
    ? say`\`${key}\` is no key of a scenario here; known are ${known.join(', ')}`
    : say`\`${key}\` is no key of a scenario here; did you mean \`${nearest}\`?`;
}

function foundText(value: unknown): string {
  if (value === null || value === undefined) return say`nothing`;
  if (isList(value)) return say`a list`;
  if (isObject(value)) return say`a mapping`;
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'number' ? say`the number ${value}` : say`true or false`;
}
