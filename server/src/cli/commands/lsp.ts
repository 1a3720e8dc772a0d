import { parseArguments } from '../arguments.ts';
import { UsageError, type Command } from '../command.ts';

export const lspCommand: Command = {
  help: `Usage: podium lsp --stdio

Runs the language server of the editor extension over standard input and output, for editors that
start language servers themselves (Neovim, Helix, Emacs, Zed, …). It reads the YAML and JSON files
of the workspace folders that the editor names, and makes no network requests.

Options:
  --stdio     speak the language server protocol over standard input and output
  -h, --help  show this help
`,
  async run(args) {
    const { values, positionals } = parseArguments(args, {
      stdio: { type: 'boolean' },
      // Editors add it so that the server ends when they do; the protocol's `processId` says the same.
      clientProcessId: { type: 'string' },
    });
    if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]!}'`);
    if (values.stdio !== true) throw new UsageError('say how to connect: --stdio');
    // The server's own entry, which reads the same arguments. It is loaded here, so that the other commands start
    // without the protocol's libraries; and never those libraries by themselves: they are CommonJS, of whose names a
    // bundle that imports them dynamically keeps only `default`.
    await import('../../main.ts');
    // The connection ends the process: after `exit`, when its input closes, or when the editor is gone.
    return new Promise<number>(() => undefined);
  },
};
