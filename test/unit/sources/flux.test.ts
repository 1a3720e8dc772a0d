import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findIn } from './find-fixture.ts';

describe('objects of Flux', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'podium-flux-')));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const release = (name: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: all}}}}\n`;
  const found = async (): Promise<string[]> => {
    const { applied } = await findIn(root, null, { tools: null });
    return applied.sources.map(({ source, refusal }) => `${source.name}: ${refusal?.why ?? 'rendered'}`);
  };

  it('takes a patch of a HelmRelease for no release of its own', async () => {
    write({
      'kustomization.yaml': 'resources: [release.yaml]\npatches: [{path: patch.yaml}]\n',
      'release.yaml': release('podinfo'),
      'patch.yaml': release('podinfo'),
    });
    assert.deepEqual(
      (await found()).filter((text) => text.startsWith('HelmRelease')),
      ['HelmRelease podinfo: remote'],
    );
  });

  it('looks for a path in the repository, and for that of another artifact nowhere', async () => {
    const kustomization = (kind: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./production, sourceRef: {kind: ${kind}, name: all}}\n`;
    write({ 'clusters/production/apps.yaml': kustomization('GitRepository') });
    assert.deepEqual(await found(), ['Kustomization apps: missing']);
    write({ 'clusters/production/apps.yaml': kustomization('ExternalArtifact'), 'production/pod.yaml': 'a: b\n' });
    assert.deepEqual(await found(), ['Kustomization apps: missing']);
  });
});
