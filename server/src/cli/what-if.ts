import { applyOperation, parseOperation, UnknownObjectError } from '../simulation/index.ts';
import type { Operation, SimulationInput } from '../simulation/index.ts';
import { UsageError, type CommandContext } from './command.ts';

/** An operation of `--what-if`, with how it was written. */
export interface WhatIf {
  readonly text: string;
  readonly operation: Operation;
}

/** Reads the operations, in their order. Throws `UsageError`. */
export function parseWhatIf(texts: readonly string[]): readonly WhatIf[] {
  return texts.map((text) => {
    const operation = parseOperation(text);
    if ('problem' in operation) throw new UsageError(`--what-if: ${operation.problem}`);
    // It takes time, and is answered pod by pod: no change of what is there at the start.
    if (operation.verb === 'drain') {
      throw new UsageError(`--what-if cannot drain; use podium drain ${operation.node} PATH…`);
    }
    return { text: text.trim(), operation };
  });
}

/** Applies the operations, one to what the one before made, and says of which nothing comes. Throws `UsageError`. */
export function applyWhatIf(
  input: SimulationInput,
  whatIfs: readonly WhatIf[],
  stderr: CommandContext['stderr'],
): SimulationInput {
  let branch = input;
  for (const { text, operation } of whatIfs) {
    try {
      const applied = applyOperation(branch, operation);
      if (!applied.changes) stderr.write(`podium: --what-if '${text}': no effect\n`);
      branch = applied.input;
    } catch (error) {
      if (error instanceof UnknownObjectError) throw new UsageError(`--what-if '${text}': ${error.message}`);
      throw error;
    }
  }
  return branch;
}
