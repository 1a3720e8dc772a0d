import { say } from '../../util/say.ts';
import type { DocumentRule } from './support/rule.ts';

/** What is found elsewhere than in the text of a document, and this rule itself. */
const neverUnused: ReadonlySet<string> = new Set([
  'unreadable-file',
  'unusable-snapshot',
  'not-rendered',
  'entry-has-no-effect',
  'podium-failed',
  'unused-suppression',
]);

export function mayBeUnused(code: string): boolean {
  return !neverUnused.has(code);
}

/** Whoever runs the rules knows what comments have turned off, and finds what they have not. */
export const unusedSuppression: DocumentRule = {
  code: 'unused-suppression',
  title: 'A comment turns off a rule that finds nothing there',
  severity: 'hint',
  scope: 'document',
  check: () => [],
  fix({ range }, { uri, index, document: { text } }) {
    const start = text.lastIndexOf('\n', range.start - 1) + 1;
    const end = text.indexOf('\n', range.end) + 1 || text.length;
    // Of several codes in one comment only this one goes.
    const [comment = ''] = text.slice(start, end).trim().split('--', 1);
    const words = comment.replace('#', '').trim().split(/\s+/);
    const isAlone = comment.startsWith('#') && words.length === 2 && words[0]!.startsWith('podium-disable');
    let lead = 0;
    while (range.start - lead > start && /[\s,]/.test(text[range.start - lead - 1]!)) lead += 1;
    const isFirst = /podium-disable(?:-next-line)?\s*$/.test(text.slice(start, range.start));
    const behind = /^[\s,]*/.exec(text.slice(range.end))?.[0].length ?? 0;
    const code = isFirst
      ? { start: range.start, end: range.end + behind }
      : { start: range.start - lead, end: range.end };
    const title = isAlone ? say`Remove this comment` : say`Remove it from this comment`;
    const edits = [{ uri, index, range: isAlone ? { start, end } : code, text: '' }];
    return [{ title, preferred: true, isSafe: true, edits }];
  },
};
