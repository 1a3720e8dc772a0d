import type { Range } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';

/** The range of a scalar without the quotes around it, which stay as they are. */
export function unquotedRange(file: ManifestFile, range: Range): Range {
  const placed = documentAtLine(file.documents, range.start.line);
  const sign = placed?.document.text[offsetInDocument(placed, range.start)];
  const quoted = `"'`.includes(sign ?? ' ') && range.start.line === range.end.line ? 1 : 0;
  return {
    start: { line: range.start.line, character: range.start.character + quoted },
    end: { line: range.end.line, character: range.end.character - quoted },
  };
}
