import type { Command } from '../command.ts';
import { checkCommand } from './check.ts';
import { decideCommand } from './decide.ts';
import { drainCommand } from './drain.ts';
import { evictCommand } from './evict.ts';
import { fitCommand } from './fit.ts';
import { lspCommand } from './lsp.ts';
import { mcpCommand } from './mcp.ts';
import { pressureCommand } from './pressure.ts';
import { simulateCommand } from './simulate.ts';
import { snapshotCommand } from './snapshot.ts';
import { sourcesCommand } from './sources.ts';
import { threatsCommand } from './threats.ts';

/** Every command, in the order of `podium --help`. */
export const commands: readonly Command[] = [
  simulateCommand,
  checkCommand,
  sourcesCommand,
  snapshotCommand,
  evictCommand,
  drainCommand,
  fitCommand,
  threatsCommand,
  pressureCommand,
  decideCommand,
  lspCommand,
  mcpCommand,
];
