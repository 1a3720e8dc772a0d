import type { ManifestProblemCode } from '../../manifests/manifest.ts';
import type { DocumentRule, Severity } from './rule.ts';

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
  { code: 'unusable-snapshot', title: 'No answer can rest on the cluster snapshot', severity: 'error' },
  { code: 'not-rendered', title: 'What makes objects of files cannot be rendered', severity: 'warning' },
];

export const yamlProblems: readonly DocumentRule[] = textRules.map(({ code, title, severity }) => ({
  code,
  title,
  severity,
  scope: 'document',
  *check({ document }) {
    for (const problem of document.problems) {
      if (problem.code !== code) continue;
      const { range, message, severity, isCommon = false } = problem;
      yield { range, message, severity, isCommon };
    }
  },
}));
