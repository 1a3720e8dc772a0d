import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { worked, type CommandContext } from '../../../server/src/cli/command.ts';
import { readSources } from '../../../server/src/cli/read-sources.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const uriOf = (path: string): string => pathToFileURL(path).href;

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

describeWithTools('renderings of one command', () => {
  const tree = temporaryTree();

  it('are made once of what an earlier version of the files has in common with this one (#36)', async () => {
    process.env['PATH'] = `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`;
    const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;
    const files: Record<string, string> = {};
    for (const name of ['a', 'b']) {
      files[`${name}/kustomization.yaml`] = 'resources: [pod.yaml]\nnamePrefix: my-\n';
      files[`${name}/pod.yaml`] = pod(name);
    }
    tree.write(files);
    const plain = Object.entries(files).map(([path, text]) => parseManifestFile(uriOf(join(tree.root, path)), text));
    const lines: string[] = [];
    const context = {
      cwd: tree.root,
      stderr: { write: () => true },
      progress: (text: string) => void lines.push(text),
    } as unknown as CommandContext;
    const earlier = new Map([[join(tree.root, 'b/pod.yaml'), pod('c')]]);
    await readSources(['.'], plain, { 'no-render': false }, context);
    await readSources(['.'], plain, { 'no-render': false }, context, undefined, earlier);
    const rendered = lines.filter((line) => line !== '').map((line) => line.split(',')[0]);
    assert.deepEqual(rendered.sort(), ['Rendering a', 'Rendering b', 'Rendering b']);
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
