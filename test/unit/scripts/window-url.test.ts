import assert from 'node:assert/strict';
import { windowUrl } from '../../../scripts/vscode-host.mjs';

describe('windowUrl', () => {
  const host = { authority: '127.0.0.1:7000' };

  it('is short for a folder', () => {
    assert.equal(windowUrl(host, { folder: '/home/a/shop' }), 'http://127.0.0.1:7000/?folder=/home/a/shop');
  });

  it('is that of an empty window without one', () => {
    assert.equal(windowUrl(host, {}), 'http://127.0.0.1:7000/?ew=true');
  });

  it('survives every character of a path', () => {
    const { searchParams } = new URL(windowUrl(host, { folder: '/a b/ü&?#%', open: '/a b/ü.yaml' }));
    assert.equal(searchParams.get('folder'), '/a b/ü&?#%');
    assert.deepEqual(JSON.parse(searchParams.get('payload') ?? ''), [
      ['openFile', 'vscode-remote://127.0.0.1:7000/a%20b/%C3%BC.yaml'],
    ]);
  });

  it('names the suite and the extension that it tests', () => {
    const { searchParams } = new URL(
      windowUrl(host, {
        folder: '/shop',
        development: { extension: '/extension', tests: '/tests.cjs' },
      }),
    );
    assert.deepEqual(JSON.parse(searchParams.get('payload') ?? ''), [
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:7000/extension'],
      ['extensionTestsPath', 'vscode-remote://127.0.0.1:7000/tests.cjs'],
    ]);
  });
});
