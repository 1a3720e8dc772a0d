import { failureToFile } from '../index/fact-store.ts';
import type { ManifestProblemCode } from '../../manifests/manifest.ts';
import { say } from '../../util/say.ts';
import type { DocumentRule, Finding, Fix, FixSubject, Severity } from './support/rule.ts';

interface TextRule {
  readonly code: ManifestProblemCode;
  readonly title: string;
  readonly severity: Severity;
}

/** What the manifest reader finds in the text itself: one rule for each of its codes. */
const textRules: readonly TextRule[] = [
  { code: 'yaml-syntax', title: 'The text is not YAML', severity: 'error' },
  { code: 'yaml-duplicate-key', title: 'A key is written twice in one map', severity: 'warning' },
  { code: 'yaml-alias', title: 'An alias cannot be followed', severity: 'error' },
  { code: 'document-too-deep', title: 'A document is nested too deeply to be read', severity: 'warning' },
  { code: 'document-too-large', title: 'A document is too large to be read', severity: 'warning' },
  { code: 'too-many-documents', title: 'A file has more documents than are read', severity: 'warning' },
  { code: 'file-too-large', title: 'A file is too large to be read', severity: 'warning' },
  { code: 'unreadable-file', title: 'A file cannot be read', severity: 'error' },
  { code: 'unusable-snapshot', title: 'The cluster snapshot cannot be used', severity: 'error' },
  { code: 'not-rendered', title: 'A kustomization, chart or other source cannot be rendered', severity: 'warning' },
  {
    code: 'entry-has-no-effect',
    title: 'A patch, image or value of a source has no effect',
    severity: 'warning',
  },
  { code: 'podium-failed', title: 'Podium itself fails on a document', severity: 'error' },
];

export const yamlProblems: readonly DocumentRule[] = textRules.map(({ code, title, severity }) => ({
  code,
  title,
  severity,
  scope: 'document',
  *check({ document }) {
    const failure = code === 'podium-failed' ? failureToFile(document) : undefined;
    if (failure !== undefined) yield { range: { start: 0, end: 0 }, message: failure };
    for (const problem of document.problems) {
      if (problem.code !== code) continue;
      const { range, message, severity, isCommon = false } = problem;
      yield { range, message, severity, isCommon };
    }
  },
  ...(code === 'yaml-syntax' ? { fix: tabsToSpaces } : code === 'yaml-duplicate-key' ? { fix: withoutDuplicate } : {}),
}));

/** YAML is indented with spaces: two for each tab. */
function tabsToSpaces(_finding: Finding, { uri, index, document: { text } }: FixSubject): readonly Fix[] {
  const edits = [...text.matchAll(/^[ ]*\t[ \t]*/gm)].map((match) => {
    const range = { start: match.index, end: match.index + match[0].length };
    return { uri, index, range, text: match[0].replaceAll('\t', '  ') };
  });
  return edits.length === 0 ? [] : [{ title: say`Indent with spaces`, preferred: true, isSafe: true, edits }];
}

/** Takes out the key with all that stands below it, where it has lines of its own. */
function withoutDuplicate({ range }: Finding, { uri, index, document: { text } }: FixSubject): readonly Fix[] {
  const start = text.lastIndexOf('\n', range.start - 1) + 1;
  const indent = text.slice(start, range.start);
  if (indent.trim() !== '') return [];
  const lines = text.slice(start).split(/(?<=\n)/);
  // What follows belongs to it as long as it is indented further; items of a list may stand in the same column.
  const isBelow = (line: string): boolean =>
    line.trim() === '' || line.startsWith(`${indent} `) || line.startsWith(`${indent}- `);
  const next = lines.findIndex((line, at) => at > 0 && !isBelow(line));
  const taken = lines.slice(0, next === -1 ? lines.length : next);
  const end = start + taken.join('').length;
  const key = text.slice(range.start, range.end);
  const title = say`Remove this \`${key}\``;
  return [{ title, edits: [{ uri, index, range: { start, end }, text: '' }] }];
}
