import { isNumber } from '../util/exact-integer.ts';
import { contained } from '../util/contain.ts';
import { say, sayUnstopped } from '../util/say.ts';
import type { Json, JsonObject, Path } from '../kubernetes/json.ts';
import { withLineFeeds } from './document-text.ts';
import { moved } from './manifest-objects.ts';
import type { EntryPart, ManifestProblem, OffsetRange } from './manifest.ts';
import { splitDocuments } from './split-documents.ts';
import { maxProblems } from './limits.ts';
import { lineAt, lineStartsOf } from './text-positions.ts';
import { locate } from './tree-navigation.ts';
import { readYaml, readYamlData } from './yaml-reader.ts';

/** A YAML file that is no manifest: values of a chart, a kustomization, a patch. */
export interface DataFile {
  /** What its first document says; null when it says nothing or cannot be read. */
  readonly value: Json;
  /** What is wrong with it, if anything is: a sentence without its full stop. */
  readonly problem: string | null;
  /** Whether it is a template that another program fills in. */
  readonly isTemplate: boolean;
  /** The line of that, from 0. */
  readonly problemLine: number;
  /** The same and keys that are written twice, with their ranges in the file. */
  readonly faults: readonly Pick<ManifestProblem, 'message' | 'range'>[];
  /** Where a second document begins that says something. */
  readonly second: number | undefined;
  /** The range of a path, in offsets of the file; undefined when nothing is written there. */
  locate(path: Path, part?: EntryPart): OffsetRange | undefined;
}

/** Reads the first document of a YAML file. Never throws. */
export function readData(written: string): DataFile {
  return contained(
    say`this file`,
    () => firstDocument(written),
    (text) => ({ ...nothingRead, problem: sayUnstopped(text) }),
  );
}

function firstDocument(written: string): DataFile {
  const text = withLineFeeds(written);
  const spans = splitDocuments(text, 8);
  for (const [index, { start, end }] of spans.entries()) {
    const { root, problems, template } = readYamlData(text.slice(start, end));
    const error = problems.find(({ severity }) => severity === 'error');
    const problem = template ? 'it has template actions' : error && sayUnstopped(error.message);
    if (root === null && problem === undefined) continue;
    const problemAt = template ? start + text.slice(start, end).search(/\{[{%]/) : start + (error?.range.start ?? 0);
    return {
      value: root?.value ?? null,
      problem: problem ?? null,
      isTemplate: template,
      get problemLine() {
        return lineAt(lineStartsOf(text), Math.max(problemAt, start));
      },
      faults: problems.map(({ message, range }) => ({ message, range: moved(range, start) })),
      get second() {
        return spans.slice(index + 1).find((span) => readYaml(text.slice(span.start, span.end)).root !== null)?.start;
      },
      locate(path, part = 'value') {
        const range = root === null ? undefined : locate(root, path, part);
        return range === undefined ? undefined : moved(range, start);
      },
    };
  }
  return nothingRead;
}

const nothingRead: DataFile = {
  value: null,
  problem: null,
  isTemplate: false,
  problemLine: 0,
  faults: [],
  second: undefined,
  locate: () => undefined,
};

/** Whether the aliases of a text repeat more than Podium reads, and than a tool should. */
export function expandsTooFar(written: string): boolean {
  const anchors = new Set(Array.from(written.matchAll(/&([\w-]+)/g), ([, name]) => name));
  // Each alias can at most double what there is. Source: go.yaml.in/yaml/v3, scannerc.go, yaml_parser_scan_anchor
  const aliases = Array.from(written.matchAll(/\*([\w-]+)/g)).filter(([, name]) => anchors.has(name));
  if (aliases.length < aliasesOfBombs) return false;
  const text = withLineFeeds(written);
  return splitDocuments(text).some(({ start, end }) => {
    const { problems } = readYaml(text.slice(start, end));
    // Of what follows so many problems none is told.
    return problems.length >= maxProblems || problems.some(({ message }) => message.includes(' expand to more than '));
  });
}

/** Fewer make at most some ten thousand values of one. */
const aliasesOfBombs = 16;

/** A value as a map; an empty one when it is none. */
export function asMap(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A value as a list; an empty one when it is none. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** A scalar as it is printed; empty for a map, a list and null. */
export function asPrinted(value: Json | undefined): string {
  return (typeof value === 'object' && !isNumber(value)) || value === undefined ? '' : String(value);
}

/** A value as text; empty when it is none. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
