import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { addresses, repository } from '../../../scripts/lib/addresses.mjs';
import { npm } from '../../../scripts/lib/npm.mjs';
import { root, sample } from '../../../scripts/lib/paths.mjs';
import { run } from '../../../scripts/lib/processes.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: { readonly name: string; readonly version: string };
  };
  readonly components: readonly Component[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const ours = readJson(join(root, 'package.json')) as Manifest;

/** Paths of all files in a folder, with slashes. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => relative(folder, join(folder, name)).split(sep).join('/'))
    .sort();
}

describe('the packages', () => {
  it('hold what is needed at run time, its documents, and nothing else', async () => {
    const { extension, podium } = await shipped();
    const chunk = /^dist\/(?:(?:web\/)?chunks|texts)\/[\w.-]+\.mjs$/;
    const isSample = (name: string) => name.startsWith('samples/online-shop/');
    assert.deepEqual(
      filesIn(extension).filter(isSample),
      filesIn(sample).map((name) => `samples/online-shop/${name}`),
    );
    assert.deepEqual(
      filesIn(extension).filter(
        (name) => !chunk.test(name) && !isSample(name) && !/^docs\/rules\/[a-z-]+\.md$/.test(name),
      ),
      [
        'LICENSE.txt',
        'THIRD-PARTY-NOTICES',
        'changelog.md',
        'dist/assistants.cjs',
        'dist/client-on-request.cjs',
        'dist/client-overview.cjs',
        'dist/client.cjs',
        'dist/language-client.cjs',
        'dist/mcp.mjs',
        'dist/podium.mjs',
        'dist/server.mjs',
        'dist/web/extension.js',
        'dist/web/server.mjs',
        'dist/web/worker.js',
        'dist/webview/main.css',
        'dist/webview/main.js',
        'icons/podium.png',
        'icons/view.svg',
        'icons/walkthrough/cluster.svg',
        'icons/walkthrough/drain.svg',
        'icons/walkthrough/lens.svg',
        'icons/walkthrough/report.svg',
        'icons/walkthrough/sample.svg',
        'icons/walkthrough/view.svg',
        'l10n/bundle.l10n.ja.json',
        'l10n/bundle.l10n.ru.json',
        'l10n/bundle.l10n.zh-cn.json',
        'l10n/page.ja.json',
        'l10n/page.ru.json',
        'l10n/page.zh-cn.json',
        'l10n/shared.ja.json',
        'l10n/shared.ru.json',
        'l10n/shared.zh-cn.json',
        'package.json',
        'package.nls.ja.json',
        'package.nls.json',
        'package.nls.ru.json',
        'package.nls.zh-cn.json',
        'readme.md',
        'schemas/lock.schema.json',
        'schemas/project.schema.json',
        'schemas/scenario.schema.json',
        'schemas/snapshot.schema.json',
        'syntaxes/scheduling.tmLanguage.json',
      ],
    );
    assert.deepEqual(
      filesIn(join(podium, '../..')).filter((name) => !chunk.test(name)),
      [
        'LICENSE',
        'README.md',
        'THIRD-PARTY-NOTICES',
        'dist/mcp.mjs',
        'dist/podium.mjs',
        'dist/server.mjs',
        'dist/texts/server.ja.mjs.br',
        'dist/texts/server.ru.mjs.br',
        'dist/texts/server.zh-cn.mjs.br',
        'dist/webview/main.css.br',
        'dist/webview/main.js.br',
        'docs/rules.json.br',
        'integrations/gitlab-ci.yml',
        'integrations/gitlab-note.mjs',
        'integrations/install-tools.sh',
        'package.json',
        'podium.1',
      ],
    );
    const manual = readFileSync(join(podium, '../../podium.1'), 'utf8');
    assert.match(manual, /^\.SH "PODIUM SIMULATE"\n\.nf\nUsage: podium simulate PATH/m);
  });

  it('have only absolute links in what they say, each to a place that the repository has', async () => {
    const { extension, podium } = await shipped();
    const rules = readdirSync(join(extension, 'docs/rules')).map((name) => join(extension, 'docs/rules', name));
    const texts = [
      ...['readme.md', 'changelog.md'].map((name) => join(extension, name)),
      ...rules,
      join(podium, '../..', 'README.md'),
    ];
    let places = 0;
    for (const path of texts) {
      const prose = readFileSync(path, 'utf8').replace(/^```[^]*?^```$/gm, '');
      for (const [, link = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        assert.match(link, /^https:\/\//, path);
        const [, place] =
          /^https:\/\/(?:raw\.githubusercontent\.com|github\.com)\/[\w.-]+\/podium\/(?:(?:blob|tree)\/)?v[\d.]+\/([^#]+)/.exec(
            link,
          ) ?? [];
        if (place === undefined) continue;
        assert.ok(link.startsWith(addresses.repository) || link.includes(`/${repository}/v${ours.version}/`), link);
        assert.ok(existsSync(join(root, place)), `${path}: ${link}`);
        places++;
      }
    }
    assert.ok(places > 30, String(places));
  });

  it('install the command line under a name of its own, with the program podium and nothing beside it', async () => {
    const { podium, installed } = await shipped();
    const manifest = readJson(join(podium, '../../package.json')) as Manifest;
    assert.notEqual(manifest.name, 'podium');
    assert.equal(manifest.version, ours.version);
    assert.deepEqual(manifest.bin, { podium: './dist/podium.mjs' });
    assert.equal(manifest.dependencies, undefined);
    assert.deepEqual(
      readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
      [manifest.name],
    );
  });

  it('run the command line by npx, by the name of the package', async () => {
    const { installed } = await shipped();
    const { code, output } = await npm(['exec', '--no', '--', 'podium-scheduling', '--version'], {
      cwd: installed,
      capture: true,
    });
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`^podium ${ours.version.replaceAll('.', '\\.')}$`, 'm'));
  });

  it('say in SARIF what the documentation says about a rule', async () => {
    const { podium } = await shipped();
    const folder = mkdtempSync(join(tmpdir(), 'podium-sarif-'));
    try {
      writeFileSync(join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nkind: Pod\nmetadata: { name: a }\n');
      const args = [podium, 'check', folder, '--no-render', '--format', 'sarif'];
      const { output } = await run(process.execPath, args, { capture: true });
      assert.match(output, /"markdown": ?"# yaml-duplicate-key/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('come with a bill of materials of the packages of the lock file that are bundled', async () => {
    const { sbom } = await shipped();
    const bill = readJson(sbom) as Bill;
    assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.6']);
    assert.match(bill.serialNumber, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(bill.metadata.component.version, ours.version);
    const committed = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
    const expected = Number(process.env['SOURCE_DATE_EPOCH'] ?? committed);
    assert.equal(Date.parse(bill.metadata.timestamp) / 1000, expected);

    const { packages } = readJson(join(root, 'package-lock.json')) as {
      packages: Record<string, { version: string; license: string; integrity: string }>;
    };
    for (const { name, version, purl, hashes, licenses } of bill.components) {
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
      const locked = Object.entries(packages).find(
        ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
      )?.[1];
      assert.ok(locked !== undefined, `${name} ${version} is not in the lock file`);
      assert.equal(licenses[0]?.license?.id ?? licenses[0]?.expression, locked.license);
      const integrity = `sha512-${Buffer.from(hashes[0]!.content, 'hex').toString('base64')}`;
      assert.equal(integrity, locked.integrity);
    }
    const names = new Set(bill.components.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(ours.dependencies ?? {}).filter((name) => !names.has(name)),
      [],
    );
  });

  it('hold the licences of everything that is bundled', async () => {
    const { extension, podium, sbom } = await shipped();
    const notices = readFileSync(join(extension, 'THIRD-PARTY-NOTICES'), 'utf8');
    assert.equal(readFileSync(join(podium, '../../THIRD-PARTY-NOTICES'), 'utf8'), notices);
    const line = '='.repeat(80);
    const sections = notices.split(`${line}\n`).slice(1);
    const titles = sections.filter((_, index) => index % 2 === 0).map((title) => title.trim());
    const texts = sections.filter((_, index) => index % 2 === 1);
    assert.deepEqual(
      titles,
      (readJson(sbom) as Bill).components.map(({ name, version, licenses }) => {
        return `${name} ${version} (${licenses[0]?.license?.id ?? licenses[0]?.expression ?? ''})`;
      }),
    );
    for (const [index, text] of texts.entries()) {
      assert.match(text, /permission|permitted|licen[cs]e/i, titles[index]);
      assert.ok(text.length > 400, `${titles[index]!}: ${text}`);
    }
  });

  it('have the same bytes when the same commit is built again, elsewhere and by somebody else', async () => {
    const made = await shipped();
    const folder = mkdtempSync(join(tmpdir(), 'podium-again-'));
    const mask = process.umask(0o077);
    try {
      const args = [join(root, 'scripts', 'package.mjs'), `--out=${folder}`];
      const { code, output } = await run(process.execPath, args, { env: { TZ: 'Asia/Tokyo' }, capture: true });
      assert.equal(code, 0, output);
    } finally {
      process.umask(mask);
    }
    const hashes = (from: string, names: readonly string[]): readonly string[] =>
      names.map(
        (name) =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(from, name)))
            .digest('hex')}`,
      );
    const names = readdirSync(folder).sort();
    assert.equal(names.length, 3);
    assert.deepEqual(hashes(folder, names), hashes(made.folder, names));
    rmSync(folder, { recursive: true });
  });
});
