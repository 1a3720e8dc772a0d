import { joined, say, sayUnstopped } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { keyOfObject, nameOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import type { Assumption, WholeReport } from '../../report-model/report.ts';
import type { Way } from './build-plan.ts';
import { compared } from './compare-reports.ts';
import { copiesThatCount } from '../report/copies.ts';
import { uncountedChanges, withChangedFirst } from './copies.ts';
import { assumedNodesFor, withSameNodes } from '../cluster/assumed-nodes.ts';
import { areNodesAssumed } from '../cluster/inventory.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type SimulationOptions } from '../cluster/input.ts';
import { applyOperation } from '../operations/apply-operation.ts';
import { changedNodeClauses } from './changed-node-clauses.ts';
import { hookClauses } from './hooks-in-the-way.ts';
import { attributed } from './attribute-effects.ts';
import { isEdit } from '../scenario/as-manifest.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import type { Question } from '../scenario/question.ts';
import { simulateEvents, startOf } from '../scenario/simulate-scenario.ts';
import { isSame, settledCluster, type SettledCluster, settledForWhatIfs } from '../scenario/settled-cluster.ts';
import { asStage, endOf, happeningsOf, stagesOf } from './stages-of.ts';

/** A cluster, and what happens in it. */
export interface Played {
  readonly input: SimulationInput;
  readonly events: readonly ScenarioEvent[];
  /** Asked of its end. */
  readonly questions?: readonly Question[];
  /** Whether what is not written any more is removed: all of it, or some objects. */
  readonly prunes?: boolean | ReadonlySet<WorkloadKey> | undefined;
}

/**
 * Simulates what arrives, and tells what differs from another run: of the manifests as they were, of another cluster, or
 * without some events. Costs two simulations, one more for each what-if but the last, and one more where manifests and
 * events differ. Throws as `simulateEvents` does.
 * @param since what the other run is of, to be read after "compared with": `git HEAD`.
 */
export function* compareRuns(...asked: Parameters<typeof runsCompared>): Generator<void, WholeReport> {
  return (yield* runsCompared(...asked)).report;
}

/** As `compareRuns`, with the cluster to which the change is applied. */
export function* runsCompared(
  one: Played,
  other: Played,
  scenario: Scenario,
  since: string,
  options: SimulationOptions = {},
): Generator<void, { readonly report: WholeReport; readonly input: SimulationInput }> {
  const isOfOffers = areOnlyOffersOther(one, other);
  const [onNodes, nowOnNodes] = isOfOffers ? onOwnGroups(one, other) : onSameNodes(one, other);
  const chosen = withChangedFirst(onNodes.input, nowOnNodes.input);
  const [earlier, now] = [
    { ...onNodes, input: chosen.earlier },
    { ...nowOnNodes, input: chosen.now },
  ];
  // Who could evict whom is not compared.
  const others = { ...options, ...ofAnotherRun(options), threatLimit: 0 };
  const cluster = isOfOffers ? undefined : yield* settledBefore(earlier, now, scenario, since);
  const inputBefore = cluster?.before ?? earlier.input;
  const left = cluster?.left(now.input) ?? [];
  const applied = cluster?.applied(now.input) ?? now.input;
  const { prunes = false } = now;
  const goes = (key: WorkloadKey): boolean => (typeof prunes === 'boolean' ? prunes : prunes.has(key));
  const input = without(applied, left.filter(goes));
  const before = yield* simulateEvents(inputBefore, scenario, earlier.events, others);
  const stays = left.filter((key) => !goes(key));
  const played = yield* simulateEvents(input, scenario, now.events, options, now.questions);
  const after = {
    ...played,
    events: [...played.events, ...leftEvents(stays)],
    // A cluster that has settled has one of each.
    assumptions: [
      ...played.assumptions,
      ...(cluster === undefined ? [] : copiesThatCount(now.input.workspace)),
      ...(isOfOffers ? [deployedAnew] : []),
    ],
  };
  const { start, later } = startOf(input, now.events);
  const stageAfter = function* (events: readonly ScenarioEvent[]) {
    return asStage(yield* simulateEvents(input, scenario, events, others));
  };
  // Where both the manifests and a what-if differ, the manifests alone stand between.
  const both = now.events.length > 0 && earlier.events.length === 0 && earlier.input.workspace !== now.input.workspace;
  const way: Way = {
    between: [
      ...(both ? [{ label: say`as written`, whatIf: '', report: yield* stageAfter([]) }] : []),
      ...(earlier.events.length === 0 ? yield* stagesOf(now.events, stageAfter) : []),
    ],
    end: earlier.events.length === 0 ? endOf(now.events, after) : endOf([], after),
  };
  const known = new Set(earlier.events.map(({ text }) => text));
  const happens = happeningsOf(
    later.filter(({ text }) => !known.has(text)),
    after,
    start,
  );
  const asWritten = (made: SimulationInput): SimulationInput => cluster?.asWritten(made) ?? made;
  // What arrives later is written all the same.
  const areSame = earlier.input.workspace === now.input.workspace;
  const ground = areSame ? applied : inputBefore;
  const inputs = {
    earlier: asWritten(startOf(ground, earlier.events).start),
    // What a what-if changes is edited nowhere.
    now: asWritten(now.events.length === 0 ? start : { ...start, edits: undefined }),
    happens,
    isApplied: cluster !== undefined,
    left: stays,
    unrendered: now.input.unrendered,
    seesAllEdits: now.input.seesAllEdits,
    uncounted: uncountedChanges(earlier.input.workspace, now.input.workspace),
  };
  const told = yield* compared(before, after, since, inputs, way);
  const whole = yield* attributed(
    { ...told, scenario: { kind: 'change', since } },
    { earlier: startOf(inputBefore, earlier.events).start, now: start, later, happens, scenario },
    { ...options, ...ofAnotherRun(options) },
  );
  const written = [earlier.input.workspace, now.input.workspace] as const;
  const further = areSame
    ? []
    : [
        ...hookClauses(whole, ...written),
        ...changedNodeClauses(whole, ...written, input.snapshot),
        ...whole.events.flatMap(({ verdict, told: [lost = ''] }) =>
          verdict === 'unprotected' && !whole.answer.headline.includes(lost) ? [lost] : [],
        ),
        ...(isOfOffers && whole.comparison?.pods.length !== 0
          ? [say`nodes and allocations that are there stay until they are replaced`]
          : []),
      ];
  return { report: withClauses(whole, further), input };
}

/** With more behind its headline. */
function withClauses(report: WholeReport, clauses: readonly string[]): WholeReport {
  if (clauses.length === 0) return report;
  const headline = say`${joined([sayUnstopped(report.answer.headline), ...clauses], '; ')}.`;
  return { ...report, answer: { ...report.answer, headline } };
}

/** Without some objects, and what they control. */
function without(input: SimulationInput, keys: readonly string[]): SimulationInput {
  return keys.reduce((pruned, key) => {
    const [kind = '', namespace = '', name = ''] = key.split('/');
    return applyOperation(pruned, { verb: 'delete', target: { kind, namespace, name } }).input;
  }, input);
}

/** What is not written any more, as something that happens. */
function leftEvents(left: readonly string[]): WholeReport['events'] {
  if (left.length === 0) return [];
  const names = list(
    left.map((key) => key.replace('//', '/')),
    4,
  );
  const text = say`not written any more: ${names}`;
  return [{ clock: 0, text, told: [say`It stays: kubectl apply removes nothing. With --prune it is removed.`] }];
}

/**
 * The cluster in which a change happens. More pods of a workload come into whatever is there at that time, also while
 * others arrive; a template is changed of what runs. Undefined where nothing is there before what is asked about arrives.
 */
function* settledBefore(
  earlier: Played,
  now: Played,
  scenario: Scenario,
  since: string,
): Generator<void, SettledCluster | undefined> {
  const held = new Set(
    now.events.flatMap(({ operation }) => {
      if (operation.verb !== 'arrive') return [];
      const { kind, namespace, name } = operation.target;
      return [workloadKey(kind, namespace, name)];
    }),
  );
  if (scenario.kind !== 'workspace') return undefined;
  const isOfWhatRuns =
    held.size > 0 ||
    now.events.some(({ operation, at }) => at !== 0 && isEdit(operation) && operation.verb !== 'scale');
  const areSame = earlier.input.workspace === now.input.workspace;
  if (areSame && earlier.events.length > 0 && held.size > 0) return undefined;
  if (areSame && (earlier.events.length > 0 || !isOfWhatRuns)) {
    return yield* settledForWhatIfs(earlier.input, [...earlier.events, ...now.events], () =>
      settledCluster(earlier.input, since),
    );
  }
  return yield* settledCluster(earlier.input, since, (key) => areSame && held.has(key));
}

const deployedAnew: Assumption = {
  mark: '?',
  text: say`everything is deployed anew, before the change and after it`,
  detail: say`Nodes and allocations that are there stay as they are until they are replaced.`,
};

/**
 * Whether all that differs is what makes nodes or offers devices. Nodes and allocations that are there stay as they are
 * whatever their pool or class says now: what it is good for shows where everything is deployed anew.
 */
function areOnlyOffersOther(earlier: Played, now: Played): boolean {
  if (earlier.input.workspace === now.input.workspace) return false;
  const written = new Map(earlier.input.workspace.map(({ object }) => [keyOfObject(object), object]));
  let others = 0;
  for (const { object } of now.input.workspace) {
    const key = keyOfObject(object);
    const was = written.get(key);
    written.delete(key);
    if (was !== undefined && isSame(was, object)) continue;
    if (!isPoolObject(object) && object.kind !== 'DeviceClass') return false;
    others += 1;
  }
  return others > 0 && written.size === 0;
}

/** Each with the nodes that its own groups have, and beside them the same that are assumed. */
function onOwnGroups(earlier: Played, now: Played): readonly [Played, Played] {
  if (!areNodesAssumed(earlier.input) || !areNodesAssumed(now.input)) return [earlier, now];
  const beside = assumedNodesFor({ ...earlier.input, growth: undefined, basis: undefined });
  const names = new Set(beside.map(nameOf));
  const isBeside = (node: Node): boolean => names.has(nameOf(node));
  const had = assumedNodesFor(earlier.input).filter(isBeside);
  const own = assumedNodesFor(now.input).filter((node) => !isBeside(node));
  return [earlier, { ...now, input: { ...now.input, basis: undefined, standIns: [...own, ...had] } }];
}

/** What differs must not be the nodes that were assumed. */
function onSameNodes(earlier: Played, now: Played): readonly [Played, Played] {
  if (!areNodesAssumed(earlier.input) || !areNodesAssumed(now.input)) return [earlier, now];
  const [before, after] = withSameNodes(earlier.input, now.input);
  return [
    { ...earlier, input: before },
    { ...now, input: after },
  ];
}
