import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

describeWithTools('what is not rendered', () => {
  const tree = temporaryTree();
  const web = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: a }] }\n';

  it('[ED-2] is told by reason, what concerns most first, and several remote entries are the reason that one is', async () => {
    const remote = (...names: string[]): string =>
      `resources: [${names.map((name) => `https://files.example.invalid/${name}.yaml`).join(', ')}]\n`;
    tree.write({
      'a/kustomization.yaml': remote('a'),
      'b/kustomization.yaml': remote('b', 'c'),
      'c/kustomization.yaml': remote('d', 'e', 'f'),
      'd/kustomization.yaml': 'resources: [gone.yaml]\n',
      'web.yaml': web,
    });
    const { assumptions } = JSON.parse(
      (
        await podium(['simulate', '.', '--format', 'json'], {
          cwd: tree.root,
          env: { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` },
        })
      ).stdout,
    ) as Report;
    assert.deepEqual(
      assumptions.filter(({ mark }) => mark === '!').map(({ text, detail }) => `${text}. ${detail}`),
      [
        '3 sources are not rendered: a, b and c. Their entries are not in the workspace, and nothing is fetched unasked.',
        '1 source is not rendered: d. The entry gone.yaml is not there.',
      ],
    );
  });

  it('[#36] says for each of several sources what is not there, where it is one thing', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [gone.yaml]\n',
      'overlays/a/kustomization.yaml': 'resources: [../../base]\nnamespace: a\n',
      'overlays/b/kustomization.yaml': 'resources: [../../base]\nnamespace: b\n',
    });
    const { stdout } = await podium(['check', '.'], {
      cwd: tree.root,
      env: { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` },
    });
    assert.match(
      stdout,
      /^Not checked: 2 sources are not rendered: overlays\/a and overlays\/b\. The entry gone\.yaml is not there\.$/m,
    );
  });

  it('[ED-2] is told in the words of a kubectl that writes a log, without the time', async () => {
    const time = 'E1127 05:46:42.367844      47 run.go:72] "command failed" err=';
    tree.write({ 'kustomization.yaml': 'resources: [web.yaml]\n', 'web.yaml': web });
    const tools = mkdtempSync(join(tmpdir(), 'podium-tools-'));
    for (const [log, words] of [
      ['<\n\ttrouble configuring builtin PatchTransformer\n >', 'trouble configuring builtin PatchTransformer'],
      [
        String.raw`"accumulating resources: may not add \"resource\" with an already registered id"`,
        'accumulating resources: may not add "resource" with an already registered id',
      ],
    ]) {
      writeFileSync(join(tools, 'kubectl'), `#!/bin/sh\nprintf '%s\\n' '${time}${log}' >&2\nexit 1\n`, { mode: 0o755 });
      const { stdout } = await podium(['check', '.'], {
        cwd: tree.root,
        env: { PATH: `${tools}:/usr/bin:/bin`, PODIUM_TEST_WITHOUT_SANDBOX: '1' },
      });
      assert.ok(stdout.toLowerCase().includes(`${words!.toLowerCase()}.`), stdout);
      assert.doesNotMatch(stdout, /run\.go|05:46/);
    }
    rmSync(tools, { recursive: true });
  });
});
