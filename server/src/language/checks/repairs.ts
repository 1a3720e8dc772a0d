import { addTo, getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { titleOf } from '../../util/words.ts';
import type { CodeAction, Command, Diagnostic, Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { ManifestFile, OffsetRange } from '../../manifests/manifest.ts';
import { fixAll, quickFix } from './code-action-kinds.ts';
import { type Checker, type CheckedFinding, diagnosticOf, shownFindings } from './rule-runner.ts';
import type { EarlierVersions } from './rule-runner.ts';
import type { Facts } from '../index/facts.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import { isJson } from '../rules/support/edits.ts';
import type { Fix, FixEdit } from '../rules/support/rule.ts';
import type { Settings } from '../settings/settings.ts';

/** Everything that repairs are made from. */
export interface RepairContext {
  readonly facts: Facts;
  readonly checker: Checker;
  readonly earlier: EarlierVersions;
  readonly settings: Settings;
  readonly docs: string;
}

/** The client command that opens the page of a rule; its argument is the code. */
const openRuleDocs = 'podium.openRuleDocs';

/** The client command that opens the report, and what it may be told not to ask about. */
const simulate = 'podium.simulate';
const runWithout = 'without-snapshot';

/** The client command that shows the side bar: its rows allow a tool, fetch what is remote, or name a tool that is missing. */
const showUnseen = 'podium.overview.focus';

/** The client command that writes globs into the setting `podium.exclude`. */
const exclude = 'podium.exclude';

/** What is excluded, and a folder that may be, as it is called and as a glob. */
export interface Excludable {
  readonly excluded: readonly string[];
  readonly folder: string;
  readonly glob: string;
}

/** The repairs of every problem that a range touches, then the page of each rule, and last what turns a rule off. */
export function quickFixes(file: ManifestFile, range: Range, context: RepairContext): CodeAction[] {
  const findings = shownFindings(context.checker.findings(file, context.settings)).filter(({ placed, finding }) =>
    rangesOverlap(placedRange(placed, finding.range), range),
  );
  const repairs = findings.flatMap((found) => {
    const diagnostic = diagnosticOf(found, context.facts, context.docs);
    return fixesOf(file, found, context).flatMap((fix) => actionOf(fix, diagnostic, context.facts));
  });
  const others = findings.flatMap((found) => otherPlace(found, context));
  const codes = new Set(findings.map(({ rule }) => rule.code));
  const pages = [...codes].map((code): CodeAction => {
    const title = documentationOf(code);
    const command: Command = { title, command: openRuleDocs, arguments: [code] };
    const diagnostics = findings
      .filter(({ rule }) => rule.code === code)
      .map((found) => diagnosticOf(found, context.facts, context.docs));
    return { title, kind: quickFix, diagnostics, command };
  });
  const suppressions = findings.flatMap((found) => suppressionsOf(file, found, context));
  return [...repairs, ...others, ...pages, ...distinct(suppressions)];
}

/** The command of VS Code that shows a place, and its argument: an address with a line. */
const open = 'vscode.open';

/** What a finding is about besides, as the first declaration of an object: the first such place. */
function otherPlace(found: CheckedFinding, { facts, docs }: RepairContext): CodeAction[] {
  const [related] = found.finding.related?.() ?? [];
  const diagnostic = diagnosticOf(found, facts, docs);
  const [place] = diagnostic.relatedInformation ?? [];
  if (related === undefined || place === undefined) return [];
  const title = say`Go to ${titleOf('fact' in related ? related.fact : related)}`;
  const { uri, range } = place.location;
  const command: Command = { title, command: open, arguments: [`${uri}#L${range.start.line + 1}`] };
  return [{ title, kind: quickFix, diagnostics: [diagnostic], command }];
}

/**
 * What leads on from a snapshot on which no answer can rest, and from what is not rendered.
 * @param own the folder of the file; undefined where it is that of the workspace
 */
export function waysOn(diagnostics: readonly Diagnostic[], own?: Excludable): CodeAction[] {
  const way = (code: string, title: string, command: string, ...args: readonly unknown[]): CodeAction[] => {
    const found = diagnostics.filter((each) => each.code === code);
    if (found.length === 0) return [];
    return [{ title, kind: quickFix, diagnostics: found, command: { title, command, arguments: [...args] } }];
  };
  return [
    ...way('unusable-snapshot', say`Run the simulation without the snapshot`, simulate, runWithout),
    ...way('not-rendered', say`Show what is not seen`, showUnseen),
    ...(own === undefined
      ? []
      : way('not-rendered', say`Exclude the folder ${own.folder}`, exclude, [...own.excluded, own.glob])),
    ...outsideRules.flatMap((code) => way(code, documentationOf(code), openRuleDocs, code)),
  ];
}

/** What sources show, wherever its cause stands. */
const outsideRules = ['not-rendered', 'entry-has-no-effect'] as const;

function documentationOf(code: string): string {
  return say`Open the documentation of ${code}`;
}

/** Several findings of one rule on one line are turned off by one comment. */
function distinct(actions: readonly CodeAction[]): CodeAction[] {
  const seen = new Set<string>();
  return actions.filter(({ title, edit }) => {
    const key = JSON.stringify([title, edit]);
    return !seen.has(key) && seen.add(key).size > 0;
  });
}

/** What nobody gains by not being told of: the text cannot be read, or the comment does nothing. */
const keptOn: ReadonlySet<string> = new Set([
  'yaml-syntax',
  'yaml-alias',
  'yaml-duplicate-key',
  'unknown-suppression',
  'unused-suppression',
]);

/** Comments that turn a rule off: above the line, and for the document. JSON has no comments. */
function suppressionsOf(file: ManifestFile, found: CheckedFinding, { facts, docs }: RepairContext): CodeAction[] {
  const { rule, finding, placed } = found;
  const { text, lineStarts } = placed.document;
  if (isJson(text) || keptOn.has(rule.code)) return [];
  const diagnostic = diagnosticOf(found, facts, docs);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const insert = (title: string, offset: number, line: string): CodeAction[] => {
    const edits = [
      { uri: file.uri, index: placed.index, range: { start: offset, end: offset }, text: `${line}${newline}` },
    ];
    return actionOf({ title, edits }, diagnostic, facts);
  };
  const start = lineStarts.findLast((offset) => offset <= finding.range.start) ?? 0;
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  // The marker `---` stays the first line of its document.
  const marker = /^\uFEFF?(?:---[^\n]*\n)?/.exec(text)?.[0].length ?? 0;
  return [
    ...insert(say`Turn off ${rule.code} for this line`, start, `${indent}# podium-disable-next-line ${rule.code}`),
    ...insert(say`Turn off ${rule.code} for this document`, marker, `# podium-disable ${rule.code}`),
  ];
}

function fixesOf(
  file: ManifestFile,
  { rule, finding, placed, fact }: CheckedFinding,
  context: RepairContext,
): readonly Fix[] {
  const { facts, earlier, settings } = context;
  const rendering = fact?.manifest.rendering;
  const path = finding.path ?? rendering?.pathOf(finding.range);
  // Of an object that a tool made, only what is written with it can be mended there, and no template at all.
  if (rendering !== undefined && (path === undefined || !rendering.isWrittenHere(path))) return [];
  return (
    rule.fix?.(finding, {
      uri: file.uri,
      index: placed.index,
      document: placed.document,
      objects: facts.inDocument(file.uri, placed.index),
      facts,
      release: kubernetesFor(facts, settings).release,
      earlierOf: (fact) => earlier.of(fact),
    }) ?? []
  );
}

function actionOf(fix: Fix, diagnostic: Diagnostic, facts: Facts): CodeAction[] {
  const edit = workspaceEdit(fix.edits, facts);
  if (edit === undefined) return [];
  return [
    {
      title: fix.title,
      kind: quickFix,
      diagnostics: [diagnostic],
      edit,
      ...(fix.preferred === true ? { isPreferred: true } : {}),
    },
  ];
}

/** One action with the best safe repair of every problem that has one; of repairs that overlap, the first. */
export function fixAllActions(file: ManifestFile, context: RepairContext): CodeAction[] {
  const edits: FixEdit[] = [];
  const taken = new Map<number, TakenRanges>();
  for (const found of context.checker.findings(file, context.settings)) {
    if (found.rule.fix === undefined) continue;
    const fixes = fixesOf(file, found, context);
    const safe = found.rule.isFixSafe === true ? fixes[0] : fixes.find(({ isSafe }) => isSafe === true);
    if (safe === undefined) continue;
    const isFree = safe.edits.every(
      ({ uri, index, range }) => uri === file.uri && taken.get(index)?.overlaps(range) !== true,
    );
    if (!isFree) continue;
    for (const edit of safe.edits) {
      const ranges = getOrInsert(taken, edit.index, () => new TakenRanges());
      ranges.add(edit.range);
      edits.push(edit);
    }
  }
  const edit = edits.length === 0 ? undefined : workspaceEdit(edits, context.facts);
  return edit === undefined ? [] : [{ title: say`Repair what Podium can repair safely`, kind: fixAll, edit }];
}

/** Ranges of one document, of which none overlaps another, in order. */
class TakenRanges {
  readonly #ranges: OffsetRange[] = [];

  /** Where a range stands, or would. */
  #placeOf({ start }: OffsetRange): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle]!.end <= start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  overlaps(range: OffsetRange): boolean {
    // Those before end before it begins; those that are empty and stand at its start are no hindrance.
    const next = this.#ranges[this.#placeOf(range)];
    return next !== undefined && next.start < range.end && range.start < next.end;
  }

  add(range: OffsetRange): void {
    this.#ranges.splice(this.#placeOf(range), 0, range);
  }
}

/** Edits of documents as an edit of the workspace; undefined when a document is gone. */
export function workspaceEdit(edits: readonly FixEdit[], facts: Facts): WorkspaceEdit | undefined {
  const byUri = new Map<string, TextEdit[]>();
  for (const { uri, index, range, text } of edits) {
    const placed = facts.file(uri)?.documents[index];
    if (placed === undefined) return undefined;
    addTo(byUri, uri, { range: placedRange(placed, range), newText: text });
  }
  return {
    documentChanges: [...byUri].map(([uri, textEdits]) => ({
      textDocument: { uri, version: facts.file(uri)?.version ?? null },
      edits: textEdits,
    })),
  };
}

/** Whether two ranges share a character or touch. */
function rangesOverlap(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
