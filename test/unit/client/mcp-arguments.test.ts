import assert from 'node:assert/strict';
import { mcpArguments } from '../../../client/src/assistants/mcp-arguments.ts';

describe('podium mcp, as VS Code starts it', () => {
  const folders = ['/work/--fetch', '/work/shop'];

  it('is not started in a workspace that is not trusted, nor without a folder', () => {
    assert.equal(mcpArguments({ isTrusted: false, mayRender: true, folders }), undefined);
    assert.equal(mcpArguments({ isTrusted: true, mayRender: true, folders: [] }), undefined);
  });

  it('renders only where the user has let kubectl and helm run, and takes no folder for an option', () => {
    const refused = mcpArguments({ isTrusted: true, mayRender: false, folders });
    assert.deepEqual(refused, ['mcp', '--no-render', '--', ...folders]);
    assert.deepEqual(mcpArguments({ isTrusted: true, mayRender: true, folders }), ['mcp', '--', ...folders]);
  });
});
