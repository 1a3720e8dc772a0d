import { compareText } from '../../util/words.ts';
import type { Diagnostic } from 'vscode-languageserver';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { PlacedFindings } from '../../language/diagnostics/applied-findings.ts';
import type { Severity } from '../../language/rules/support/rule.ts';
import type { KubernetesChoice } from '../../simulation/cluster/choose-release.ts';
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

export interface KnownProblems {
  /** `git origin/main`, or the name of a baseline. */
  readonly from: string;
  readonly problems: readonly Problem[];
  /** How many of those that were known are there no more. */
  readonly gone: number;
}

export interface CheckResult {
  /** By path, then by place, then by code; without those that are known. */
  readonly problems: readonly Problem[];
  /** What was there before, where that was asked: it is told apart and makes no check fail. */
  readonly known?: KnownProblems;
  /** How many files were looked at. */
  readonly files: number;
  /** Whether any of them, or what is rendered from them, holds a Kubernetes object. */
  readonly hasObjects: boolean;
  /** Why committed versions are not known, which rules compare with. */
  readonly uncommitted: readonly string[];
  /** What makes pods, or may, and was not judged. */
  readonly unseen: readonly Unseen[];
  /** How many findings of which rules are not said, as what is not seen may provide what is missing. */
  readonly unsaid: ReadonlyMap<string, number>;
  /** How many files were left out as tests, examples and earlier releases. */
  readonly tests: number;
  /** Paths of the programs that were run. */
  readonly tools: readonly string[];
  /** Names of those that ran without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  /** Whose API server judged, and why. */
  readonly kubernetes: KubernetesChoice;
  /** The targets that were judged; empty where nothing is there in more than one version. */
  readonly targets: readonly string[];
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
    message: printableLines(typeof message === 'string' ? message : message.value),
    related: relatedInformation.map(({ location, message: about }) => ({
      path: pathOf(location.uri),
      uri: location.uri,
      range: location.range,
      message: printableLines(about),
    })),
  };
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
