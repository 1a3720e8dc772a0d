import type { Effect } from '../../contract/effect.ts';
import type { Figures } from '../../contract/remedy.ts';
import { outcomeOfScene } from '../run/simulate.ts';
import { branchOf } from '../scenario/branch-of.ts';
import { operationLabel } from '../scenario/operation-label.ts';
import { buildScene } from '../scene/build-scene.ts';
import { UnknownScenarioError, type Scenario, type SimulationInput, type SimulationOptions } from '../scene/input.ts';
import { effectText } from './effect-text.ts';

/** Outcomes of one scenario on one input that have been worked out, by the operations as JSON. */
export type KnownOutcomes = Map<string, Figures>;

/**
 * What operations do, each with all before it, against the run without any. Yields after each decision; what is known
 * is not run again.
 */
export function* effectsOf(
  input: SimulationInput,
  scenario: Scenario,
  texts: readonly string[],
  known: KnownOutcomes = new Map(),
  options: SimulationOptions = {},
): Generator<void, readonly Effect[]> {
  const before = yield* figuresFor(input, scenario, [], known, options);
  const effects: Effect[] = [];
  for (const [index, step] of branchOf(input, texts).entries()) {
    const { text, operation } = step;
    const label = operation === undefined ? text : operationLabel(operation);
    let { problem } = step;
    let figures: Figures | null = null;
    try {
      if (problem === '') figures = yield* figuresFor(step.input, scenario, texts.slice(0, index + 1), known, options);
    } catch (error) {
      if (!(error instanceof UnknownScenarioError)) throw error;
      problem = error.message;
    }
    const effect = figures === null ? '' : step.changes ? effectText(figures, before) : 'no effect';
    effects.push({ whatIf: text, label, figures, effect, problem });
  }
  return effects;
}

function* figuresFor(
  input: SimulationInput,
  scenario: Scenario,
  texts: readonly string[],
  known: KnownOutcomes,
  options: SimulationOptions,
): Generator<void, Figures> {
  const key = JSON.stringify(texts);
  let figures = known.get(key);
  if (figures === undefined) {
    figures = (yield* outcomeOfScene(yield* buildScene(input), scenario, options)).figures;
    known.set(key, figures);
  }
  return figures;
}
