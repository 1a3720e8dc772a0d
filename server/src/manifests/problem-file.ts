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
