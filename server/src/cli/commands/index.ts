import type { Command } from '../command.ts';
import { checkCommand } from './check.ts';
import { decideCommand } from './decide.ts';
import { lspCommand } from './lsp.ts';
import { simulateCommand } from './simulate.ts';

/** Every command, in the order of `podium --help`. */
export const commands: readonly Command[] = [simulateCommand, checkCommand, decideCommand, lspCommand];
