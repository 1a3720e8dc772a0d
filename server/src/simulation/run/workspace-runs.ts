import { say } from '../../kit/say.ts';
import type { Effect } from '../../contract/effect.ts';
import type { Figures, Remedy } from '../../contract/remedy.ts';
import type { WholeReport } from '../../contract/report.ts';
import { effectsOf } from '../remedies/effects.ts';
import { findRemedies } from '../remedies/find-remedies.ts';
import { figuresOf } from '../report/answer/figures.ts';
import { compareReports } from '../compare/compare-reports.ts';
import { branchOf, eventsOf } from '../scenario/branch-of.ts';
import { attributed } from '../scenario/attribute-effects.ts';
import { simulateEvents, startOf } from '../scenario/simulate-scenario.ts';
import { buildScene } from '../scene/build-scene.ts';
import { ofAnotherRun, type Progress, type Scenario, type SimulationInput } from '../scene/input.ts';
import type { ArrivalPreviews } from './preview.ts';

/** The last scenario that was asked for, the report of it, and what was worked out besides. */
interface Answered {
  readonly key: string;
  readonly report: WholeReport;
  readonly outcomes: Map<string, Figures>;
  after: { readonly key: string; readonly report: WholeReport } | undefined;
}

/** Runs of one version of the manifests, as it is and after operations, which are all compared with the run as it is. */
export class WorkspaceRuns {
  readonly #input: SimulationInput;
  readonly #previews: ArrivalPreviews;
  #answered: Answered | undefined;

  constructor(input: SimulationInput, previews: ArrivalPreviews) {
    this.#input = input;
    this.#previews = previews;
  }

  /** The report of a scenario after operations; those with a problem are passed over. */
  *report(scenario: Scenario, operations: readonly string[], progress?: Progress): Generator<void, WholeReport> {
    const key = JSON.stringify(scenario);
    if (this.#answered?.key !== key) {
      const isAsked = operations.length === 0;
      const report = yield* this.#previews.simulate(
        scenario,
        isAsked ? { ...(progress && { progress }) } : ofAnotherRun(progress),
      );
      const outcomes = new Map([['[]', figuresOf(report.answer)]]);
      this.#answered = { key, report, outcomes, after: undefined };
    }
    const answered = this.#answered;
    const steps = branchOf(this.#input, operations);
    const input = steps.at(-1)?.input;
    if (input === undefined) return answered.report;
    const asked = JSON.stringify(operations);
    if (answered.after?.key !== asked) {
      const since = say`the run without the what-if`;
      const inputs = { earlier: this.#input, now: input };
      const after = yield* simulateEvents(this.#input, scenario, eventsOf(steps), { ...(progress && { progress }) });
      const compared = { ...after, comparison: compareReports(answered.report, after, since, inputs) };
      const { start: now, later } = startOf(this.#input, eventsOf(steps));
      const report = yield* attributed(
        compared,
        { earlier: this.#input, now, later, scenario },
        ofAnotherRun(progress),
      );
      answered.after = { key: asked, report };
      answered.outcomes.set(asked, figuresOf(report.answer));
    }
    return answered.after.report;
  }

  /** What there is after operations. */
  inputAfter(operations: readonly string[]): SimulationInput {
    return branchOf(this.#input, operations).at(-1)?.input ?? this.#input;
  }

  /** The nodes, with the pods that run there at the start. */
  *nodes(): Generator<void, readonly { readonly name: string; readonly zone: string; readonly pods: number }[]> {
    const { nodes, running } = yield* buildScene(this.#input);
    const pods = new Map<string, number>();
    for (const { info } of running) pods.set(info.nodeName, (pods.get(info.nodeName) ?? 0) + 1);
    return nodes.map(({ name, zone }) => ({ name, zone, pods: pods.get(name) ?? 0 }));
  }

  /** What each of the operations does, with those before it. */
  *effects(scenario: Scenario, operations: readonly string[]): Generator<void, readonly Effect[]> {
    const known = this.#answered?.key === JSON.stringify(scenario) ? this.#answered.outcomes : undefined;
    return yield* effectsOf(this.#input, scenario, operations, { known });
  }

  /** What would help after the operations. */
  *remedies(scenario: Scenario, operations: readonly string[]): Generator<void, readonly Remedy[]> {
    const report = yield* this.report(scenario, operations);
    const steps = branchOf(this.#input, operations);
    // What would help is tried on a cluster that stays as it is.
    if (steps.some(({ takesTime }) => takesTime)) return [];
    const input = steps.at(-1)?.input ?? this.#input;
    return yield* findRemedies(report, input, scenario);
  }
}
