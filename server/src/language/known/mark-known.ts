import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { say } from '../../util/say.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { type Baseline, KnownProblems } from './baseline.ts';
import { identityOf } from './problem-identity.ts';

/** The problems that a repository says are known: what they are, and the folder that their paths begin in. */
export interface KnownInFolder {
  /** URI without a slash at its end. */
  readonly folder: string;
  readonly baseline: Baseline;
}

/** What is wrong with a file; what is known is only a hint. */
export function markKnown(
  uri: string,
  diagnostics: readonly Diagnostic[],
  { folder, baseline }: KnownInFolder,
  file: ManifestFile | undefined,
): readonly Diagnostic[] {
  const path = pathIn(folder, uri);
  if (path === null || !baseline.knowsFile(path)) return diagnostics;
  const left = new KnownProblems(baseline, path);
  return diagnostics.map((diagnostic): Diagnostic => {
    const { code = '', range, message } = diagnostic;
    const isKnown = left.take(identityOf({ code: String(code), path, range }, file));
    if (!isKnown || typeof message !== 'string') return diagnostic;
    const severity = DiagnosticSeverity.Hint;
    return { ...diagnostic, severity, message: say`${message} (known: ${baseline.name})` };
  });
}

/** A path as a baseline has it; null outside of the folder. */
export function pathIn(folder: string, uri: string): string | null {
  return uri.startsWith(`${folder}/`) ? decodeURIComponent(uri.slice(folder.length + 1)) : null;
}

/** The file that `baseline` of `podium.yaml` names; null where it does not lie below the folder. */
export function baselineIn(folder: string, path: string): string | null {
  const steps = path.split('/').filter((step) => step !== '.');
  if (steps.some((step) => step === '' || step === '..' || step.includes('\\'))) return null;
  return [folder, ...steps.map((step) => encodeURIComponent(step))].join('/');
}
