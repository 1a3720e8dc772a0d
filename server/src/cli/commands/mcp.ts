import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArguments } from '../arguments.ts';
import { type Command, exitCode, UsageError } from '../command.ts';
import { servedFolders } from '../mcp/served-folders.ts';

export const mcpCommand: Command = {
  help: `Usage: podium mcp FOLDER… [options]

Speaks the Model Context Protocol on standard input and output. An assistant may ask about the
manifests below each FOLDER and about nothing else: simulate, check, explain_pending, threats,
drain, fit. Nothing is written, and answers are under 20 kB.

Options:
  --no-render  run neither kubectl nor kustomize nor helm
  -h, --help   show this help

Exit codes: 0 the assistant is gone, 2 could not run.

Example:
  podium mcp deploy/
`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { 'no-render': { type: 'boolean', default: false } });
    if (positionals.length === 0) throw new UsageError('name at least one folder');
    const folders = await Promise.all(positionals.map((folder) => realFolder(folder, context.cwd)));
    // Loaded here, so that the other commands start without the protocol's library.
    const [{ serveTools }, served] = await Promise.all([import('../mcp/serve.ts'), import('../mcp/tools.ts')]);
    const options = values['no-render'] ? ['--no-render'] : [];
    await serveTools(served, servedFolders(folders, context, options), context.version());
    return exitCode.success;
  },
};

async function realFolder(folder: string, cwd: string): Promise<string> {
  try {
    const real = await realpath(resolve(cwd, folder));
    if ((await stat(real)).isDirectory()) return real;
  } catch {
    // Told below.
  }
  throw new UsageError(`no such folder: ${folder}`, true);
}
