import { say } from '../../kit/say.ts';
import { shortNames } from '../../contract/short-names.ts';
import type { ComparedReport, WholeReport } from '../../contract/report.ts';
import type { Stage } from '../compare/build-plan.ts';
import type { Happening } from '../compare/compare-reports.ts';
import { operationLabel } from './operation-label.ts';
import type { Operation, ScenarioEvent } from './operation.ts';

/** Each stage is a run: of more operations that are tried together only the first and the last are told. */
const mostStages = 8;

/** Whether events are what-ifs, one upon the other, of which each is a stage on the way. */
function areStages(events: readonly ScenarioEvent[]): boolean {
  return events.length > 0 && events.length <= mostStages && events.every(({ at }) => at === 0);
}

/** What the end is called: what-ifs end with the last of them. */
export function endOf(events: readonly ScenarioEvent[], after: ComparedReport): Omit<Stage, 'report'> {
  const last = events.at(-1);
  return last === undefined || !areStages(events) ? { label: say`now`, whatIf: '' } : labelled(last, after);
}

/**
 * The runs after each what-if but the last, with those before it.
 * @param run gives the run after some of the events
 */
export function* stagesOf(
  events: readonly ScenarioEvent[],
  run: (events: readonly ScenarioEvent[]) => Generator<void, ComparedReport>,
): Generator<void, readonly Stage[]> {
  if (!areStages(events)) return [];
  const stages: Stage[] = [];
  for (const [index, event] of events.slice(0, -1).entries()) {
    const report = yield* run(events.slice(0, index + 1));
    stages.push({ ...labelled(event, report), report });
  }
  return stages;
}

function labelled({ operation, text }: ScenarioEvent, report: ComparedReport): Omit<Stage, 'report'> {
  return { label: labelIn(report)(operation), whatIf: text };
}

/** What happens to a cluster in motion, for who is told what comes of it. */
export function happeningsOf(events: readonly ScenarioEvent[], report: ComparedReport): readonly Happening[] {
  const labelOf = labelIn(report);
  const operations = events.map(({ operation }) => operation);
  const drained = new Set(operations.flatMap((each) => (each.verb === 'drain' ? [each.node] : [])));
  return (
    operations
      // What takes a drain back belongs to it.
      .filter((each) => each.verb !== 'uncordon' || !drained.has(each.node))
      .map((each) => ({ label: labelOf(each), drained: each.verb === 'drain' ? each.node : null }))
  );
}

/** With the names of nodes as short as in the report. */
function labelIn(report: ComparedReport): (operation: Operation) => string {
  const names = shortNames(report);
  const short = new Map(report.nodes.map(({ name }, index) => [name, names.node(index)]));
  return (operation) => operationLabel(operation, (name) => short.get(name) ?? name);
}

/** A run without what only its own readers look at, which takes most of its memory. */
export function asStage(report: WholeReport): ComparedReport {
  const { version, kubernetes, scenario, answer, ladder, workloads, nodes, pods, steps } = report;
  const { drains, pressures, taints, timeline, victims, totals } = report;
  return {
    version,
    kubernetes,
    scenario,
    answer,
    ladder,
    workloads,
    nodes,
    pods,
    steps,
    drains,
    pressures,
    ...(taints === undefined ? {} : { taints }),
    timeline,
    victims,
    totals,
  };
}
