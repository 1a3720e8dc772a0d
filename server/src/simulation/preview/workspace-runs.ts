import { say } from '../../util/say.ts';
import type { Effect } from '../../report-model/effect.ts';
import type { Figures, Remedy } from '../../report-model/remedy.ts';
import type { ComparedReport, WholeReport } from '../../report-model/report.ts';
import { effectsOf } from '../remedies/effects.ts';
import { whatWouldHelp } from '../remedies/what-would-help.ts';
import { figuresOf } from '../report/answer/figures.ts';
import { type Stage, straight, type Way } from '../compare/build-plan.ts';
import { compared } from '../compare/compare-reports.ts';
import type { Played } from '../compare/compare-runs.ts';
import { changedWorkloads } from '../scenario/changed-workloads.ts';
import { type SettledCluster, settledCluster, settledForWhatIfs } from '../scenario/settled-cluster.ts';
import { branchOf, eventsOf } from '../scenario/branch-of.ts';
import { attributed } from '../compare/attribute-effects.ts';
import { happensInRun, type Operation, type ScenarioEvent } from '../operations/operation.ts';
import { simulateEvents, startOf } from '../scenario/simulate-scenario.ts';
import { asStage, endOf, happeningsOf, stagesOf } from '../compare/stages-of.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type Watch } from '../cluster/input.ts';
import type { ArrivalPreviews } from './preview.ts';

/** The last scenario that was asked for, the report of it, and what was worked out besides. */
interface Answered {
  readonly key: string;
  readonly report: WholeReport;
  readonly outcomes: Map<string, Figures>;
  /** The last run after operations. */
  after: AfterOperations | undefined;
  /** Runs after fewer operations, and after those that were tried before, by the operations as JSON. */
  readonly stages: Map<string, ComparedReport>;
}

interface AfterOperations {
  readonly key: string;
  readonly report: WholeReport;
}

/** What operations are applied to. */
interface Ground {
  readonly input: SimulationInput;
  /** Null where it is the workspace as it is written. */
  readonly cluster: SettledCluster | null;
  readonly answered: Answered;
}

/** To be read after "compared with". */
const sinceWithout = say`the run without the what-if`;

/** More runs than can be on the way of one what-if are not kept. */
const mostKept = 16;

/** Runs of one version of the manifests, as it is and after operations, which are all compared with the run as it is. */
export class WorkspaceRuns {
  readonly #input: SimulationInput;
  readonly #previews: ArrivalPreviews;
  #answered: Answered | undefined;
  #cluster: SettledCluster | undefined;
  /** What edits are applied to. */
  #settled: Ground | undefined;

  constructor(input: SimulationInput, previews: ArrivalPreviews) {
    this.#input = input;
    this.#previews = previews;
  }

  /** The report of a scenario after operations; those with a problem are passed over. */
  *report(scenario: Scenario, operations: readonly string[], watch: Watch = {}): Generator<void, WholeReport> {
    if (operations.length === 0) return (yield* this.#answer(scenario, watch)).report;
    const { input, cluster, answered } = yield* this.#ground(scenario, operations, ofAnotherRun(watch));
    const asked = JSON.stringify(operations);
    if (answered.after?.key !== asked) {
      const steps = branchOf(input, operations);
      const events = eventsOf(steps);
      const after = yield* simulateEvents(input, scenario, events, watch);
      this.#keepStage(answered);
      const between = yield* this.#stages(answered, input, scenario, events, watch);
      const { start: now, later } = startOf(input, events);
      const way = { between, end: endOf(events, after) };
      const changesObjects = (operation: Operation) => operation.verb === 'taint' || !happensInRun(operation);
      const happens = happeningsOf(later, after, now, changesObjects);
      const made = steps.at(-1)?.input ?? input;
      const written = (of: SimulationInput): SimulationInput => cluster?.asWritten(of) ?? of;
      const inputs = { earlier: written(input), now: written(made), happens, isApplied: cluster !== null };
      const report = yield* attributed(
        yield* compared(answered.report, after, sinceWithout, inputs, way),
        { earlier: input, now, later, happens, scenario },
        ofAnotherRun(watch),
      );
      answered.after = { key: asked, report };
      answered.outcomes.set(asked, figuresOf(report.answer));
    }
    return answered.after.report;
  }

  /** What is on the way from another run to the one after operations: the run without any, and after each but the last. */
  *wayAfter(scenario: Scenario, operations: readonly string[]): Generator<void, Way> {
    if (operations.length === 0) return straight();
    const { input, answered } = yield* this.#ground(scenario, operations, {});
    const after = yield* this.report(scenario, operations);
    const events = eventsOf(branchOf(input, operations));
    const between = yield* this.#stages(answered, input, scenario, events, {});
    return {
      between: [{ label: say`as written`, whatIf: '', report: asStage(answered.report) }, ...between],
      end: endOf(events, after),
    };
  }

  /** What operations are applied to, and the run of it without them. */
  *#ground(scenario: Scenario, operations: readonly string[], watch: Watch): Generator<void, Ground> {
    const events = eventsOf(branchOf(this.#input, operations));
    if (scenario.kind === 'workspace' && events.length > 0) {
      const cluster = yield* settledForWhatIfs(this.#input, events, () => this.#settle());
      if (cluster !== undefined) return (this.#settled ??= yield* this.#onSettled(cluster, scenario, watch));
    }
    return { input: this.#input, cluster: null, answered: yield* this.#answer(scenario, watch) };
  }

  *#settle(): Generator<void, SettledCluster> {
    return (this.#cluster ??= yield* settledCluster(this.#input, sinceWithout));
  }

  *#onSettled(cluster: SettledCluster, scenario: Scenario, watch: Watch): Generator<void, Ground> {
    const report = yield* simulateEvents(cluster.before, scenario, [], watch);
    const outcomes = new Map([['[]', figuresOf(report.answer)]]);
    const answered = { key: JSON.stringify(scenario), report, outcomes, after: undefined, stages: new Map() };
    return { input: cluster.applied(this.#input), cluster, answered };
  }

  *#answer(scenario: Scenario, watch: Watch): Generator<void, Answered> {
    const key = JSON.stringify(scenario);
    if (this.#answered?.key !== key) {
      const { changed, refused } = changedWorkloads(this.#input);
      const moves = this.#input.growth !== undefined || changed.length + refused.length > 0;
      const report = moves
        ? yield* simulateEvents(this.#input, scenario, [], watch)
        : yield* this.#previews.simulate(scenario, watch);
      const outcomes = new Map([['[]', figuresOf(report.answer)]]);
      this.#answered = { key, report, outcomes, after: undefined, stages: new Map() };
    }
    return this.#answered;
  }

  /** What was asked for before may be on the way of what is asked for next. */
  #keepStage({ after, stages }: Answered): void {
    if (after === undefined) return;
    stages.set(after.key, asStage(after.report));
    for (const key of [...stages.keys()].slice(0, -mostKept)) stages.delete(key);
  }

  /** The runs after each operation but the last. */
  #stages(
    { stages }: Answered,
    input: SimulationInput,
    scenario: Scenario,
    events: readonly ScenarioEvent[],
    watch: Watch,
  ): Generator<void, readonly Stage[]> {
    return stagesOf(events, function* (some) {
      const key = JSON.stringify(some.map(({ text }) => text));
      let stage = stages.get(key);
      if (stage === undefined) {
        stage = asStage(yield* simulateEvents(input, scenario, some, { ...ofAnotherRun(watch), threatLimit: 0 }));
        stages.set(key, stage);
      }
      return stage;
    });
  }

  /** The workspace and what operations on it are as events. */
  played(operations: readonly string[]): Played {
    return { input: this.#input, events: eventsOf(branchOf(this.#input, operations)) };
  }

  /** The nodes, with the pods that a drain finds there. */
  *nodes(): Generator<void, readonly { readonly name: string; readonly zone: string; readonly pods: number }[]> {
    const { nodes, running } = yield* buildCluster(this.#input);
    const drain = eventsOf(
      branchOf(
        this.#input,
        nodes.slice(0, 1).map(({ name }) => `drain node/${name}`),
      ),
    );
    const cluster = yield* settledForWhatIfs(this.#input, drain, () => this.#settle());
    const pods = new Map<string, number>();
    const { running: there } = cluster === undefined ? { running } : yield* buildCluster(cluster.before);
    for (const { info } of there) pods.set(info.nodeName, (pods.get(info.nodeName) ?? 0) + 1);
    return nodes.map(({ name, zone }) => ({ name, zone, pods: pods.get(name) ?? 0 }));
  }

  /** What each of the operations does, with those before it. */
  *effects(
    scenario: Scenario,
    operations: readonly string[],
    options: Watch = {},
    onEffects?: (effects: readonly Effect[]) => void,
  ): Generator<void, readonly Effect[]> {
    if (operations.length === 0) return [];
    const { input, answered } = yield* this.#ground(scenario, operations, options);
    return yield* effectsOf(input, scenario, operations, { known: answered.outcomes, options, onEffects });
  }

  /** What would help after the operations. */
  *remedies(scenario: Scenario, operations: readonly string[]): Generator<void, readonly Remedy[]> {
    const report = yield* this.report(scenario, operations);
    const { input } = yield* this.#ground(scenario, operations, {});
    return yield* whatWouldHelp(report, input, scenario, eventsOf(branchOf(input, operations)));
  }
}
