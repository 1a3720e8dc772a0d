import type { CancellationToken, ResponseError } from 'vscode-languageserver';
import type { CommandContext } from '../cli/command.ts';
import { checkCommand } from '../cli/commands/check.ts';
import { drainCommand } from '../cli/commands/drain.ts';
import { fitCommand } from '../cli/commands/fit.ts';
import { simulateCommand } from '../cli/commands/simulate.ts';
import { upgradeCommand } from '../cli/commands/upgrade.ts';
import { answerOf, type Within } from '../cli/mcp/answers.ts';
import { callTool } from '../cli/mcp/tools.ts';
import { discreet } from '../cli/discreet.ts';
import { runCommand } from '../cli/run-command.ts';
import { failureText } from '../util/contain.ts';
import { inEnglish } from '../util/say.ts';
import { cancelled } from '../language/session/requests.ts';
import type { Session } from '../language/session/session.ts';
import { AbandonedError } from '../language/session/simulations.ts';
import { type Answer, type AskParams, type UpgradeParams, upgradeParamsSchema } from '../protocol.ts';
import { SessionWorkspace } from './session-workspace.ts';

/** What is run: by the tools of `podium mcp`, and by commands of the editor. */
const commands = new Map([
  ['simulate', simulateCommand],
  ['check', checkCommand],
  ['drain', drainCommand],
  ['fit', fitCommand],
  ['upgrade', upgradeCommand],
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
  return answered(`the tool ${tool}`, session, token, (context) =>
    callTool(tool, input, { run, place: (file) => Promise.resolve({ file, context }) }),
  );
}

/** What an upgrade of Kubernetes changes about the workspace of a session. Never rejects. */
export async function upgraded(
  params: UpgradeParams,
  session: Session,
  token: CancellationToken,
): Promise<Answer | ResponseError> {
  const { data, error } = upgradeParamsSchema.safeParse(params);
  if (data === undefined) return { text: error.message, failed: true };
  const args = ['upgrade', '--from', data.from, '--to', data.to, '--format', 'markdown', '--', '.'];
  return answered('the upgrade', session, token, (context) => answerOf(run, args, context));
}

async function answered(
  what: string,
  session: Session,
  token: CancellationToken,
  answer: (context: Within) => Promise<Answer>,
): Promise<Answer | ResponseError> {
  const context = {
    cwd: session.folders.paths[0] ?? '/',
    version: () => '',
    open: new SessionWorkspace(session, token),
  };
  try {
    const { text, failed } = await answer(context);
    return { text: inEnglish(text), failed };
  } catch (error) {
    if (error instanceof AbandonedError) {
      if (error.reason === 'cancelled') return cancelled();
      return { text: 'The manifests have changed meanwhile. Ask again.', failed: true };
    }
    return { text: failureText(what, error), failed: true };
  }
}
