import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CodeAction, Diagnostic, TextDocumentEdit, TextEdit } from 'vscode-languageserver/node';
import { applyEdits } from '../unit/language/test-workspace.ts';
import { TestClient } from './test-client.ts';

/** `UPDATE_GOLDEN=1` writes the table anew. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** Manifests with something wrong, and what each fix makes of them, as lines that go and come. */
const table = new URL('fixes.md', import.meta.url);
const pages = new URL('../../docs/rules/', import.meta.url);

interface Case {
  readonly name: string;
  /** Undefined where it is the bad manifest of the page of a rule. */
  readonly written?: string;
  readonly manifest: string;
  readonly fixes: string;
}

function sections(): readonly Case[] {
  const parts = readFileSync(table, 'utf8').split(/^## /m).slice(1);
  const own = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
  const ofPages = readdirSync(pages).flatMap((file): Case[] => {
    const page = readFileSync(new URL(file, pages), 'utf8');
    const [, manifest] = /^## Bad\n\n```yaml\n([^]*?)```$/m.exec(page) ?? [];
    const name = `The page of ${file.replace('.md', '')}`;
    const fixes = own.get(name)?.trim() ?? '';
    own.delete(name);
    // What is compared with an earlier version is pressed in test/unit/language/rules.
    return manifest === undefined || page.includes('\n## Before\n') ? [] : [{ name, manifest, fixes }];
  });
  const others = [...own].map(([name, part]): Case => {
    const [, written = '', manifest = ''] = /^\n(```\w+\n([^]*?)```)\n/.exec(part) ?? [];
    return { name, written, manifest, fixes: part.slice(part.indexOf(written) + written.length).trim() };
  });
  return [...ofPages, ...others];
}

/** The lines that differ, each group behind the line above it. */
function difference(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const lines: string[] = [];
  let [i, j, isSame] = [0, 0, true];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      [i, j, isSame] = [i + 1, j + 1, true];
      continue;
    }
    if (isSame && i > 0) lines.push(`  ${a[i - 1]!}`);
    isSame = false;
    if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push(`- ${a[i++]!}`);
    else lines.push(`+ ${b[j++]!}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

const keyOf = ({ code, message }: Diagnostic): string =>
  `${code ?? ''}: ${typeof message === 'string' ? message : message.value}`;

/** What a name that is right now may lead to. */
const leadsTo: ReadonlySet<unknown> = new Set(['unknown-priority-class']);

describe('every fix that is offered', () => {
  const cases = sections();
  const written: string[] = [];
  let client: TestClient;

  before(async () => {
    client = await TestClient.start();
  });

  after(async () => {
    await client.stop();
    if (!isUpdate) return;
    const [head = ''] = readFileSync(table, 'utf8').split(/^## /m, 1);
    await writeFile(fileURLToPath(table), `${head.trimEnd()}\n\n${written.join('\n\n')}\n`);
  });

  /** All that is said of a text of one file. */
  async function judged(uri: string, text: string): Promise<readonly Diagnostic[]> {
    await client.change(uri, text);
    return client.diagnostics(uri);
  }

  for (const [index, { name, written: own, manifest, fixes }] of cases.entries()) {
    it(`[#38] is what an engineer would write: ${name}`, async () => {
      const isJson = /^[{[]/.test(manifest);
      const uri = await client.open(`case-${index}.${isJson ? 'json' : 'yaml'}`, manifest);
      const found = await client.diagnostics(uri);
      const told: string[] = [];
      for (const finding of found) {
        await judged(uri, manifest);
        const actions = await client.request<CodeAction[] | null>('textDocument/codeAction', {
          textDocument: { uri },
          range: finding.range,
          context: { diagnostics: [finding], only: ['quickfix'] },
        });
        const own = (actions ?? []).filter(({ diagnostics = [] }) =>
          diagnostics.some((each) => keyOf(each) === keyOf(finding)),
        );
        const off = own.findIndex(({ title }) => title.startsWith('Turn off'));
        if (off >= 0) {
          assert.doesNotMatch(String(finding.code), /syntax/);
          for (const { title } of own.slice(off)) assert.match(title, /^Turn off/);
        }
        for (const { title, edit } of own) {
          if (edit === undefined || title.startsWith('Turn off')) continue;
          const edits = (edit.documentChanges ?? []) as readonly TextDocumentEdit[];
          const after = edits.reduce((text, each) => applyEdits(text, each.edits as TextEdit[]), manifest);
          if (isJson) JSON.parse(after);
          const left = await judged(uri, after);
          const count = (all: readonly Diagnostic[]): number =>
            all.filter((each) => keyOf(each) === keyOf(finding)).length;
          assert.ok(count(left) < count(found), `${title} leaves ${keyOf(finding)}`);
          const known = new Set(found.map(keyOf));
          const fresh = left.filter(
            (each) => (each.severity ?? 4) <= 2 && !known.has(keyOf(each)) && !leadsTo.has(each.code),
          );
          assert.deepEqual(fresh.map(keyOf), [], title);
          const section = `### ${title}\n\n\`\`\`diff\n${difference(manifest, after)}\n\`\`\``;
          if (!told.includes(section)) told.push(section);
        }
      }
      await client.close(uri);
      const now = told.join('\n\n');
      if (now !== '' || own !== undefined) {
        written.push([`## ${name}`, own ?? '', now].filter((each) => each !== '').join('\n\n'));
      }
      if (!isUpdate) assert.equal(now, fixes, 'UPDATE_GOLDEN=1 writes the table anew');
      if (own !== undefined) assert.notEqual(now, '', 'there is a fix');
    });
  }
});
