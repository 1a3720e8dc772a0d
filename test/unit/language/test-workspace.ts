import { logFailures } from '../../../server/src/util/contain.ts';
import type { Diagnostic, Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Checker, type CheckedFinding, diagnosticOf } from '../../../server/src/language/checks/rule-runner.ts';
import { KnownEarlierVersions } from '../../../server/src/language/history/earlier-versions.ts';
import { Facts } from '../../../server/src/language/index/facts.ts';
import { defaultSettings, type RuleSetting, type Settings } from '../../../server/src/language/settings/settings.ts';
import { loadPoolTypes } from '../../../server/src/language/index/pool-types.ts';
import type { ManifestFile } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';

/** Text with its marks taken out: `‹range›`, and `|` for a cursor where there is one. */
export interface Marked {
  readonly text: string;
  readonly ranges: readonly Range[];
}

/** Reads `‹…›` marks, which may be nested. */
function marked(source: string): Marked {
  let text = '';
  const open: number[] = [];
  const found: { readonly start: number; readonly end: number }[] = [];
  for (const character of source) {
    if (character === '‹') open.push(text.length);
    else if (character === '›') found.push({ start: open.pop()!, end: text.length });
    else text += character;
  }
  const document = TextDocument.create('', '', 0, text);
  const ranges = found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map(({ start, end }) => ({ start: document.positionAt(start), end: document.positionAt(end) }));
  return { text, ranges };
}

export interface TestWorkspaceOptions {
  /** A file that is the cluster snapshot. */
  readonly snapshot?: string;
  /** Path → text at git HEAD. */
  readonly committed?: Readonly<Record<string, string>>;
  readonly rules?: Readonly<Record<string, RuleSetting>>;
  readonly admissionPlugins?: Settings['admissionPlugins'];
}

// What is contained for users is a failure of the test.
logFailures((_what, error) => {
  throw error;
});

/** A workspace in memory: path → text, with marks. */
export class TestWorkspace {
  readonly facts = new Facts();
  readonly earlier: KnownEarlierVersions;
  readonly checker: Checker;
  readonly settings: Settings;
  readonly docs = '';
  readonly #files = new Map<string, { file: ManifestFile; readonly marked: Marked }>();

  private constructor(options: TestWorkspaceOptions) {
    const committed = new Map(Object.entries(options.committed ?? {}).map(([path, text]) => [`file:///${path}`, text]));
    this.earlier = new KnownEarlierVersions(this.facts, () => Promise.resolve({ texts: committed, unknown: [] }));
    this.checker = new Checker(this.facts, this.earlier);
    this.settings = {
      ...defaultSettings,
      admissionPlugins: options.admissionPlugins ?? [],
      rules: new Map(Object.entries(options.rules ?? {})),
    };
  }

  static async of(files: Readonly<Record<string, string>>, options: TestWorkspaceOptions = {}): Promise<TestWorkspace> {
    const workspace = new TestWorkspace(options);
    for (const [path, source] of Object.entries(files)) workspace.write(path, source);
    if (options.snapshot !== undefined) {
      workspace.facts.cluster.set(parseManifestFile('file:///snapshot.yaml', options.snapshot));
    }
    const uris = Object.keys(options.committed ?? {}).map((path) => `file:///${path}`);
    await workspace.earlier.load(uris);
    await loadPoolTypes(workspace.facts);
    return workspace;
  }

  write(path: string, source: string): void {
    const uri = `file:///${path}`;
    const read = marked(source);
    const before = this.#files.get(path)?.file;
    const file = parseManifestFile(uri, read.text, null, before);
    this.#files.set(path, { file, marked: read });
    this.facts.setFile(uri, file);
  }

  file(path: string): ManifestFile {
    return this.#entry(path).file;
  }

  text(path: string): string {
    return this.#entry(path).marked.text;
  }

  /** The marked ranges of a file, in order. */
  ranges(path: string): readonly Range[] {
    return this.#entry(path).marked.ranges;
  }

  /** The start of the first mark. */
  cursor(path: string): Position {
    return this.ranges(path)[0]!.start;
  }

  findings(path: string): readonly CheckedFinding[] {
    return this.checker.findings(this.file(path), this.settings);
  }

  diagnostics(path: string): Diagnostic[] {
    return this.findings(path).map((finding) => diagnosticOf(finding, this.facts, this.docs));
  }

  /** The text of each file after an edit; files that it does not touch are left out. */
  apply(edit: WorkspaceEdit): Record<string, string> {
    const changed: Record<string, string> = {};
    for (const change of edit.documentChanges ?? []) {
      if (!('edits' in change)) throw new Error('only text is edited');
      const path = change.textDocument.uri.replace(/^file:\/\/\//, '');
      changed[path] = applyEdits(this.text(path), change.edits as TextEdit[]);
    }
    return changed;
  }

  #entry(path: string): { readonly file: ManifestFile; readonly marked: Marked } {
    const entry = this.#files.get(path);
    if (entry === undefined) throw new Error(`no file ${path}`);
    return entry;
  }
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('', '', 0, text), [...edits]);
}

/** The ways in which one manifest can stand in a file, all of which must give the same answer. */
export const surroundings: readonly { readonly name: string; readonly wrap: (source: string) => string }[] = [
  { name: 'as the first document', wrap: (source) => source },
  { name: 'as the second document, after emoji', wrap: (source) => `# 🦄🦄\nnote: "🚀 ünïcode"\n---\n${source}` },
  { name: 'with CRLF', wrap: (source) => `# 🦄\n---\n${source}`.replaceAll('\n', '\r\n') },
];
