import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { after, before, it } from 'mocha';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { decompressed } from '../../../server/src/report-model/compressed.ts';
import { RenderQueue } from '../../../server/src/sources/rendering/render-queue.ts';
import type { AppliedSource } from '../../../server/src/sources/targets/applied-source.ts';
import { WorkspaceSources } from '../../../server/src/sources/targets/workspace-sources.ts';
import { packedChart } from '../../support/chart-servers.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { findIn } from '../sources/find-fixture.ts';
import { podium } from './run-podium.ts';

const pod = (className: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {priorityClassName: ${className}, containers: [{name: a, image: a}]}\n`;
const endless = '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}';

for (const [mode, PODIUM_TEST_WITHOUT_SANDBOX] of [
  ['in a sandbox', '0'],
  ['without a sandbox', '1'],
] as const) {
  describeWithTools(`what renderings may take, ${mode}`, () => {
    let folder: string;
    let temporary: string;
    const env = (): Readonly<Record<string, string>> => ({
      PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`,
      TMPDIR: temporary,
      PODIUM_TEST_WITHOUT_SANDBOX,
    });
    const chart = (name: string, template: string): string => {
      for (const [path, text] of [
        ['Chart.yaml', `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
        ['templates/pod.yaml', template],
      ] as const) {
        mkdirSync(dirname(join(folder, name, path)), { recursive: true });
        writeFileSync(join(folder, name, path), text);
      }
      return join(folder, name);
    };
    /** Runs `podium` until helm runs, and answers both. */
    const untilHelmRuns = async (name: string): Promise<{ child: ChildProcess; helm: number }> => {
      const { podium: script } = await shipped();
      const args = [script, 'check', chart(name, endless)];
      const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env() } });
      for (;;) {
        const helm = processes().find(({ words }) => words[1] === 'template' && words[2] === name);
        if (helm !== undefined) return { child, helm: helm.pid };
        assert.equal(child.exitCode, null);
        await setTimeout(20);
      }
    };
    const hasEnded = async (pid: number): Promise<void> => {
      while (processes().some((each) => each.pid === pid)) await setTimeout(20);
    };

    before(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-limits-')));
      temporary = join(folder, 'tmp');
      mkdirSync(temporary);
    });

    after(() => {
      rmSync(folder, { recursive: true });
    });

    it('leaves nothing behind when it is ended', async () => {
      const { child, helm } = await untilHelmRuns('ended');
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
      await hasEnded(helm);
      assert.deepEqual(readdirSync(temporary), []);
    });

    it('ends with Podium that is killed, and removes what a process that was killed has left', async () => {
      const { child, helm } = await untilHelmRuns('killed');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await hasEnded(helm);
      assert.equal(readdirSync(temporary).length, 1);
      const { stdout } = await podium(['sources', chart('next', pod('none'))], { env: env(), alone: true });
      assert.match(stdout, /1 of 1 source rendered/);
      assert.deepEqual(readdirSync(temporary), []);
    });

    it('ends where it takes too much memory', async () => {
      const { stdout } = await podium(['sources', chart('much', '{{ repeat 2000000000 "a" | len }}')], { env: env() });
      assert.match(stdout, /not rendered: it takes more than 1024 MiB of memory/);
    });

    it('is not quoted where only the rendering made it', async () => {
      const secret = '{{ randAlphaNum 30 | lower }}-{{ .Files.Get "key" | sha256sum | trunc 20 }}';
      const path = chart('made', pod(`known-class-${secret}`));
      for (const args of [
        ['check', path],
        ['check', path, '--format', 'sarif'],
        ['simulate', path, '--format', 'json'],
        ['simulate', path, '--format', 'markdown'],
      ]) {
        const { stdout } = await podium(args, { env: env() });
        assert.match(stdout, /known-class-\[made by the rendering\]/, args.join(' '));
        assert.doesNotMatch(stdout, /known-class-[0-9a-z]/, args.join(' '));
      }
    });

    it('[#36] is quoted where a path has it: the values of another chart name a target', async () => {
      const cut = chart('decoding', pod('{{ "cHJvbXB0aW5n" | b64dec }}'));
      const named = chart('named', pod('{{ .Values.class }}'));
      for (const target of ['prompting', 'usual']) writeFileSync(join(named, `values-${target}.yaml`), 'class: a\n');
      const { stdout } = await podium(['sources', cut, named], { env: env() });
      assert.match(stdout, /-f values-prompting\.yaml/);
      assert.doesNotMatch(stdout, /made by the rendering/);
    });

    it('is quoted where a packed chart has it written', async () => {
      const path = chart('umbrella', pod('none'));
      mkdirSync(join(path, 'charts'));
      writeFileSync(
        join(path, 'charts/inner-1.0.0.tgz'),
        packedChart('inner', '1.0.0', { 'templates/pod.yaml': pod('severity-created').replace('web', 'inner') }),
      );
      const { stdout } = await podium(['check', path, '--format', 'json'], { env: env() });
      assert.match(stdout, /severity-created/);
      assert.doesNotMatch(stdout, /made by the rendering/);
    });

    for (const [what, template] of [
      ['that a template fails with', (secret) => `{{ fail ("${secret}" | b64dec) }}`],
      ['that a template requires', (secret) => `{{ required ("${secret}" | b64dec) nil }}`],
      ['that a tool quotes', (secret) => `{{ mustToDate "2006" ("${secret}" | b64dec) }}`],
      ['in another script', (secret) => pod(`known_{{ "${secret}" | b64dec }}`)],
    ] as readonly (readonly [string, (secret: string) => string])[]) {
      it(`is not quoted ${what}, in any form of the answers`, async () => {
        const secret = 'geheim7Ж9пароль';
        const path = chart('said', template(Buffer.from(secret).toString('base64')));
        const tool = (name: string): object => ({ method: 'tools/call', params: { name, arguments: {} } });
        const begun = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
        const stdin = [{ method: 'initialize', params: begun }, tool('check'), tool('simulate')]
          .map((each, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...each })}\n`)
          .join('');
        for (const args of [
          ['check', path],
          ['check', path, '--format', 'json'],
          ['simulate', path, '--format', 'html'],
          ['mcp', path],
        ]) {
          const { stdout, stderr } = await podium(args, { env: env(), stdin, alone: args[0] === 'mcp' });
          const page = /id="podium-report">([^<]*)</.exec(stdout)?.[1];
          const printed = `${stdout}${stderr}${page === undefined ? '' : await decompressed(page)}`;
          assert.match(printed, /\[made by the rendering\]/, args.join(' '));
          assert.doesNotMatch(printed, /geheim|пароль/i, args.join(' '));
        }
      });
    }

    it('is refused where aliases expand without end, before a tool is run', async () => {
      const path = chart('aliased', pod('none'));
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const lines = names.map((name, at) => {
        const item = at === 0 ? 'x' : `*${names[at - 1]!}`;
        return `${name}: &${name} [${Array.from({ length: 10 }, () => item).join(', ')}]`;
      });
      writeFileSync(join(path, 'values.yaml'), lines.join('\n'));
      const { stdout } = await podium(['sources', path], { env: env() });
      assert.match(stdout, /not rendered: the aliases of values\.yaml expand to more than is given to a tool/);
    });

    it('takes a list of wildcards for text, which has no anchors', async () => {
      const path = chart('wildcards', pod('none'));
      writeFileSync(join(path, 'domains.txt'), Array.from({ length: 200 }, (_, at) => `*.d${at} &d`).join('\n'));
      const { stdout } = await podium(['sources', path], { env: env() });
      assert.doesNotMatch(stdout, /not rendered/);
    });
  });
}

describeWithTools('slow sources of a repository', () => {
  it('share its time, and are not tried again until they change', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-slow-')));
    const tools = realpathSync(mkdtempSync(join(tmpdir(), 'podium-slow-tools-')));
    const begun = (): number => readFileSync(join(tools, 'begun'), 'utf8').split('\n').length - 1;
    writeFileSync(join(tools, 'begun'), '');
    writeFileSync(join(tools, 'kustomize'), `#!/bin/sh\necho x >> '${tools}/begun'\nexec /bin/sleep 600\n`, {
      mode: 0o755,
    });
    for (let at = 0; at < 30; at++) {
      mkdirSync(join(folder, `app-${at}`));
      writeFileSync(join(folder, `app-${at}`, 'kustomization.yaml'), 'namePrefix: a-\nresources: [pod.yaml]\n');
      writeFileSync(join(folder, `app-${at}`, 'pod.yaml'), pod('none'));
    }
    const path = process.env['PATH'];
    process.env['PATH'] = `${tools}:${path ?? ''}`;
    try {
      const queue = new RenderQueue(undefined, { longest: 1_000, quick: 50, slow: 3_000 });
      const sources = new WorkspaceSources(undefined, queue);
      const request = {
        tools: { kustomize: { program: 'kustomize', path: join(tools, 'kustomize') }, helm: null },
      } as const;
      const all = async (): Promise<readonly AppliedSource[]> =>
        (await findIn(folder, null, request, sources)).applied.sources;
      const first = await all();
      assert.equal(first.length, 30);
      const isShared = ({ refusal }: AppliedSource): boolean =>
        refusal?.message.includes('the slow sources of its repository have taken') === true;
      const shared = first.filter(isShared);
      const run = begun();
      assert.ok(shared.length > 15, String(shared.length));
      assert.equal(run + shared.length, 30);
      await all();
      assert.equal(begun(), run);
      const tried = first.find((each) => !isShared(each))!.source;
      writeFileSync(join(dirname(tried.place.file), 'pod.yaml'), pod('other'));
      await all();
      assert.ok(begun() > run);
      // Where everything takes longer, as others use the machine, that is not their fault.
      const before = begun();
      const patient = new RenderQueue(undefined, { longest: 200, quick: 50, slow: 100, crowd: () => 100 });
      await findIn(folder, null, request, new WorkspaceSources(undefined, patient));
      assert.equal(begun() - before, 30);
    } finally {
      process.env['PATH'] = path;
      rmSync(folder, { recursive: true });
      rmSync(tools, { recursive: true });
    }
  });
});

function processes(): { readonly pid: number; readonly words: readonly string[] }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      // Those that confine it name it among their arguments.
      const at = words.indexOf('template');
      const isTool = at === 1 && !words[0]!.endsWith('sh');
      return isTool ? [{ pid: Number(name), words }] : [];
    } catch {
      return [];
    }
  });
}
