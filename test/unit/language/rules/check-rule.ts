import assert from 'node:assert/strict';
import { fixAllActions, quickFixes } from '../../../../server/src/language/checks/repairs.ts';
import type { Severity } from '../../../../server/src/language/rules/support/rule.ts';
import { rulesByCode } from '../../../../server/src/language/rules/registry.ts';
import { surroundings, TestWorkspace, type TestWorkspaceOptions } from '../test-workspace.ts';

export interface RuleCase extends TestWorkspaceOptions {
  /** The manifest under test; `‹…›` marks where the rule must report, and nowhere else. */
  readonly manifest: string;
  /** Other files of the workspace: path → text. Marks in them are where related information must point. */
  readonly others?: Readonly<Record<string, string>>;
  readonly severity?: Severity;
  /** What every message must contain. */
  readonly message?: string | RegExp;
  /** Title of a repair → the manifest after it, or every file that it changes: path → text. */
  readonly fixes?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const path = 'manifest.yaml';
const severities = { error: 1, warning: 2, information: 3, hint: 4 } as const;

/** Checks what one rule says of a manifest, wherever in a file that stands. */
export async function checkRule(code: string, ruleCase: RuleCase): Promise<void> {
  assert.ok(rulesByCode.has(code), `no rule ${code}`);
  for (const { name, wrap } of surroundings) {
    const committed = ruleCase.committed === undefined ? undefined : mapValues(ruleCase.committed, wrap);
    const make = (): Promise<TestWorkspace> =>
      TestWorkspace.of(
        { ...ruleCase.others, [path]: wrap(ruleCase.manifest) },
        { ...ruleCase, ...(committed === undefined ? {} : { committed }) },
      );
    const workspace = await make();
    const reported = workspace.diagnostics(path).filter((diagnostic) => diagnostic.code === code);
    assert.deepEqual(
      reported.map(({ range }) => range),
      workspace.ranges(path),
      `${name}: ranges of ${JSON.stringify(workspace.diagnostics(path), null, 1)}`,
    );
    for (const diagnostic of reported) {
      if (ruleCase.severity !== undefined) assert.equal(diagnostic.severity, severities[ruleCase.severity], name);
      const { message } = ruleCase;
      const said = typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value;
      if (typeof message === 'string') assert.ok(said.includes(message), `${name}: ${said}`);
      else if (message !== undefined) assert.match(said, message, name);
    }
    const related = reported
      .flatMap((diagnostic) => diagnostic.relatedInformation ?? [])
      .map(({ location }) => location);
    for (const other of Object.keys(ruleCase.others ?? {})) {
      const expected = workspace.ranges(other);
      if (expected.length === 0) continue;
      const found = related.filter(({ uri }) => uri === `file:///${other}`).map(({ range }) => range);
      assert.deepEqual(found, expected, `${name}: related in ${other}`);
    }
    await checkFixes(code, ruleCase, make, name, wrap);
  }
}

/** Applies every repair: the text must be the expected one, be YAML, and the finding be gone. */
async function checkFixes(
  code: string,
  ruleCase: RuleCase,
  make: () => Promise<TestWorkspace>,
  name: string,
  wrap: (source: string) => string,
): Promise<void> {
  if (ruleCase.fixes === undefined) return;
  const workspace = await make();
  const countOf = (where: TestWorkspace): number =>
    where.diagnostics(path).filter((diagnostic) => diagnostic.code === code).length;
  const actions = workspace.ranges(path).flatMap((range) => quickFixes(workspace.file(path), range, workspace));
  for (const [title, expected] of Object.entries(ruleCase.fixes)) {
    const action = actions.find((candidate) => candidate.title === title);
    assert.ok(
      action?.edit !== undefined,
      `${name}: no repair "${title}" among ${actions.map((one) => one.title).join(' | ')}`,
    );
    const after = workspace.apply(action.edit);
    const wanted = typeof expected === 'string' ? { [path]: wrap(expected) } : expected;
    for (const [file, text] of Object.entries(wanted)) {
      assert.equal(after[file], typeof expected === 'string' || file !== path ? text : wrap(text), `${name}: ${title}`);
    }
    const repaired = await make();
    for (const [file, text] of Object.entries(after)) {
      repaired.write(file, text);
      const { documents } = repaired.file(file);
      assert.ok(
        documents.every(({ document }) => document.problems.length === 0),
        `${name}: ${title} leaves YAML`,
      );
    }
    assert.ok(countOf(repaired) < countOf(workspace), `${name}: ${title} repairs`);
    assert.deepEqual(Object.keys(after).sort(), Object.keys(wanted).sort(), `${name}: files of ${title}`);
  }
}

/** The manifest after everything that can be repaired safely has been. */
export async function checkFixAll(
  manifest: string,
  expected: string,
  options: TestWorkspaceOptions & { readonly others?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  for (const { name, wrap } of surroundings) {
    const workspace = await TestWorkspace.of({ ...options.others, [path]: wrap(manifest) }, options);
    const [action] = fixAllActions(workspace.file(path), workspace);
    const after = action?.edit === undefined ? workspace.text(path) : workspace.apply(action.edit)[path];
    assert.equal(after, wrap(expected), name);
  }
}

function mapValues(record: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, text]) => [key, change(text)]));
}
