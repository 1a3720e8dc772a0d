import type { WholeReport } from '../../contract/report.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { statesOf } from '../compare/build-plan.ts';
import { objectsByName } from '../compare/causes-of.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../scene/input.ts';
import { UnknownObjectError } from './apply-operation.ts';
import type { ScenarioEvent } from './operation.ts';
import { simulateEvents } from './simulate-scenario.ts';

/** Each object that is changed costs a run: for more of them, and for more pods, effects belong to all together. */
const mostObjects = 8;
const mostPods = 2000;

interface Runs {
  readonly earlier: SimulationInput;
  /** With what the events make of it at the start. */
  readonly now: SimulationInput;
  readonly later: readonly ScenarioEvent[];
  readonly scenario: Scenario;
}

/**
 * A comparison in which each effect belongs to the objects that alone would have to be as they were for it not to be
 * there; where there is no such object, to all of them together.
 */
export function* attributed(
  report: WholeReport,
  { earlier, now, later, scenario }: Runs,
  options: SimulationOptions,
): Generator<void, WholeReport> {
  const { comparison } = report;
  const objects = [...new Set(comparison?.causes.map(({ object }) => object))];
  const tooMuch = objects.length > mostObjects || report.pods.length > mostPods;
  if (comparison === null || comparison.moreCauses > 0 || objects.length < 2 || tooMuch) return report;
  const before = objectsByName(earlier);
  const without = new Map<string, ReturnType<typeof statesOf>>();
  try {
    for (const object of objects) {
      const reverted = withObject(now, object, before.get(object));
      const run = yield* simulateEvents(reverted, scenario, later, { ...options, threatLimit: 0 });
      without.set(object, statesOf(run));
    }
  } catch (error) {
    // An event is about what would not be there: it cannot be told apart.
    if (error instanceof UnknownObjectError) return report;
    throw error;
  }
  const effects = comparison.plan.effects.map((effect) => {
    const [was, is] = [effect.at[0]?.text, effect.at.at(-1)?.text];
    if (was === is) return effect;
    const own = objects.filter((object) => (without.get(object)?.get(effect.workload)?.text ?? 'not there') === was);
    if (own.length === 0) return effect;
    const by = comparison.causes.flatMap(({ id, object }) => (own.includes(object) ? [id] : []));
    return { ...effect, by, together: false };
  });
  return { ...report, comparison: { ...comparison, plan: { ...comparison.plan, effects } } };
}

/** A cluster with one object as it is somewhere else, or without it. */
function withObject(input: SimulationInput, name: string, object: Declared | undefined): SimulationInput {
  const current = objectsByName(input).get(name);
  if (current === undefined) {
    return object === undefined ? input : { ...input, workspace: [...input.workspace, object] };
  }
  const replaced = (list: readonly Declared[]): readonly Declared[] =>
    list.flatMap((each) => (each !== current ? [each] : object === undefined ? [] : [object]));
  return { ...input, workspace: replaced(input.workspace), snapshot: replaced(input.snapshot) };
}
