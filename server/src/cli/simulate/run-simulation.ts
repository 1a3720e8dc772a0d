import { UsageError } from '../command.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { WholeReport } from '../../report-model/report.ts';
import {
  happeningsOf,
  notComparedObjects,
  type Played,
  runsCompared,
  type SavedReport,
  savedEvents,
  savedRun,
  type Scenario,
  type ScenarioEvent,
  type ScenarioFile,
  simulateEvents,
  type SimulationInput,
  type SimulationOptions,
  sinceSaved,
  startOf,
  UnknownObjectError,
  UnknownScenarioError,
} from '../../simulation/index.ts';

/** What a run is compared with, and what that is called. */
export interface Before extends Played {
  readonly since: string;
}

/** What is run. */
export interface AskedRun extends Pick<Played, 'prunes'> {
  readonly input: SimulationInput;
  readonly scenario: Scenario;
  readonly events: readonly ScenarioEvent[];
  readonly questions: ScenarioFile['questions'];
  /** Where an event is written; empty for one that is no event of a file. */
  readonly placeOf: (text: string) => string;
}

/** A report, and what more can be asked of the cluster that it is of. */
interface Answered {
  readonly report: WholeReport;
  readonly input: SimulationInput;
}

/** Throws `UsageError`. */
export function* simulateOrRefuse(
  { input, scenario, events, questions, prunes, placeOf }: AskedRun,
  before: Before | null,
  options: SimulationOptions,
): Generator<void, Answered> {
  try {
    if (before === null) {
      return { report: yield* simulateEvents(input, scenario, events, options, questions), input };
    }
    return yield* runsCompared(before, { input, events, questions, prunes }, scenario, before.since, options);
  } catch (error) {
    if (error instanceof UnknownObjectError) throw new UsageError(`${placeOf(error.asked)}${error.message}`, true);
    throw error instanceof UnknownScenarioError ? new UsageError(error.message, true) : error;
  }
}

/** Compares with a report that was saved. Throws `UsageError`. */
export function* simulateAgainst(
  { report: saved, manifests }: SavedReport,
  since: string,
  asked: AskedRun,
  options: SimulationOptions,
): Generator<void, Answered> {
  const before = manifests === null ? null : savedRun(manifests, asked.input);
  if (before !== null) {
    return yield* simulateOrRefuse(withNotRendered(asked, before), { ...before, since }, options);
  }
  const { report, input } = yield* simulateOrRefuse(asked, null, options);
  const known = savedEvents(saved);
  const { start, later } = startOf(asked.input, asked.events);
  const own = later.filter(({ text }) => !known.has(text));
  return { report: yield* sinceSaved(saved, report, since, happeningsOf(own, report, start)), input };
}

/** Where a tool fails, what is not seen any more may be written all the same: it counts as unchanged. */
function withNotRendered(asked: AskedRun, { input: { workspace } }: Played): AskedRun {
  const { unseen = [], workspace: now, missing = [] } = asked.input;
  if (unseen.every(({ hasFailed }) => hasFailed !== true)) return asked;
  const seen = new Set(now.map(({ object }) => keyOfObject(object)));
  const kept = workspace.filter(({ object }) => !seen.has(keyOfObject(object)));
  if (kept.length === 0) return asked;
  const input = { ...asked.input, workspace: [...now, ...kept], missing: [...missing, ...notComparedObjects(kept)] };
  return { ...asked, input };
}
