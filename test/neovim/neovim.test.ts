/** The lines of docs/editors.md in a real Neovim, with `podium` as it is installed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/paths.mjs';
import { shipped } from '../../scripts/lib/shipped.mjs';

const manifest = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: shop-critical
value: 100000
---
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  priorityClassName: shop-critical
  containers:
    - name: main
      image: web
---
apiVersion: v1
kind: Pod
metadata:
  name: lost
spec:
  priorityClassName: shop-criticall
  containers:
    - name: main
      image: web
`;

/** Waits for the diagnostic and the hover, and writes both down. The wait only ends early when they are there. */
const probe = `
local found = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local answer = { messages = {}, hover = '' }
for _, each in ipairs(vim.diagnostic.get(0)) do table.insert(answer.messages, each.message) end
local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = 11, character = 24 },
}, 60000)
for _, each in pairs(hover or {}) do
  if each.result then answer.hover = each.result.contents.value end
end
local file = io.open('answer.json', 'w')
file:write(vim.json and vim.json.encode(answer) or vim.fn.json_encode(answer))
file:close()
vim.cmd('qall!')
`;

describe('Neovim with the lines of docs/editors.md', () => {
  it('[ED-1] shows a hover and a diagnostic of podium lsp', async () => {
    const { command } = await shipped();
    const text = await readFile(join(root, 'docs/editors.md'), 'utf8');
    const [, setup = ''] = /```lua\n(-- podium: Neovim 0\.7\n[^`]+)```/.exec(text) ?? [];
    assert.notEqual(setup, '');
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'podium-neovim-')));
    try {
      await writeFile(join(folder, 'pod.yaml'), manifest);
      await writeFile(join(folder, 'init.lua'), setup);
      await writeFile(join(folder, 'probe.lua'), probe);
      const env = {
        ...process.env,
        HOME: folder,
        XDG_STATE_HOME: folder,
        XDG_CACHE_HOME: folder,
        XDG_DATA_HOME: folder,
        PATH: `${dirname(command[0]!)}${delimiter}${process.env['PATH'] ?? ''}`,
      };
      const args = ['--headless', '-u', 'init.lua', 'pod.yaml', '-c', 'luafile probe.lua'];
      await promisify(execFile)('nvim', args, { cwd: folder, env, timeout: 120_000 });
      const answer = JSON.parse(await readFile(join(folder, 'answer.json'), 'utf8')) as {
        messages: string[];
        hover: string;
      };
      assert.ok(
        answer.messages.some((message) => message.includes('shop-criticall')),
        JSON.stringify(answer),
      );
      assert.match(answer.hover, /100,?000/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
