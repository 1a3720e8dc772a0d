import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';

/** As many as VS Code folds (`editor.foldingMaximumRegions`). */
const mostFolds = 5_000;

/**
 * Documents, and in them what is indented. VS Code folds by indentation only where nobody answers, so that documents
 * alone would take all else away; and indentation alone folds neither documents nor a list that stands in the column
 * of its key, as the `items` of a List mostly do. Each fold starts on the line on which the extension for YAML starts
 * it: an editor that hears both shows one. JSON is left to the editor, whose own folding knows brackets; so is a file
 * of which nothing is read.
 */
export function foldingRanges(file: ManifestFile, most = mostFolds): FoldingRange[] | null {
  if (/\.json$/i.test(file.uri) || file.documents.length === 0) return null;
  const documents: FoldingRange[] = [];
  const blocks: FoldingRange[] = [];
  for (const { document, line } of file.documents) {
    const lines = document.text.split(/\r\n|\n|\r/);
    const folds = foldsOf(lines);
    const first = lines.findIndex(isContent);
    const last = lines.findLastIndex((text) => text.trim() !== '');
    const isFolded = file.documents.length > 1 && first !== -1 && last > first;
    if (isFolded) documents.push({ startLine: line + first, endLine: line + last });
    for (const { startLine, endLine, ...kind } of folds) {
      // A line folds one thing: the larger.
      if (isFolded && startLine === first) continue;
      blocks.push({ startLine: line + startLine, endLine: line + endLine, ...kind });
    }
  }
  return [...documents, ...blocks].slice(0, most).sort((a, b) => a.startLine - b.startLine);
}

function isContent(text: string): boolean {
  return !/^\uFEFF?\s*(?:#|$|---\s*(?:#|$)|%)/.test(text);
}

/** Lines with deeper ones below them, and regions, in the order in which they end. */
function foldsOf(lines: readonly string[]): FoldingRange[] {
  const folds: FoldingRange[] = [];
  const open: { readonly line: number; readonly depth: number }[] = [];
  const regions: number[] = [];
  let last = 0;
  const closeTo = (depth: number): void => {
    while ((open.at(-1)?.depth ?? -1) >= depth) {
      const { line } = open.pop()!;
      if (last > line) folds.push({ startLine: line, endLine: last });
    }
  };
  for (const [line, text] of lines.entries()) {
    // As VS Code reads them in YAML. Source: extensions/yaml/language-configuration.json
    if (/^\s*#\s*region\b/.test(text)) {
      regions.push(line);
    } else if (regions.length > 0 && /^\s*#\s*endregion\b/.test(text)) {
      folds.push({ startLine: regions.pop()!, endLine: line, kind: FoldingRangeKind.Region });
    }
    if (!isContent(text)) continue;
    const indent = /^\uFEFF?([ \t]*)(-(?:[ \t]|$))?/.exec(text)!;
    // A list in the column of its key is below the key.
    const depth = indent[1]!.length * 2 + (indent[2] === undefined ? 0 : 1);
    closeTo(depth);
    open.push({ line, depth });
    last = line;
  }
  closeTo(0);
  return folds;
}
