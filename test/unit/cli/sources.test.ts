import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'mocha';
import { describeWithTools, toolFolder, toolReleases } from '../../support/kubernetes-tools.ts';
import { podium } from './run-podium.ts';

const fixtures = 'test/fixtures/sources';
/** Podium itself needs Node; the folder that it lies in may have other programs. */
const nodeFolder = mkdtempSync(join(tmpdir(), 'podium-node-'));
symlinkSync(process.execPath, join(nodeFolder, 'node'));

after(() => {
  rmSync(nodeFolder, { recursive: true });
});

describe('podium sources, without tools', () => {
  it('tells an address without the password that stands in it, in every form: reports are handed on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'podium-password-'));
    const application = (name: string, source: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec: {source: {repoURL: 'https://me:s3cret@host.example/a', ${source}}, destination: {namespace: x}}\n`;
    const repository = '{kind: HelmRepository, name: r}';
    const files: Readonly<Record<string, string>> = {
      'base/kustomization.yaml': "resources: ['https://me:s3cret@host.example/a?ref=v1']\n",
      'old/kustomization.yaml': "bases: ['git::https://me:s3cret@host.example/a//b']\n",
      'chart/Chart.yaml':
        "apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: d, version: 1.0.0, repository: 'https://me:s3cret@host.example'}]\n",
      'inflated/kustomization.yaml':
        "helmCharts: [{name: z, repo: 'https://me:s3cret@host.example', version: 1.0.0}]\n",
      'argo/chart.yaml': application('one', 'chart: redis, targetRevision: 1.0.0'),
      'argo/folder.yaml': application('two', 'path: b, targetRevision: HEAD'),
      'flux.yaml': [
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: r}\nspec: {url: 'https://me:s3cret@host.example'}\n",
        `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h}\nspec: {chart: {spec: {chart: redis, sourceRef: ${repository}}}}\n`,
      ].join('---\n'),
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const asked = [
      ['sources'],
      ['check'],
      ['simulate'],
      ...['markdown', 'json'].map((form) => ['simulate', '--format', form]),
    ];
    for (const [command, ...options] of asked) {
      const { stdout, stderr } = await podium([command!, folder, ...options]);
      assert.doesNotMatch(stdout + stderr, /s3cret/, command);
      assert.match(stdout, /host\.example/, command);
    }
    rmSync(folder, { recursive: true });
  });

  it('runs nothing with --no-render, and says of each source why it makes no objects', async () => {
    const { code, stdout, stderr } = await podium(['sources', join(fixtures, '1-kustomize'), '--no-render']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /overlays\/dev +not rendered: nothing is rendered \(--no-render\)/);
    assert.match(stdout, /\n0 of 2 sources rendered\.\n$/);
  });

  it('looks for tools in PATH only, and names those that are missing', async () => {
    const { stdout } = await podium(['sources', join(fixtures, '1-kustomize')], { env: { PATH: nodeFolder } });
    assert.match(stdout, /overlays\/prod +not rendered: neither kubectl nor kustomize is installed/);
  });

  it('refuses a target that is not there, and names those that are', async () => {
    const { code, stderr } = await podium([
      'sources',
      join(fixtures, '1-kustomize'),
      '--no-render',
      '--target',
      'test',
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /there is no target 'test'; there are dev, prod\./);
  });
});

for (const release of toolReleases) {
  describeWithTools(`podium sources, with the tools of ${release}`, () => {
    const env = { PATH: `${toolFolder(release)}:${nodeFolder}` };
    const sources = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await podium(['sources', ...args], { env });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      return stdout;
    };

    it('lists sources with their objects and targets, and the tools with version and path', async () => {
      const listed = await sources(join(fixtures, '1-kustomize'));
      assert.match(listed, /overlays\/dev +6 objects, 3 workloads \[dev\]/);
      assert.match(listed, /Targets:\n {2}dev: 6 objects, 3 workloads\n {2}prod: 6 objects, 3 workloads\n/);
      assert.match(listed, /2 of 2 sources rendered\.\nWith \S+\/kubectl v1\.3\d\.\d and \S+\/helm v\d\.\d+\.\d\.\n$/);
    });

    it('says on a terminal what is rendered, and takes that away before the answer', async () => {
      const own = { ...env, CI: '', NODE_OPTIONS: '--import data:text/javascript,process.stderr.isTTY=true' };
      const { code, stdout, stderr } = await podium(['sources', join(fixtures, '1-kustomize')], {
        env: own,
        alone: true,
      });
      assert.equal(code, 0);
      assert.match(stdout, /^2 of 2 sources rendered\.$/m);
      const shown = stderr.split('\r\x1b[2K').slice(1);
      const lines = shown.slice(0, -1).map((line) => line.split(', source '));
      assert.deepEqual(lines.map(([name]) => name).sort(), ['Rendering overlays/dev', 'Rendering overlays/prod']);
      assert.deepEqual(lines.map(([, place]) => place).sort(), ['1', '2']);
      assert.equal(shown.at(-1), '');
    });

    it('tells what is remote before anything is run, at the line that names it', async () => {
      const listed = JSON.parse(await sources(join(fixtures, '2-remote'), '--format', 'json')) as {
        readonly sources: readonly {
          readonly name: string;
          readonly refusal: Readonly<Record<string, unknown>> | null;
        }[];
      };
      const deep = listed.sources.find(({ name }) => name === 'deep');
      assert.deepEqual(deep?.refusal, {
        why: 'remote',
        message:
          'the entry board.json=https://files.example.invalid/board.json is not in the workspace, and nothing is fetched unasked',
        path: 'test/fixtures/sources/2-remote/generator/kustomization.yaml',
        line: 6,
      });
    });

    it('names every entry that is not there, and every file that lies outside, up to eight', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'podium-outside-'));
      const kustomization = (entries: readonly string[]): string => `resources: [${entries.join(', ')}]\n`;
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      const gone = Array.from({ length: 10 }, (_, index) => `gone-${index}.yaml`);
      write('in/few/kustomization.yaml', kustomization(gone.slice(0, 3)));
      write('in/many/kustomization.yaml', kustomization(gone));
      write('in/out/kustomization.yaml', kustomization(['../../a.yaml', '../../b.yaml']));
      for (const name of ['a', 'b']) write(`${name}.yaml`, `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`);
      const listed = await sources(join(folder, 'in'));
      rmSync(folder, { recursive: true });
      assert.match(listed, /the entries gone-0\.yaml, gone-1\.yaml and gone-2\.yaml are not there/);
      assert.match(listed, /the entries gone-0\.yaml, .*gone-6\.yaml and 3 more are not there/);
      assert.match(listed, /\/a\.yaml and \S+\/b\.yaml lead out of the folder that is worked on/);
    });

    it('shows a template that fails at its line, in the words of helm', async () => {
      const listed = await sources(join(fixtures, '3-helm'));
      assert.match(
        listed,
        /owner must be set: who is paged\? \(test\/fixtures\/sources\/3-helm\/chart\/templates\/web\.yaml:7\)/,
      );
    });
  });
}
