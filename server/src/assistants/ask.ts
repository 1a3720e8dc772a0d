import type { CancellationToken, ResponseError } from 'vscode-languageserver';
import type { CommandContext } from '../cli/command.ts';
import { checkCommand } from '../cli/commands/check.ts';
import { drainCommand } from '../cli/commands/drain.ts';
import { fitCommand } from '../cli/commands/fit.ts';
import { simulateCommand } from '../cli/commands/simulate.ts';
import { callTool } from '../cli/mcp/tools.ts';
import { discreet } from '../cli/discreet.ts';
import { runCommand } from '../cli/run-command.ts';
import { failureText } from '../kit/contain.ts';
import { asItIs } from '../language/said-messages.ts';
import { cancelled, type Session } from '../language/session.ts';
import { AbandonedError } from '../language/simulations.ts';
import type { Answer, AskParams } from '../protocol.ts';
import { SessionWorkspace } from './session-workspace.ts';

/** What the tools of `podium mcp` run. */
const commands = new Map([
  ['simulate', simulateCommand],
  ['check', checkCommand],
  ['drain', drainCommand],
  ['fit', fitCommand],
]);

function run([name = '', ...args]: readonly string[], context: CommandContext): Promise<number> {
  return runCommand(commands.get(name)!, name, args, discreet(context));
}

/** What a tool answers about the workspace of a session. Never rejects. */
export async function ask(
  { tool, input }: AskParams,
  session: Session,
  token: CancellationToken,
): Promise<Answer | ResponseError> {
  const context = {
    cwd: session.folders.paths[0] ?? '/',
    version: () => '',
    open: new SessionWorkspace(session, token),
  };
  try {
    const { text, failed } = await callTool(tool, input, { run, place: (file) => Promise.resolve({ file, context }) });
    return asItIs({ text, failed });
  } catch (error) {
    if (error instanceof AbandonedError) {
      if (error.reason === 'cancelled') return cancelled();
      return { text: 'The manifests have changed meanwhile. Ask again.', failed: true };
    }
    return { text: failureText(`the tool ${tool}`, error), failed: true };
  }
}
