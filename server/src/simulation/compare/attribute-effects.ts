import type { PlanLink } from '../../report-model/plan.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { statesOf } from './build-plan.ts';
import { objectsByName } from './causes-of.ts';
import { causesOfHappening, type ChangedOutcome } from './changed-outcomes.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { UnknownObjectError } from '../operations/apply-operation.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { simulateEvents } from '../scenario/simulate-scenario.ts';

/** Each of them costs a run: for more of them, and for more pods, effects belong to all together. */
const mostParts = 8;
const mostPods = 2000;

interface Runs {
  readonly earlier: SimulationInput;
  /** With what the events make of it at the start. */
  readonly now: SimulationInput;
  readonly later: readonly ScenarioEvent[];
  /** Those of them that the other run has not, as the comparison has them. */
  readonly happens: readonly ChangedOutcome[];
  readonly scenario: Scenario;
}

/** What can be taken back alone: an object that is changed, or something that happens. */
interface Part {
  /** Causes, or the link of what happens. */
  readonly ids: readonly string[];
  readonly input: SimulationInput;
  readonly later: readonly ScenarioEvent[];
}

/**
 * A comparison in which each effect belongs to the objects and the happenings that alone would have to be taken back for
 * it not to be there; where there is none, to all of them together.
 */
export function* attributed(report: WholeReport, runs: Runs, options: SimulationOptions): Generator<void, WholeReport> {
  const { comparison } = report;
  if (comparison === null || comparison.moreCauses > 0 || report.pods.length > mostPods) return report;
  const objects = new Set(comparison.causes.map(({ object }) => object));
  const events = comparison.plan.chain.filter(({ kind }) => kind === 'event');
  const amount = objects.size + events.length;
  if (amount < 2 || amount > mostParts) return report;
  const parts = partsOf(comparison, objects, events, runs);
  const without: (readonly [Part, ReturnType<typeof statesOf>])[] = [];
  try {
    for (const part of parts) {
      const run = yield* simulateEvents(part.input, runs.scenario, part.later, { ...options, threatLimit: 0 });
      without.push([part, statesOf(run)]);
    }
  } catch (error) {
    // An event is about what would not be there: it cannot be told apart.
    if (error instanceof UnknownObjectError) return report;
    throw error;
  }
  const effects = comparison.plan.effects.map((effect) => {
    const [was, is] = [effect.at[0]?.text, effect.at.at(-1)?.text];
    if (was === is) return effect;
    const own = without.filter(([, states]) => (states.get(effect.workload)?.text ?? say`not there`) === was);
    return own.length === 0 ? effect : { ...effect, by: own.flatMap(([{ ids }]) => ids), together: false };
  });
  return { ...report, comparison: { ...comparison, plan: { ...comparison.plan, effects } } };
}

function partsOf(
  { causes }: NonNullable<WholeReport['comparison']>,
  objects: ReadonlySet<string>,
  events: readonly PlanLink[],
  { earlier, now, later, happens }: Runs,
): readonly Part[] {
  const before = objectsByName(earlier);
  const ofCauses = new Map<ScenarioEvent, readonly string[]>();
  const alone: Part[] = [];
  for (const happening of happens) {
    const event = later.find(({ text }) => text === happening.text);
    if (event === undefined) continue;
    const lines = causesOfHappening(happening, causes);
    if (lines.length > 0 || happening.isChange) {
      ofCauses.set(event, lines);
      continue;
    }
    const link = events.find(({ clock, text }) => clock === happening.clock && text === happening.label);
    const others = later.filter((each) => each !== event);
    if (link !== undefined) alone.push({ ids: [link.id], input: now, later: others });
  }
  const changed = [...objects].map((object): Part => {
    const ids = causes.flatMap((cause) => (cause.object === object ? [cause.id] : []));
    return {
      ids,
      input: withObject(now, object, before.get(object)),
      // A drain that is told as the node that it closes is taken back with it.
      later: later.filter((event) => !(ofCauses.get(event)?.some((id) => ids.includes(id)) ?? false)),
    };
  });
  return [...changed, ...alone];
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
