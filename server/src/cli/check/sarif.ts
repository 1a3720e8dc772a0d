import { jsonText } from '../terminal/json.ts';
import { rules } from '../../language/rules/registry.ts';
import type { Severity } from '../../language/rules/support/rule.ts';
import { lesserMode } from '../../sources/targets/lesser-mode.ts';
import type { RulePage } from '../version.ts';
import type { CheckResult, Problem, ProblemPlace, ProblemRange } from './check-result.ts';

/** Source: Static Analysis Results Interchange Format 2.1.0 plus Errata 01, OASIS Standard */
const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

const ruleIndexes: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index]));

/** A SARIF 2.1.0 log with one run. Paths are relative to `%SRCROOT%`, the working directory. */
export function renderSarif(
  { problems, known, withoutSandbox }: CheckResult,
  version: string,
  pageOf: (code: string) => RulePage | null,
): string {
  const notifications =
    withoutSandbox.length === 0
      ? {}
      : { toolExecutionNotifications: [{ level: 'note', message: { text: `${lesserMode(withoutSandbox)}.` } }] };
  const log = {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Podium',
            version,
            rules: rules.map(({ code, title, severity }) => ({
              id: code,
              shortDescription: { text: title },
              ...helpOf(pageOf(code)),
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        invocations: [{ executionSuccessful: true, ...notifications }],
        columnKind: 'utf16CodeUnits',
        results: [
          ...problems.map((problem) => resultOf(problem, known === undefined ? undefined : 'new')),
          ...(known?.problems ?? []).map((problem) => resultOf(problem, 'unchanged')),
        ],
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

function helpOf(page: RulePage | null): object {
  return page === null ? {} : { helpUri: page.url, help: { text: page.text, markdown: page.text } };
}

function resultOf(problem: Problem, baselineState: 'new' | 'unchanged' | undefined): object {
  const { code, severity, message, related } = problem;
  const ruleIndex = ruleIndexes.get(code);
  return {
    ruleId: code,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: levels[severity],
    ...(baselineState === undefined ? {} : { baselineState }),
    message: { text: message },
    locations: [{ physicalLocation: physicalLocation(problem) }],
    // The schema wants the entries of a list to differ: the number sees to that.
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((place, id) => ({
            id,
            physicalLocation: physicalLocation(place),
            message: { text: place.message },
          })),
        }),
  };
}

function physicalLocation({ path, uri, range }: ProblemPlace): object {
  return { artifactLocation: artifactLocation(path, uri), region: regionOf(range) };
}

/** A file outside the working directory is named by its own URI. */
function artifactLocation(path: string, uri: string): object {
  if (path.startsWith('../') || !uri.startsWith('file:')) return { uri };
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

/** Lines and columns from 1; the end column is the first that does not belong to it. */
function regionOf({ start, end }: ProblemRange): object {
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}
