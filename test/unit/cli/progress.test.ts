import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worked, type CommandContext } from '../../../server/src/cli/command.ts';
import { podium } from './run-podium.ts';

describe('work that takes its time', () => {
  it('is told of on a terminal once it has lasted, in the words of the engine, and no more when it is done', async () => {
    const lines: string[] = [];
    const context = {
      progress: (text: string) => {
        lines.push(text);
      },
    } as CommandContext;
    function* working(milliseconds: number): Generator<void, string> {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) yield;
      return 'done';
    }
    assert.equal(await worked(context, working(0)), 'done');
    assert.equal(lines.length, 0);
    assert.equal(await worked(context, working(400), () => 'Deciding 1 of 2 pods'), 'done');
    assert.equal(lines[0], 'Deciding 1 of 2 pods');
    assert.equal(lines.at(-1), '');
    assert.equal(await worked({} as CommandContext, working(0)), 'done');
  });
});

describe('a cluster among manifests', () => {
  it('that is too large is not replaced by nodes that are assumed: it is said how it is read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-large-'));
    try {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image: 'x'.repeat(100) }] },
      };
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n' },
        status: { allocatable: { cpu: '4', pods: '9' } },
      };
      const items = [node, ...Array.from({ length: 20_000 }, (_, at) => ({ ...pod, metadata: { name: `p${at}` } }))];
      await writeFile(join(folder, 'cluster.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
      await writeFile(join(folder, 'pod.yaml'), JSON.stringify({ ...pod, metadata: { name: 'own' } }));
      const { code, stdout, stderr } = await podium(['simulate', '.'], { cwd: folder });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        /no Node is known, and cluster\.json is too large for a manifest; of a cluster: --snapshot cluster\.json\.\n$/,
      );
      assert.equal((await podium(['simulate', '.', '--assume-nodes', '3'], { cwd: folder })).code, 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
