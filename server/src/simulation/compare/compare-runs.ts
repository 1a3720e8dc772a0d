import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import { keyOfObject, workloadKey } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { Way } from './build-plan.ts';
import { compared, type UncountedChange } from './compare-reports.ts';
import { nameAmong } from '../cluster/simulated-cluster.ts';
import { withSameNodes } from '../cluster/assumed-nodes.ts';
import { areNodesAssumed } from '../cluster/inventory.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type SimulationOptions } from '../cluster/input.ts';
import { applyOperation } from '../operations/apply-operation.ts';
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
  /** Whether what is not written any more is removed. */
  readonly prunes?: boolean | undefined;
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
  const [[earlier, now], preferred] = withChangedFirst(...onSameNodes(one, other));
  // Who could evict whom is not compared.
  const others = { ...options, ...ofAnotherRun(options), threatLimit: 0 };
  const cluster = yield* settledBefore(earlier, now, scenario, since);
  const inputBefore = cluster?.before ?? earlier.input;
  const left = cluster?.left(now.input) ?? [];
  const applied = cluster?.applied(now.input) ?? now.input;
  const input = now.prunes === true ? without(applied, left) : applied;
  const before = yield* simulateEvents(inputBefore, scenario, earlier.events, others);
  const stays = now.prunes === true ? [] : left;
  const played = yield* simulateEvents(input, scenario, now.events, options, now.questions);
  const after = {
    ...played,
    events: [...played.events, ...leftEvents(stays)],
    assumptions: [...played.assumptions, ...choiceAmongCopies(preferred)],
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
  const written = (made: SimulationInput): SimulationInput => cluster?.asWritten(made) ?? made;
  // What arrives later is written all the same.
  const ground = earlier.input.workspace === now.input.workspace ? applied : inputBefore;
  const inputs = {
    earlier: written(startOf(ground, earlier.events).start),
    // What a what-if changes is edited nowhere.
    now: written(now.events.length === 0 ? start : { ...start, edits: undefined }),
    happens,
    isApplied: cluster !== undefined,
    left: stays,
    uncounted: uncountedChanges(earlier.input.workspace, now.input.workspace),
  };
  const report = yield* compared(before, after, since, inputs, way);
  const whole = yield* attributed(
    { ...report, scenario: { kind: 'change', since } },
    { earlier: startOf(inputBefore, earlier.events).start, now: start, later, happens, scenario },
    { ...options, ...ofAnotherRun(options) },
  );
  return { report: whole, input };
}

/** Without some objects, and what they control. */
function without(input: SimulationInput, keys: readonly string[]): SimulationInput {
  return keys.reduce((pruned, key) => {
    const [kind = '', namespace = '', name = ''] = key.split('/');
    return applyOperation(pruned, { verb: 'delete', target: { kind, namespace, name } }).input;
  }, input);
}

/**
 * Of objects that are written more than once the first counts. Where another one has changed, and the first has not, that
 * comes before it in both: it is what is asked about. With the names of such objects.
 */
function withChangedFirst(earlier: Played, now: Played): readonly [readonly [Played, Played], readonly string[]] {
  if (earlier.input.workspace === now.input.workspace) return [[earlier, now], []];
  const [before, after] = [copiesOf(earlier.input.workspace), copiesOf(now.input.workspace)];
  const first = { before: new Map<Declared, Declared>(), after: new Map<Declared, Declared>() };
  const names: string[] = [];
  for (const [key, [counting, ...others]] of after) {
    const [countedBefore, ...othersBefore] = before.get(key) ?? [];
    if (countedBefore === undefined || !isSame(countedBefore.object, counting!.object)) continue;
    for (const copy of others) {
      const earlierCopy = othersBefore.find(({ origin }) => origin !== undefined && origin.uri === copy.origin?.uri);
      if (earlierCopy === undefined || isSame(earlierCopy.object, copy.object)) continue;
      exchange(first.before, countedBefore, earlierCopy);
      exchange(first.after, counting!, copy);
      names.push(key);
      break;
    }
  }
  if (names.length === 0) return [[earlier, now], []];
  const ordered = (played: Played, places: ReadonlyMap<Declared, Declared>): Played => ({
    ...played,
    input: { ...played.input, workspace: played.input.workspace.map((each) => places.get(each) ?? each) },
  });
  return [[ordered(earlier, first.before), ordered(now, first.after)], names];
}

function exchange(places: Map<Declared, Declared>, one: Declared, other: Declared): void {
  places.set(one, other).set(other, one);
}

/** What is written more than once, by `keyOfObject`, in order. */
function copiesOf(workspace: readonly Declared[]): ReadonlyMap<string, readonly Declared[]> {
  const copies = new Map<string, Declared[]>();
  for (const declared of workspace) {
    const key = keyOfObject(declared.object);
    const known = copies.get(key);
    if (known === undefined) copies.set(key, [declared]);
    else known.push(declared);
  }
  return new Map([...copies].filter(([, { length }]) => length > 1));
}

function choiceAmongCopies(keys: readonly string[]): WholeReport['assumptions'] {
  if (keys.length === 0) return [];
  const names = list(
    keys.map((key) => key.replace('//', '/')),
    4,
  );
  const text = say`written more than once, of which what has changed is used: ${names}`;
  return [{ mark: '?', text, detail: say`A cluster has one of each name. Leave the other files out with --exclude.` }];
}

/** Objects that are written more than once, and otherwise than before where they do not count. */
function uncountedChanges(before: readonly Declared[], now: readonly Declared[]): readonly UncountedChange[] {
  if (before === now) return [];
  const known = new Set(furtherOf(before).map(({ object }) => JSON.stringify(object)));
  const changed = new Map(
    furtherOf(now).flatMap((each) =>
      known.has(JSON.stringify(each.object)) ? [] : [[keyOfObject(each.object), each]],
    ),
  );
  const counting = new Map<string, Declared>();
  for (const declared of now.toReversed()) counting.set(keyOfObject(declared.object), declared);
  return [...changed].map(([key, { origin }]) => {
    const first = counting.get(key)?.origin;
    const isElsewhere = first !== undefined && first.uri !== origin?.uri;
    return { key, counts: isElsewhere ? nameAmong(first.uri, origin === undefined ? [] : [origin.uri]) : '' };
  });
}

/** Of objects of one name all but the first. */
function furtherOf(workspace: readonly Declared[]): readonly Declared[] {
  const seen = new Set<string>();
  const further: Declared[] = [];
  for (const declared of workspace) {
    const key = keyOfObject(declared.object);
    if (seen.has(key)) further.push(declared);
    seen.add(key);
  }
  return further;
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
  return yield* settledCluster(earlier.input, since, { isHeld: (key) => areSame && held.has(key) });
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
