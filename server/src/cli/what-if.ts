import { branchOf, parseOperation } from '../simulation/index.ts';
import type { SimulationInput } from '../simulation/index.ts';
import { UsageError, type CommandContext } from './command.ts';

/** Reads the operations, in their order. Throws `UsageError`. */
export function parseWhatIf(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const operation = parseOperation(text);
    if ('problem' in operation) throw new UsageError(`--what-if: ${operation.problem}`);
    // It takes time, and is answered pod by pod: no change of what is there at the start.
    if (operation.verb === 'drain') {
      throw new UsageError(`--what-if cannot drain; use podium drain ${operation.node} PATH…`);
    }
    return text.trim();
  });
}

/** Applies the operations, one to what the one before made, and says of which nothing comes. Throws `UsageError`. */
export function applyWhatIf(
  input: SimulationInput,
  whatIfs: readonly string[],
  stderr: CommandContext['stderr'],
): SimulationInput {
  const steps = branchOf(input, whatIfs);
  for (const { text, problem, changes } of steps) {
    if (problem !== '') throw new UsageError(`--what-if '${text}': ${problem}`);
    if (!changes) stderr.write(`podium: --what-if '${text}': no effect\n`);
  }
  return steps.at(-1)?.input ?? input;
}
