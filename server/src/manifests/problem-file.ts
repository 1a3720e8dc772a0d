import { own } from '../util/own.ts';
import { say } from '../util/say.ts';
import { ofGitCrypt } from './decode-text.ts';
import type { ManifestFile, ManifestProblem } from './manifest.ts';

/** A file of which nothing is known but what is wrong with it. */
export function problemFile(uri: string, problem: Pick<ManifestProblem, 'code' | 'message'>): ManifestFile {
  return {
    uri,
    version: null,
    documents: [],
    problems: [{ ...problem, severity: 'error', range: { start: 0, end: 0 } }],
  };
}

/** A file that is there and cannot be read, for a reason that `FileContents` gives. */
export function unreadableFile(uri: string, error: string): ManifestFile {
  if (error === ofGitCrypt) return { uri, version: null, documents: [], problems: [], isEncrypted: true };
  return problemFile(uri, { code: 'unreadable-file', message: say`This file cannot be read: ${reason(error)}.` });
}

/** Of a code of the operating system, what it says. */
function reason(error: string): string {
  const known: Readonly<Record<string, string>> = {
    EACCES: say`permission denied (EACCES)`,
    EPERM: say`not permitted (EPERM)`,
    ELOOP: say`its symbolic links go in circles (ELOOP)`,
    'too large': say`it is too large`,
  };
  return own(known, error) ?? (/^[A-Z0-9]+$/.test(error) ? error : say`it ${error}`);
}
