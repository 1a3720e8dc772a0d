import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, it } from 'mocha';
import { WorkspaceSources } from '../../../server/src/sources/targets/workspace-sources.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const deployment = (name: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}}\n`;

// The tool is a script of a shell.
(process.platform === 'win32' ? () => undefined : describe)('renderings that several ask for', () => {
  const tree = temporaryTree();
  const tool = temporaryTree();
  const path = process.env['PATH'];

  afterEach(() => {
    process.env['PATH'] = path;
  });

  it('are made anew for those who still want them, when who asked first does not any more', async () => {
    tree.write({
      'app/kustomization.yaml': 'namePrefix: prod-\nresources: [web.yaml]\n',
      'app/web.yaml': deployment('web'),
    });
    const at = (name: string): string => join(tool.root, name);
    // Waits until it is told to go on, and says how often it was begun.
    tool.write({
      kustomize: `#!/bin/sh\nPATH=/usr/bin:/bin\necho begun >> '${at('begun')}'\nwhile [ ! -e '${at('go')}' ]; do sleep 0.02; done\ncat '${at('made')}'\n`,
      made: deployment('prod-web'),
      begun: '',
    });
    chmodSync(at('kustomize'), 0o755);
    process.env['PATH'] = `${tool.root}:${path ?? ''}`;
    const begun = (): number => readFileSync(at('begun'), 'utf8').split('\n').length - 1;
    const tools = { kustomize: { program: 'kustomize', path: at('kustomize') }, helm: null } as const;
    const sources = new WorkspaceSources();
    const gone = new AbortController();
    const first = findIn(tree.root, null, { tools, signal: gone.signal }, sources);
    while (begun() === 0) await setTimeout(5);
    const second = findIn(tree.root, null, { tools, signal: new AbortController().signal }, sources);
    // As much work as it takes to ask for the same.
    for (let time = 0; time < 3; time++) await findIn(tree.root, null, { whyNot: 'not-asked' });
    gone.abort();
    await first;
    tool.write({ go: '' });
    const { applied } = await second;
    assert.deepEqual(
      applied.sources.map(({ refusal, made }) => [refusal, made.map(({ object }) => object.name)]),
      [[null, ['prod-web']]],
    );
    assert.equal(begun(), 2);
  });

  it('are built once for clusters of Flux that differ in their variables (#36)', async () => {
    const flux = (where: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substitute: {WHERE: ${where}}}}\n`;
    tree.write({
      'clusters/one/apps.yaml': flux('one'),
      'clusters/two/apps.yaml': flux('two'),
      'apps/kustomization.yaml': 'resources: [web.yaml]\n',
      'apps/web.yaml': deployment('web-${WHERE}'),
    });
    const at = (name: string): string => join(tool.root, name);
    tool.write({
      kustomize: `#!/bin/sh\nPATH=/usr/bin:/bin\necho begun >> '${at('begun')}'\ncat '${at('made')}'\n`,
      made: deployment('web-${WHERE}'),
      begun: '',
    });
    chmodSync(at('kustomize'), 0o755);
    process.env['PATH'] = `${tool.root}:${path ?? ''}`;
    const tools = { kustomize: { program: 'kustomize', path: at('kustomize') }, helm: null } as const;
    const { applied } = await findIn(tree.root, null, { tools });
    assert.deepEqual(
      applied.sources.map(({ refusal, made }) => [refusal, made.map(({ object }) => object.name)]),
      [
        [null, ['web-one']],
        [null, ['web-two']],
      ],
    );
    assert.equal(readFileSync(at('begun'), 'utf8'), 'begun\n');
  });
});
