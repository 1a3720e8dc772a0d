import type { SimulationInput } from '../cluster/input.ts';
import { applyOperation, UnknownObjectError } from '../operations/apply-operation.ts';
import { asManifest } from './as-manifest.ts';
import { happensInRun, type Operation, type ScenarioEvent } from '../operations/operation.ts';
import { parseOperation } from '../operations/parse-operation.ts';

/** An operation as it was written, applied to what the ones before it made. */
export interface Step {
  readonly text: string;
  /** Undefined where there is a problem. */
  readonly operation: Operation | undefined;
  /** What is there after it; what was there before it where there is a problem. */
  readonly input: SimulationInput;
  readonly changes: boolean;
  /** It goes on in a run: `input` has only what is so at its start. */
  readonly takesTime: boolean;
  /** Why it cannot be applied; empty where it can. */
  readonly problem: string;
}

/** Applies operations one after the other, each to what the one before made. Those with a problem are passed over. */
export function branchOf(input: SimulationInput, texts: readonly string[]): readonly Step[] {
  let branch = input;
  return texts.map((text): Step => {
    const operation = parseOperation(text);
    if ('problem' in operation) return passedOver(text, branch, operation.problem);
    const takesTime = happensInRun(operation);
    try {
      const edited = asManifest(branch, operation);
      const applied = edited === null ? applyOperation(branch, operation) : { input: edited, changes: true };
      branch = applied.input;
      return {
        text,
        operation,
        input: branch,
        changes: (takesTime && operation.verb !== 'taint') || applied.changes,
        takesTime,
        problem: '',
      };
    } catch (error) {
      if (error instanceof UnknownObjectError) return passedOver(text, branch, error.message);
      throw error;
    }
  });
}

function passedOver(text: string, input: SimulationInput, problem: string): Step {
  return { text, operation: undefined, input, changes: false, takesTime: false, problem };
}

/** The steps that can be applied as events of a run, one after the other at second 0. */
export function eventsOf(steps: readonly Step[]): readonly ScenarioEvent[] {
  return steps.flatMap(({ text, operation, problem }) =>
    operation === undefined || problem !== '' ? [] : [{ operation, at: 0, text }],
  );
}
