import { compareText } from '../../kit/words.ts';
import type { Diagnostic } from 'vscode-languageserver';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { type PlacedFindings, refusedSources } from '../../language/applied-findings.ts';
import type { Checker } from '../../language/check-file.ts';
import type { Facts } from '../../language/facts.ts';
import { placedDiagnosticsInSteps } from '../../language/file-diagnostics.ts';
import type { Severity } from '../../language/rules/rule.ts';
import type { Settings } from '../../language/settings.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { KubernetesChoice } from '../../simulation/scene/choose-release.ts';
import type { World } from '../../sources/world.ts';
import { printableLines } from '../terminal/text.ts';
import { displayPath } from '../display-path.ts';

/** Lines and characters from 0, characters in UTF-16 units, as in the language server protocol. */
export type ProblemRange = Diagnostic['range'];

export interface ProblemPlace {
  /** Relative to the working directory, with `/`. */
  readonly path: string;
  readonly uri: string;
  readonly range: ProblemRange;
}

/** A diagnostic of the editor, with its place. */
export interface Problem extends ProblemPlace {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Places elsewhere that have to do with it. */
  readonly related: readonly (ProblemPlace & { readonly message: string })[];
}

export interface CheckResult {
  /** By path, then by place, then by code. */
  readonly problems: readonly Problem[];
  /** How many files were looked at. */
  readonly files: number;
  /** Rules that failed, which is a mistake in Podium. What they would have found is missing. */
  readonly failures: readonly string[];
  /** Why committed versions are not known, which rules compare with. */
  readonly uncommitted: readonly string[];
  /** What makes pods, or may, and was not judged. */
  readonly unseen: readonly Unseen[];
  /** Paths of the programs that were run. */
  readonly tools: readonly string[];
  /** Whose API server judged, and why. */
  readonly kubernetes: KubernetesChoice;
  /** The targets that were judged; empty where nothing is there in more than one version. */
  readonly targets: readonly string[];
}

/** Who judges, and of what. */
export interface Judging {
  /** Undefined where sources are not known. */
  readonly world: World | undefined;
  readonly facts: Facts;
  readonly checker: Checker;
  /** Whether nothing is said by a rule in a file. */
  readonly quiet: (uri: string, code: string) => boolean;
  readonly settings: Settings;
}

/** Adds what is wrong with files, and with the sources of a world. */
export function* judge(
  files: readonly ManifestFile[],
  { world, facts, checker, quiet, settings }: Judging,
  found: PlacedFindings,
): Generator<void> {
  if (world !== undefined) for (const placed of refusedSources(world, settings, '')) found.add(placed);
  for (const file of files) {
    for (const placed of yield* placedDiagnosticsInSteps(file, checker, facts, settings, '')) {
      if (!quiet(file.uri, String(placed.diagnostic.code))) found.add(placed);
    }
  }
}

/** Findings in reading order, with paths as they are shown in a folder. */
export function problemsOf(found: PlacedFindings, cwd: string): readonly Problem[] {
  return found
    .all()
    .map(({ uri, diagnostic }) => problemOf(uri, diagnostic, (each) => displayPath(each, cwd)))
    .sort(inReadingOrder);
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function problemOf(uri: string, diagnostic: Diagnostic, pathOf: (uri: string) => string): Problem {
  const { range, severity = 1, code = '', message, relatedInformation = [] } = diagnostic;
  return {
    path: pathOf(uri),
    uri,
    range,
    severity: severities[severity - 1] ?? 'error',
    code: String(code),
    message: printableLines(messageText(message)),
    related: relatedInformation.map(({ location, message: about }) => ({
      path: pathOf(location.uri),
      uri: location.uri,
      range: location.range,
      message: printableLines(about),
    })),
  };
}

function messageText(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

function inReadingOrder(a: Problem, b: Problem): number {
  return (
    compareText(a.path, b.path) ||
    a.range.start.line - b.range.start.line ||
    a.range.start.character - b.range.start.character ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
