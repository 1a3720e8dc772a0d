import assert from 'node:assert/strict';
import { nodePlacesOf } from '../../../server/src/sources/files/node-places.ts';

describe('places that Nodes come from', () => {
  const places = (paths: readonly string[], roots: readonly string[] = ['/work']) =>
    nodePlacesOf(
      paths.map((path) => `file://${path}`),
      roots,
    );

  it('are folders, the one with most Nodes first, with the files that declare them', () => {
    assert.deepEqual(places(['/work/test/a.yaml', '/work/prod/nodes.yaml', '/work/prod/nodes.yaml']), [
      { folder: 'prod', nodes: 2, globs: ['prod/nodes.yaml'] },
      { folder: 'test', nodes: 1, globs: ['test/a.yaml'] },
    ]);
  });

  it('take in folders below them', () => {
    assert.deepEqual(places(['/work/prod/gpu/b.yaml', '/work/prod/a.yaml', '/work/product/c.yaml']), [
      { folder: 'prod', nodes: 2, globs: ['prod/a.yaml', 'prod/gpu/b.yaml'] },
      { folder: 'product', nodes: 1, globs: ['product/c.yaml'] },
    ]);
  });

  it('are told apart from the folder that is worked on, which everything is below', () => {
    assert.deepEqual(
      places(['/work/nodes.yaml', '/work/e2e/data/node.yaml']).map(({ folder }) => folder),
      ['.', 'e2e/data'],
    );
  });

  it('are named by their workspace folder where there are several', () => {
    assert.deepEqual(
      places(['/work/a/nodes/n.yaml', '/work/b/n.yaml'], ['/work/a', '/work/b']).map(({ folder }) => folder),
      ['a/nodes', 'b/'],
    );
  });

  it('name the folder instead of very many files, and no character of a name is read as a glob', () => {
    const many = Array.from({ length: 60 }, (_, index) => `/work/all/${index}.yaml`);
    assert.deepEqual(
      places([...many, '/work/odd/%5Ba%5D*.yaml']).map(({ globs }) => globs),
      [['all/**'], ['odd/?a??.yaml']],
    );
  });

  it('are also what is no file on disk', () => {
    assert.deepEqual(nodePlacesOf(['stdin:/manifests.yaml'], ['/work']), [{ folder: 'stdin', nodes: 1, globs: [] }]);
  });
});
