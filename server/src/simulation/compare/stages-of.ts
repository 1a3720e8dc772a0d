import { say } from '../../util/say.ts';
import { momentText } from '../../util/words.ts';
import { shortNames } from '../../report-model/short-names.ts';
import type { ComparedReport, WholeReport } from '../../report-model/report.ts';
import type { Stage } from './build-plan.ts';
import { causesOf } from './causes-of.ts';
import { changeText } from './change-text.ts';
import type { ChangedOutcome } from './changed-outcomes.ts';
import { objectName } from './object-names.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { isEdit, withEdited } from '../scenario/as-manifest.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import { isAdded, stemOfAdded } from '../operations/added-nodes.ts';
import { operationLabel } from '../operations/operation-label.ts';
import type { Operation, ScenarioEvent } from '../operations/operation.ts';

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

/** What an event of a run is called as the subject of a sentence; undefined for one that changes objects. */
function subjectInRun(operation: Operation): string | undefined {
  switch (operation.verb) {
    case 'drain':
      return say`Draining ${operation.node}`;
    case 'fail':
      return say`The failure of ${operation.node}`;
    case 'pressure':
      return say`Memory pressure on ${operation.node}`;
    case 'arrive':
      return say`Deploying ${operation.target.name}`;
    case 'finish':
      return say`Finishing ${operation.target.name}`;
    case 'unready':
      return say`Keeping new pods of ${operation.target.name} unready`;
    default:
      return undefined;
  }
}

/**
 * What happens to a cluster in motion, and when and to what it did in a report.
 * @param start the cluster before it happens
 * @param isChange which operations are told as changes of objects
 */
export function happeningsOf(
  events: readonly ScenarioEvent[],
  report: ComparedReport & Pick<WholeReport, 'events'>,
  start: SimulationInput,
  isChange: (operation: Operation) => boolean = () => false,
): readonly ChangedOutcome[] {
  const labelOf = labelIn(report);
  const drained = new Set(events.flatMap(({ operation }) => (operation.verb === 'drain' ? [operation.node] : [])));
  const clocks = new Map<string, number[]>();
  for (const { text, clock } of report.events) clocks.set(text, [...(clocks.get(text) ?? []), clock]);
  const added = addedNodes(events, report);
  let branch = start;
  /** As a what-if that does the same is called. */
  const subjectOf = ({ operation, text, at }: ScenarioEvent): string => {
    const before = branch;
    const inRun = subjectInRun(operation);
    if (inRun === undefined) {
      const edited = isEdit(operation) ? withEdited(branch, operation) : null;
      branch = edited ?? applyOperation(branch, operation).input;
    }
    const subject = inRun ?? changeText(causesOf(before, branch).causes, []) ?? text;
    return at === null || at === 0 ? subject : say`${subject} at ${momentText(start.calendar ?? {}, at)}`;
  };
  return events.map((event) => {
    const { operation, text, at } = event;
    return {
      label: labelOf(operation),
      subject: subjectOf(event),
      text,
      drained: operation.verb === 'drain' ? operation.node : null,
      isChange: isChange(operation),
      endsDrain: operation.verb === 'uncordon' && drained.has(operation.node),
      clock: clocks.get(text)?.shift() ?? at ?? 0,
      objects: operation.verb === 'add' ? added(operation) : [objectOf(operation)],
    };
  });
}

function objectOf(operation: Exclude<Operation, { readonly verb: 'add' }>): string {
  if ('target' in operation) return objectName(operation.target);
  return operation.verb === 'class' ? `PriorityClass/${operation.name}` : `Node/${operation.node}`;
}

type Addition = Operation & { readonly verb: 'add' };

/** The nodes that an addition makes; those that are there from the start come before. To be asked in order. */
function addedNodes(
  events: readonly ScenarioEvent[],
  { nodes }: Pick<ComparedReport, 'nodes'>,
): (addition: Addition) => readonly string[] {
  const amounts = new Map<string, number>();
  for (const { operation } of events) {
    if (operation.verb !== 'add') continue;
    const stem = stemOfAdded(operation.like);
    amounts.set(stem, (amounts.get(stem) ?? 0) + operation.count);
  }
  const left = new Map(
    [...amounts].map(([stem, amount]) => {
      const all = nodes.flatMap(({ name }) => (isAdded(name, stem) ? [`Node/${name}`] : []));
      return [stem, all.slice(-amount)];
    }),
  );
  return ({ like, count }) => left.get(stemOfAdded(like))?.splice(0, count) ?? [];
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
