import type { Diagnostic, Position, Range } from 'vscode-languageserver';
import type { ManifestFile, ManifestProblem } from '../../manifests/manifest.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import {
  type CheckedFinding,
  type Checker,
  diagnosticOf,
  fixLocation,
  severityNumber,
  shownFindings,
} from './rule-runner.ts';
import type { Facts } from '../index/facts.ts';
import { rulesByCode } from '../rules/registry.ts';
import type { Absence } from '../rules/support/rule.ts';
import { ruleSetting, type Settings } from '../settings/settings.ts';

/** A diagnostic with the file that it belongs to. */
export interface PlacedDiagnostic {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
  /** What made the object that it is about; empty for one that is applied as it is written. */
  readonly source: string;
  /** What it misses, where it rests on something not being there. */
  readonly absence?: Absence | undefined;
  /** What it has in common with others, of which the first is told, and a sentence that says what to do about all. */
  readonly cause?: { readonly key: string; readonly fix: string } | undefined;
  /** What it was made of; undefined for what is wrong with a file as a whole, or is mended elsewhere. */
  readonly found?: CheckedFinding;
}

/**
 * Everything the rules find in a file, with what is wrong with the file as a whole, each where it is mended: in other
 * files too, in patches and in the values of charts.
 */
export function* placedDiagnosticsInSteps(
  file: ManifestFile,
  checker: Checker,
  facts: Facts,
  settings: Settings,
  docs: string,
): Generator<void, PlacedDiagnostic[]> {
  const findings = yield* checker.findingsInSteps(file, settings);
  const { uri } = file;
  const ofFile = file.problems.flatMap((problem) => fileDiagnostic(file, problem, settings));
  const ofDocuments = shownFindings(findings).map((found): PlacedDiagnostic => {
    const place = fixLocation(found);
    const diagnostic = diagnosticOf(found, facts, docs);
    const source = found.fact?.manifest.rendering?.source ?? '';
    const { absence } = found.finding;
    if (place === undefined) return { uri, diagnostic, source, absence, found };
    return { uri: place.uri, diagnostic: { ...diagnostic, range: place.range }, source, absence };
  });
  return [...ofFile.map((diagnostic) => ({ uri, diagnostic, source: '' })), ...ofDocuments];
}

function fileDiagnostic(file: ManifestFile, problem: ManifestProblem, settings: Settings): Diagnostic[] {
  const setting = ruleSetting(settings, file.uri, problem.code) ?? 'default';
  if (setting === 'off' || !rulesByCode.has(problem.code)) return [];
  const severity = severityNumber(setting === 'default' ? problem.severity : setting);
  return [
    {
      range: rangeInFile(file, problem.range),
      severity,
      code: problem.code,
      source: 'podium',
      message: problem.message,
    },
  ];
}

/** The place of a problem of the whole file: on its first line, or where the documents that are read end. */
function rangeInFile(file: ManifestFile, { start, end }: { readonly start: number; readonly end: number }): Range {
  const last = file.documents.at(-1);
  if (last === undefined) return { start: { line: 0, character: start }, end: { line: 0, character: end } };
  const from: Position = placedPosition(last, last.document.text.length);
  return { start: from, end: { line: from.line, character: from.character + (end - start) } };
}
