import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { say } from '../../kit/say.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { type Baseline, KnownProblems } from './baseline.ts';
import { identityOf } from './problem-identity.ts';

/** The problems that a repository says are known: what they are, and the folder that their paths begin in. */
export interface KnownInFolder {
  /** URI without a slash at its end. */
  readonly folder: string;
  readonly baseline: Baseline;
}

/** What is wrong with files, by URI; what is known is only a hint. */
export function markKnown(
  found: ReadonlyMap<string, readonly Diagnostic[]>,
  { folder, baseline }: KnownInFolder,
  fileOf: (uri: string) => ManifestFile | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const left = new KnownProblems(baseline);
  return new Map(
    [...found].map(([uri, diagnostics]) => {
      const path = pathIn(folder, uri);
      const file = fileOf(uri);
      const marked = diagnostics.map((diagnostic): Diagnostic => {
        const { code = '', range, message } = diagnostic;
        const isKnown = path !== null && left.take(identityOf({ code: String(code), path, range }, file));
        if (!isKnown || typeof message !== 'string') return diagnostic;
        const severity = DiagnosticSeverity.Hint;
        return { ...diagnostic, severity, message: say`${message} (known: ${baseline.name})` };
      });
      return [uri, marked];
    }),
  );
}

/** A path as a baseline has it; null outside of the folder. */
export function pathIn(folder: string, uri: string): string | null {
  return uri.startsWith(`${folder}/`) ? decodeURIComponent(uri.slice(folder.length + 1)) : null;
}
