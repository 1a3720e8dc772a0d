import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver';
import { quickFixes } from '../../../../server/src/language/checks/repairs.ts';
import { rules, rulesByCode } from '../../../../server/src/language/rules/registry.ts';
import { kubernetesVersions, ruleSettings } from '../../../../server/src/language/settings/settings.ts';
import { surroundings, TestWorkspace } from '../test-workspace.ts';

const root = new URL('../../../../', import.meta.url);
const pages = fileURLToPath(new URL('docs/rules', root));

function pageOf(code: string): string {
  return readFileSync(new URL(`docs/rules/${code}.md`, root), 'utf8');
}

/** The manifest under a heading of a page. */
function example(page: string, heading: string): string | undefined {
  return new RegExp(`^## ${heading}\\n\\n\`\`\`yaml\\n([^]*?)\`\`\`$`, 'm').exec(page)?.[1];
}

interface SettingSchema {
  readonly enum: readonly string[];
  readonly default: string;
  readonly description: string;
}

function contributedSettings(): ReadonlyMap<string, SettingSchema> {
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    readonly contributes: {
      readonly configuration?: readonly { readonly properties: Readonly<Record<string, SettingSchema>> }[];
    };
  };
  return new Map((manifest.contributes.configuration ?? []).flatMap(({ properties }) => Object.entries(properties)));
}

function keyOf({ code, message }: Diagnostic): string {
  return `${code ?? ''}: ${typeof message === 'string' ? message : message.value}`;
}

/** What a name that is right now may lead to: that what it names is not there, or finds nothing. */
const leadsTo: ReadonlySet<string> = new Set(['unknown-priority-class', 'unused-suppression']);

describe('the registry of rules', () => {
  it('has no code twice', () => {
    assert.equal(rulesByCode.size, rules.length);
  });

  it('has a page for every rule, and a rule for every page', () => {
    const written = readdirSync(pages)
      .map((name) => name.replace(/\.md$/, ''))
      .sort();
    assert.deepEqual(written, [...rulesByCode.keys()].sort());
  });

  it('has a setting for every rule, as `npm run settings` writes them', () => {
    const settings = contributedSettings();
    const texts = JSON.parse(readFileSync(new URL('package.nls.json', root), 'utf8')) as Readonly<
      Record<string, string>
    >;
    for (const rule of rules) {
      const setting = settings.get(`podium.rules.${rule.code}`);
      assert.ok(setting !== undefined, `package.json lacks podium.rules.${rule.code}; run: npm run settings`);
      assert.deepEqual(setting.enum, ruleSettings);
      assert.equal(setting.description, `%rule.${rule.code}%`);
      const text = `${rule.title}. By default: ${rule.severity}.`;
      assert.equal(texts[`rule.${rule.code}`], text, 'run: npm run settings');
    }
    assert.deepEqual(settings.get('podium.kubernetes.version')?.enum, kubernetesVersions);
    const known = [...settings.keys()].filter((key) => key.startsWith('podium.rules.'));
    assert.deepEqual(
      known.filter((key) => !rulesByCode.has(key.slice('podium.rules.'.length))),
      [],
    );
  });

  for (const { code, severity, fix } of rules) {
    describe(code, () => {
      it('[ED-8] has a page that names its severity, how to turn it off, and its repair or why there is none', () => {
        const page = pageOf(code);
        assert.ok(page.startsWith(`# ${code}\n`));
        assert.match(page, new RegExp(`^Severity: ${severity}\\b`, 'm'));
        assert.ok(page.includes(`"podium.rules.${code}": "off"`));
        assert.equal(
          page.includes('\n## Repair\n'),
          fix !== undefined,
          'a page tells of a repair exactly when there is one',
        );
        // Where there is none, the page says why.
        assert.equal(/\n## No repair\n\n[A-Z]/.test(page), fix === undefined);
      });

      it('has repairs after which it is gone and no error is new', async () => {
        const page = pageOf(code);
        const [bad, before] = ['Bad', 'Before'].map((heading) => example(page, heading));
        const committed = before === undefined ? {} : { committed: { 'a.yaml': before } };
        const workspace = await TestWorkspace.of({ 'a.yaml': bad ?? '' }, committed);
        const reported = workspace.diagnostics('a.yaml');
        const known = new Set(reported.map(keyOf));
        for (const finding of reported.filter((diagnostic) => diagnostic.code === code)) {
          const offered = quickFixes(workspace.file('a.yaml'), finding.range, workspace).filter(
            ({ edit, title, diagnostics }) =>
              edit !== undefined && !title.startsWith('Turn off') && diagnostics?.some((each) => each.code === code),
          );
          for (const { title, edit } of offered) {
            const repaired = await TestWorkspace.of({ 'a.yaml': bad ?? '' }, committed);
            for (const [path, text] of Object.entries(repaired.apply(edit!))) repaired.write(path, text);
            const left = repaired.diagnostics('a.yaml');
            const same = (all: readonly Diagnostic[]): number =>
              all.filter((each) => keyOf(each) === keyOf(finding)).length;
            assert.ok(same(left) < same(reported), `${title} leaves ${keyOf(finding)}`);
            const fresh = left.filter((each) => !known.has(keyOf(each)) && !leadsTo.has(String(each.code)));
            assert.deepEqual(fresh.map(keyOf), [], title);
          }
        }
      });

      const [bad, good, before] = ['Bad', 'Good', 'Before'].map((heading) => example(pageOf(code), heading));
      if (bad === undefined || good === undefined) return;
      for (const { name: surrounding, wrap } of surroundings) {
        const committed = before === undefined ? {} : { committed: { 'a.yaml': wrap(before) } };
        const reportedIn = async (text: string): Promise<Diagnostic[]> =>
          (await TestWorkspace.of({ 'a.yaml': wrap(text) }, committed)).diagnostics('a.yaml');

        it(`reports the bad manifest of its page ${surrounding}`, async () => {
          const reported = await reportedIn(bad);
          assert.ok(
            reported.some((diagnostic) => diagnostic.code === code),
            JSON.stringify(reported, null, 1),
          );
        });

        it(`accepts the good manifest of its page ${surrounding}`, async () => {
          const reported = await reportedIn(good);
          const unwanted = reported.filter((diagnostic) => diagnostic.code === code || diagnostic.severity === 1);
          assert.deepEqual(unwanted, [], 'neither this nor an error of another kind');
        });
      }
    });
  }
});
