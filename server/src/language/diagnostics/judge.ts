import type { Diagnostic } from 'vscode-languageserver';
import { contained, containedInSteps } from '../../util/contain.ts';
import { say } from '../../util/say.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { RenderedTarget } from '../../sources/targets/rendered-target.ts';
import { type HowToFetch, type IsQuiet, type PlacedFindings, refusedSources } from './applied-findings.ts';
import type { CheckedFinding, Checker } from '../checks/rule-runner.ts';
import type { Facts } from '../index/facts.ts';
import { type PlacedDiagnostic, placedDiagnosticsInSteps } from '../checks/file-diagnostics.ts';
import type { Settings } from '../settings/settings.ts';

/** Who judges, and of what. */
export interface Judging {
  /** Undefined where sources are not known. */
  readonly rendered: RenderedTarget | undefined;
  readonly facts: Facts;
  readonly checker: Checker;
  /** Whether nothing is said by a rule in a file. */
  readonly quiet: IsQuiet;
  /** Whether another server tells of a file what was found. */
  readonly isToldElsewhere?: (uri: string, found: CheckedFinding) => boolean;
  readonly settings: Settings;
  /** Where the pages of the rules are; empty when unknown. */
  readonly docs: string;
  /** That of the command line where there is none. */
  readonly howToFetch?: HowToFetch | undefined;
}

/** Adds what is wrong with files, and with the sources of a world. */
export function* judge(
  files: readonly ManifestFile[],
  { rendered: renderedTarget, facts, checker, quiet, isToldElsewhere, settings, docs, howToFetch }: Judging,
  found: PlacedFindings,
): Generator<void> {
  found.beginTarget();
  if (renderedTarget !== undefined) {
    const uri = files[0]?.uri ?? '';
    const refused = contained(
      say`what is not rendered`,
      () => refusedSources(renderedTarget, settings, docs, howToFetch),
      (text) => [failedOn(uri, text)],
    );
    for (const placed of refused) found.add(placed);
  }
  for (const file of files) {
    const isOfProgram = isGenerated(file);
    const steps = placedDiagnosticsInSteps(file, checker, facts, settings, docs);
    for (const placed of yield* containedInSteps(say`this file`, steps, (text) => [failedOn(file.uri, text)])) {
      if (placed.found !== undefined && isToldElsewhere?.(file.uri, placed.found) === true) continue;
      // Nobody follows advice on what a program writes anew.
      if (isOfProgram && (placed.diagnostic.severity ?? 1) > 2) continue;
      const others = placed.diagnostic.relatedInformation?.map(({ location }) => location.uri);
      if (!quiet(file.uri, String(placed.diagnostic.code), placed.absence, others)) found.add(placed);
      else if (placed.absence !== undefined) found.leaveUnsaid(placed);
    }
  }
}

/** Whether its first lines say that it is made by a program and not to be edited, as those of `flux bootstrap` do. */
function isGenerated({ documents }: ManifestFile): boolean {
  return documents.slice(0, 2).some(({ document }) => /^#.*\bDO NOT EDIT\b/im.test(document.text.slice(0, firstLines)));
}

const firstLines = 1_000;

/** What is said of a file that Podium could not judge by a mistake of its own. */
function failedOn(uri: string, message: string): PlacedDiagnostic {
  const start = { line: 0, character: 0 };
  const diagnostic: Diagnostic = {
    range: { start, end: start },
    severity: 1,
    code: 'podium-failed',
    source: 'podium',
    message,
  };
  return { uri, diagnostic, source: '' };
}
