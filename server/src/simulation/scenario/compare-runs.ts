import { say } from '../../kit/say.ts';
import type { WholeReport } from '../../contract/report.ts';
import type { Way } from '../compare/build-plan.ts';
import { compared } from '../compare/compare-reports.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type SimulationOptions } from '../scene/input.ts';
import { attributed } from './attribute-effects.ts';
import type { ScenarioEvent } from './operation.ts';
import type { Question } from './question.ts';
import { simulateEvents, startOf } from './simulate-scenario.ts';
import { asStage, endOf, happeningsOf, stagesOf } from './stages-of.ts';

/** A cluster, and what happens in it. */
export interface Played {
  readonly input: SimulationInput;
  readonly events: readonly ScenarioEvent[];
  /** Asked of its end. */
  readonly questions?: readonly Question[];
}

/**
 * Simulates what arrives, and tells what differs from another run: of the manifests as they were, of another cluster, or
 * without some events. Costs two simulations, one more for each what-if but the last, and one more where manifests and
 * events differ. Throws as `simulateEvents` does.
 * @param since what the other run is of, to be read after "compared with": `git HEAD`.
 */
export function* compareRuns(
  earlier: Played,
  now: Played,
  scenario: Scenario,
  since: string,
  options: SimulationOptions = {},
): Generator<void, WholeReport> {
  // Who could evict whom is not compared.
  const others = { ...options, ...ofAnotherRun(options), threatLimit: 0 };
  const before = yield* simulateEvents(earlier.input, scenario, earlier.events, others);
  const after = yield* simulateEvents(now.input, scenario, now.events, options, now.questions);
  const { start, later } = startOf(now.input, now.events);
  const stageAfter = function* (events: readonly ScenarioEvent[]) {
    return asStage(yield* simulateEvents(now.input, scenario, events, others));
  };
  // Where both the manifests and a what-if differ, the manifests alone stand between.
  const both = now.events.length > 0 && earlier.events.length === 0 && earlier.input.workspace !== now.input.workspace;
  const way: Way = {
    between: [
      ...(both ? [{ label: say`without the what-if`, whatIf: '', report: yield* stageAfter([]) }] : []),
      ...(earlier.events.length === 0 ? yield* stagesOf(now.events, stageAfter) : []),
    ],
    end: earlier.events.length === 0 ? endOf(now.events, after) : endOf([], after),
  };
  const known = new Set(earlier.events.map(({ text }) => text));
  const happens = happeningsOf(
    later.filter(({ text }) => !known.has(text)),
    after,
  );
  const report = yield* compared(before, after, since, { earlier: earlier.input, now: start, happens }, way);
  return yield* attributed(
    { ...report, scenario: { kind: 'change', since } },
    { earlier: earlier.input, now: start, later, happens, scenario },
    { ...options, ...ofAnotherRun(options) },
  );
}
