import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import {
  type ArchiveEntry,
  archiveOf,
  type Files,
  packedChart,
  type Servers,
  startServers,
} from '../../support/chart-servers.ts';
import { describeWithTools, toolFolder, toolReleases } from '../../support/kubernetes-tools.ts';
import { type Outcome, podium } from './run-podium.ts';

const deployment = (name: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      ${more}
      containers: [{ name: web, image: a, resources: { requests: { cpu: 100m } } }]
`;

const chartFiles: Files = {
  'values.yaml': 'className: ""\n',
  'templates/web.yaml': deployment('{{ .Release.Name }}-web', 'priorityClassName: {{ .Values.className | quote }}'),
};

const helmRelease = (url: string, version: string, name = 'podinfo'): string => `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: far, namespace: flux-system }
spec: { url: "${url}" }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: shop, namespace: apps }
spec:
  chart:
    spec:
      chart: "${name}"
      version: "${version}"
      sourceRef: { kind: HelmRepository, name: far, namespace: flux-system }
  values: { className: gold }
`;

/** Of running processes, those that name a folder. */
function commandLinesWith(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return text.includes(folder) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

interface Listing {
  readonly sources: readonly {
    readonly name: string;
    readonly objects: number;
    readonly refusal: { readonly message: string } | null;
  }[];
}

describeWithTools('podium sources --fetch', () => {
  let folder: string;
  let storage: string;
  let servers: Servers;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podium-fetch-'));
    storage = mkdtempSync(join(tmpdir(), 'podium-storage-'));
    servers = await startServers();
  });
  afterEach(async () => {
    await servers.close();
    rmSync(folder, { recursive: true });
    rmSync(storage, { recursive: true });
  });

  function write(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const PATH = `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`;
    return podium(args, { cwd: folder, env: { PATH, XDG_CACHE_HOME: storage, ...env } });
  }

  const fetchAll = (env?: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> =>
    run(['sources', '.', '--fetch', '--yes', ...args], env);

  /** What becomes of each source, without anybody who could be asked. */
  async function rendered(): Promise<Record<string, number | string>> {
    const before = servers.requests.length;
    const { stdout, stderr } = await run(['sources', '.', '--format', 'json']);
    assert.equal(stderr, '');
    assert.equal(servers.requests.length, before, 'nothing is asked for when it is rendered');
    const { sources } = JSON.parse(stdout) as Listing;
    return Object.fromEntries(sources.map(({ name, objects, refusal }) => [name, refusal?.message ?? objects]));
  }

  /** Whose pods a simulation has. */
  async function pods(): Promise<string[]> {
    const { stdout } = await run(['simulate', '.', '--format', 'json']);
    const answer = JSON.parse(stdout) as { pods: { namespace: string; name: string }[] };
    const names = answer.pods.map(({ namespace, name }) => `${namespace}/${name.replace(/-[^-]*-[^-]*$/, '')}`);
    return [...new Set(names)].sort();
  }

  for (const release of toolReleases) {
    it(`pulls charts of repositories and registries with the helm of ${release}, and renders them offline`, async () => {
      servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', chartFiles));
      write({
        'release.yaml': helmRelease(`${servers.url}/charts`, '>=6.0.0 <7.0.0'),
        'oci.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: podinfo, namespace: apps }
spec: { url: "oci://${servers.host}/charts/podinfo", ref: { tag: 6.3.5 } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: direct, namespace: apps }
spec: { chartRef: { kind: OCIRepository, name: podinfo } }
`,
        'argo.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: argo }
spec:
  destination: { namespace: argo }
  source: { repoURL: "${servers.host}/charts", chart: podinfo, targetRevision: 6.3.5 }
`,
      });
      assert.deepEqual(await rendered(), {
        'HelmRelease apps/shop': 'the chart podinfo of HelmRepository/far is not in the workspace',
        'HelmRelease apps/direct': 'the chart podinfo of OCIRepository/podinfo is not in the workspace',
        'Application argo': `the chart podinfo of ${servers.host}/charts is not in the workspace`,
      });
      const PATH = `${toolFolder(release)}:${process.env['PATH'] ?? ''}`;
      const { code, stderr } = await fetchAll({ PATH });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /2 charts and bases to fetch, into .*\/podium\/fetched:\n/);
      assert.match(stderr, new RegExp(`podium: {3}podinfo >=6.0.0 <7.0.0 +chart +${servers.url}/charts\n`));
      assert.match(
        stderr,
        new RegExp(`fetched podinfo 6.3.5 of oci://${servers.host}/charts: 6.3.5, SHA-256 \\w{64}\n`),
      );
      assert.deepEqual(await rendered(), {
        'HelmRelease apps/shop': 1,
        'HelmRelease apps/direct': 1,
        'Application argo': 1,
      });
      assert.deepEqual(await pods(), ['apps/direct-web', 'apps/shop-web', 'argo/argo-web']);
      assert.deepEqual(
        readdirSync(folder).sort(),
        ['argo.yaml', 'oci.yaml', 'release.yaml'],
        'the tree stays as it is',
      );
    });

    it(`pulls a chart by its digest alone, and one dependency by its aliases, with the helm of ${release}`, async () => {
      const web = { 'templates/web.yaml': deployment('{{ .Chart.Name }}-web') };
      servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', web));
      const manifest = await (await fetch(`${servers.url}/v2/charts/podinfo/manifests/6.3.5`)).text();
      const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
      const dependency = `name: podinfo, version: 6.3.5, repository: "${servers.url}/charts"`;
      write({
        'oci.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: podinfo, namespace: apps }
spec: { url: "oci://${servers.host}/charts/podinfo", ref: { tag: 1.0.0, digest: "${digest}" } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: direct, namespace: apps }
spec: { chartRef: { kind: OCIRepository, name: podinfo } }
`,
        'umbrella/Chart.yaml': `apiVersion: v2\nname: umbrella\nversion: 1.0.0\ndependencies:\n  - { ${dependency}, alias: front }\n  - { ${dependency}, alias: back }\n`,
      });
      const PATH = `${toolFolder(release)}:${process.env['PATH'] ?? ''}`;
      const { code, stderr } = await fetchAll({ PATH });
      assert.equal(code, 0, stderr);
      assert.match(stderr, new RegExp(`fetched podinfo ${digest} of oci://${servers.host}/charts: 6.3.5, `));
      assert.deepEqual(await rendered(), { 'HelmRelease apps/direct': 1, umbrella: 2 });
      assert.deepEqual(await pods(), ['apps/podinfo-web', 'default/back-web', 'default/front-web']);
      // What a digest names is one content for ever.
      assert.match((await fetchAll({ PATH })).stderr, /there is nothing to fetch/);
    });
  }

  it('renders what lies on disk of a repository that Helm knows by a name, and says why it fetches nothing of one', async () => {
    const dependencies =
      '  - { name: front, version: 1.0.0, repository: "@own" }\n  - { name: back, version: 1.0.0, repository: "alias:own" }\n';
    const umbrella = (name: string): string =>
      `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies:\n${dependencies}`;
    write({
      'whole/Chart.yaml': umbrella('whole'),
      'whole/charts/front/Chart.yaml': 'apiVersion: v2\nname: front\nversion: 1.0.0\n',
      'whole/charts/front/templates/web.yaml': deployment('{{ .Chart.Name }}'),
      'bare/Chart.yaml': umbrella('bare'),
      // Of the workspace nobody takes it.
      'helm/repositories.yaml': `apiVersion: ""\nrepositories:\n  - { name: own, url: "${servers.url}/charts" }\n`,
    });
    writeFileSync(
      join(folder, 'whole/charts/back-1.0.0.tgz'),
      packedChart('back', '1.0.0', { 'templates/web.yaml': deployment('{{ .Chart.Name }}') }),
    );
    const { code, stderr } = await fetchAll({ HELM_CONFIG_HOME: join(folder, 'helm') });
    assert.equal(code, 1, stderr);
    for (const [name, repository] of [
      ['front', '@own'],
      ['back', 'alias:own'],
    ]) {
      assert.ok(
        stderr.includes(
          `cannot be fetched: ${name}: its repository ${repository} is a name of Helm's configuration, which Podium does not read`,
        ),
        stderr,
      );
    }
    assert.equal(servers.requests.length, 0);
    assert.deepEqual(await rendered(), {
      bare: 'the chart front that bare depends on is not in the charts folder (helm dependency build)',
      whole: 2,
    });
  });

  it('marks what is wrong with a chart that was fetched in the file that installs it', async () => {
    servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', chartFiles));
    write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5') });
    assert.equal((await fetchAll()).code, 0);
    const { stdout } = await run(['check', '.']);
    assert.match(stdout, /release\.yaml:15:\d+: .*"gold" .*\(in HelmRelease apps\/shop\)/);
    assert.equal(stdout.includes(storage), false, stdout);
  });

  it('fetches git repositories, files and what charts depend on', async () => {
    const first = servers.commit('base', {
      'deploy/kustomization.yaml': 'resources: [web.yaml]\n',
      'deploy/web.yaml': deployment('web'),
    });
    servers.commit('base', {
      'deploy/kustomization.yaml': 'resources: [web.yaml]\n',
      'deploy/web.yaml': deployment('other'),
    });
    servers.commit(
      'apps',
      {
        'all/web.yaml': deployment('flux'),
        'far/chart/Chart.yaml': 'apiVersion: v2\nname: of-git\nversion: 1.0.0\n',
        'far/chart/templates/a.yaml': deployment('of-git'),
      },
      { tag: 'v1' },
    );
    servers.answer('/files/web.yaml', (response) => response.end(deployment('file')));
    servers.addChart('cache', '0.1.0', packedChart('cache', '0.1.0', { 'templates/a.yaml': deployment('cache') }));
    write({
      'overlay/kustomization.yaml': `namePrefix: prod-
resources:
- ${servers.url}/git/base.git//deploy?ref=${first}
- ${servers.url}/files/web.yaml
`,
      'flux.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: apps, namespace: flux-system }
spec: { url: "${servers.url}/git/apps.git", ref: { tag: v1 } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: all, namespace: flux-system }
spec: { path: ./all, targetNamespace: shop, sourceRef: { kind: GitRepository, name: apps } }
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: argo }
spec: { source: { repoURL: "${servers.url}/git/apps.git", path: far/chart, targetRevision: main }, destination: { namespace: a } }
`,
      'chart/Chart.yaml': `apiVersion: v2
name: own
version: 1.0.0
dependencies: [{ name: cache, version: 0.x, repository: "${servers.url}/charts" }]
`,
      'chart/templates/own.yaml': deployment('own'),
    });
    const { code, stderr } = await fetchAll();
    assert.equal(code, 0, stderr);
    assert.deepEqual(await rendered(), {
      overlay: 2,
      'Kustomization flux-system/all': 1,
      'Application argo': 1,
      chart: 2,
    });
    assert.deepEqual(await pods(), [
      'a/of-git',
      'default/cache',
      'default/own',
      'default/prod-file',
      'default/prod-web',
      'shop/flux',
    ]);
  });

  it('fetches charts that a kustomization inflates, and renders them with its values (#36)', async () => {
    servers.addChart(
      'cache',
      '0.1.0',
      packedChart('cache', '0.1.0', { 'templates/a.yaml': deployment('{{ .Values.name }}') }),
    );
    const repo = { classic: `${servers.url}/charts`, registry: `oci://${servers.host}/charts` };
    for (const [name, address] of Object.entries(repo)) {
      write({
        [`${name}/kustomization.yaml`]: `namePrefix: prod-\nhelmCharts:\n- { name: cache, repo: "${address}", version: 0.1.0, valuesInline: { name: ${name} } }\n`,
      });
    }
    const missing = 'the chart cache is not in the workspace, and nothing is fetched unasked';
    assert.deepEqual(await rendered(), { classic: missing, registry: missing });
    const { code, stderr } = await fetchAll();
    assert.equal(code, 0, stderr);
    assert.deepEqual(await rendered(), { classic: 1, registry: 1 });
    assert.deepEqual(await pods(), ['default/prod-classic', 'default/prod-registry']);
  });

  it('fetches the newest tag of a range, as Flux chooses it', async () => {
    for (const tag of ['v1.2.0', '1.10.0', 'v1.11.0-rc.1', 'v2.0.0', 'next']) {
      servers.commit('apps', { 'all/web.yaml': deployment(`of-${tag}`) }, { tag });
    }
    const range = (semver: string): void => {
      write({
        'flux.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: apps, namespace: flux-system }
spec: { url: "${servers.url}/git/apps.git", ref: { semver: "${semver}", tag: v2.0.0 } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: all, namespace: flux-system }
spec: { path: ./all, targetNamespace: shop, sourceRef: { kind: GitRepository, name: apps } }
`,
      });
    };
    range('>=1.2.0, <2.0.0');
    const { code, stderr } = await fetchAll();
    assert.equal(code, 0, stderr);
    assert.deepEqual(await pods(), ['shop/of-1.10.0']);
    range('~3');
    const none = await fetchAll();
    assert.equal(none.code, 1);
    assert.match(none.stderr, /not fetched: semver:~3 of .*apps\.git: none of its tags is a version of ~3/);
  });

  it('asks before it fetches, and fetches nothing where nobody can be asked', async () => {
    write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5') });
    const { code, stdout, stderr } = await run(['sources', '.', '--fetch']);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /podinfo 6\.3\.5 +chart +http/);
    assert.match(stderr, /--fetch asks first, and standard input is no terminal; --yes fetches what is listed above/);
    for (const command of [
      ['sources', '.'],
      ['check', '.'],
      ['simulate', '.'],
    ]) {
      await run(command);
    }
    assert.deepEqual(servers.requests, []);
    assert.equal(existsSync(join(storage, 'podium')), false);
  });

  it('refuses another content under the same version, tag or address, until it is told to take it', async () => {
    const chart = (text: string): Buffer => packedChart('podinfo', '6.3.5', { 'templates/a.yaml': deployment(text) });
    servers.addChart('podinfo', '6.3.5', chart('first'));
    servers.commit(
      'base',
      { 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': deployment('one') },
      { tag: 'v1' },
    );
    write({
      'release.yaml': helmRelease(`${servers.url}/charts`, '6.*'),
      'kustomization.yaml': `resources: ["${servers.url}/git/base.git?ref=v1"]\n`,
    });
    assert.equal((await fetchAll()).code, 0);
    servers.addChart('podinfo', '6.3.5', chart('second'));
    servers.commit(
      'base',
      { 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': deployment('two') },
      { tag: 'v1' },
    );
    const { code, stderr } = await fetchAll();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /not fetched: podinfo 6\.\* of .*: it is not what was fetched on \d{4}-\d\d-\d\d under the same name: SHA-256 \w{64}, and \w{64} then/,
    );
    assert.match(stderr, /not fetched: v1 of .*base\.git: it is not what was fetched/);
    assert.deepEqual(await pods(), ['apps/first', 'default/one']);
    assert.equal((await fetchAll({}, '--repin')).code, 0);
    assert.deepEqual(await pods(), ['apps/second', 'default/two']);
    servers.addChart('podinfo', '6.4.0', packedChart('podinfo', '6.4.0', {}));
    const later = await fetchAll();
    assert.equal(later.code, 0);
    assert.match(later.stderr, /fetched podinfo 6\.\* of .*: 6\.4\.0, which was 6\.3\.5, SHA-256/);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends by ${signal} with what it has started, keeps what was fetched before, and nothing half fetched`, async () => {
      servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', chartFiles));
      write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5') });
      assert.equal((await fetchAll()).code, 0);
      const hanging = new Promise<void>((resolve) => {
        servers.answer('/git/z.git/info/refs', (response) => {
          response.write('0');
          resolve();
        });
      });
      write({ 'base/kustomization.yaml': `resources:\n  - ${servers.url}/git/z.git?ref=v1\n` });
      const { podium: script } = await shipped();
      const child = spawn(process.execPath, [script, 'sources', '.', '--fetch', '--yes'], {
        cwd: folder,
        env: { ...process.env, PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`, XDG_CACHE_HOME: storage },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      child.stdout.resume();
      const ended = new Promise<NodeJS.Signals | null>((resolve) => {
        child.on('close', (_code, by) => {
          resolve(by);
        });
      });
      await hanging;
      child.kill(signal);
      assert.equal(await ended, signal);
      assert.match(stderr, /not fetched: v1 of http:\/\/127\.0\.0\.1:\d+\/git\/z\.git: cancelled/);
      const kept = join(storage, 'podium', 'fetched');
      assert.deepEqual(
        readdirSync(kept).filter((name) => !/^[0-9a-f]{64}$/.test(name)),
        ['lock.json'],
      );
      assert.equal(readdirSync(kept).length, 2);
      assert.deepEqual(commandLinesWith(storage), [], 'git has ended');
    });
  }

  it('takes nothing out of an archive but files below its folder', async () => {
    const about = { path: 'podinfo/Chart.yaml', content: 'apiVersion: v2\nname: podinfo\nversion: 1.0.0\n' };
    const hostile: readonly (readonly [version: string, archive: Buffer, words: RegExp])[] = [
      ['1.0.0', archiveOf([about, { path: 'podinfo/../../../evil', content: 'x' }]), /leads out of it/],
      ['1.0.1', archiveOf([about, { path: '/podinfo/evil', content: 'x' }]), /leads out of it/],
      ['1.0.2', archiveOf([about, { path: 'podinfo/..\\evil', content: 'x' }]), /leads out of it/],
      ['1.0.3', archiveOf([about, { path: 'podinfo/big', content: ' '.repeat(6 * 1024 * 1024) }]), /larger than 5 MiB/],
      [
        '1.0.4',
        archiveOf(
          Array.from({ length: 30 }, (_, index) => ({
            path: `podinfo/${index}`,
            content: ' '.repeat(4 * 1024 * 1024),
          })),
        ),
        /larger than 100 MiB/,
      ],
      [
        '1.0.5',
        archiveOf([{ path: 'other/Chart.yaml', content: 'apiVersion: v2\nname: other\nversion: 1.0.5\n' }]),
        /no chart podinfo/,
      ],
    ];
    for (const [version, archive, words] of hostile) {
      servers.addChart('podinfo', version, archive);
      write({ 'release.yaml': helmRelease(`${servers.url}/charts`, version) });
      const { code, stderr } = await fetchAll();
      assert.equal(code, 1);
      assert.match(stderr, words);
    }
    const links: readonly ArchiveEntry[] = [
      about,
      { path: 'podinfo/templates', linkTo: '/etc' },
      { path: 'podinfo/templates/a.yaml', content: deployment('a') },
    ];
    servers.addChart(
      'podinfo',
      '1.0.6',
      archiveOf(links.map((entry) => ({ ...entry, content: entry.content?.replace('1.0.0', '1.0.6') ?? '' }))),
    );
    write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '1.0.6') });
    assert.equal((await fetchAll()).code, 0);
    const kept = readdirSync(join(storage, 'podium', 'fetched'), { recursive: true, withFileTypes: true });
    assert.deepEqual(
      kept.filter((entry) => !entry.isFile() && !entry.isDirectory()),
      [],
    );
    assert.equal(
      kept.some(({ name }) => name.includes('evil') || name.startsWith('fetching-')),
      false,
    );
  });

  it('asks nobody but whom it has named, by no other protocol, and shows no password', async () => {
    const commands = [
      '--upload-pack=touch x',
      '-cprotocol.ext.allow=always',
      'ext::sh -c touch% x',
      'file:///etc',
      `http://example.invalid/a.git`,
      `git://example.invalid/a.git`,
    ];
    const entries = [
      ...commands.map((url) => `git::${url}?ref=main`),
      `git::${servers.url}/git/a.git?ref=--upload-pack=x`,
      'https://user:pa55word@example.invalid/base.git?ref=main',
      `${servers.url}/moved/deploy.yaml`,
    ];
    servers.answer('/moved/deploy.yaml', (response) =>
      response.writeHead(302, { location: 'http://example.invalid/a' }).end(),
    );
    write({
      'kustomization.yaml': JSON.stringify({ resources: entries }),
      'release.yaml': helmRelease(`http://example.invalid/charts`, '1.0.0'),
      'plugin.yaml': helmRelease(`s3://example/charts`, '1.0.0')
        .replaceAll('far', 'further')
        .replaceAll('shop', 'more'),
      'option.yaml': helmRelease(`${servers.url}/charts`, '1.0.0', '--untar')
        .replaceAll('far', 'option')
        .replaceAll('shop', 'option'),
    });
    const { code, stdout, stderr } = await fetchAll();
    assert.equal(code, 1);
    assert.equal(stderr.includes('pa55word') || stdout.includes('pa55word'), false, stderr);
    assert.match(
      stderr,
      /cannot be fetched: main of https:\/\/\*\*\*@example\.invalid\/base\.git: its address has a password in it/,
    );
    assert.match(
      stderr,
      /cannot be fetched: podinfo 1\.0\.0 of s3:\/\/example\/charts: only https and oci are fetched from/,
    );
    assert.match(stderr, /cannot be fetched: --untar 1\.0\.0 of .*: its name is none of a chart/);
    assert.match(stderr, /1 chart or base to fetch/);
    assert.match(stderr, /not fetched: deploy\.yaml of .*: it leads on to where nothing is fetched from/);
    assert.deepEqual(servers.requests, ['GET /moved/deploy.yaml']);
    assert.deepEqual(readdirSync(folder).sort(), ['kustomization.yaml', 'option.yaml', 'plugin.yaml', 'release.yaml']);
  });

  it('follows no redirection to this machine or to the link alone, however its address is spelled', async () => {
    const spellings = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', 'localhost', 'a.localhost', '0'],
      ...['[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]', '%31%32%37.0.0.1'],
      ...['169.254.169.254', '2852039166', '[fe80::1]', '[::ffff:169.254.169.254]'],
    ];
    for (const [at, host] of spellings.entries()) {
      servers.answer(`/hop/${at}.yaml`, (response) =>
        response.writeHead(302, { location: `https://${host}/secret` }).end(),
      );
    }
    write({
      'kustomization.yaml': JSON.stringify({
        resources: spellings.map((_, at) => `https://far.invalid/hop/${at}.yaml`),
      }),
    });
    // A machine elsewhere, of which the tests have none: nobody else may be asked.
    const elsewhere = `
      const before = globalThis.fetch;
      globalThis.fetch = (url, options) => {
        const { host, pathname } = new URL(url);
        return host === 'far.invalid' ? before('${servers.url}' + pathname, options) : Promise.reject(new Error('asked ' + url));
      };
    `;
    const { code, stderr } = await podium(['sources', '.', '--fetch', '--yes'], {
      cwd: folder,
      alone: true,
      env: {
        XDG_CACHE_HOME: storage,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(elsewhere)}`,
      },
    });
    assert.equal(code, 1, stderr);
    const refused = stderr.split('\n').filter((line) => line.includes('not fetched'));
    const reasons = /: it leads on to (?:this computer|an address of this network alone)\.?$/;
    assert.deepEqual(
      refused.filter((line) => !reasons.test(line)),
      [],
    );
    assert.equal(refused.length, spellings.length, stderr);
  });

  it('runs no helm and no git of the folder that is worked on, and reads no configuration of it', async () => {
    servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', chartFiles));
    servers.commit('base', { 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': deployment('one') });
    const mark = join(storage, 'mark');
    const canary = `#!/bin/sh\ntouch ${mark}\n`;
    write({
      helm: canary,
      git: canary,
      'bin/helm': canary,
      'bin/git': canary,
      'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5'),
      'kustomization.yaml': `resources: ["${servers.url}/git/base.git?ref=main"]\n`,
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/.keep': '',
      '.git/refs/.keep': '',
      '.git/config': `[core]\nrepositoryformatversion = 0\nsshCommand = ${join(folder, 'git')}\n[url "ext::${join(folder, 'git')} "]\ninsteadOf = ${servers.url}/\n[credential]\nhelper = "!${join(folder, 'git')}"\n[http]\nproxy = http://127.0.0.1:9\n`,
      '.helm/plugins/evil/plugin.yaml': `name: evil\nversion: 1.0.0\ncommand: ${mark}\nhooks: { install: "touch ${mark}" }\n`,
      '.helm/repositories.yaml': 'repositories: [{ name: far, url: "http://127.0.0.1:9" }]\n',
    });
    for (const program of ['helm', 'git', 'bin/helm', 'bin/git']) chmodSync(join(folder, program), 0o755);
    const { code, stderr } = await fetchAll({
      PATH: `.:${folder}:${join(folder, 'bin')}:${toolFolder('v34')}:${process.env['PATH'] ?? ''}`,
      HELM_PLUGINS: join(folder, '.helm', 'plugins'),
      HELM_CONFIG_HOME: join(folder, '.helm'),
      HELM_REGISTRY_CONFIG: join(folder, '.helm', 'registry.json'),
      GIT_DIR: join(folder, '.git'),
    });
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(mark), false);
  });

  it('keeps nothing in a folder that is worked on', async () => {
    write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5') });
    const { code, stderr } = await fetchAll({ XDG_CACHE_HOME: join(folder, 'cache') });
    assert.equal(code, 2);
    assert.match(stderr, /nothing is fetched, as .* lies in .*, which is worked on/);
    assert.deepEqual(servers.requests, []);
  });

  it('says so where the lock cannot be understood, and takes nothing from beside it', async () => {
    servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', chartFiles));
    write({ 'release.yaml': helmRelease(`${servers.url}/charts`, '6.3.5') });
    assert.equal((await fetchAll()).code, 0);
    const path = join(storage, 'podium', 'fetched', 'lock.json');
    const lock = readFileSync(path, 'utf8');
    for (const broken of [
      '{',
      lock.replace(/"file": ""/, '"file": "../../x"'),
      lock.replace(/"sha256": "\w+"/, '"sha256": ".."'),
    ]) {
      writeFileSync(path, broken);
      assert.deepEqual(Object.values(await rendered()), [
        'the chart podinfo of HelmRepository/far is not in the workspace',
      ]);
      const { code, stderr } = await fetchAll();
      assert.equal(code, 2);
      assert.match(stderr, /lock\.json is not what Podium wrote/);
    }
  });
});
