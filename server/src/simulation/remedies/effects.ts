import { joined, say } from '../../util/say.ts';
import type { Effect } from '../../report-model/effect.ts';
import { decidedOf, type SoFar } from '../../report-model/so-far.ts';
import type { Figures } from '../../report-model/remedy.ts';
import { figuresOf } from '../report/answer/figures.ts';
import { UnknownObjectError } from '../operations/apply-operation.ts';
import { branchOf, eventsOf } from '../scenario/branch-of.ts';
import { outcomeWithGrowth, simulateEvents } from '../scenario/simulate-scenario.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { operationLabel } from '../operations/operation-label.ts';
import { areNodesAssumed } from '../cluster/inventory.ts';
import { UnknownScenarioError, type Scenario, type SimulationInput, type SimulationOptions } from '../cluster/input.ts';
import { drainText, effectText } from './effect-text.ts';

/** Outcomes of one scenario on one input that have been worked out, by the operations as JSON. */
export type KnownOutcomes = Map<string, Figures>;

interface EffectOptions {
  readonly known?: KnownOutcomes | undefined;
  readonly options?: SimulationOptions;
  /** Told of those that are known, and of how far the next is. */
  readonly onEffects?: ((effects: readonly Effect[]) => void) | undefined;
  /** What happens in every run. */
  readonly events?: readonly ScenarioEvent[];
}

/**
 * What operations do, each with all before it, against the run without any. Yields after each decision; what is known
 * is not run again.
 */
export function* effectsOf(
  input: SimulationInput,
  scenario: Scenario,
  texts: readonly string[],
  { known = new Map(), options = {}, events = [], onEffects }: EffectOptions = {},
): Generator<void, readonly Effect[]> {
  if (texts[0] !== undefined) onEffects?.([waiting(texts[0])]);
  const before =
    events.length === 0
      ? yield* figuresFor(input, scenario, [], known, options)
      : figuresOf((yield* simulateEvents(input, scenario, events, options)).answer);
  const mark = areNodesAssumed(input) ? '?' : '';
  const effects: Effect[] = [];
  const steps = branchOf(input, texts);
  for (const [index, step] of steps.entries()) {
    const { text, operation } = step;
    const label = operation === undefined ? text : operationLabel(operation);
    let { problem } = step;
    let figures: Figures | null = null;
    const lines: string[] = [];
    const done = steps.slice(0, index + 1);
    // How far it is, while it goes on: whoever waits hears at once that it does.
    const soFar = (part: string): void => {
      onEffects?.([...effects, { whatIf: text, label, figures: null, effect: part, problem: '' }]);
    };
    const watched: SimulationOptions =
      onEffects === undefined
        ? options
        : {
            ...options,
            progress: (_text, decided) => {
              if (decided !== undefined) soFar(partText(decided()));
            },
          };
    soFar(say`trying…`);
    yield;
    try {
      if (problem === '' && (events.length > 0 || done.some(({ takesTime }) => takesTime))) {
        const report = yield* simulateEvents(input, scenario, [...events, ...eventsOf(done)], watched);
        figures = figuresOf(report.answer);
        if (operation?.verb === 'drain') {
          const { node } = operation;
          lines.push(drainText(report.drains.find((each) => report.nodes[each.node]?.name === node)));
        }
      } else if (problem === '') {
        figures = yield* figuresFor(step.input, scenario, texts.slice(0, index + 1), known, watched);
      }
    } catch (error) {
      if (!(error instanceof UnknownScenarioError || error instanceof UnknownObjectError)) throw error;
      problem = error.message;
    }
    const effect =
      figures === null
        ? ''
        : step.changes
          ? joined([...lines, effectText(figures, before, mark)], ', ')
          : say`no effect`;
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
    figures = (yield* outcomeWithGrowth(input, scenario, options)).outcome.figures;
    known.set(key, figures);
  }
  return figures;
}

/** Nothing is known of it yet. */
function waiting(text: string): Effect {
  return { whatIf: text, label: text, figures: null, effect: say`trying…`, problem: '' };
}

/** `4 evicted so far, 40 %`. */
function partText(part: SoFar): string {
  const percent = Math.floor((100 * decidedOf(part)) / Math.max(1, part.arriving));
  return say`${part.evicted} evicted so far, ${percent} %`;
}
