import type { Command } from '../command.ts';
import { checkCommand } from './check.ts';
import { decideCommand } from './decide.ts';
import { evictCommand } from './evict.ts';
import { lspCommand } from './lsp.ts';
import { pressureCommand } from './pressure.ts';
import { simulateCommand } from './simulate.ts';

/** Every command, in the order of `podium --help`. */
export const commands: readonly Command[] = [
  simulateCommand,
  checkCommand,
  evictCommand,
  pressureCommand,
  decideCommand,
  lspCommand,
];
